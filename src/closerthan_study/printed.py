"""The numbers that papers print, or show in figures of their code, each with our number."""

import numpy as np
import pandas as pd
from scipy.stats import bootstrap

from closerthan_study.reading import read_records, read_scores
from closerthan_study.reported import STATISTICS, read_reported
from closerthan_study.seeds import seed_sequence
from closerthan_study.spec.experiment import NONE
from closerthan_study.spec.printed import DATA, PARTIAL, SAME
from closerthan_study.tasks.base import CONTROL
from closerthan_study.tasks.scoring import COLUMNS as TIDY

# Of printed.csv: what is printed where, what was reached here, and on what.
BESIDE = [
    *("study", "artefact", "dataset", "loss", "method", "setting", "metric", "unit"),
    *("printed", "printed_status", "ours", "low", "high", "difference", "trials", "reached"),
    *("data", "our_dataset", "our_experiment", "our_variant", "status"),
]
# Resampling trials says nothing of what lies beyond their extremes.
_WITHOUT_INTERVAL = {"min", "max"}
_RESAMPLES = 10_000
_FEW = 3  # resampling fewer trials gives their extremes
_VARIANT = "paper"
_WORDS = {"batch_size": "mini-batch size"}
_INSTEAD = {"not-reached": ("reached", "not reached"), "failed": ("succeeds", "fails")}
_ROW_KEYS = [
    *("study", "experiment", "dataset", "method", "variant"),
    *("batch_size", "loss", "noise", "measure"),
]


def compare_printed(spec, places):
    """Return every number of `reported.csv`, in the order of their files, with our number."""
    paths = sorted(spec.root.glob("config/studies/*/reported.csv"))
    tables = [compare_with_printed(spec, path.parent.name, places) for path in paths]
    return pd.concat(tables or [pd.DataFrame()], ignore_index=True).reindex(columns=BESIDE)


def compare_with_printed(spec, study, places):
    """Compare the printed numbers of one study; see `compare_printed`."""
    reported = read_reported(spec.folder_of(study) / "reported.csv", spec)
    return join_reported(reported, _read_ours(reported, spec, places), spec, places)


def describe_data(study, records):
    """Return the size of data sets, given their records, as tidy rows."""
    row = {"study": study, "experiment": DATA, "method": "", "variant": CONTROL, "loss": NONE}
    row |= {"batch_size": pd.NA, "noise": 0.0, "trial": 0, "epoch": np.nan, "k": pd.NA}
    rows = []
    for record in records:
        objects, features = record["shape"]["features"]
        (classes,) = record["shape"]["class_names"]
        counts = {"objects": objects, "features": features, "classes": classes}
        row = {**row, "dataset": record["name"]}
        rows += [{**row, "measure": name, "value": float(n)} for name, n in counts.items()]
    return pd.DataFrame(rows)


def join_reported(reported, ours, spec, places):
    """Add our number to each printed number, from the last value of each trial's curve.

    The curve ends where the study says that the paper's ends, if it does.

    Added are `ours`, the same statistic over the trials with a value; `low` and `high`, its 95 %
    percentile bootstrap interval; `difference`, ours minus printed; `trials`, and `reached`, those
    with a value; `our_dataset`, and in `data` whether it is the same, partial or a stand-in;
    `our_experiment` and `our_variant`, what ran; and `status`, how the two compare in words.
    """
    ours = ours[~(ours.epoch > _last_epochs(ours, spec))]
    ours = ours.sort_values("epoch", kind="stable").fillna({"batch_size": 0})
    ours = ours.drop_duplicates([*_ROW_KEYS, "k", "trial"], keep="last")
    ours = ours.groupby(_ROW_KEYS).value.agg(list).to_dict()
    present = {(*experiment.words, dataset) for experiment, dataset in places}
    present |= {(study, DATA, dataset) for study, _, dataset in present}
    rows = []
    names = {"value": "printed", "status": "printed_status"}
    for row in reported.rename(columns=names).to_dict("records"):
        row |= _choose(row, spec, present)
        reason = _why_not_run(row, spec, present)
        values, reason = (None, reason) if reason else _find(ours, _wanted(row, spec))
        rows.append(row | _compare(row, values, reason, spec) | _what_ran(row, values, spec))
    return pd.DataFrame(rows)


def _last_epochs(ours, spec):
    """Return the epoch at which each row's curve is read, or NaN for its end."""
    rows = zip(ours.study, ours.experiment, ours.loss, strict=True)
    return [
        spec.study(study).printed.epochs.get(experiment, {}).get(loss, np.nan)
        for study, experiment, loss in rows
    ]


def _read_ours(reported, spec, places):
    """Return the run's values of the measures that a paper prints, as tidy rows."""
    wanted_of = set(zip(reported.study, reported.experiment, strict=True))
    wanted = [("measure", "in", set(reported.measure))]
    here = [place for place in places if place[0].words in wanted_of]
    files = sorted(file for place in here for file in spec.scores(*place))
    tables = [read_scores(file, filters=wanted) for file in files if file.parent.exists()]
    of_data = reported[reported.experiment == DATA]
    for study in dict.fromkeys(of_data.study):
        ours = {dataset for experiment, dataset in places if experiment.study == study}
        names = sorted(ours & set(of_data.dataset))
        records = read_records(f"{spec.results}/data/{name}.json" for name in names)
        tables.append(describe_data(study, records))
    return pd.concat(tables or [pd.DataFrame()]).reindex(columns=TIDY)


