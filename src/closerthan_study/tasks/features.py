"""Learn similarities of feature vectors from triplets, pairs or labels."""

import warnings
from inspect import signature

import numpy as np
from scipy.sparse import csr_array

from closerthan.similarity.oasis import OASIS
from closerthan.similarity.sdca import SDCA
from closerthan_study.baselines.itml import ITML
from closerthan_study.baselines.lego import LEGO
from closerthan_study.baselines.lmnn import LMNN
from closerthan_study.baselines.pairs import distance_bounds, pairs_from_triplets
from closerthan_study.baselines.rca import RCA

_SPARSE = 0.25  # features become a sparse array if fewer than this share are nonzero


def learn(model, features, labels, triplets, seed):
    """Fit a model to triplets, labels or pairs; the parameters of its `fit` decide."""
    rng = np.random.default_rng(seed)
    match [*signature(model.fit).parameters]:
        case [_, "triplets"]:
            sparse = np.count_nonzero(features) < _SPARSE * features.size
            model.set_params(random_state=rng)
            model.fit(csr_array(features) if sparse else features, triplets)
        case [_, "y"]:
            model.fit(features, labels)
        case [_, "pairs", "y"]:
            pairs, y = pairs_from_triplets(triplets)
            model.set_params(bounds=distance_bounds(features, random_state=rng))
            model.fit(features, pairs, y)
        case [_, "pairs", "targets"]:
            pairs, y = pairs_from_triplets(triplets)
            model.fit(
                features, pairs, np.where(y == 1, *distance_bounds(features, random_state=rng))
            )


def compile_models():
    """Run the compiled functions of all models once."""
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 6)
    features = rng.normal(size=(12, 3)) + 3.0 * labels[:, None]
    triplets = np.array([[0, 1, 6], [6, 7, 0], [1, 2, 8], [8, 9, 2]])
    seed = np.random.SeedSequence(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two iterations are too few for convergence
        for model in (OASIS(), ITML(max_iter=2), LEGO(), RCA(), LMNN(max_iter=2)):
            learn(model, features, labels, triplets, seed)
        mostly_zero = np.hstack([features, np.zeros((12, 10))])
        for kind in (features.astype(np.float32), mostly_zero):
            learn(SDCA(), kind, labels, triplets, seed)
