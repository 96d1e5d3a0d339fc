"""What the study is to do: everything under config/, read, validated and put together.

`load_spec` returns a `Spec`, from which the Snakefile takes its paths and every other module its
settings. It is the only place where config/ is read.
"""

import ast
import hashlib
import inspect
from dataclasses import dataclass, field
from pathlib import Path

import jsonschema
import numpy as np
import yaml

import relsim.losses
import relsim.optimize
from relsim import BatchKernel

ROOT = Path(__file__).parents[3]
SCHEMAS = ROOT / "workflow" / "schemas"
# What the fits station itself sets for every method, and a study file therefore may not.
_COMMON = {"loss", "n_objects", "init", "max_iter", "tol", "callback", "verbose"}


class ConfigError(ValueError):
    """Something under config/ is not as it must be; the message names the file and the key."""


@dataclass(frozen=True)
class Variant:
    """The settings of a method: fixed ones, those of single losses, and those to be tuned."""

    parameters: dict = field(default_factory=dict)
    by_loss: dict = field(default_factory=dict)
    tune: dict = field(default_factory=dict)
    batch_sizes: list = field(default_factory=lambda: [0])

    def settings(self, loss):
        """Return the parameters for one loss."""
        return {**self.parameters, **self.by_loss.get(loss, {})}


@dataclass(frozen=True)
class Method:
    """One way to get an embedding: a solver, a kernel model or a control."""

    name: str
    label: str
    variants: dict = field(default_factory=lambda: {"control": {}})
    solver: str | None = None
    model: str | None = None
    control: str | None = None
    batch_sizes: list = field(default_factory=lambda: [0])
    trials: int = 1
    epochs: int = 1
    reason: str = ""

    def variant(self, name):
        """Return the settings of a variant, which may have mini-batch sizes of its own."""
        return Variant(**{"batch_sizes": self.batch_sizes, **self.variants[name]})


@dataclass(frozen=True)
class Experiment:
    """One figure or table: data, comparisons and the methods that are set side by side."""

    study: str
    name: str
    shows: str
    datasets: list
    comparisons: dict
    n_components: int
    methods: dict
    trials: int
    epochs: int
    trials_per_job: int
    timed: bool = False
    checkpoints: int = 1
    fallback: str | None = None
    target_error: float | None = None
    tuning_trials: int = 0
    gradients: bool = False
    retrieval: dict | None = None

    def budgets(self, method):
        """Return the epochs at which the embeddings of a method are kept, the last one included.

        They are spaced evenly on a logarithmic scale.
        """
        epochs = self.methods[method].epochs
        if self.checkpoints == 1:
            return [epochs]
        spaced = np.geomspace(max(epochs / 30, 1), epochs, self.checkpoints)
        return sorted({round(epoch) for epoch in spaced})

    @property
    def noises(self):
        """The shares of swapped answers in the training part."""
        return self.comparisons.get("noise", [0.0])

    def shards(self, method):
        """Return the lists of trials that the jobs of a method compute."""
        trials = range(self.methods[method].trials)
        return [
            list(trials[start : start + self.trials_per_job])
            for start in range(0, len(trials), self.trials_per_job)
        ]


@dataclass(frozen=True)
class Spec:
    """The merged configuration."""

    config: dict
    scale: str
    studies: dict
    experiments: dict

    @property
    def results(self):
        """The folder that everything is written to."""
        return self.config["results"]

    @property
    def seed(self):
        """The seed from which every random number of the study comes."""
        return self.config["seed"]

    def experiment(self, study, name):
        """Return an experiment by the names in its paths."""
        return self.experiments[study, name]

    def fits(self, experiment, dataset, method, suffix="parquet"):
        """Return the files that the fits station makes of a method, one a shard."""
        stem = f"{self.results}/fits/{experiment.study}/{experiment.name}/{dataset}/{method}"
        return [f"{stem}.{n}.{suffix}" for n in range(len(experiment.shards(method)))]

    def losses(self, study):
        """Return the losses of a study: a name and a class with its parameters."""
        return self.studies[study]["losses"]


