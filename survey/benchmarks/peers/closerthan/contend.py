"""closerthan's default, with weights and screens."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from closerthan import OrdinalEmbedding
from closerthan.comparisons.answers import Answers

settings = json.loads(Path("settings.json").read_text())
train = pd.read_csv("train.csv")
names = list(train)[: list(train).index("screen")]
first = np.diff(train.screen, prepend=-1) > 0
answers = Answers(train[names].to_numpy(), train.screen.to_numpy(), weight=train.weight[first])
model = OrdinalEmbedding(
    settings["n_components"], n_objects=settings["n_objects"], random_state=settings["seed"]
).fit(answers)
np.savetxt("points.csv", model.embedding_, "%.17g", ",")
questions = pd.read_csv("questions.csv")[names].to_numpy()
np.savetxt("probabilities.csv", model.predict_proba(questions)[:, 1], "%.17g")
