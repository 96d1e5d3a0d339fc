"""Find public functions and methods without annotations."""

import inspect


def methods(cls):
    """Yield the public methods that a class or one of our classes before it defines."""
    for base in cls.__mro__:
        for name, member in vars(base).items():
            function = getattr(member, "fget", None) or getattr(member, "__func__", member)
            own = base.__module__.startswith("closerthan") and inspect.isfunction(function)
            if own and (name == "__init__" or not name.startswith("_")):
                yield f"{base.__module__}.{base.__name__}.{name}", function


def lacking(function):
    """Return the arguments without annotation, and "return" if it has none."""
    signature = inspect.signature(function)
    names = [p.name for p in signature.parameters.values() if p.annotation is p.empty]
    if signature.return_annotation is signature.empty and function.__name__ != "__init__":
        names.append("return")
    return [name for name in names if name not in ("self", "cls")]