def load_spec(config, root=ROOT):
    """Read and validate the studies and the scale that a configuration names.

    Parameters
    ----------
    config : dict
        The contents of config/config.yaml, with what the command line changed.
    root : path-like, optional
        The folder that holds config/.

    Returns
    -------
    Spec

    Raises
    ------
    ConfigError
        If a key is unknown or missing or a value is not allowed; the message names the file, the
        key and what is allowed.
    """
    folder = Path(root) / "config"
    _validate(config, "config", folder / "config.yaml")
    path = folder / "scales" / f"{config['scale']}.yaml"
    scale = read_config(path, "scale")
    _check_studies(scale, folder / "studies", path)
    studies, experiments = {}, {}
    for name in config["studies"]:
        source = folder / "studies" / f"{name}.yaml"
        study = studies[name] = read_config(source, "study")
        _check_losses(study["losses"], source)
        sizes = scale.get(name, {})
        for key in study["experiments"]:
            if key not in sizes:
                raise ConfigError(f"{path}: {name}: no trials and epochs for the experiment {key}")
            _check_methods(study, key, sizes[key], source, path)
            experiments[name, key] = _experiment(name, key, study["experiments"][key], sizes[key])
        unknown = set(sizes) - set(study["experiments"])
        if unknown:
            raise ConfigError(
                f"{path}: {name}: unknown experiment {min(unknown, key=str)}; "
                f"{source} has {', '.join(study['experiments'])}"
            )
    return Spec(config, scale["description"], studies, experiments)


def fingerprint(*modules, root=ROOT):
    """Return a digest of the code of modules or packages under src/, without their docstrings.

    A rule that has it among its parameters runs again when the code has changed, which Snakemake
    does not notice by itself, but not when only a docstring or a comment has.
    """
    digest = hashlib.sha256()
    for module in modules:
        path = Path(root) / "src" / module.replace(".", "/")
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
        for file in files:
            digest.update(ast.dump(_without_docstrings(ast.parse(file.read_text()))).encode())
    return digest.hexdigest()[:16]


def _without_docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:]
    return tree


def _experiment(study, name, content, sizes):
    overrides = sizes.get("by_method", {})
    methods = {
        key: Method(
            key,
            **method,
            trials=overrides.get(key, {}).get("trials", sizes["trials"]),
            epochs=overrides.get(key, {}).get("epochs", sizes["epochs"]),
            reason=overrides.get(key, {}).get("reason", ""),
        )
        for key, method in content["methods"].items()
    }
    comparisons = content["comparisons"] | {key: sizes[key] for key in ["noise"] if key in sizes}
    return Experiment(
        study,
        name,
        **{
            **content,
            "methods": methods,
            "comparisons": comparisons,
            "datasets": sizes.get("datasets", content["datasets"]),
        },
        trials=sizes["trials"],
        epochs=sizes["epochs"],
        trials_per_job=sizes.get("trials_per_job", sizes["trials"]),
        timed=sizes.get("timed", False),
        checkpoints=sizes.get("checkpoints", 1),
    )


def _check_studies(scale, folder, path):
    known = sorted(file.stem for file in folder.glob("*.yaml"))
    unknown = set(scale) - {"description", *known}
    if unknown:
        raise ConfigError(
            f"{path}: unknown study {min(unknown, key=str)}; allowed: {', '.join(known)}"
        )


def _check_losses(losses, source):
    for name, settings in losses.items():
        parameters = {key: value for key, value in settings.items() if key != "class"}
        loss = getattr(relsim.losses, settings["class"])
        _check_parameters(loss, parameters, f"{source}: losses.{name}")


