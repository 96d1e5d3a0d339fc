"""Check that docstrings and help texts say what the code does: names, defaults, lists of words."""

import re
from functools import partial

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import closerthan_lab
from closerthan.discovery import find_by_short_name, short_names
from closerthan_lab.adaptive import STRATEGIES
from closerthan_lab.cli import app
from closerthan_lab.commands import simulate, trials
from closerthan_lab.dimension import RULES
from closerthan_lab.files.columns import FORMS
from closerthan_lab.files.sources import source_names
from docstring_sections import faults_of, wrong_attributes, wrong_parameters

LOSSES = short_names("closerthan.losses")
PROBABLE = [n for n in LOSSES if hasattr(find_by_short_name(n, "closerthan.losses"), "probability")]
# The words between the braces of a parameter's type, by the name of the parameter.
WORDS = {
    "errs": simulate.ERRS,
    "form": FORMS,
    "loss": LOSSES,
    "penalty": short_names("closerthan.penalties"),
    "rule": RULES,
    "solver": short_names("closerthan.optimize"),
    "source": source_names(),
    "strategy": STRATEGIES,
    # These parameters take other words.
    "PeopleEmbedding.loss": ["auto", *PROBABLE],
    "experiment.form": trials.FORMS,
}
HELP = {"check --form": [*FORMS], "check --from": source_names()}
HELP |= {"simulate --errs": simulate.ERRS}


@pytest.mark.parametrize("wrong", [partial(wrong_parameters, words=WORDS), wrong_attributes])
def test_sections_agree_with_the_code(wrong):
    faults = faults_of(wrong, closerthan_lab)
    assert len(faults) > 800
    assert {name: found for name, found in faults.items() if found} == {}


@pytest.mark.parametrize(("option", "names"), HELP.items())
def test_help_lists_all_names(option, names):
    command, flag = option.split()
    shown = CliRunner().invoke(app, [command, "--help"], terminal_width=1000).stdout
    in_words = f"{', '.join(names[:-1])} or {names[-1]}"
    line = re.search(rf"{flag} .*", shown)[0]
    assert in_words in line or f"<{'|'.join(names)}>" in line


def test_every_option_is_explained():
    commands = get_command(app).commands.values()
    assert [option.name for one in commands for option in one.params if not option.help] == []
