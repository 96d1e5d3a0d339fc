"""Are the probabilities right?

If a model gives answers a probability of 80 %, people should give 80 % of them. Here people answer one question of five
at random. A model without lapses is too sure of the easy questions. A model that estimates the lapse rate is not.
"""

import matplotlib.pyplot as plt
import numpy as np

from closerthan import OrdinalEmbedding
from closerthan.comparisons import split
from closerthan.losses import STE
from closerthan.scores import reliability_curve

rng = np.random.default_rng(0)
points = rng.normal(size=(30, 2))
answers = np.array([rng.permutation(30)[:3] for _ in range(10_000)])
i, j, k = points[answers].transpose(1, 0, 2)
likely = STE().probability(((i - j) ** 2).sum(axis=1), ((i - k) ** 2).sum(axis=1))
other = rng.random(10_000) >= 0.2 / 2 + (1 - 0.2) * likely
answers[other] = answers[other][:, [0, 2, 1]]
train, test = split(answers, 0.5, random_state=0)

figure, ax = plt.subplots(figsize=(5.5, 4.5), layout="constrained")
ax.plot([0.5, 1], [0.5, 1], color="0.6", linestyle="--", label="as it should be")
for lapse, label in ((0.0, "no lapses"), ("auto", "lapses estimated")):
    model = OrdinalEmbedding(loss="ste", lapse=lapse, random_state=0).fit(train)
    curve = reliability_curve(model.predict_proba(test), test, n_bins=8)
    ax.plot(curve["prob_pred"], curve["prob_true"], marker="o", label=label)
ax.set(xlabel="probability of an answer", ylabel="share of people who gave it")
ax.legend(frameon=False)
figure.savefig("reliability.png", dpi=110)
