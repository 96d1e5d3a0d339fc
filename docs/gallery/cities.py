"""A map with names

Cities, from answers to "is i closer to j than to k?", made from road distances. Names are written
where there is room, so that none hides another; there are no axes, as a map of comparisons has no north.
"""

from closerthan import OrdinalEmbedding
from closerthan.comparisons import sample_from_distances
from closerthan.datasets import load_eurodist
from closerthan.page import draw_map

roads = load_eurodist()
triplets = sample_from_distances(roads.distances, 2000, random_state=0)
model = OrdinalEmbedding(n_components=2, random_state=0).fit(triplets)

figure = draw_map(roads.object_names, model.embedding_)
figure.savefig("cities.png", dpi=110)
