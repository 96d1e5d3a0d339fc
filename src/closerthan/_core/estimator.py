"""What every estimator here is: one of scikit-learn's that knows where its documentation is."""

import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from itertools import accumulate

from sklearn.base import BaseEstimator


class Estimator(BaseEstimator):
    """An estimator whose diagram in a notebook links to its place in closerthan's documentation.

    The address of the site is that of `Documentation` among the project's URLs in pyproject.toml.
    Where there is none, there is no link.
    """

    _doc_link_module = "closerthan"

    @property
    def _doc_link_template(self):
        site = _documentation()
        return f"{site}/api/{{page}}.html#{{page}}.{{name}}" if site else ""

    def _doc_link_url_param_generator(self):
        return {"page": _shown_in(type(self)), "name": type(self).__name__}


def _shown_in(definition):
    """The package that shows a class as its own, the outermost one, or the class's module."""
    module = definition.__module__
    for package in accumulate(module.split("."), "{}.{}".format):
        if definition.__name__ in getattr(sys.modules[package], "__all__", ()):
            return package
    return module


@cache
def _documentation():
    """The address of the documentation, of which the installed package knows; "" if of none."""
    try:
        urls = metadata("closerthan").get_all("Project-URL") or []
    except PackageNotFoundError:  # not installed, but run from its source
        return ""
    named = dict(url.split(", ", 1) for url in urls)
    return named.get("Documentation", "").rstrip("/")
