"""Check that docstrings say what the code does: names, defaults, lists of words."""

from functools import partial
from pkgutil import resolve_name

import pytest

import closerthan
from closerthan.discovery import short_names
from closerthan.kernels import projection
from closerthan.ordinal import search
from docstring_sections import faults_of, wrong_attributes, wrong_parameters

LOSSES = short_names("closerthan.losses")
# The words between the braces of a parameter's type, by the name of the parameter.
WORDS = {
    "loss": LOSSES,
    "penalty": short_names("closerthan.penalties"),
    "solver": short_names("closerthan.optimize"),
    # These parameters take other words.
    "OrdinalEmbedding.loss": ["auto", *LOSSES],
    "OnlineKernel.loss": projection.RULES.keys() - {"passive-aggressive"},
}


@pytest.mark.parametrize("wrong", [partial(wrong_parameters, words=WORDS), wrong_attributes])
def test_sections_agree_with_the_code(wrong):
    faults = faults_of(wrong, closerthan)
    assert len(faults) > 600
    assert {name: found for name, found in faults.items() if found} == {}


@pytest.mark.parametrize("name", ["OrdinalEmbedding", "ordinal.search.Search.choose_loss"])
def test_prose_has_the_error_below_which_losses_for_rare_errors_are_tried(name):
    told = resolve_name(f"closerthan.{name}").__doc__
    assert f"below {search._SELDOM:g}" in " ".join(told.split())
