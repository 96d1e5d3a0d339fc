"""Load three kinds of features of 2,100 aerial images of land use, in 21 classes."""

from closerthan.datasets.dataset import Dataset
from closerthan.datasets.fetch import Place, reader
from closerthan.datasets.matlab import read_views

# The file has class numbers only. The names are inferred: the original data set has these folders,
# and the features of neighbors in kind (dense and medium residential, runway and freeway) do
# resemble each other in this order.
CLASS_NAMES = (
    "agricultural, airplane, baseball diamond, beach, buildings, chaparral, dense "
    "residential, forest, freeway, golf course, harbor, intersection, medium residential, "
    "mobile home park, overpass, parking lot, river, runway, sparse residential, storage "
    "tanks, tennis court"
)


def load_landuse21(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load the GIST, PHOG and LBP features of the UC Merced land use images.

    The data set has ``features``, shape (2100, 119): three blocks of 20, 59 and 40 columns side by
    side, as they come (nothing is standardized); ``labels``, 0 to 20, 100 images each, sorted;
    ``class_names``, in alphabetical order, which is inferred: the file has numbers only.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    Y. Yang and S. Newsam, Bag-of-visual-words and spatial extensions for land-use classification,
    ACM GIS 2010.
    Y. Lin et al., COMPLETER, CVPR 2021.
    """
    read = reader("landuse21", mirror, cache, offline)
    return read_views("landuse21", read("LandUse-21.mat"), CLASS_NAMES)
