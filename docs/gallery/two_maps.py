"""Two maps, one on the other

Two groups of people answered about the same cities. The second map is rotated, reflected, scaled and moved to match the
first as closely as possible, because answers fix none of these. The arrows show the remaining differences.
"""

import matplotlib.pyplot as plt

from closerthan import OrdinalEmbedding
from closerthan.comparisons import sample_from_distances, swap_answers
from closerthan.datasets import load_eurodist
from closerthan.scores import procrustes_align

roads = load_eurodist()
maps = []
for group in range(2):
    said = sample_from_distances(roads.distances, 1200, random_state=group)
    said, _ = swap_answers(said, 0.1, random_state=group)
    maps.append(OrdinalEmbedding(random_state=0).fit(said).embedding_)
first, second = maps[0], procrustes_align(maps[0], maps[1])

figure, ax = plt.subplots(figsize=(6.5, 5.5), layout="constrained")
for name, start, end in zip(roads.object_names, first, second, strict=True):
    ax.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": "0.5"})
    ax.annotate(name, start, xytext=(4, 4), textcoords="offset points", fontsize=8)
ax.plot(*first.T, "o", label="first group")
ax.plot(*second.T, "s", markersize=4, label="second group")
ax.set(xticks=[], yticks=[], aspect="equal")
ax.spines[:].set_visible(False)
ax.legend(frameon=False)
figure.savefig("two_maps.png", dpi=110)
