"""Load deep features of scenes of 18 kinds, used for retrieval in the SVRG-SBB paper."""

import numpy as np

from closerthan._core.validation import check_points
from closerthan.datasets.dataset import Dataset, describe_classes
from closerthan.datasets.fetch import Place, reader
from closerthan.datasets.matlab import read_variable

N_CLASSES = 18
N_PER_CLASS = 100


def load_sun397(*, mirror: Place = None, cache: Place = None, offline: bool = False) -> Dataset:
    """Load the features of the SUN397 images that the authors of SVRG-SBB released.

    The data set has ``features``, shape (1800, d), where d is 1,600 according to the paper:
    principal components of 12,288 deep convolutional activation features; ``labels``, 0 to 17, 100
    images each; ``class_names``, the class numbers of the file, which holds no names, in ascending
    order.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the files; see `closerthan.datasets.fetch`.

    References
    ----------
    Xiao et al., SUN database: large-scale scene recognition from abbey to zoo, CVPR 2010.
    Ma et al., Fast stochastic ordinal embedding with variance reduction and adaptive step size,
    IEEE TKDE, 2019, section 5.4.
    """
    read = reader("sun397", mirror, cache, offline)
    return _parse(read("sun_split.mat"))


def _parse(content):
    """Return the `Dataset` in ``sun_split.mat``, which was never at hand and so is checked more."""
    classes, features = (read_variable(content, name) for name in ("testgnd", "testdata"))
    sizes = np.unique(classes, return_counts=True)[1].tolist()
    n = N_CLASSES * N_PER_CLASS
    if sizes != N_CLASSES * [N_PER_CLASS] or features.ndim != 2 or n not in features.shape:
        raise ValueError(
            f"sun_split.mat: testgnd has classes of sizes {sizes} and testdata the shape "
            f"{features.shape}; expected {N_CLASSES} classes of {N_PER_CLASS}, and {n} rows or "
            "columns, one for each image"
        )
    # The released code takes rows as images. Columns are images only if the rows do not fit.
    features = features if len(features) == n else features.T
    return describe_classes("sun397", check_points(features, "sun_split.mat: testdata"), classes)
