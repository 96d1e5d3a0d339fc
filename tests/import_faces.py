"""Find imports that hide which module defines a name, so that a walk along imports misses it.

The walk follows an import to the module it names. A package that hands out names from other modules
would lead it to all of these, or to none if it uses `__getattr__`.
"""

import ast
from importlib import import_module
from pathlib import Path

from closerthan_study import dependencies

FACES = {"closerthan_study.spec"}  # imports little, and by name


def defined_in(tree):
    """Return the names that a module's own code defines."""
    found = set()
    for node in tree.body:
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                found.add(node.name)
            case ast.Assign():
                targets = [name for target in node.targets for name in ast.walk(target)]
                found |= {name.id for name in targets if isinstance(name, ast.Name)}
    return found


def place_of(module):
    """Return the path of a module, without its suffix."""
    house, *names = module.split(".")
    ours = house in dependencies.roots()
    return Path(import_module(house).__path__[0] if ours else "elsewhere", *names)


def imports_through_a_face(text, package="", houses=("closerthan",)):
    """Yield the imports that do not lead to the module that defines the name."""

    def face_of(module):
        path = place_of(module) / "__init__.py"
        return defined_in(ast.parse(path.read_text())) if path.is_file() else None

    def is_module(name):
        path = place_of(name)
        return path.is_dir() or path.with_suffix(".py").is_file()

    for node in ast.walk(ast.parse(text)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level]
            module = ".".join([*above, node.module] if node.module else above)
            module = module if node.level else node.module
            face = None if module in FACES else face_of(module)
            for alias in node.names:
                name = f"{module}.{alias.name}"
                if is_module(name):
                    names.append(name)
                elif face is not None and alias.name not in face:
                    yield f"from {module} import {alias.name}"
        for name in names:
            if name.split(".")[0] in houses and "__getattr__" in (face_of(name) or ()):
                yield f"import {name}"


def hidden_imports(package, houses=("closerthan",)):
    """Return the imports that hide a name in all modules of a package, each with its file."""
    return [
        f"{path}: {line}"
        for path in sorted(place_of(package).rglob("*.py"))
        if path.name != "__init__.py"  # packages hand out names
        for line in imports_through_a_face(path.read_text(), _package_of(path, package), houses)
    ]


def _package_of(path, package):
    above = place_of(package.split(".")[0]).parent
    return ".".join(path.relative_to(above).parent.parts)
