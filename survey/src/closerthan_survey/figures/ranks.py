"""Compare many contenders over data sets: pairs, ranks and tests, each with its uncertainty.

A contender is a method with a loss. Trial t of a data set has the same answers for all contenders.
"""

import numpy as np
import pandas as pd
from scipy import stats

from closerthan_lab.quality.multiplicity import holm
from closerthan_study.figures.captions import count
from closerthan_study.figures.spread import with_ends
from closerthan_study.seeds import seed_sequence

DEFAULT = ("default", "none")
ALL = "all"  # in place of a data set
ERROR = "error beside the default's, %"
RESAMPLES = 2000
NEAR = 3.0  # percent, in which a difference of errors hardly counts
_LEVEL = 0.05
_CUTS = 50
_SMALLEST = 0.01  # relative difference of errors that counts
_PRECISION = 12  # digits: errors that are equal stay so when they are averaged


# What is compared


def has_simulated_answers(page, dataset):
    """Return whether the answers of a data set are simulated. People's answers have a form."""
    return not page.record(dataset).get("form")


def name_contender(page, name, contender):
    """Return the label of a contender: its method, and its loss if the method has several."""
    key, loss = contender
    method = page.experiments[name].methods[key]
    if loss == "none" or method.losses_of([]) == [loss]:
        return method.label
    label = page.study.labels.get(key, f"{method.label}, {{loss}}")
    return label.format(loss=page.label(loss))


def wide(page, name, measure="test_error"):
    """Return a measure with a row for each data set and trial, and a column for each contender."""
    rows = page.seconds(name) if measure == "seconds" else page.scores(name)
    learned = [key for key, method in page.experiments[name].methods.items() if not method.control]
    rows = rows[(rows.measure == measure) & rows.method.isin(learned)]
    table = rows.pivot(index=["dataset", "trial"], columns=["method", "loss"], values="value")
    order = [(method, loss) for method in learned for loss in [*page.losses, "none"]]
    table = table[[contender for contender in order if contender in table]]
    return table.astype(float).dropna(axis="columns", how="all")


# Pairs


def reach_of(values, overlap=0.0):
    """Return half the width of the 95 % interval of a mean, by Student's t.

    Trials that split the same answers vary less than new answers would. `overlap` is the number of
    test answers divided by the number of all others. The variance of the mean is (1/n + overlap)
    times the variance of a value (Nadeau and Bengio, Machine Learning 52, 2003).
    """
    n = len(values)
    if n < 2:
        return np.nan
    scale = np.std(values, ddof=1) * np.sqrt(1 / n + overlap)
    return float(stats.t.ppf(1 - _LEVEL / 2, n - 1) * scale)


def log_ratio(values, others, n_test, overlap=0.0):
    """Return the logarithm of the ratio of two mean errors, paired by trial, and its reach.

    This is the ratio of the means, not the mean of ratios: a trial without an error has no ratio,
    and a ratio of few errors is biased. Half an error is added to both sums, so that the ratio
    always exists.
    """
    values, others = np.asarray(values, dtype=float), np.asarray(others, dtype=float)
    both = ~np.isnan(values + others)
    if not both.any():
        return np.nan, np.nan
    values, others = values[both], others[both]
    half = 0.5 / (len(values) * n_test)
    mean, other = values.mean() + half, others.mean() + half
    return float(np.log(mean / other)), reach_of(values / mean - others / other, overlap)


