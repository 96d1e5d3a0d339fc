"""What the schemas cannot check of config/: names of studies, losses, methods and parameters."""

import inspect

import relsim.losses
import relsim.optimize
from relsim.study.config import ConfigError
from relsim.study.models import find_model

# What the fits station itself sets for every method, and a study file therefore may not.
_COMMON = {"loss", "n_objects", "init", "max_iter", "callback", "verbose"}
_MAP = {"n_components", "dissimilarity", "random_state", "verbose"}
_SET_BY_STATION = {"points": _COMMON | {"tol"}, "stream": _COMMON | {"random_state"}, "map": _MAP}
_SET_BY_STATION["similarity"] = {"n_epochs", "bounds", "init", "shape", "random_state", "verbose"}


def check_studies(scale, folder, path):
    """Check the names of the studies in the file of a scale."""
    known = sorted(file.stem for file in folder.glob("*.yaml"))
    unknown = set(scale) - {"description", "job", *known}
    if unknown:
        raise ConfigError(
            f"{path}: unknown study {min(unknown, key=str)}; allowed: {', '.join(known)}"
        )


def check_losses(losses, source):
    """Check the losses of a study file."""
    for name, settings in losses.items():
        parameters = {key: value for key, value in settings.items() if key != "class"}
        loss = getattr(relsim.losses, settings["class"])
        _check_parameters(loss, parameters, f"{source}: losses.{name}")


def check_experiment(study, key, sizes, source, path):
    """Check an experiment of the study file `source`, and its sizes in the file of a scale."""
    content = study["experiments"][key]
    for name, method in content["methods"].items():
        where = f"{source}: experiments.{key}.methods.{name}"
        _check_method(study, key, method, where)
    _check_points(content, sizes, f"{path}: {key}")
    _check_checkpoints(content, sizes, sizes, f"{path}: {key}")
    for name, override in sizes.get("by_method", {}).items():
        where = f"{path}: {key}.by_method"
        _known(name, content["methods"], f"{where}: unknown method")
        _check_override(content, sizes, name, override, f"{where}.{name}")


def _check_method(study, key, method, where):
    experiment = study["experiments"][key]
    cls = _class_of(method)
    ours = _SET_BY_STATION[experiment.get("learns", "points")]
    for loss in method.get("losses", []):
        _known(loss, study["losses"], f"{where}.losses: unknown loss")
    for batch_size in method.get("batch_sizes", []):
        _check_parameters(cls, {"batch_size": batch_size}, f"{where}.batch_sizes", ours)
    for name, values in method.get("sweep", {}).items():
        for value in values:
            # The only one that the station sets and that a sweep may set instead.
            _check_parameters(cls, {name: value}, f"{where}.sweep", ours - {"max_iter"})
    for name, settings in method.get("variants", {}).items():
        variant = f"{where}.variants.{name}"
        _check_variant(cls, settings, study["losses"], variant, ours)
        if experiment.get("learns") == "similarity":
            continue  # each trial is tuned by itself, on items that validate
        if "tune" in settings and "tuning_trials" not in experiment:
            raise ConfigError(f"{variant}.tune: without experiments.{key}.tuning_trials")
        part = settings.get("tune_on")
        if part == "validation" and "n_validation" not in experiment["comparisons"]:
            raise ConfigError(
                f"{variant}.tune_on: validation, without experiments.{key}.comparisons.n_validation"
            )


def _check_variant(cls, settings, losses, where, ours):
    _check_parameters(cls, settings.get("parameters", {}), f"{where}.parameters", ours)
    for loss, parameters in settings.get("by_loss", {}).items():
        _known(loss, losses, f"{where}.by_loss: unknown loss")
        _check_parameters(cls, parameters, f"{where}.by_loss.{loss}", ours)
    for name, values in settings.get("tune", {}).items():
        for value in values:
            _check_parameters(cls, {name: value}, f"{where}.tune", ours)
    for batch_size in settings.get("batch_sizes", []):
        _check_parameters(cls, {"batch_size": batch_size}, f"{where}.batch_sizes", ours)


def _check_override(content, sizes, name, override, where):
    if override.get("trials", 1) > sizes["trials"]:
        raise ConfigError(
            f"{where}.trials: {override['trials']} is more than the {sizes['trials']} trials of "
            "the experiment"
        )
    _check_checkpoints(content, sizes, override, where)
    for value in override.get("sweep", []):
        (values,) = content["methods"][name].get("sweep", {"": []}).values()
        _known(value, values or ["none"], f"{where}.sweep: unknown value")


def _check_points(content, sizes, where):
    if "points" in sizes and "points" not in content:
        raise ConfigError(f"{where}.points: the experiment draws no points of its own")


def _check_checkpoints(content, sizes, override, where):
    """Check a list of checkpoints: numbers of triplets, up to all that train."""
    checkpoints = override.get("checkpoints")
    if not isinstance(checkpoints, list):
        return
    if content.get("learns", "points") != "stream":
        raise ConfigError(f"{where}.checkpoints: a list, which is for streams; here, a number")
    n_train = sizes.get("n_train", content["comparisons"]["n_train"])
    if checkpoints != sorted(set(checkpoints)) or checkpoints[-1] != n_train:
        raise ConfigError(f"{where}.checkpoints: {checkpoints} does not rise to n_train, {n_train}")


def _class_of(method):
    """Return the class that a method's parameters go to, or None for a control."""
    if "model" in method:
        return find_model(method["model"])
    return getattr(relsim.optimize, method["solver"]) if "solver" in method else None


def _check_parameters(cls, parameters, where, ours=frozenset()):
    """Check names and kinds of parameters against the defaults of their class."""
    signature = inspect.signature(cls).parameters if cls else {}
    defaults = {name: p.default for name, p in signature.items() if name not in ours}
    if ours >= _MAP:
        defaults.setdefault("n_neighbors", 1)  # MDS has them in the graph of geodesic distances
    for name, value in parameters.items():
        _known(name, defaults or ["none"], f"{where}: unknown parameter")
        default = defaults[name]
        if isinstance(default, str) and default != "auto" and not isinstance(value, str):
            raise ConfigError(f"{where}.{name}: {value!r} is not a word")
        if isinstance(default, bool) and not isinstance(value, bool):
            raise ConfigError(f"{where}.{name}: {value!r} is not true or false")
        number = (default == "auto" and value != "auto") or not isinstance(default, (str, bool))
        if number and type(value) not in (int, float):
            raise ConfigError(
                f"{where}.{name}: {value!r} is not a number (YAML wants 5.0e-4, not 5e-4)"
            )


def _known(name, names, message):
    if name not in names:
        raise ConfigError(f"{message} {name}; allowed: {', '.join(map(str, names))}")
