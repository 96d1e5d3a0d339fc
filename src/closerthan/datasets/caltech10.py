"""Load visual words of the Caltech images of the Office-Caltech data, in ten classes."""

from closerthan.datasets.dataset import Dataset, describe_classes
from closerthan.datasets.fetch import Place, reader
from closerthan.datasets.matlab import read_variable

# The file has class numbers only. The names are inferred: the ten classes that Caltech-256 shares
# with the Office data have these sizes there, and stand in alphabetical order of their names here.
CLASS_NAMES = (
    "backpack, bike, calculator, headphones, keyboard, laptop, monitor, mouse, mug, projector"
)


def load_caltech10(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load bags of 800 visual words of 1,123 images, the Caltech part of Office-Caltech.

    The data set has ``features``, shape (1123, 800), how often each word of a vocabulary of SURF
    descriptors occurs (counts, nothing is normalized); ``labels``, 0 to 9, 85 to 151 images each;
    ``class_names``, inferred from these sizes: the file has numbers only.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    G. Griffin, A. Holub and P. Perona, Caltech-256 object category dataset, Caltech, 2007.
    B. Gong, Y. Shi, F. Sha and K. Grauman, Geodesic flow kernel for unsupervised domain
    adaptation, CVPR 2012.
    """
    read = reader("caltech10", mirror, cache, offline)
    content = read("caltech10.mat")
    features, classes = (read_variable(content, variable) for variable in ("fts", "labels"))
    return describe_classes("caltech10", features, classes, CLASS_NAMES.split(", "))
