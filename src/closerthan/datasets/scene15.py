"""Load three kinds of features of 4,485 indoor and outdoor scenes, in 15 classes."""

from closerthan.datasets.dataset import Dataset
from closerthan.datasets.loader import loader
from closerthan.datasets.multiview import read_views

# The file has class numbers only. The names are inferred from the class sizes: all sizes differ,
# and they are the same in the original data set.
CLASS_SIZES = {
    "suburb": 241,
    "coast": 360,
    "forest": 328,
    "highway": 260,
    "inside city": 308,
    "mountain": 374,
    "open country": 410,
    "street": 292,
    "tall building": 356,
    "office": 215,
    "bedroom": 216,
    "industrial": 311,
    "kitchen": 210,
    "living room": 289,
    "store": 315,
}


@loader("scene15")
def load_scene15(*, read) -> Dataset:
    """Load the GIST, PHOG and LBP features of the Scene-15 images.

    Returns
    -------
    Dataset
        ``features``, shape (4485, 119): three blocks of 20, 59 and 40 columns side by side, as they
        come (nothing is standardized); ``labels``, 0 to 14, 210 to 410 images each, sorted;
        ``class_names``, inferred from these sizes: the file has numbers only.

    References
    ----------
    L. Fei-Fei and P. Perona, A Bayesian hierarchical model for learning natural scene categories,
    CVPR 2005.
    S. Lazebnik, C. Schmid and J. Ponce, Beyond bags of features, CVPR 2006.
    Y. Lin et al., COMPLETER, CVPR 2021.
    """
    return read_views("scene15", read("Scene-15.mat"), CLASS_SIZES)