def _choose(row, spec, present):
    """Return this run's data set for a printed one, and whether it is the same."""
    kinds = spec.study(row["study"]).printed.kinds(row["dataset"])
    place = row["study"], row["experiment"]
    name = next((name for name in kinds if (*place, name) in present), next(iter(kinds)))
    reduced = (*place, name) in present and row["experiment"] != DATA and _is_reduced(spec, *place)
    kind = PARTIAL if reduced and kinds[name] == SAME else kinds[name]
    return {"our_dataset": name, "data": kind}


def _is_reduced(spec, *place):
    """Return whether trials get less data than at the scale of the papers."""
    here, whole = (
        experiment.model_dump(include=set(experiment.drawn))
        for experiment in (spec.experiment(*place), spec.whole.experiment(*place))
    )
    # Fewer levels of noise are fewer rows, and each of them as it is there.
    for content in (here, whole):
        for part in content.values():
            if part:
                part.pop("noise", None)
    return here != whole


def _wanted(row, spec):
    """Return the keys of the rows that a printed number is compared with."""
    before = row["study"], row["experiment"], row["our_dataset"], row["our_method"]
    noise = None if pd.isna(row["noise"]) else row["noise"]
    after = row["batch_size"], row["our_loss"], noise, row["measure"]
    return *before, _variant(row, spec), *after


def _variant(row, spec):
    """Return the variant that runs as in the paper, if the measure depends on it."""
    name = spec.study(row["study"]).printed.variants.get(row["measure"])
    if name is None:
        return _VARIANT
    method = spec.experiment(row["study"], row["experiment"]).methods[row["our_method"]]
    return name if name in method.variants else _VARIANT


def _what_ran(row, values, spec):
    """Return the experiment and the variant that our number is of, if there is one."""
    if values is None or row["experiment"] == DATA:
        return {"our_experiment": "", "our_variant": ""}
    method = spec.experiment(row["study"], row["experiment"]).methods[row["our_method"]]
    variant = CONTROL if method.control else _variant(row, spec)
    return {"our_experiment": row["experiment"], "our_variant": variant}


def _find(values, wanted):
    """Return the values of all trials, or None and the first name that has no result."""
    places = list(values)
    for n, (name, value) in enumerate(zip(_ROW_KEYS, wanted, strict=True)):
        if value is not None:
            # A control has but one variant, of its own.
            allowed = {value, CONTROL} if name == "variant" else {value}
            places = [place for place in places if place[n] in allowed]
        if not places:
            return None, f"this run leaves out the {_WORDS.get(name, name)} {value}"
    return np.concatenate([values[place] for place in places]), ""


def _why_not_run(row, spec, present):
    """Say why a run has no comparable result of an experiment; return "" if it has."""
    study, experiment, dataset = row["study"], row["experiment"], row["our_dataset"]
    if study not in spec.studies:
        return "this run leaves out the study"
    names = spec.study(study).experiments if experiment == DATA else [experiment]
    experiments = [spec.experiment(study, name) for name in names]
    if (study, experiment, dataset) not in present:
        if any(dataset in e.datasets for e in experiments):
            return f"the data set {dataset} is missing"
        return f"this run leaves out the data set {dataset}"
    if experiment == DATA:
        return ""
    (here,) = experiments
    if row["measure"].startswith("seconds") and not here.timed:
        return f"seconds do not count at the scale {spec.scale}"
    n_components = getattr(here, "n_components", np.nan)
    learned = not here.methods[row["our_method"]].control
    if learned and row["n_components"] != n_components and pd.notna(row["n_components"]):
        return f"the maps have {n_components} dimensions"
    return ""


def _compare(row, values, reason, spec):
    if values is None:
        nothing = dict.fromkeys(("ours", "low", "high", "difference"), np.nan)
        return nothing | {"trials": 0, "reached": 0, "status": f"not run here: {reason}"}
    reached = values[np.isfinite(values)]
    ours, low, high = _estimate(reached, row["statistic"])
    return {
        "ours": ours,
        "low": low,
        "high": high,
        "difference": ours - row["printed"],
        "trials": len(values),
        "reached": len(reached),
        "status": _say(row, len(reached), len(values), spec),
    }


def _say(row, reached, trials, spec):
    """Say how the values of some trials compare with the printed number."""
    count = f"{reached} of {trials} trials"
    if row["printed_status"] != "value":
        other, alike = _INSTEAD[row["printed_status"]]
        if reached:
            return f"disagree: {other} here in {count}"
        return f"agree: {alike} in {trials} of {trials} trials"
    if reached == 1 and row["statistic"] == "std":
        return f"not {'run' if trials == 1 else 'reached'} here: one trial has no deviation"
    if reached == trials:
        return "compared"
    missed = f"{trials - reached} of {trials} trials"
    words = f"no value in {missed}"
    if row["measure"].endswith("_to_error"):
        method = spec.experiment(row["study"], row["experiment"]).methods[row["our_method"]]
        epochs = method.epochs_of(row["our_loss"])
        words = f"ran {epochs} epochs, and the target was not reached in {missed}"
    return f"{'compared' if reached else 'not reached here'}: {words}"


def _estimate(values, name):
    """Return a statistic of the trials and its 95 % bootstrap interval."""
    if len(values) < 2:
        # One trial has a mean and no spread.
        one = values[0] if len(values) and name != "std" else np.nan
        return one, np.nan, np.nan
    statistic = STATISTICS[name]
    estimate = statistic(values, axis=0)
    # Trials that are all the same, as of a method without chance, do not tell how it would vary.
    if name in _WITHOUT_INTERVAL or np.ptp(values) == 0 or len(values) < _FEW:
        return estimate, np.nan, np.nan
    interval = bootstrap(
        (values,),
        statistic,
        n_resamples=_RESAMPLES,
        method="percentile",
        vectorized=True,
        rng=np.random.default_rng(seed_sequence(0, "reported", name)),
    ).confidence_interval
    return estimate, interval.low, interval.high