def relative_errors(page, name):
    """Return how much larger the test error of each contender is than the default's.

    Each contender and data set has a row: n, the trials that both have; relative (0.1: the error is
    10 % larger); and low and high, its 95 % interval. Rows of data set "all" have the mean over
    data sets.
    """
    errors = _errors(page, name)
    rows = []
    for contender in errors:
        if contender == DEFAULT:
            continue
        keys = dict(zip(("method", "loss"), contender, strict=True))
        pairs = errors[[contender, DEFAULT]].dropna()
        logs = []
        for dataset in page.datasets(name):
            if dataset in pairs.index:
                pair = pairs.loc[dataset]
                found = log_ratio(*pair.to_numpy().T, *_sizes(page, name, dataset))
                logs.append(found[0])
                rows.append({"dataset": dataset, **keys, "n": len(pair), **_relative(*found)})
        if logs:
            found = float(np.mean(logs)), reach_of(logs)
            rows.append({"dataset": ALL, **keys, "n": len(logs), **_relative(*found)})
    columns = ["dataset", "method", "loss", "n", "relative", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def _relative(ratio, reach):
    limits = {"relative": ratio, "low": ratio - reach, "high": ratio + reach}
    return {key: float(np.expm1(value)) for key, value in limits.items()}


def _sizes(page, name, dataset):
    """Return the number of test comparisons of a trial, and the overlap of trials."""
    counts = page.drawn(name, dataset)["comparisons"]
    test = float(np.mean(counts["test"]))
    if has_simulated_answers(page, dataset):
        return test, 0.0
    common = test / page.record(dataset)["shape"]["comparisons"][0]
    return test, common / (1 - common)


def _errors(page, name):
    """Return the test errors of an experiment. The default must have some."""
    errors = wide(page, name)
    if DEFAULT not in errors:
        raise ValueError(f"experiment {name} has no errors of method and loss {DEFAULT}")
    return errors


# Ranks


def ranks(page, name):
    """Rank the contenders of an experiment over its data sets, and test each against the default.

    Intervals of the mean rank are percentiles over 2,000 bootstrap draws of data sets and, in each,
    of trials. Differences are tested by Wilcoxon's signed-rank test over data sets, with Holm's
    correction. A difference is shown if p is at most 0.05, and the mean and the median over data
    sets are both at least 1 % (Demšar, Journal of Machine Learning Research 7, 2006).
    """
    errors = _errors(page, name)
    logs = _log_ratios(page, name, errors)
    rng = np.random.default_rng(seed_sequence(page.spec.seed, page.name, name, "ranks"))
    n_tests = {dataset: _sizes(page, name, dataset)[0] for dataset in logs.index}
    draws = pd.DataFrame(resample(errors, n_tests, rng))
    low, high = draws.quantile([0.025, 0.975]).to_numpy()
    whole = relative_errors(page, name)
    whole = whole[whole.dataset == ALL].set_index(["method", "loss"])
    others = [contender for contender in whole.index if contender != DEFAULT]
    p_values = holm(np.array([_signed_ranks(logs[key].dropna()) for key in others]))
    p_values = dict(zip(others, p_values, strict=True))
    rows = []
    for place, contender in enumerate(errors):
        rank = np.nanmean(rank_rows(logs.to_numpy())[:, place])
        row = {"contender": name_contender(page, name, contender)}
        row |= with_ends("mean rank", rank, low[place], high[place])
        p, verdict = np.nan, "the default"
        limits = [np.nan] * 3
        if contender in p_values:
            p = p_values[contender]
            verdict = _verdict(p, logs[contender].dropna())
            limits = 100 * whole.loc[contender, ["relative", "low", "high"]].to_numpy(float)
        row |= with_ends(ERROR, *limits)
        rows.append({**row, "p": p, "verdict": verdict, "data sets": logs[contender].count()})
    return pd.DataFrame(rows).sort_values("mean rank", kind="stable", ignore_index=True)


def rank_rows(values):
    """Rank the values of each row from 1, stretched to the same range if some are missing."""
    values = np.round(values, _PRECISION)
    one, other = values[..., :, None], values[..., None, :]
    lower, equal = (other < one).sum(axis=-1), (other == one).sum(axis=-1)
    n = (equal > 0).sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        stretched = 1 + (lower + (equal - 1) / 2) * (values.shape[-1] - 1) / (n - 1)
    return np.where((equal > 0) & (n > 1), stretched, np.nan)


def _log_ratios(page, name, errors):
    """Return the logarithm of each error relative to the default's, a row for each data set."""
    rows = {}
    for dataset in page.datasets(name):
        if dataset in errors.index:
            block, sizes = errors.loc[dataset], _sizes(page, name, dataset)
            rows[dataset] = [log_ratio(block[key], block[DEFAULT], *sizes)[0] for key in block]
    return pd.DataFrame.from_dict(rows, orient="index", columns=errors.columns)


def resample(errors, n_tests, rng):
    """Return mean ranks, (2000, n_contenders), in draws of data sets and, in each, of trials."""
    if len(n_tests) < 2:
        return np.full((RESAMPLES, errors.shape[1]), np.nan)
    found = []
    for dataset, n_test in n_tests.items():
        block = errors.loc[dataset]
        n_trials = len(block)
        draws = rng.multinomial(n_trials, np.full(n_trials, 1 / n_trials), RESAMPLES)
        found.append(rank_rows(_ratios(block.to_numpy(), block[DEFAULT], draws, n_test)))
    found = np.stack(found, axis=1)  # draw, data set, contender
    n = found.shape[1]
    weights = rng.multinomial(n, np.full(n, 1 / n), RESAMPLES)[:, :, None] * ~np.isnan(found)
    with np.errstate(invalid="ignore"):
        return (weights * np.nan_to_num(found)).sum(axis=1) / weights.sum(axis=1)


def _ratios(values, others, draws, n_test):
    """Return the ratio of mean errors of each column in each draw of trials, as `log_ratio`."""
    others = np.asarray(others, dtype=float)[:, None]
    both = ~np.isnan(values + others)
    sums, of_others = (draws @ np.where(both, each, 0.0) for each in (values, others))
    ratio = (sums + 0.5 / n_test) / (of_others + 0.5 / n_test)
    return np.where(draws @ both > 0, ratio, np.nan)


def _signed_ranks(logs):
    """Return the p-value of Wilcoxon's test that differences are symmetric about zero."""
    logs = np.round(logs.to_numpy(float), _PRECISION)
    return float(stats.wilcoxon(logs).pvalue) if logs.any() else 1.0


def _verdict(p, logs):
    mean, median = logs.mean(), logs.median()
    if p <= _LEVEL and max(mean, median) <= np.log1p(-_SMALLEST):
        return "better"
    if p <= _LEVEL and min(mean, median) >= np.log1p(_SMALLEST):
        return "worse"
    return "no difference shown"


# The default and the best of all


def check_default(page, name):
    """Compare the default with the contender that the other half of the trials would choose.

    The trials of each data set are split into two halves, 50 times at random. Both halves choose
    the contender with the least mean error, and score the choice of the other half and the default.
    """
    errors = _errors(page, name)
    grid = [key for key in errors if key != DEFAULT and key[0] != "lapses"]
    rows = []
    for dataset in page.datasets(name):
        block = errors.loc[dataset] if dataset in errors.index else errors.iloc[:0]
        block = block[block[DEFAULT].notna()]
        rivals = block[grid].dropna(axis="columns")
        if len(block) < 2 or rivals.empty:
            continue
        rng = np.random.default_rng(seed_sequence(page.spec.seed, page.name, name, dataset, "cuts"))
        chosen, theirs = _choose_by_halves(rivals.to_numpy(), rng)
        ratio, reach = log_ratio(block[DEFAULT], theirs, *_sizes(page, name, dataset))
        limits = _relative(ratio, reach)
        row = {"data set": page.label(dataset)}
        row["best contender"] = name_contender(page, name, rivals.columns[chosen])
        row |= {"ours": block[DEFAULT].mean(), "its error": theirs.mean()}
        row["difference, %"] = 100 * limits["relative"]
        row |= {"from": 100 * limits["low"], "to": 100 * limits["high"], "trials": len(block)}
        rows.append(row)
    columns = ["data set", "best contender", "ours", "its error", "difference, %"]
    return pd.DataFrame(rows, columns=[*columns, "from", "to", "trials"])


def _choose_by_halves(errors, rng):
    """Return the column chosen most often, and the mean error of the chosen columns by trial."""
    n_trials, n_rivals = errors.shape
    chosen, theirs = np.zeros(n_rivals, dtype=int), np.zeros(n_trials)
    for _ in range(_CUTS):
        order = rng.permutation(n_trials)
        halves = order[: n_trials // 2], order[n_trials // 2 :]
        for one, other in (halves, halves[::-1]):
            best = errors[one].mean(axis=0).argmin()
            chosen[best] += 1
            theirs[other] += errors[other, best] / _CUTS
    return chosen.argmax(), theirs


# In words


def default_in_words(table):
    """Say on how many data sets the default is near the best, and where it is farthest."""
    differences = table["difference, %"]
    n, near = len(table), int((differences <= NEAR).sum())
    if not n:
        return "not checked: no data set has two trials and another contender"
    low, high = stats.binomtest(near, n).proportion_ci(1 - _LEVEL, method="wilson")
    share = f"{100 * near / n:.0f} %, 95 % interval {100 * low:.0f} to {100 * high:.0f} %"
    worst = table.loc[differences.idxmax()]
    return (
        f"within {NEAR:g} % of the best on {near} of {count(n, 'data set')} ({share}); at most "
        f"{worst['difference, %']:+.1f} % ({worst['data set']})"
    )


def friedman_in_words(page, name):
    """Return the result of Friedman's test, over data sets that have errors of all contenders."""
    logs = _log_ratios(page, name, _errors(page, name)).dropna()
    n_datasets, n_contenders = logs.shape
    text = f"{count(n_contenders, 'contender')} on {count(n_datasets, 'data set')}"
    if n_datasets < 2 or n_contenders < 3:
        return f"Friedman's test needs 3 contenders on 2 data sets or more; there are {text}"
    found = stats.friedmanchisquare(*np.round(logs.to_numpy(), _PRECISION).T)
    p = "p < 0.001" if found.pvalue < 0.001 else f"p = {found.pvalue:.2g}"
    return f"Friedman's test of {text}: χ² = {found.statistic:.1f}, {p}"


def intervals_in_words(page, name):
    """Describe the intervals of `relative_errors`."""
    datasets = page.datasets(name)
    shared = not all(has_simulated_answers(page, dataset) for dataset in datasets)
    corrected = ", with a correction because trials share answers" if shared else ""
    return (
        "95 % intervals by Student's t, for a data set over its "
        f"{count(page.experiments[name].trials, 'trial')}{corrected}, and for all over "
        f"{count(len(datasets), 'data set')}"
    )
