"""A method of cblearn in the court, with its defaults except the candidate setting."""

import json
from pathlib import Path

import numpy as np
from cblearn import embedding

settings = json.loads(Path("settings.json").read_text())
method, n, p, seed = (settings.pop(k) for k in ("method", "n_objects", "n_components", "seed"))
given = {"backend": "scipy"} if method == "LORE" else {}  # its own default needs torch
start = settings.pop("start", 0)
del settings["seconds"]
train = np.loadtxt("train.csv", delimiter=",", skiprows=1)[:, :3].astype(int)
model = getattr(embedding, method)(p, random_state=(seed + start) % 2**32, **given, **settings)
np.savetxt("points.csv", model.fit(train, n_objects=n).embedding_, delimiter=",")
