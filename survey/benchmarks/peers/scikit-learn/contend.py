"""MDS of scikit-learn in the court, on how often a pair was the farther one."""

import json
from pathlib import Path

import numpy as np
from sklearn.manifold import MDS

settings = json.loads(Path("settings.json").read_text())
n, p = settings["n_objects"], settings["n_components"]
with open("train.csv") as file:
    m = file.readline().split(",").index("screen")
    rows = np.loadtxt(file, delimiter=",", ndmin=2)
objects = rows[:, :m].astype(int)
near = objects[:, [0, 1]]
far = objects[:, [0, 2]] if m == 3 else objects[:, [2, 3]]
counts = np.zeros((2, n, n))
for count, pairs in zip(counts, (near, far), strict=True):
    np.add.at(count, tuple(pairs.T), 1)
    count += count.T
smoothing = settings["smoothing"]  # imagined answers for each pair, half of them farther
distances = (counts[1] + smoothing / 2) / (counts.sum(axis=0) + smoothing)
np.fill_diagonal(distances, 0)
model = MDS(
    p,
    metric_mds=settings["method"] == "metric",
    metric="precomputed",
    init="classical_mds",
    n_init=1,
    random_state=settings["seed"] % 2**32,
)
np.savetxt("points.csv", model.fit_transform(distances), delimiter=",")
