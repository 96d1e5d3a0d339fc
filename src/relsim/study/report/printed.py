"""The numbers that the papers print: config/studies/{study}/reported.csv, set beside ours.

A file keeps what a paper prints in the paper's own words; the block `printed` of its study.yaml
says what these are called here (see `relsim.study.spec.printed`).
"""

import re
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import bootstrap

from relsim.study.scores import MEASURES
from relsim.study.seeds import seed_sequence
from relsim.study.spec import ConfigError
from relsim.study.spec.experiment import NONE
from relsim.study.spec.printed import DATA

COLUMNS = [
    *("paper", "artefact", "dataset", "loss", "method", "setting"),
    *("metric", "value", "unit", "status"),
]


STATISTICS = {
    "min": np.min,
    "mean": np.mean,
    "max": np.max,
    "std": lambda x, axis: np.std(x, axis=axis, ddof=1),
}
# Resampling trials says nothing of what lies beyond their extremes.
_WITHOUT_INTERVAL = {"min", "max"}
_STATUSES = {"value", "not-reached", "failed"}
_RESAMPLES = 10_000
_WORDS = {"dataset": "data set", "batch_size": "mini-batch size"}
_ROW_KEYS = [
    *("study", "experiment", "dataset", "method", "variant"),
    *("batch_size", "loss", "noise", "measure"),
]


