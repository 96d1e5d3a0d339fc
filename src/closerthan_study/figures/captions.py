"""What captions say of an experiment, put in words from what was configured, drawn and printed."""

from closerthan_study.order_statistics import interval_ranks, true_coverage
from closerthan_study.spec.printed import STAND_IN


def count(n, noun):
    """Say how many there are of something."""
    return f"{n:,} {noun}" + "s" * (n != 1)


def trials(experiment, *, epochs=False):
    """Say how many trials an experiment has, and where a method has fewer, with the reason."""
    text = count(experiment.trials, "trial")
    if epochs:
        text += f" of {count(experiment.epochs, 'epoch')}"
    fewer = {}
    for method in experiment.methods.values():
        if method.reason:
            said = []
            if method.trials != experiment.trials:
                said.append(count(method.trials, "trial"))
            if method.epochs != experiment.epochs:
                said.append(f"{'of ' * bool(said)}{count(method.epochs, 'epoch')}")
            # What has as many trials and epochs as the others has fewer checkpoints.
            key = " ".join(said) or "at fewer places", method.reason
            fewer.setdefault(key, []).append(method.label)
    exceptions = [
        f"{', '.join(labels)}: {what}, as {reason}" for (what, reason), labels in fewer.items()
    ]
    return text + (f" ({'; '.join(exceptions)})" if exceptions else "")


def spread(experiment, lines="lines", bands="bands"):
    """Say what is drawn of the trials: the median, and how far its interval reaches."""
    n = experiment.trials
    if n == 1:
        return f"{lines.capitalize()} show the one trial"
    _, low, _ = interval_ranks(n)
    reach = f"are the range of the {n} trials"
    if low:
        k = _ordinal(low + 1)
        reach = f"reach from the {k} lowest to the {k} highest of {n} trials"
    return (
        f"{lines.capitalize()} are medians over trials; {bands} {reach} "
        f"(true median in it: {100 * true_coverage(n):.0f} %)"
    )


def _ordinal(k):
    ending = "th" if k % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(k % 10, "th")
    return f"{k}{ending}"


def timing(page, name):
    """Say whether anything ran beside what the seconds of an experiment are of."""
    if page.experiments[name].timed:
        return "Seconds: of one thread, with nothing beside it"
    return "Seconds: of one thread, while other jobs may have run: a hint"


def swapped(noise):
    """Say how many answers were swapped."""
    return f"{100 * noise:.0f} % of the answers swapped"


def data(page, name, dataset=None):
    """Say what an experiment learns from: the objects of a trial, and its comparisons."""
    experiment = page.experiments[name]
    dataset = dataset or page.dataset(name)
    text = _objects(page, experiment, dataset)
    if "comparisons" in page.drawn(name, dataset):
        text += f", {sizes(page, name, dataset)}"
    return text


def objects(page, name, dataset=None):
    """Say what the objects of an experiment are; `data` says how they are compared, too."""
    return _objects(page, page.experiments[name], dataset or page.dataset(name))


def taking_part(page, names):
    """Say how many words take part in experiments on pairs that people rated."""
    counts = {name: page.drawn(name, page.dataset(name))["objects"]["item"] for name in names}
    return " and ".join(f"{n:,} words of {page.label(name)}" for name, n in counts.items())


def _objects(page, experiment, dataset):
    points, record = getattr(experiment, "points", None), page.record(dataset)
    if points is not None and getattr(points, "n_labeled", None):
        return (
            f"a generated mixture of {points.n_objects:,} objects with {points.n_components} "
            f"features, of which {points.n_labeled:,} belong to {points.n_classes} classes"
        )
    if points is not None:
        return f"{points.n_objects:,} generated points in {points.n_components} dimensions"
    dissimilarity = getattr(experiment, "dissimilarity", None)  # of maps alone
    if dissimilarity and "points" in record["shape"]:
        text = f"{experiment.objects.n_objects:,} generated points, drawn anew in each trial"
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
        text += f"; {page.drawn(experiment.name, dataset)['objects']['item']:,} of them"
    return text


def sizes(page, name, dataset=None):
    """Say how many comparisons of a trial train, and how many test, as they were drawn."""
    counts = page.drawn(name, dataset or page.dataset(name))["comparisons"]
    text = f"{_number(counts['train'])} training triplets"
    return text + (f", {_number(counts['test'])} to test" if "test" in counts else "")


def _number(n):
    """A count, or the least and the largest of trials that differ."""
    return f"{n:,}" if isinstance(n, int) else " to ".join(f"{limit:,}" for limit in n)


def classes(page, name, dataset=None):
    """Say how many objects of a class are embedded and searched, and how many search them."""
    objects = page.trial(name, dataset or page.dataset(name))
    n = objects.groupby("part").apply(lambda part: part.label.value_counts().max())
    found = f"{objects.label.nunique()} classes, each of {n['item']} embedded images"
    return f"{found} and {n['query']} queries"


def printed(page, artefact):
    """Say what a table or figure of the paper prints, if it is no more than a few numbers.

    Of each the statistic, the value, and in the words of the file of printed numbers its unit.
    """
    rows = page.beside(artefact)
    methods = page.experiments[rows.experiment.iloc[0]].methods
    several = rows.our_method.nunique() > 1  # or else the statistic tells them apart
    numbers = ", ".join(
        f"{methods[row.our_method].label if several else row.statistic} {row.printed:g}"
        for row in rows.itertuples()
    )
    return f"{numbers} {' or '.join(dict.fromkeys(rows.unit))}"


def stand_ins(page, datasets):
    """Name the data sets among some that no printed number is of, and say what they are."""
    printed = set(page.printed[page.printed.data != STAND_IN].our_dataset)
    said = [
        f"{page.label(name)} ({page.record(name)['title'].rstrip('.')})"
        for name in datasets
        if name not in printed
    ]
    return f"Not the paper's data: {', '.join(said)}." if said else ""


def chosen(page, scores):
    """Say which values of tuned parameters were chosen, in how many trials each."""
    said = []
    for measure in page.tuned:
        counts = scores[scores.measure == measure].value.value_counts().sort_index()
        if len(counts):
            values = ", ".join(f"{value:g} ({n})" for value, n in counts.items())
            said.append(f"{symbol(page, measure)} {values}")
    return "; ".join(said)


def symbol(page, parameter):
    """Return how a parameter is written: the study's label, or its name in words."""
    return page.study.labels.get(parameter, parameter.replace("_", " "))


def vectors(page, names):
    """Say where word vectors come from, and how much of what people rated has one."""
    record = page.record(page.dataset(names[0]))
    parts = []
    for name in names:
        n = record["coverage"][page.experiments[name].objects.pairs]
        parts.append(
            f"{n['n_words']:,} of {n['n_words_all']:,} words and {n['n_pairs']:,} of "
            f"{n['n_pairs_all']:,} pairs of {page.label(name)}"
        )
    return (
        f"Vectors: {record['vectors']} in place of the paper's, which are made from tweets; it has "
        f"{' and '.join(parts)}"
    )
