"""What a job asks a cluster for: memory and run time, from what it handles.

The rates are seconds on one core of a server of 2024, and the requests allow for three times as
much. A job that needs more still is ended by the cluster and asks for twice as much the next time.
"""

from math import ceil

__all__ = ["fits_request", "is_short", "scores_request"]

_BASE_MB = 1500  # Python thrice: Snakemake on the node, Snakemake in the job's step, and the script
_MARGIN = 3
_SHORTEST = 10  # minutes, for the start of a job and compiling on a busy node

# Of the data sets whose size no study file says; the others are moderate.
_OBJECTS = {"eurodist": 21, "zappos": 85, "synthetic": 100, "music": 400, "letter": 20_000}
_FEATURES = {"caltech10": 1_000}
_MODERATE = {"objects": 1_500, "features": 50}


def fits_request(experiment, dataset, parts, attempt=1):
    """Return what a job of the fits station asks for.

    Parameters
    ----------
    experiment : Experiment
    dataset : str
    parts : dict of str to list of int
        The methods that it fits, with the trials of each.
    attempt : int, default 1
        Each further attempt asks for twice as much.

    Returns
    -------
    megabytes, minutes : int

    Examples
    --------
    >>> from relsim.study.spec import Experiment, Method
    >>> method = Method("svrg", "SVRG", {"default": {}}, solver="SVRG", trials=50, epochs=300)
    >>> sizes = {"comparisons": {"n_train": 100_000}, "n_components": 2}
    >>> experiment = Experiment(
    ...     "toy", "map", "Fig. 1", ["eurodist"], methods={"svrg": method}, **sizes,
    ...     trials=50, epochs=300, trials_per_job=50,
    ... )
    >>> fits_request(experiment, "eurodist", {"svrg": list(range(50))})
    (1500, 30)
    >>> fits_request(experiment, "eurodist", {"svrg": list(range(50))}, attempt=2)
    (3000, 60)
    """
    seconds = sum(
        _runs(experiment, experiment.methods[name], len(trials))
        * _seconds(experiment, dataset, experiment.methods[name])
        for name, trials in parts.items()
    )
    minutes = max(_SHORTEST, _MARGIN * seconds / 60)
    return _doubled(attempt, _BASE_MB + _matrices_mb(experiment, dataset), minutes)


def scores_request(experiment, dataset, attempt=1):
    """Return what a job of the scores station asks for, in megabytes and minutes.

    It reads the fits of all methods of an experiment one after another.
    """
    searched = _objects(experiment, dataset)
    minutes = _SHORTEST + searched * len(experiment.methods) / 50_000
    return _doubled(attempt, _BASE_MB + 1_000 + searched / 500, minutes)


def is_short(request):
    """Return whether a job that asks for so much is too short to be sent to a cluster alone."""
    _, minutes = request
    return minutes <= _SHORTEST


def _doubled(attempt, megabytes, minutes):
    factor = 2 ** (attempt - 1)
    return ceil(factor * megabytes), ceil(factor * minutes)


def _objects(experiment, dataset):
    sizes = experiment.comparisons | (experiment.points or {})
    if {"n_classes", "n_items"} <= set(sizes):
        return sizes["n_classes"] * sizes["n_items"]
    return sizes.get("n_objects", _OBJECTS.get(dataset, _MODERATE["objects"]))


def _features(experiment, dataset):
    drawn = (experiment.points or {}).get("n_components")
    return drawn or _FEATURES.get(dataset, _MODERATE["features"])


def _triplets(experiment):
    """Return the triplets of a trial; of a share of people's answers, as many as are common."""
    n_train = experiment.comparisons.get("n_train", 0)
    return n_train if n_train > 1 else 10_000


def _matrices_mb(experiment, dataset):
    """Return the megabytes of the matrices that are in memory at once."""
    if experiment.learns == "similarity":
        objects = (experiment.points or {}).get("n_labeled", _objects(experiment, dataset))
        features = _features(experiment, dataset)
        return 8e-6 * (3 * objects * features + 10 * features**2)
    kernels = any(method.model == "BatchKernel" for method in experiment.methods.values())
    if experiment.learns == "points" and not kernels:
        return 0
    return 8e-6 * 10 * _objects(experiment, dataset) ** 2


def _runs(experiment, method, trials):
    """Return how many times a method is run for some trials of it, tuning included."""
    if method.control:
        return 0
    losses = 4 if method.losses is None and experiment.learns in ("points", "stream") else 1
    losses = len(method.losses) if method.losses else losses
    tuned_on = trials if experiment.learns == "similarity" else len(experiment.tuned_on)
    runs = 0
    for name in method.variants:
        variant = method.variant(name)
        candidates = sum(len(values) for values in variant.tune.values())
        runs += len(variant.batch_sizes) * (trials + candidates * tuned_on)
    return runs * losses * len(experiment.noises) * _swept(method)


def _swept(method):
    """Return how much longer than one run all swept values take."""
    return sum(_share(*setting) for setting in method.sweeps) or 1


def _share(name, value):
    """Return what a swept value makes of the time: a revisit is a step, too."""
    match name:
        case "revisits":
            return 1 + value
        case "initial_scale":  # a larger one keeps a kernel free of negative eigenvalues for longer
            return 1 / value
    return 1


def _seconds(experiment, dataset, method):
    """Return the seconds that a method is run for once."""
    objects, triplets = _objects(experiment, dataset), _triplets(experiment)
    match experiment.learns:
        case "points":
            eigenvectors = 3e-10 * objects**3 if method.model else 0
            return method.epochs * (1e-7 * triplets + eigenvectors)
        case "stream" if method.model == "OnlineKernel":
            return triplets * (3e-5 + 5e-9 * objects**2)
        case "stream":
            fits = len(experiment.marks(method.name))
            return fits * method.epochs * (1e-7 * triplets + 3e-10 * objects**3)
        case "map":
            return 1e-9 * objects**3 + _map_seconds(experiment, method, objects)
        case "similarity":
            return 1.5e-9 * method.epochs * triplets * _features(experiment, dataset) ** 2


def _map_seconds(experiment, method, objects):
    """Return what a map takes besides the paths or eigenvectors of its objects."""
    if method.model in ("PatternSearchMDS", "SMACOF", "MDS"):
        return 5e-9 * method.epochs * objects**2 * experiment.n_components
    settings = [method.variant(name).settings("none") for name in method.variants]
    neighbors = max(each.get("n_neighbors", experiment.n_neighbors) for each in settings)
    return 3e-8 * objects * neighbors**3
