"""A stream of triplets about twelve points, and methods that learn a kernel from it."""

import pytest

LOSSES = {"gnmds": {"class": "GNMDS"}, "ste": {"class": "STE"}}
REFIT = {"model": "BatchKernel", "losses": ["ste"]}
METHODS = {
    "online": {
        "model": "OnlineKernel",
        "losses": ["gnmds"],
        "sweep": {"revisits": [0, 2]},
        "variants": {"paper": {"parameters": {"gradient": "paper"}}, "default": {}},
    },
    "refit": {**REFIT, "variants": {"default": {"parameters": {"warm_start": True}}}},
    "random": {"control": "random"},
    "truth": {"control": "truth"},
}
POINTS = {"n_objects": 12, "n_components": 3, "variance": 1.0}
COMPARISONS = {"source": "distances", "n_train": 90, "n_validation": 60}


@pytest.fixture
def stream(study):
    """A study of streams, by default of generated points, with its comparisons made."""

    def make(**changes):
        settings = {"task": "online", "points": POINTS, "comparisons": COMPARISONS, "rank": True}
        settings |= {"methods": METHODS, "losses": LOSSES}
        sizes = {"epochs": 20, "checkpoints": 3, **changes.pop("sizes", {})}
        toy = study(**{**settings, **changes}, sizes=sizes)
        toy.make_trials()
        return toy

    return make
