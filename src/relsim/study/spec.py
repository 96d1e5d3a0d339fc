"""What the study is to do: everything under config/, read, validated and put together.

`load_spec` returns a `Spec`, from which the Snakefile takes its paths and every other module its
settings. It is the only place where config/ is read.
"""

import ast
import hashlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from relsim.study.checks import check_experiment, check_losses, check_studies
from relsim.study.config import ROOT, ConfigError, read_config, validate

# What a scale may change of an experiment's comparisons.
_SIZES = ("noise", "n_train", "n_validation", "n_test", "n_objects")


@dataclass(frozen=True)
class Variant:
    """The settings of a method: fixed ones, those of single losses, and those to be tuned."""

    parameters: dict = field(default_factory=dict)
    by_loss: dict = field(default_factory=dict)
    tune: dict = field(default_factory=dict)
    tune_on: str | None = None
    batch_sizes: list = field(default_factory=lambda: [0])

    def settings(self, loss):
        """Return the parameters for one loss."""
        return {**self.parameters, **self.by_loss.get(loss, {})}


@dataclass(frozen=True)
class Method:
    """One way to learn: a solver, a kernel model or a control."""

    name: str
    label: str
    variants: dict = field(default_factory=lambda: {"control": {}})
    solver: str | None = None
    model: str | None = None
    control: str | None = None
    batch_sizes: list = field(default_factory=lambda: [0])
    losses: list | None = None
    sweep: dict = field(default_factory=dict)
    trials: int = 1
    epochs: int = 1
    checkpoints: int | list = 1
    reason: str = ""

    def variant(self, name):
        """Return the settings of a variant, which may have mini-batch sizes of its own."""
        return Variant(**{"batch_sizes": self.batch_sizes, **self.variants[name]})

    @property
    def sweeps(self):
        """The settings that every variant is run with, one after another: pairs of name, value."""
        return [(name, value) for name, values in self.sweep.items() for value in values]


@dataclass(frozen=True)
class Experiment:
    """One figure or table: data, comparisons and the methods that are set side by side."""

    study: str
    name: str
    shows: str
    datasets: list
    comparisons: dict
    n_components: int | None
    methods: dict
    trials: int
    epochs: int
    trials_per_job: int
    learns: str = "points"
    timed: bool = False
    fallback: str | list | None = None
    target_error: float | None = None
    tuning_trials: int = 0
    gradients: bool = False
    retrieval: dict | None = None
    points: dict | None = None
    rank: bool = False
    projection: bool = False
    dissimilarity: str | None = None
    n_neighbors: int | None = None
    normalize: dict | None = None
    progress: bool = False
    gap: bool = False

    def budgets(self, method):
        """Return the epochs at which the embeddings of a method are kept, the last one included.

        They are spaced evenly on a logarithmic scale.
        """
        epochs, checkpoints = self.methods[method].epochs, self.methods[method].checkpoints
        if checkpoints == 1:
            return [epochs]
        spaced = np.geomspace(max(epochs / 30, 1), epochs, checkpoints)
        return sorted({round(epoch) for epoch in spaced})

    def marks(self, method):
        """Return after how many triplets of the stream a method is scored, all of them included.

        They are spaced evenly, unless the scale lists them.
        """
        checkpoints = self.methods[method].checkpoints
        if isinstance(checkpoints, list):
            return checkpoints
        spaced = np.linspace(0, self.comparisons["n_train"], checkpoints + 1)
        return sorted({round(mark) for mark in spaced[1:]} - {0})

    @property
    def fallbacks(self):
        """The data sets that stand in where none of the others can be had."""
        names = self.fallback or []
        return [names] if isinstance(names, str) else names

    @property
    def ranks(self):
        """Whether similarities are scored by the rankings that they give, not by their fits."""
        return not (self.progress or self.gap)

    @property
    def tuned_on(self):
        """The trials that parameters are tuned on.

        Points are tuned on trials that serve nothing else; a stream on parts of its first trials.
        """
        if self.learns == "stream":
            return range(min(self.tuning_trials, self.trials))
        return range(-self.tuning_trials, 0)

    @property
    def noises(self):
        """The shares of swapped answers in the training part."""
        return self.comparisons.get("noise", [0.0])

    def shards(self, method):
        """Return the trials of a method in lists of at most `trials_per_job`."""
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
    job: str = "method"

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

    def jobs(self, experiment):
        """Return what the jobs of the fits station compute of an experiment on one data set.

        By the name of each: methods, with the trials. A job has a shard of a method's trials, or,
        where the scale says `job: experiment`, everything.
        """
        if self.job == "experiment":
            return {"all": {name: list(range(m.trials)) for name, m in experiment.methods.items()}}
        return {
            f"{name}.{n}": {name: trials}
            for name in experiment.methods
            for n, trials in enumerate(experiment.shards(name))
        }

    def fits(self, experiment, dataset, method, suffix="parquet"):
        """Return the files that the fits station makes of a method, one a job."""
        jobs = self.jobs(experiment).items()
        folder = f"{self.results}/fits/{experiment.study}/{experiment.name}/{dataset}"
        return [f"{folder}/{name}/{method}.{suffix}" for name, parts in jobs if method in parts]

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
    validate(config, "config", folder / "config.yaml")
    path = folder / "scales" / f"{config['scale']}.yaml"
    scale = read_config(path, "scale")
    check_studies(scale, folder / "studies", path)
    studies, experiments = {}, {}
    for name in config["studies"]:
        source = folder / "studies" / f"{name}.yaml"
        study = studies[name] = read_config(source, "study")
        check_losses(study.setdefault("losses", {}), source)
        sizes = scale.get(name, {})
        for key in study["experiments"]:
            if key not in sizes:
                raise ConfigError(f"{path}: {name}: no trials and epochs for the experiment {key}")
            check_experiment(study, key, sizes[key], source, path)
            experiments[name, key] = _experiment(name, key, study["experiments"][key], sizes[key])
        unknown = set(sizes) - set(study["experiments"])
        if unknown:
            raise ConfigError(
                f"{path}: {name}: unknown experiment {min(unknown, key=str)}; "
                f"{source} has {', '.join(study['experiments'])}"
            )
    return Spec(config, scale["description"], studies, experiments, scale.get("job", "method"))


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
        key: _method(key, method, {**sizes, "reason": "", **overrides.get(key, {})})
        for key, method in content["methods"].items()
    }
    changes = {"methods": methods, "datasets": sizes.get("datasets", content["datasets"])}
    changes["comparisons"] = content["comparisons"] | {
        key: sizes[key] for key in _SIZES if key in sizes
    }
    if "points" in content:
        changes["points"] = content["points"] | sizes.get("points", {})
    return Experiment(
        study,
        name,
        **{"n_components": None, **content, **changes},
        trials=sizes["trials"],
        epochs=sizes["epochs"],
        trials_per_job=sizes.get("trials_per_job", sizes["trials"]),
        timed=sizes.get("timed", False),
    )


def _method(name, content, sizes):
    keys = ("trials", "epochs", "checkpoints", "reason")
    changes = {key: sizes[key] for key in keys if key in sizes}
    if "sweep" in content and "sweep" in sizes:
        changes["sweep"] = dict.fromkeys(content["sweep"], sizes["sweep"])
    return Method(name, **{**content, **changes})