def _check_methods(study, key, sizes, source, path):
    """Check the names that a schema cannot: those of losses, methods and parameters."""
    methods = study["experiments"][key]["methods"]
    for name, method in methods.items():
        where = f"{source}: experiments.{key}.methods.{name}"
        cls = _method_class(method)
        for batch_size in method.get("batch_sizes", []):
            _check_parameters(cls, {"batch_size": batch_size}, f"{where}.batch_sizes")
        for variant, settings in method.get("variants", {}).items():
            _check_variant(cls, settings, study["losses"], f"{where}.variants.{variant}")
            if "tune" in settings and "tuning_trials" not in study["experiments"][key]:
                raise ConfigError(
                    f"{where}.variants.{variant}.tune: without experiments.{key}.tuning_trials"
                )
    for name, override in sizes.get("by_method", {}).items():
        if name not in methods:
            raise ConfigError(
                f"{path}: {key}.by_method: unknown method {name}; allowed: {', '.join(methods)}"
            )
        if override.get("trials", 1) > sizes["trials"]:
            raise ConfigError(
                f"{path}: {key}.by_method.{name}.trials: {override['trials']} is more than the "
                f"{sizes['trials']} trials of the experiment"
            )


def _check_variant(cls, settings, losses, where):
    _check_parameters(cls, settings.get("parameters", {}), f"{where}.parameters")
    for loss, parameters in settings.get("by_loss", {}).items():
        if loss not in losses:
            raise ConfigError(f"{where}.by_loss: unknown loss {loss}; allowed: {', '.join(losses)}")
        _check_parameters(cls, parameters, f"{where}.by_loss.{loss}")
    for name, values in settings.get("tune", {}).items():
        for value in values:
            _check_parameters(cls, {name: value}, f"{where}.tune")
    for batch_size in settings.get("batch_sizes", []):
        _check_parameters(cls, {"batch_size": batch_size}, f"{where}.batch_sizes")


def _method_class(method):
    """Return the class that a method's parameters go to, or None for a control."""
    if "model" in method:
        return BatchKernel
    return getattr(relsim.optimize, method["solver"]) if "solver" in method else None


def _check_parameters(cls, parameters, where):
    """Check names and kinds of parameters against the defaults of their class."""
    signature = inspect.signature(cls).parameters if cls else {}
    defaults = {name: p.default for name, p in signature.items() if name not in _COMMON}
    for name, value in parameters.items():
        if name not in defaults:
            allowed = ", ".join(defaults) or "none"
            raise ConfigError(f"{where}: unknown parameter {name}; allowed: {allowed}")
        if isinstance(defaults[name], str) and not isinstance(value, str):
            raise ConfigError(f"{where}.{name}: {value!r} is not a word")
        if not isinstance(defaults[name], str) and type(value) not in (int, float):
            raise ConfigError(
                f"{where}.{name}: {value!r} is not a number (YAML wants 5.0e-4, not 5e-4)"
            )


def read_config(path, schema):
    """Return what a YAML file under config/ holds, validated by workflow/schemas/."""
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such file")
    try:
        content = yaml.safe_load(path.read_bytes())
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: not YAML: {error}") from error
    _validate(content, schema, path)
    return content


def _validate(content, schema, path):
    schema = yaml.safe_load((SCHEMAS / f"{schema}.schema.yaml").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    error = jsonschema.exceptions.best_match(validator.iter_errors(content))
    if error is None:
        return
    where = ".".join(map(str, error.absolute_path))
    message = error.message
    if error.validator == "additionalProperties":
        unknown = set(error.instance) - set(error.schema["properties"])
        message = (
            f"unknown key {min(unknown, key=str)}; allowed: {', '.join(error.schema['properties'])}"
        )
    elif error.validator == "enum":
        allowed = ", ".join(map(str, error.validator_value))
        message = f"{error.instance!r} is not allowed; allowed: {allowed}"
    elif error.validator == "oneOf":
        message = "a method has exactly one of solver and variants, model and variants, or control"
    raise ConfigError(f"{path}: {where + ': ' if where else ''}{message}")
