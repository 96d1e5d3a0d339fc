"""scikit-learn's contenders: metric MDS, from random points and from the classical solution."""

from functools import partial

from sklearn.manifold import MDS


def mds(data, seed, watch, init):
    """Return a map of distances."""
    model = MDS(2, metric="precomputed", init=init, n_init=1, random_state=seed)
    return model.fit_transform(data["distances"])


TASKS = {
    "mds": {
        "MDS, random start": partial(mds, init="random"),
        "MDS, classical start": partial(mds, init="classical_mds"),
    }
}
