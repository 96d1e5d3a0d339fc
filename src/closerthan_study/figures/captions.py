"""Texts for captions: trials, objects, comparisons, classes and printed numbers in words."""

from closerthan_study.order_statistics import interval_ranks, true_coverage
from closerthan_study.spec.printed import STAND_IN


def count(n, noun):
    """Return a number with its noun, in the plural if it is not one."""
    return f"{n:,} {noun}" + "s" * (n != 1)


def trials(experiment, *, epochs=False, of=None):
    """Say how many trials an experiment has. Name the methods that have fewer, and why.

    `of` has the curves of a figure, if it does not show all methods.
    """
    text = count(experiment.trials, "trial")
    if epochs:
        text += f" of {_epochs(experiment)}"
    fewer = {}
    shown = experiment.methods if of is None else {curve.method for curve in of}
    for name, method in experiment.methods.items():
        if method.reason and name in shown:
            said = []
            if method.trials != experiment.trials:
                said.append(count(method.trials, "trial"))
            if method.epochs != experiment.epochs:
                said.append(f"{'of ' * bool(said)}{_epochs(method)}")
            if method.trials not in (1, experiment.trials) and _is_range(method.trials):
                said[-1] += ", shown with their range"
            # A method with as many trials and epochs as the others has fewer checkpoints.
            key = " ".join(said) or "at fewer places", method.reason
            fewer.setdefault(key, []).append(method.label)
    exceptions = [
        f"{', '.join(labels)}: {what}, because {reason}" for (what, reason), labels in fewer.items()
    ]
    return text + (f" ({'; '.join(exceptions)})" if exceptions else "")


def each(experiment):
    """Say how many trials an experiment has on each data set, and at most how many comparisons."""
    most = experiment.comparisons.most
    text = f"{trials(experiment)} each"
    return text + (f", with at most {most:,} comparisons" if most else "")


def _is_range(n):
    """Return whether the interval of a median of n trials is their range."""
    return not interval_ranks(n)[1]


def _epochs(sized):
    """Say how many epochs an experiment or a method has."""
    if isinstance(sized.epochs, int):
        return count(sized.epochs, "epoch")
    epochs = sized.epochs.values()
    return f"{min(epochs):,} to {max(epochs):,} epochs, by loss"


def spread(experiment, lines="lines", bands="bands"):
    """Say how trials are drawn: as medians, with an interval of the median."""
    n = experiment.trials
    if n == 1:
        return f"{lines.capitalize()} show the only trial"
    reach = f"are the range of the {n} trials"
    if not _is_range(n):
        k = _ordinal(interval_ranks(n)[1] + 1)
        reach = f"reach from the {k} lowest to the {k} highest of {n} trials"
    return (
        f"{lines.capitalize()} are medians over trials; {bands} {reach} "
        f"({100 * true_coverage(n):.0f} % confidence interval)"
    )


def _ordinal(k):
    ending = "th" if k % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(k % 10, "th")
    return f"{k}{ending}"


def timing(page, name):
    """Say whether other jobs may have run during an experiment whose seconds are shown."""
    if page.experiments[name].timed:
        return "Seconds: one thread, with no other job beside it"
    return "Seconds: one thread; approximate, because other jobs may have run"


def swapped(noise):
    """Return the share of swapped answers in words."""
    return f"{100 * noise:.0f} % of answers swapped"


def data(page, name, dataset=None):
    """Describe the data of an experiment: the objects of a trial, and its comparisons."""
    dataset = dataset or page.dataset(name)
    text = objects(page, name, dataset)
    if "comparisons" in page.drawn(name, dataset):
        text += f", {split_sizes(page, name, dataset)}"
    return text


def taking_part(page, names):
    """Say how many words are used in experiments on pairs that people rated."""
    counts = {name: page.drawn(name, page.dataset(name))["objects"]["item"] for name in names}
    return " and ".join(f"{n:,} words of {page.label(name)}" for name, n in counts.items())


