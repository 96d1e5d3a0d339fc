"""How many dimensions?

The objects lie in three dimensions, and a tenth of the answers is wrong. The error on held-out answers falls up to three
dimensions. The point marks the lowest dimension that is as good as any other.
"""

import numpy as np

from closerthan import OrdinalEmbedding
from closerthan.comparisons import sample_from_points, swap_answers
from closerthan_lab.dimension import DimensionSearch

points = np.random.default_rng(0).normal(size=(40, 3))
triplets = sample_from_points(points, 4000, random_state=0)
triplets, _ = swap_answers(triplets, 0.1, random_state=0)

search = DimensionSearch(OrdinalEmbedding(), dimensions=range(1, 7), random_state=0)
figure = search.fit(triplets).plot().figure
figure.savefig("dimensions.png", dpi=110)
