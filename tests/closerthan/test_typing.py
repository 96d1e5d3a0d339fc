"""Check that public names have annotations, which `make lint` then checks."""

import inspect
import re
from importlib import import_module
from pathlib import Path

from annotations import lacking, methods

HOUSES = ("closerthan.", "closerthan_lab.")
# The modules in the documentation, and their names for users.
LISTED = re.findall(
    r"^   (closerthan[a-z._]*)$",
    (Path(__file__).parents[2] / "docs/api.md").read_text(),
    re.MULTILINE,
)


def public():
    """Yield functions and methods of classes that users call, each with its full name."""
    for module in map(import_module, LISTED):
        # Other names there serve the command.
        command = module.__name__.startswith("closerthan_lab.commands.")
        for name in dir(module):
            found = getattr(module, name)
            home = str(getattr(found, "__module__", ""))
            ours = hasattr(module, "__path__") and home.startswith(HOUSES)
            if name.startswith("_") or not (ours or home == module.__name__):
                continue
            if inspect.isclass(found):
                yield from methods(found)
            elif inspect.isfunction(found) and (not command or home.endswith(f".{name}")):
                yield f"{home}.{name}", found


PUBLIC = dict(public())


def test_public_things_are_found():
    assert {
        "closerthan.datasets.music.load_music",
        "closerthan.ordinal.embedding.OrdinalEmbedding.fit",
        "closerthan.scores.stress.raw_stress",
        "closerthan_lab.commands.check.check",
    } <= set(PUBLIC)


def test_what_is_public_has_annotations():
    faults = {name: lacking(function) for name, function in PUBLIC.items()}
    assert {name: found for name, found in faults.items() if found} == {}
