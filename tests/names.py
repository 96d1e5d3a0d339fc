"""Look for names that mean two things: public functions and classes of several modules."""

import ast
from collections import defaultdict

# What every task of a study has, and the start of a program.
INTERFACES = {
    "Comparisons",
    "Experiment",
    "Fitting",
    "Method",
    "Scoring",
    "Variant",
    "compile_kernels",
    "draw",
    "main",
}
DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def shared_names(*folders):
    """Return each name that two or more modules in the folders define, and these modules.

    Exceptions are `INTERFACES`, and a command of the command line with its function: `cli.embed`
    and `commands.embed.embed`.
    """
    places = defaultdict(list)
    for folder in folders:
        paths = sorted(folder.rglob("*.py"))
        assert paths, f"{folder} has no modules"
        for path in paths:
            module = ".".join([folder.name, *path.relative_to(folder).with_suffix("").parts])
            for name in public_names(path.read_text(encoding="utf-8")):
                places[name].append(module)
    return {
        name: modules
        for name, modules in places.items()
        if len(modules) > 1 and name not in INTERFACES and not is_command(name, modules)
    }


def public_names(text):
    """Return the public functions and classes at the top of a module; overloads count once."""
    found = (node.name for node in ast.parse(text).body if isinstance(node, DEFINITIONS))
    return {name for name in found if not name.startswith("_")}


def is_command(name, modules):
    """Return whether the modules are a command line and the module of its command."""
    houses = {module.partition(".")[0] for module in modules}
    within = {module.partition(".")[2] for module in modules}
    return len(houses) == 1 and len(modules) == 2 and within == {"cli", f"commands.{name}"}