def read_reported(path, spec):
    """Read and check the numbers that a paper prints.

    Parameters
    ----------
    path : path-like
        config/studies/{study}/reported.csv, with the columns paper, artefact, dataset, loss,
        method, setting, metric, value, unit and status. A status is `value`; or `not-reached` or
        `failed`, and then there is no value. A setting is a statistic over trials (min, mean, max,
        std), or a noise level (noise=5%) at which the mean is printed; of a map, its dimensions and
        the standard deviation of the noise (dimensions=10; sigma=0.5).
    spec : Spec
        What the rows may name.

    Returns
    -------
    DataFrame
        The rows, and what they are called here: study, experiment, our_dataset, our_loss,
        our_method, batch_size, noise (NaN: any), measure and statistic.

    Raises
    ------
    ConfigError
        If a column is missing or unknown, or a row names an unknown paper, table, data set,
        method, loss, measure or setting, or its status and value do not fit; the message names
        file, line, value and what is allowed.
    """
    path = Path(path)
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such file")
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False, skip_blank_lines=False)
    except (pd.errors.EmptyDataError, pd.errors.ParserError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not CSV: {error}") from None
    if list(table.columns) != COLUMNS:
        raise ConfigError(
            f"{path}: line 1: the columns are {', '.join(table.columns)}; "
            f"they must be {', '.join(COLUMNS)}"
        )
    studies = {s.printed.paper: s for s in spec.studies.values() if s.printed}
    rows = []
    for line, row in enumerate(table.to_dict("records"), start=2):
        where = f"{path}: line {line}"
        rows.append({**row, "value": _value(row, where), **_ours(row, spec, studies, where)})
    if not rows:
        raise ConfigError(f"{path}: there are no rows")
    return pd.DataFrame(rows)


def describe_data(study, records):
    """Return tidy rows of the size of data sets, to be set beside what a paper prints of them.

    Parameters
    ----------
    study : str
    records : list of dict
        What the data station knows of data sets with classes.

    Returns
    -------
    DataFrame
        For each data set the measures objects, features and classes.
    """
    row = {"study": study, "experiment": DATA, "method": "", "variant": "control", "loss": NONE}
    row |= {"batch_size": pd.NA, "noise": 0.0, "trial": 0, "epoch": np.nan, "k": pd.NA}
    rows = []
    for record in records:
        objects, features = record["shape"]["features"]
        (classes,) = record["shape"]["class_names"]
        counts = {"objects": objects, "features": features, "classes": classes}
        row = {**row, "dataset": record["name"]}
        rows += [{**row, "measure": name, "value": float(n)} for name, n in counts.items()]
    return pd.DataFrame(rows)


def join_reported(ours, reported, variant="paper", stand_ins=None):
    """Set what was reached here beside each printed number.

    Parameters
    ----------
    ours : DataFrame
        Tidy rows as the scores station makes them, with those of `seconds.parquet` where seconds
        were printed. Of a curve the last value of each trial counts.
    reported : DataFrame
        From `read_reported`.
    variant : str, default "paper"
        The variant of the methods.
    stand_ins : dict of str to str, optional
        For a printed data set that was not run, by the name it has here, one that was.

    Returns
    -------
    DataFrame
        The columns of `reported`, `value` and `status` as `printed` and `printed_status`, and

        * `ours`: the same statistic over the trials that reached a value;
        * `low`, `high`: its 95 % percentile bootstrap interval over trials (10,000 resamples); none
          for a minimum or maximum, and none for fewer than two trials;
        * `difference`: ours less printed;
        * `trials`, and `reached`: how many of them have a value;
        * `data`: "same" or "stand-in";
        * `status`: in words, how the two compare: "compared"; "not run here: ..." with the reason;
          for a cell printed as not reached or failed "agree: ..." or "disagree: ...".
    """
    stand_ins = stand_ins or {}
    ours = ours.sort_values("epoch", kind="stable").fillna({"batch_size": 0})
    ours = ours.drop_duplicates([*_ROW_KEYS, "k", "trial"], keep="last")
    present = set(ours.dataset)
    ours = ours.groupby(_ROW_KEYS).value.agg(list).to_dict()
    found = {}
    rows = []
    names = {"value": "printed", "status": "printed_status"}
    for row in reported.rename(columns=names).to_dict("records"):
        row["data"] = "same"
        stand_in = stand_ins.get(row["our_dataset"])
        if row["our_dataset"] not in present and stand_in:
            row |= {"our_dataset": stand_in, "data": "stand-in"}
        wanted = _wanted(row, variant)
        if wanted not in found:
            found[wanted] = _find(ours, wanted)
        rows.append(row | _compare(row, *found[wanted]))
    return pd.DataFrame(rows)


def _value(row, where):
    status, text = row["status"], row["value"]
    _known(status, sorted(_STATUSES), f"{where}: unknown status")
    try:
        value = float(text) if text else np.nan
    except ValueError:
        raise ConfigError(f"{where}: the value {text!r} is not a number") from None
    if (status == "value") != np.isfinite(value) or (text and status != "value"):
        need = "a finite number" if status == "value" else "no value"
        raise ConfigError(f"{where}: status {status} with the value {text!r}; it has {need}")
    return value


def _ours(row, spec, studies, where):
    """Return what a printed row is called here."""
    _known(row["paper"], studies, f"{where}: unknown paper")
    study = studies[row["paper"]]
    printed = study.printed
    experiments = [spec.whole.experiment(study.name, name) for name in study.experiments]
    datasets = {name: None for e in experiments for name in [*e.datasets, *e.fallback]}
    methods = {name for e in experiments for name in e.methods}
    _known(row["artefact"], printed.experiments, f"{where}: unknown table or figure")
    of_data = printed.experiments[row["artefact"]]
    if isinstance(of_data, dict):
        _known(row["dataset"], of_data, f"{where}: {row['artefact']}: unknown data set")
    experiment = printed.experiment(row["artefact"], row["dataset"])
    _known(row["dataset"], [*printed.datasets, *datasets], f"{where}: unknown data set")
    loss = printed.losses.get(row["loss"], row["loss"])
    _known(loss, [*study.losses, NONE], f"{where}: unknown loss")
    method, batch_size = printed.method(row["method"])
    _known(method, [""] if experiment == DATA else sorted(methods), f"{where}: unknown method")
    _known(row["metric"], [*printed.measures, *MEASURES], f"{where}: unknown measure")
    statistic, noise = _setting(row["setting"], where)
    return {
        "study": study.name,
        "experiment": experiment,
        "our_dataset": printed.datasets.get(row["dataset"], row["dataset"]),
        "our_loss": loss,
        "our_method": method,
        "batch_size": batch_size,
        "noise": noise,
        "measure": printed.measures.get(row["metric"], row["metric"]),
        "statistic": statistic,
    }


def _setting(text, where):
    """Read a statistic over trials, or the noise level at which the mean is printed."""
    if text in STATISTICS:
        return text, np.nan
    of_map = re.fullmatch(r"dimensions=\d+(?:; sigma=(0\.\d+))?", text)
    if of_map:
        return "mean", float(of_map[1] or 0.0)
    name, _, percent = text.partition("=")
    try:
        noise = float(percent.removesuffix("%")) / 100
    except ValueError:
        noise = np.nan
    if name != "noise" or not percent.endswith("%") or not 0 <= noise <= 0.5:
        allowed = f"{', '.join(STATISTICS)}, noise=N% with N from 0 to 50, dimensions=N"
        allowed += " or dimensions=N; sigma=S with S below 1"
        raise ConfigError(f"{where}: unknown setting {text}; allowed: {allowed}")
    return "mean", noise


def _known(name, names, message):
    if name not in names:
        raise ConfigError(f"{message} {name!r}; allowed: {', '.join(names)}")


def _wanted(row, variant):
    """Return the names that single out the rows to set beside a printed number."""
    before = row["study"], row["experiment"], row["our_dataset"], row["our_method"]
    noise = None if pd.isna(row["noise"]) else row["noise"]
    return *before, variant, row["batch_size"], row["our_loss"], noise, row["measure"]


def _find(values, wanted):
    """Return the values of all trials, or None and the first name that has no result."""
    places = list(values)
    for n, (name, value) in enumerate(zip(_ROW_KEYS, wanted, strict=True)):
        if value is not None:
            # A control has but one variant, of its own.
            allowed = {value, "control"} if name == "variant" else {value}
            places = [place for place in places if place[n] in allowed]
        if not places:
            return None, f"no result with the {_WORDS.get(name, name)} {value}"
    return np.concatenate([values[place] for place in places]), ""


def _compare(row, values, reason):
    if values is None:
        nothing = dict.fromkeys(("ours", "low", "high", "difference"), np.nan)
        return nothing | {"trials": 0, "reached": 0, "status": f"not run here: {reason}"}
    reached = values[np.isfinite(values)]
    ours, low, high = _estimate(reached, row["statistic"])
    count = f"{len(reached)} of {len(values)} trials"
    if row["printed_status"] == "value":
        status = "compared" if len(reached) == len(values) else f"compared: reached in {count}"
        status = status if len(reached) else "disagree: not reached here in any trial"
    else:
        word = {"not-reached": "reached", "failed": "succeeds"}[row["printed_status"]]
        status = f"disagree: {word} here in {count}" if len(reached) else f"agree: {count}"
    return {
        "ours": ours,
        "low": low,
        "high": high,
        "difference": ours - row["printed"],
        "trials": len(values),
        "reached": len(reached),
        "status": status,
    }


def _estimate(values, name):
    """Return a statistic of the trials and its 95 % bootstrap interval."""
    if len(values) < 2:
        # One trial has a mean and no spread.
        one = values[0] if len(values) and name != "std" else np.nan
        return one, np.nan, np.nan
    statistic = STATISTICS[name]
    estimate = statistic(values, axis=0)
    if name in _WITHOUT_INTERVAL:
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
