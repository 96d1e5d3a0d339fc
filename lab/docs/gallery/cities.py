"""A map with names

The map is made from answers to "is i closer to j than to k?", and the answers come from road distances between cities.
Names stand where there is room, so that none hides another. There are no axes, because comparisons do not fix a
direction.
"""

from closerthan import OrdinalEmbedding
from closerthan.comparisons import sample_from_distances
from closerthan.datasets import load_eurodist
from closerthan_lab.page import draw_map

roads = load_eurodist()
triplets = sample_from_distances(roads.distances, 2000, random_state=0)
model = OrdinalEmbedding(n_components=2, random_state=0).fit(triplets)

figure = draw_map(roads.object_names, model.embedding_)
figure.savefig("cities.png", dpi=110)
