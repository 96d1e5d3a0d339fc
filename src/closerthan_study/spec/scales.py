"""What an experiment shares with its study, and its settings at each of the three scales."""

from typing import Literal

from pydantic import ConfigDict, RootModel

from closerthan_study.spec.validation import ConfigError, Model, check_name, check_names, validate

SCALES = {  # how much of each study is run, in words for the pages
    "smoke": "a quick check that everything runs; its numbers mean little",
    "default": "smaller than the paper's, with fewer trials and epochs",
    "paper": "at the papers' sizes; captions name each reduction and its reason",
}


class _SizedMethod(Model):
    """The keys of a method that are checked before a scale is laid over it."""

    model_config = ConfigDict(extra="allow")

    sweep: dict[str, list] = {}


class _Sized(Model):
    """The keys of an experiment, or of one of its scales, that are checked before."""

    model_config = ConfigDict(extra="allow")

    methods: dict[str, _SizedMethod] = {}


class _Scales(RootModel[dict[Literal[tuple(SCALES)], _Sized]]):
    """The sizes of an experiment by scale. A single scale is enough."""


def lay_shared(defaults, methods, experiment):
    """Return an experiment laid over the defaults and the methods that it names, key by key.

    >>> methods = {"sgd": {"solver": "SGD", "variants": {"paper": {"tune": {}}, "default": {}}}}
    >>> lay_shared({"task": "ordinal"}, methods, {"methods": {"sgd": {"variants": {"paper": {}}}}})
    {'task': 'ordinal', 'methods': {'sgd': {'solver': 'SGD', 'variants': {'paper': {'tune': {}}}}}}
    """
    laid = _lay(defaults, experiment)
    if isinstance(laid.get("methods"), dict):
        laid["methods"] = {
            name: _lay_method(methods.get(name, {}), method)
            for name, method in laid["methods"].items()
        }
    return laid


def _lay_method(below, above):
    if not isinstance(above, dict):
        return above
    laid, named = _lay(below, above), above.get("variants")
    if isinstance(named, dict):
        laid["variants"] = {name: laid["variants"][name] for name in named}
    return laid


def lay_scale(content, scale, path, key):
    """Return an experiment with the settings of a scale laid over it, key by key.

    >>> scales = {"smoke": {"trials": 1, "objects": {"n_objects": 9}}}
    >>> toy = {"objects": {"n_objects": 99, "noise": [0]}, "scales": scales}
    >>> lay_scale(toy, "smoke", "study.yaml", "toy")
    {'objects': {'n_objects': 9, 'noise': [0]}, 'trials': 1}
    """
    rest = {name: value for name, value in content.items() if name != "scales"}
    methods = validate(_Sized, rest, path, key).methods
    scales, key = content.get("scales", {}), f"{key}.scales"
    sized = validate(_Scales, scales, path, key).root.get(scale)
    if sized is None:
        raise ConfigError(f"{path}: {key}: {scale} is missing: its trials, epochs and sizes")
    where = f"{path}: {key}.{scale}"
    for group, content in scales[scale].items():
        if isinstance(content, dict) and group not in rest and group != "epochs":  # of each loss
            raise ConfigError(f"{where}.{group}: the experiment has no {group}")
    for name, method in sized.methods.items():
        check_name(name, methods, f"{where}.methods: unknown method")
        for parameter, values in method.sweep.items():
            offered = methods[name].sweep.get(parameter, [])
            # Only values of the experiment, because claims name those.
            check_names(values, offered, f"{where}.methods.{name}.sweep.{parameter}: unknown value")
    return _lay(rest, scales[scale])


def _lay(below, above):
    deep = {
        key: _lay(below[key], value)
        for key, value in above.items()
        if isinstance(value, dict) and isinstance(below.get(key), dict)
    }
    return {**below, **above, **deep}
