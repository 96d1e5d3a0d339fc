"""Scenes, indoors and out: three kinds of features of 4,485 images in 15 classes."""

from relsim.datasets.multiview import load_views

# The file has class numbers only. The names are inferred from the sizes of the classes, which all
# differ, and are those of the original data set.
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


def load_scene15(*, mirror=None, cache=None, offline=False):
    """Load the GIST, PHOG and LBP features of the Scene-15 images.

    Parameters
    ----------
    mirror, cache, offline
        Where to look for the file; see `relsim.datasets.fetch`.

    Returns
    -------
    Dataset
        ``features``, shape (4485, 119): three blocks of 20, 59 and 40 columns side by side, as they
        come (nothing is standardized); ``labels``, 0 to 14, 210 to 410 images each, sorted;
        ``class_names``, inferred from these sizes: the file has numbers only.

    Raises
    ------
    DataUnavailable
        If the file is nowhere to be had.
    ValueError
        If the file is corrupt, or does not hold what it should.

    References
    ----------
    L. Fei-Fei and P. Perona, A Bayesian hierarchical model for learning natural scene categories,
    CVPR 2005.
    S. Lazebnik, C. Schmid and J. Ponce, Beyond bags of features, CVPR 2006.
    Y. Lin et al., COMPLETER, CVPR 2021.

    Examples
    --------
    >>> from relsim.datasets import DataUnavailable, load_scene15
    >>> try:
    ...     data = load_scene15(mirror="a_folder", cache="another", offline=True)
    ... except DataUnavailable as error:
    ...     print(str(error).splitlines()[0])
    scene15/Scene-15.mat is not to be had:
    """
    return load_views(
        "scene15", "Scene-15.mat", CLASS_SIZES, mirror=mirror, cache=cache, offline=offline
    )
