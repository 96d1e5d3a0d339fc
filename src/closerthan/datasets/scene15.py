"""Load three kinds of features of 4,485 indoor and outdoor scenes, in 15 classes."""

from closerthan.datasets.dataset import Dataset
from closerthan.datasets.fetch import Place, reader
from closerthan.datasets.matlab import read_views

# The file has class numbers only. The names are inferred from the class sizes: all sizes differ,
# and they are the same in the original data set.
CLASS_NAMES = (
    "suburb, coast, forest, highway, inside city, mountain, open country, street, tall "
    "building, office, bedroom, industrial, kitchen, living room, store"
)


def load_scene15(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load the GIST, PHOG and LBP features of the Scene-15 images.

    The data set has ``features``, shape (4485, 119): three blocks of 20, 59 and 40 columns side by
    side, as they come (nothing is standardized); ``labels``, 0 to 14, 210 to 410 images each,
    sorted; ``class_names``, inferred from these sizes: the file has numbers only.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    L. Fei-Fei and P. Perona, A Bayesian hierarchical model for learning natural scene categories,
    CVPR 2005.
    S. Lazebnik, C. Schmid and J. Ponce, Beyond bags of features, CVPR 2006.
    Y. Lin et al., COMPLETER, CVPR 2021.
    """
    read = reader("scene15", mirror, cache, offline)
    return read_views("scene15", read("Scene-15.mat"), CLASS_NAMES)
