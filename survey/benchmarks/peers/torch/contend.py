"""Methods in the court that need torch: two of cblearn, and the code of SPoSE and of VICE.

SPoSE and VICE learn dimensions, whose products are similarities. Both run as for their task with
two choices and with their own defaults, and end early, with what they have, if time gets short.
"""

import contextlib
import json
import os
import random
import runpy
import signal
import sys
import types
from pathlib import Path

import numpy as np


class OutOfTime(Exception):
    """Most of the time is over."""


def ring(*_):
    raise OutOfTime


settings = json.loads(Path("settings.json").read_text())
method, n, p, seed = (settings.pop(k) for k in ("method", "n_objects", "n_components", "seed"))
seconds = settings.pop("seconds")
seed = (seed + settings.pop("start", 0)) % 2**32
if method in ("SPoSE", "VICE"):
    sys.path.insert(0, "code")
    signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, 0.7 * seconds)

import torch  # noqa: E402  (only now, because its import takes time)

torch.set_num_threads(1)
os.environ["MPLBACKEND"] = "agg"


def read(file):
    return np.loadtxt(file, delimiter=",", skiprows=1, ndmin=2)[:, :3].astype(int)


train, questions = read("train.csv"), read("questions.csv")


def cblearn():
    from cblearn import embedding

    given = {"random_state": seed, "device": "cpu", **settings}
    model = getattr(embedding, method)(p, **given).fit(train, n_objects=n)
    np.savetxt("points.csv", model.embedding_, delimiter=",")


def spose():
    """Run its program; its last weights have a row for each object that is in an answer."""
    asked, numbers = np.unique(train, return_inverse=True)
    for file in ("train_90.npy", "test_10.npy"):  # it only reports the error on the second
        np.save(file, numbers.reshape(-1, 3))
    options = {
        "task": "similarity_task",
        "triplets_dir": ".",
        "results_dir": "spose",
        "plots_dir": "plots",
        "steps": 2,
        "batch_size": 100 if len(train) >= 1000 else 16,
        "rnd_seed": seed,
        "num_threads": 1,
        **settings,
    }
    words = [word for key, value in options.items() for word in (f"--{key}", str(value))]
    sys.argv = ["train.py", *words, "--early_stopping"]
    sys.modules["turtle"] = types.SimpleNamespace(distance=None)  # imported, and not used
    with contextlib.suppress(OutOfTime):
        runpy.run_path("code/train.py", run_name="__main__")
    signal.setitimer(signal.ITIMER_PROF, 0)
    learned = [*sorted(Path("spose").glob("sparse_embed_epoch*.txt"))]
    weights = np.zeros((n, np.loadtxt(learned[-1]).shape[0]))
    weights[asked] = np.maximum(np.loadtxt(learned[-1]).T, 0)
    near, far = ((weights[questions[:, 0]] * weights[questions[:, i]]).sum(axis=1) for i in (1, 2))
    return 1 / (1 + np.exp(far - near))


def vice():
    """Fit its model, and return its own probabilities."""
    import optimization
    from data import TripletData

    def batches(rows, shuffle):
        data = TripletData(triplets=torch.from_numpy(rows), n_objects=n)
        return torch.utils.data.DataLoader(data, batch_size=128, shuffle=shuffle)

    model = optimization.VICE(
        task="target-matching",
        n_train=len(train),
        n_objects=n,
        init_dim=100,
        optim="adam",
        eta=0.001,
        batch_size=128,
        epochs=2000,
        burnin=500,
        mc_samples=10,
        mixture="gaussian",
        slab=1.0,
        pi=0.5,
        k=5,
        ws=500,
        steps=5000,  # it reports nothing on the way
        model_dir="model",
        results_dir=".",
        device=torch.device("cpu"),
        **settings,
    )
    with contextlib.suppress(OutOfTime):
        model.fit(train_batches=batches(train, True), val_batches=batches(train[:1], False))
    signal.setitimer(signal.ITIMER_PROF, 0)
    model.eval()
    parts = [model.mc_sampling(batch)[2] for batch in batches(questions, False)]
    return torch.cat(parts)[:, 0].numpy()


for seeded in (random.seed, np.random.seed, torch.manual_seed):
    seeded(seed)
if method in ("SPoSE", "VICE"):
    np.savetxt("probabilities.csv", {"SPoSE": spose, "VICE": vice}[method]())
else:
    cblearn()
