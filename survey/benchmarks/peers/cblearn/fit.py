"""cblearn's contender: STE at its defaults, by scipy's L-BFGS-B."""

from functools import partial

from cblearn.embedding import STE, _ste
from scipy.optimize import minimize


def ste(data, seed, watch):
    """Return points from comparisons; scipy's callback reports steps, because cblearn has none."""
    p = int(data["p"])

    def watched(flat):
        if watch(flat.reshape(-1, p)):
            raise StopIteration

    _ste.minimize = partial(minimize, callback=watched) if watch else minimize
    model = STE(p, random_state=seed)
    model.fit(data["train"], init=data.get("start"), n_objects=int(data["n"]))
    return model.embedding_


TASKS = {"ordinal": {"STE": ste}}
