"""closerthan's contenders: every solver by name, the defaults, MDS and metrics."""

from functools import partial

from closerthan import OrdinalEmbedding
from closerthan.discovery import short_names


def ordinal(data, seed, watch, solver):
    """Return points from comparisons, with the loss of the peers and, like them, no penalty."""
    model = OrdinalEmbedding(
        int(data["p"]),
        loss=str(data["loss"]),
        solver=solver,
        penalty=None,
        init=data.get("start", "random"),
        callback=watch and (lambda points, row: watch(points)),
        random_state=seed,
    )
    return model.fit(data["train"]).embedding_


def default(data, seed, watch):
    """Points from comparisons, without any setting: with a choice of loss, a prior and a start."""
    model = OrdinalEmbedding(
        int(data["p"]), callback=watch and (lambda points, row: watch(points)), random_state=seed
    )
    return model.fit(data["train"]).embedding_


def mds(data, seed, watch, name):
    """A map of distances, by a class of closerthan.mds."""
    from closerthan import mds

    model = getattr(mds, name)(2, metric="precomputed", random_state=seed)
    return model.fit_transform(data["distances"])


def metric(data, seed, watch, name, known):
    """The components of a metric, from rows and from what is known of them."""
    from closerthan_study import baselines

    return getattr(baselines, name)().fit(data["X"], *(data[k] for k in known)).components_


SOLVERS = {name: partial(ordinal, solver=name) for name in short_names("closerthan.optimize")}
TASKS = {
    "ordinal": {**SOLVERS, "default": default},
    "mds": {
        "pattern search": partial(mds, name="PatternSearchMDS"),
        "SMACOF": partial(mds, name="SMACOF"),
    },
    "RCA": {"RCA": partial(metric, name="RCA", known=["y"])},
    "ITML": {"ITML": partial(metric, name="ITML", known=["pairs", "sides"])},
    "LMNN": {"LMNN": partial(metric, name="LMNN", known=["y"])},
}
