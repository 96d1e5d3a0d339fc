"""Losses side by side

Five losses are fitted to the same answers, a tenth of them wrong. Each point is a simulated study, and the bar is the
median. The dashed line is the lowest possible error. Studies differ more than losses do. Plain fits have no prior.
"""

import matplotlib.pyplot as plt
import numpy as np

from closerthan import OrdinalEmbedding
from closerthan.comparisons import sample_from_points, swap_answers

losses = ["gnmds", "ckl", "ste", "t-ste", "soe"]
errors = np.empty((2, len(losses), 8))
for trial in range(8):
    points = np.random.default_rng(trial).normal(size=(30, 2))
    said, _ = swap_answers(sample_from_points(points, 900, random_state=trial), 0.1, random_state=0)
    new = sample_from_points(points, 4000, random_state=100 + trial)
    new, _ = swap_answers(new, 0.1, random_state=1)
    for row, penalty in enumerate(("ridge", None)):
        for column, loss in enumerate(losses):
            model = OrdinalEmbedding(loss=loss, penalty=penalty, random_state=0).fit(said)
            errors[row, column, trial] = 1 - model.score(new)

figure, ax = plt.subplots(figsize=(6.5, 4), layout="constrained")
ax.axhline(0.1, color="0.5", linestyle="--")
for row, (label, color) in enumerate((("with the prior", "C0"), ("plain", "C1"))):
    places = np.arange(len(losses)) + (0.15 if row else -0.15)
    ax.plot(places, errors[row], "o", color=color, alpha=0.4, markersize=4)
    medians = np.median(errors[row], axis=1)
    ax.plot(places, medians, "_", color=color, markersize=22, markeredgewidth=2.5, label=label)
ax.set_xticks(range(len(losses)), losses)
ax.set(ylabel="error on new answers", ylim=(0.08, None))
ax.legend(frameon=False)
figure.savefig("losses.png", dpi=110)
