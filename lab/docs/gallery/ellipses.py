"""How sure each place is

The map has the same cities from 500 answers, a tenth of them wrong. Each confidence ellipse should contain the true
place in nine cases of ten. The ellipses come from refits to resampled questions.
"""

from closerthan import OrdinalEmbedding
from closerthan.comparisons import sample_from_distances, swap_answers
from closerthan.datasets import load_eurodist
from closerthan_lab.page import Ellipses, draw_map
from closerthan_lab.uncertainty import bootstrap

roads = load_eurodist()
triplets = sample_from_distances(roads.distances, 500, random_state=0)
triplets, _ = swap_answers(triplets, 0.1, random_state=0)

model = OrdinalEmbedding(n_components=2, random_state=0).fit(triplets)
sure = bootstrap(model, triplets, n_refits=200, random_state=0)
ellipses = Ellipses(sure.covariance * sure.quantile, sure.level)

figure = draw_map(roads.object_names, model.embedding_, ellipses=ellipses)
figure.savefig("ellipses.png", dpi=110)