def objects(page, name, dataset=None):
    """Describe the objects of an experiment, without their comparisons."""
    experiment, dataset = page.experiments[name], dataset or page.dataset(name)
    points, record = getattr(experiment, "points", None), page.record(dataset)
    if points is not None and getattr(points, "n_labeled", None):
        return (
            f"a generated mixture of {points.n_objects:,} objects with {points.n_components} "
            f"features ({points.n_labeled:,} of them in {points.n_classes} classes)"
        )
    if points is not None:
        return f"{points.n_objects:,} generated points in {points.n_components} dimensions"
    dissimilarity = getattr(experiment, "dissimilarity", None)  # only maps have one
    if dissimilarity and "points" in record["shape"]:
        text = f"{experiment.objects.n_objects:,} generated points, drawn again in each trial"
        if dissimilarity == "geodesic":
            text += f"; graph of {experiment.n_neighbors} neighbors"
        return text
    if "points" in record["shape"]:
        n, p = record["shape"]["points"]
        return f"{n:,} generated points in {p} dimensions"
    text = f"{page.label(dataset)}: {record['description'].rstrip('.')}"
    if "comparisons" in record["shape"]:
        n = record["shape"]["comparisons"][0]
        text += f" ({record['n_objects']:,} objects, {count(n, 'triplet')})"
    if dissimilarity:
        text += f"; {page.drawn(name, dataset)['objects']['item']:,} objects are used"
    return text


def split_sizes(page, name, dataset=None, of="triplets"):
    """Say how many training and test comparisons a trial has."""
    counts = page.drawn(name, dataset or page.dataset(name))["comparisons"]
    text = f"{amount(counts['train'])} training {of}"
    return text + (f", {amount(counts['test'])} test {of}" if "test" in counts else "")


def amount(n):
    """Return a count, or the smallest and largest count if trials differ."""
    return f"{n:,}" if isinstance(n, int) else " to ".join(f"{limit:,}" for limit in n)


def classes(page, name, dataset=None):
    """Say how many images of each class are embedded, and how many are queries."""
    objects = page.trial(name, dataset or page.dataset(name))
    n = objects.groupby("part").apply(lambda part: part.label.value_counts().max())
    found = f"{objects.label.nunique()} classes are drawn, each of {n['item']} embedded images"
    return f"{found} and {n['query']} queries"


def printed(page, artefact):
    """Return the few numbers that a table or figure of the paper prints, with names and units."""
    rows = page.printed_in(artefact)
    methods = page.experiments[rows.experiment.iloc[0]].methods
    several = rows.our_method.nunique() > 1  # otherwise the statistic distinguishes them
    numbers = ", ".join(
        f"{methods[row.our_method].label if several else row.statistic} {row.printed:g}"
        for row in rows.itertuples()
    )
    return f"{numbers} {' or '.join(dict.fromkeys(rows.unit))}"


def stand_ins(page, datasets):
    """Name the data sets for which the paper prints no number, with their titles."""
    printed = set(page.printed[page.printed.data != STAND_IN].our_dataset)
    said = [
        f"{page.label(name)} ({page.record(name)['title'].rstrip('.')})"
        for name in datasets
        if name not in printed
    ]
    return f"Not the paper's data: {', '.join(said)}." if said else ""


def chosen(page, scores):
    """Return the chosen values of tuned parameters, with the number of trials of each."""
    said = []
    for measure in page.tuned:
        counts = scores[scores.measure == measure].value.value_counts().sort_index()
        if len(counts):
            values = ", ".join(f"{value:g} ({n})" for value, n in counts.items())
            said.append(f"{symbol(page, measure)} {values}")
    return "; ".join(said)


def symbol(page, parameter):
    """Return the label of a parameter: the study's, or its name in words."""
    return page.study.labels.get(parameter, parameter.replace("_", " "))


def vectors(page, names):
    """Say where word vectors come from, and how many of the rated words and pairs have one."""
    record = page.record(page.dataset(names[0]))
    parts = []
    for name in names:
        n = record["coverage"][page.experiments[name].objects.pairs]
        parts.append(
            f"{n['n_words']:,} of {n['n_words_all']:,} words and {n['n_pairs']:,} of "
            f"{n['n_pairs_all']:,} pairs of {page.label(name)}"
        )
    return (
        f"GloVe vectors ({record['vectors']}) instead of the paper's, which are made from tweets. "
        f"They cover {' and '.join(parts)}"
    )
