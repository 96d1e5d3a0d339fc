"""Shepard plot

Each point is a pair of cities, with their distance by road and their distance on the map. Pairs on the line are right.
Look first at the pairs far from the line: the plane may have no room for them, or the road distance may be wrong.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.spatial.distance import pdist, squareform

from closerthan.datasets import load_eurodist
from closerthan.mds import PatternSearchMDS

roads = load_eurodist()
mds = PatternSearchMDS(metric="precomputed", n_init=10, random_state=0).fit(roads.distances)
said, drawn = squareform(roads.distances), pdist(mds.embedding_)

figure, ax = plt.subplots(figsize=(5.5, 5), layout="constrained")
ax.plot([0, said.max()], [0, said.max()], color="0.6", linewidth=1)
ax.plot(said, drawn, "o", markersize=4, alpha=0.5)
first, second = np.triu_indices(len(roads.object_names), k=1)
for pair in np.argsort(-np.abs(said - drawn))[:4]:
    words = f"{roads.object_names[first[pair]]} to {roads.object_names[second[pair]]}"
    ax.annotate(words, (said[pair], drawn[pair]), xytext=(5, -3), textcoords="offset points")
ax.set(xlabel="kilometers by road", ylabel="distance on the map", aspect="equal")
figure.savefig("shepard.png", dpi=110)
