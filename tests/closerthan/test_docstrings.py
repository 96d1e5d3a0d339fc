"""Check that docstrings and help texts say what the code does: names, defaults, lists of words."""

import ast
import inspect
import re
from importlib import import_module
from pkgutil import resolve_name, walk_packages
from textwrap import dedent

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from closerthan.discovery import find_by_short_name, short_names
from closerthan.kernels import projection
from closerthan.ordinal import search
from closerthan_lab.adaptive import STRATEGIES
from closerthan_lab.cli import app
from closerthan_lab.commands import simulate, trials
from closerthan_lab.dimension import RULES
from closerthan_lab.files.columns import FORMS
from closerthan_lab.files.sources import source_names

HOUSES = ("closerthan", "closerthan_lab")
LOSSES = short_names("closerthan.losses")
PROBABLE = [n for n in LOSSES if hasattr(find_by_short_name(n, "closerthan.losses"), "probability")]
# The words between the braces of a parameter's type, by the name of the parameter.
TABLES = {
    "errs": simulate.ERRS,
    "form": FORMS,
    "loss": LOSSES,
    "penalty": short_names("closerthan.penalties"),
    "rule": RULES,
    "solver": short_names("closerthan.optimize"),
    "source": source_names(),
    "strategy": STRATEGIES,
}
OWN = {  # parameters that take other words
    "OrdinalEmbedding.loss": ["auto", *LOSSES],
    "PeopleEmbedding.loss": ["auto", *PROBABLE],
    "OnlineKernel.loss": projection.RULES.keys() - {"passive-aggressive"},
    "experiment.form": trials.FORMS,
}
HELP = {"check --form": [*FORMS], "check --from": source_names()}
HELP |= {"simulate --errs": simulate.ERRS}


def things():
    """Yield the functions, classes and methods of both houses."""
    for house in map(import_module, HOUSES):
        for found in walk_packages(house.__path__, f"{house.__name__}."):
            for thing in vars(import_module(found.name)).values():
                if getattr(thing, "__module__", None) == found.name and callable(thing):
                    yield thing
                    members = vars(thing).values() if inspect.isclass(thing) else ()
                    members = (getattr(member, "__func__", member) for member in members)
                    yield from filter(inspect.isfunction, members)


def section(thing, title):
    """Yield the names and the type of each entry of a section of a docstring."""
    doc = f"\n{inspect.cleandoc(thing.__doc__ or '')}\n"
    rest = doc.partition(f"\n{title}\n{'-' * len(title)}\n")[2]
    for line in re.split(r"\n.+\n---+\n", rest)[0].splitlines():
        if line and not line[0].isspace():
            names, _, kind = line.partition(" : ")
            yield [name.lstrip("*") for name in names.split(", ")], kind


def says(kind, default):
    """Tell whether the end of a type says the default, or that there is none."""
    if kind.endswith("optional"):
        return default is None
    if "default" not in kind:
        return default is inspect.Parameter.empty
    said = kind.split("default ")[-1]
    try:
        return repr(ast.literal_eval(said)) == repr(default)
    except (SyntaxError, ValueError):
        return said in (repr(default), getattr(default, "__name__", None))


def wrong_parameters(thing):
    """Yield what "Parameters" says wrong: names, defaults, and words between braces."""
    entries = [*section(thing, "Parameters")]
    taken = dict(inspect.signature(thing).parameters) if entries else {}
    yield from {name for names, _ in entries for name in names} ^ (taken.keys() - {"self", "cls"})
    for names, kind in entries:
        for name in taken.keys() & names if kind else ():
            words = re.search(r"\{.+?\}", kind)
            allowed = OWN.get(f"{thing.__name__}.{name}", TABLES.get(name))
            if not says(kind, taken[name].default):
                yield f"{name} : {kind}, and not {taken[name].default!r}"
            if words and allowed and ast.literal_eval(words[0]) != {*allowed}:
                yield f"{name} : {kind}, and not {allowed}"


def wrong_attributes(cls):
    """Yield the entries of "Attributes" that neither a class nor one of its bases has."""
    known = {*dir(cls), "n_features_in_"}  # scikit-learn sets the last one
    for base in cls.__mro__ if inspect.isclass(cls) else ():
        if base.__module__.startswith(HOUSES):
            for node in ast.walk(ast.parse(dedent(inspect.getsource(base)))):
                if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store):
                    known.add(getattr(node, "attr", None) or node.id)
    yield from {name for names, _ in section(cls, "Attributes") for name in names} - known


@pytest.mark.parametrize("wrong", [wrong_parameters, wrong_attributes])
def test_sections_agree_with_the_code(wrong):
    faults = {f"{thing.__module__}.{thing.__qualname__}": [*wrong(thing)] for thing in things()}
    assert len(faults) > 1000
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


@pytest.mark.parametrize("name", ["OrdinalEmbedding", "ordinal.search.Search.choose_loss"])
def test_prose_has_the_error_below_which_losses_for_rare_errors_are_tried(name):
    told = resolve_name(f"closerthan.{name}").__doc__
    assert f"below {search._SELDOM:g}" in " ".join(told.split())
