"""Tables of many methods on many data sets: amounts, solvers, probabilities, stability."""

import numpy as np
import pandas as pd

from closerthan_study.figures.spread import median, median_interval, with_ends
from closerthan_study.seeds import seed_sequence
from closerthan_survey.figures.ranks import DEFAULT, RESAMPLES, name_contender, reach_of, wide

_NEAR = 0.1  # an error that is larger by this share is near
_SPREADS = {"start_spread": "other starts", "resample_spread": "other answers"}


# Amounts


def unit_of(page, name, dataset):
    """Return n p log2(n) for the n objects of a data set in the p dimensions of an experiment."""
    n = page.drawn(name, dataset)["objects"]["item"]
    return n * page.experiments[name].n_components * np.log2(n)


def per_object(page, name):
    """Return the test errors of an experiment with their `amount`, in units of n p log2(n)."""
    scores = page.scores(name)
    keys = ["dataset", "method", "sweep"]
    amounts = scores[scores.measure == "n_train"].groupby(keys).value.median()
    units = pd.Series({d: unit_of(page, name, d) for d in page.datasets(name)}, dtype=float)
    amounts = amounts / units.reindex(amounts.index.get_level_values("dataset")).to_numpy()
    errors = scores[scores.measure == "test_error"]
    return errors.merge(amounts.rename("amount").reset_index(), on=keys, how="left")


def enough(page, name):
    """Return how many training comparisons bring the error within 10 % of that with all."""
    scores = page.scores(name)
    rows = scores[scores["sweep"].notna()]
    found = []
    for dataset in page.datasets(name):
        for key, method in page.experiments[name].methods.items():
            own = rows[(rows.dataset == dataset) & (rows.method == key)]
            if own.empty:
                continue
            errors, sizes = (
                own[own.measure == measure].pivot(index="trial", columns="sweep", values="value")
                for measure in ("test_error", "n_train")
            )
            errors, sizes = errors.dropna().to_numpy(), sizes.median().to_numpy()
            if not len(errors):
                continue
            seeds = seed_sequence(page.spec.seed, page.name, name, dataset, key, "enough")
            drawn = np.random.default_rng(seeds).integers(
                len(errors), size=(RESAMPLES, len(errors))
            )
            number = sizes[first_near(errors.mean(axis=0))]
            limits = sizes[first_near(errors[drawn].mean(axis=1))]
            low, high = np.percentile(limits, [2.5, 97.5], method="closest_observation")
            unit = unit_of(page, name, dataset)
            found.append(
                {
                    "data set": page.label(dataset),
                    "method": method.label,
                    "error with all": errors[:, -1].mean(),
                    "all": round(sizes[-1]),
                    **with_ends("enough", round(number), round(low), round(high)),
                    "all / (n p log₂ n)": sizes[-1] / unit,
                    "enough / (n p log₂ n)": number / unit,
                }
            )
    return pd.DataFrame(found)


def first_near(errors):
    """Return the first place along the last axis with an error near the last."""
    return np.argmax(errors <= (1 + _NEAR) * errors[..., -1:], axis=-1)


# Solvers


def compare_solvers(page, name):
    """Return errors and seconds relative to the least of each data set, and geometric means."""
    factors = {}
    for measure, of_trials in {"test_error": "mean", "seconds": "median"}.items():
        trials = wide(page, name, measure).groupby("dataset")
        table = trials.agg(of_trials)
        if measure == "test_error":
            table = table.add(_half_a_miss(page, name, trials.size()), axis="index")
        factors[measure] = table.div(table.min(axis="columns"), axis="index")
    order = list(factors["test_error"])
    long = {key: table.stack(["method", "loss"]) for key, table in factors.items()}
    relative = pd.DataFrame(long).dropna()
    means = {}
    for contender in order:
        rows = relative[relative.index.droplevel("dataset") == contender]
        if len(rows):
            means[contender] = {}
            for measure in factors:
                logs = np.log(rows[measure].to_numpy())
                mean, reach = logs.mean(), reach_of(logs)
                ends = np.exp([mean, max(mean - reach, 0.0), mean + reach])
                means[contender] |= with_ends(measure, *ends)
    means = pd.DataFrame.from_dict(means, orient="index")
    means.index = pd.MultiIndex.from_tuples(means.index, names=["method", "loss"])
    return relative.reset_index(), means


def _half_a_miss(page, name, n_trials):
    """Return half an error in all trials of each data set. Adding it makes no error zero."""
    tests = [np.mean(page.drawn(name, d)["comparisons"]["test"]) for d in n_trials.index]
    return 0.5 / (n_trials * tests)


def solvers(page, name):
    """Return error and seconds of each solver relative to the least, and its gradient evaluations.

    Factors are geometric means over data sets. Epochs are medians over data sets of medians over
    trials.
    """
    _, means = compare_solvers(page, name)
    epochs = wide(page, name, "epochs").groupby("dataset").median()
    titles = {"test_error": "error, times the least", "seconds": "seconds, times the fastest"}
    rows = []
    for contender, mean in means.sort_values("seconds", kind="stable").iterrows():
        row = {"solver": name_contender(page, name, contender)}
        for measure, title in titles.items():
            row |= with_ends(title, *(mean[f"{measure}{end}"] for end in ("", ", from", ", to")))
        values = epochs.get(contender, [])
        row |= with_ends("epochs", median(values), *median_interval(values))
        row["data sets"] = wide(page, name)[contender].dropna().groupby("dataset").ngroups
        rows.append(row)
    return pd.DataFrame(rows)


# Probabilities and stability


def probabilities(page, name):
    """Return how good contenders' probabilities are, and their differences from the default."""
    rows = {}
    for measure in ("log_loss", "calibration_error"):
        table = wide(page, name, measure)
        title = measure.replace("_", " ")
        for contender in table:
            row = rows.setdefault(contender, {"contender": name_contender(page, name, contender)})
            row |= _mean_over_datasets(title, table[contender])
            paired = DEFAULT in table and contender != DEFAULT
            beside = table[contender] - (table[DEFAULT] if paired else np.nan)
            row |= _mean_over_datasets(f"{title}, difference", beside)
            row["data sets"] = table[contender].dropna().groupby("dataset").ngroups
    return pd.DataFrame(rows.values())


def _mean_over_datasets(title, values):
    means = values.groupby("dataset").mean().dropna()
    mean, reach = means.mean(), reach_of(means)
    return with_ends(title, mean, mean - reach, mean + reach)


def stability(page, name):
    """Return how far maps move with other random starts, and with other parts of the answers."""
    rows = {}
    for measure, title in _SPREADS.items():
        table = wide(page, name, measure).groupby("dataset").median()
        for contender in table:
            row = rows.setdefault(contender, {"contender": name_contender(page, name, contender)})
            values = table[contender]
            row |= with_ends(title, median(values), *median_interval(values))
            row[f"{title}, data sets"] = int(values.count())
    return pd.DataFrame(rows.values())
