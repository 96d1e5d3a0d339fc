"""The base class of all estimators: scikit-learn's, with links to the documentation."""

import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from itertools import accumulate

from sklearn.base import BaseEstimator


class Estimator(BaseEstimator):
    """An estimator whose diagram in a notebook links to closerthan's documentation.

    The address is the URL `Documentation` of the project in pyproject.toml. Without it, there is no
    link.
    """

    @property
    def _doc_link_module(self):
        house = type(self).__module__.partition(".")[0]
        return house if house.startswith("closerthan") else "closerthan"

    @property
    def _doc_link_template(self):
        site = _documentation()
        return f"{site}/api/{{page}}.html#{{page}}.{{name}}" if site else ""

    def _doc_link_url_param_generator(self):
        return {"page": _shown_in(type(self)), "name": type(self).__name__}


def _shown_in(definition):
    """Return the outermost package with the class in its `__all__`, or the module of the class."""
    module = definition.__module__
    for package in accumulate(module.split("."), "{}.{}".format):
        if definition.__name__ in getattr(sys.modules[package], "__all__", ()):
            return package
    return module


@cache
def _documentation():
    """Return the address of the documentation from the package's metadata, or ""."""
    try:
        urls = metadata("closerthan").get_all("Project-URL") or []
    except PackageNotFoundError:  # run from source without installation
        return ""
    named = dict(url.split(", ", 1) for url in urls)
    return named.get("Documentation", "").rstrip("/")
