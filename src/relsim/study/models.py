"""Where the classes that a study file names as the model of a method come from."""

import sklearn.decomposition
import sklearn.manifold

import relsim.bilinear
import relsim.kernels
import relsim.mahalanobis
import relsim.mds

_MODULES = (
    *(relsim.kernels, relsim.mds, relsim.bilinear, relsim.mahalanobis),
    *(sklearn.manifold, sklearn.decomposition),
)


def find_model(name):
    """Return the class of a model, from relsim where it has one of that name.

    Examples
    --------
    >>> find_model("SMACOF")
    <class 'relsim.mds.smacof.SMACOF'>
    """
    return next(getattr(module, name) for module in _MODULES if hasattr(module, name))
