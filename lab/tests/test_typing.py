"""Check that public names have annotations, which `make lint` then checks."""

from pathlib import Path

from annotations import lacking, public

API = Path(__file__).parents[1] / "docs" / "api.md"
PUBLIC = dict(public("closerthan_lab", API))


def serves(function):
    """Tell whether a function only serves a command: it is in its module, by another name."""
    module, name = function.__module__, function.__qualname__
    command = module.startswith("closerthan_lab.commands.")
    return command and "." not in name and not module.endswith(f".{name}")


def test_public_things_are_found():
    assert {
        "closerthan_lab.commands.check.check",
        "closerthan_lab.dimension.DimensionSearch.fit",
        "closerthan_lab.uncertainty.bootstrap",
    } <= set(PUBLIC)


def test_what_is_public_has_annotations():
    faults = {name: lacking(found) for name, found in PUBLIC.items() if not serves(found)}
    assert {name: found for name, found in faults.items() if found} == {}
