"""The merged configuration of a run: what every other module takes its settings from."""

from functools import cache, cached_property
from pathlib import Path

from closerthan_study import tasks
from closerthan_study.spec.config import Config
from closerthan_study.spec.model import ROOT, ConfigError, read_yaml, validate
from closerthan_study.spec.scales import SCALES, lay_scale, says
from closerthan_study.spec.study import Study


class Spec:
    """Everything under config/, at the scale of a run; a file is read when it is asked for.

    `config` holds what config.yaml and the command line say. `trusted`: all has been checked
    before, as in a job, so no class is imported to check its parameters. `instead` is the scale of
    experiments that do not have that of the configuration. A `ConfigError` names file and key.
    """

    def __init__(self, config, root=ROOT, *, trusted=False, instead=None):
        self.root = Path(root)
        self.trusted = trusted
        self.instead = instead
        self.config = validate(Config, config, self.root / "config" / "config.yaml")
        self.experiment = cache(self._read_experiment)
        self.study = cache(self._read_study)
        known = self.known_studies
        for n, name in enumerate(self.config.studies):
            if name not in known:
                raise ConfigError(
                    f"{self.root / 'config' / 'config.yaml'}: studies.{n}: {name!r} is not "
                    f"allowed; allowed: {', '.join(known)}"
                )

    @property
    def known_studies(self):
        """The studies that there are, whether the run has them or not: a folder each."""
        return sorted(path.parent.name for path in self.root.glob("config/studies/*/study.yaml"))

    @property
    def scale(self):
        """How much of each study is run."""
        return self.config.scale

    @property
    def description(self):
        """The scale in words."""
        return SCALES[self.scale]

    @property
    def results(self):
        """The folder that everything is written to."""
        return self.config.results

    @property
    def seed(self):
        """The seed from which every random number of the study comes."""
        return self.config.seed

    @cached_property
    def whole(self):
        """The same at the scale of the papers, of which the others may leave something out."""
        config = {**self.config.model_dump(), "scale": "paper"}
        return Spec(config, self.root, trusted=self.trusted, instead=self.scale)

    @property
    def studies(self):
        """The studies of the run, by name."""
        return {name: self.study(name) for name in self.config.studies}

    @property
    def experiments(self):
        """The experiments of the run, by study and name."""
        return {
            (study, name): self.experiment(study, name)
            for study, content in self.studies.items()
            for name in content.experiments
        }

    def losses(self, study):
        """Return the losses of a study: a class and its parameters, by name."""
        return self.study(study).losses

    def folder_of(self, study):
        """Return the folder under config/ of a study."""
        return self.root / "config" / "studies" / study

    def unmade(self):
        """Return the data sets of the run that the data station has not made, by name.

        On a node of a cluster, where nothing is fetched, those are the ones that can't be had.
        """
        names = dict.fromkeys(name for e in self.experiments.values() for name in e.datasets)
        return [name for name in names if not Path(self.results, f"data/{name}.npz").exists()]

    def pairs(self, missing=None):
        """Return the experiments that run, each with a data set, without those left out.

        Left out are `missing` data sets, by default those that the data station has not made. If
        none of an experiment is left, its fallback stands in.
        """
        missing, found = self.unmade() if missing is None else missing, []
        for experiment in self.experiments.values():
            names = [name for name in experiment.datasets if name not in missing]
            found += [(experiment, name) for name in names or experiment.fallback]
        return found

    def members(self, study, experiment, place, missing=None):
        """Return the data sets in a folder of an experiment: one, or those of a collection."""
        wanted = self.experiment(study, experiment)
        pairs = self.pairs(missing)
        return [name for e, name in pairs if e is wanted and e.place(name) == place]

    def folder(self, station, experiment, dataset, batch=""):
        """Return where a station keeps what it makes of an experiment on a data set.

        That is a folder of the workflow or, in a collection of data sets, one within it.
        """
        place = experiment.study, experiment.name, experiment.place(dataset)
        inner = dataset if experiment.collection else ""
        return Path(self.results, station, *place, str(batch), inner)

    def fits(self, experiment, dataset, method, suffix="parquet"):
        """Return the tables that the fits station has made of a method, one a batch."""
        batches = [n for n in range(experiment.batches) if method in experiment.batch(n)]
        folders = [self.folder("fits", experiment, dataset, n) for n in batches]
        return [folder / f"{method}.{suffix}" for folder in folders]

    def _read_study(self, name):
        """Return a study that there is, whether the run has it or not."""
        path = self.folder_of(name) / "study.yaml"
        content = {**read_yaml(path), "name": name}
        return validate(Study, content, path, context={"trusted": self.trusted})

    def _read_experiment(self, study, name):
        """Return an experiment by the names in its paths."""
        content = self.study(study)
        path = self.folder_of(study) / "study.yaml"
        key = f"experiments.{name}"
        if name not in content.experiments:
            names = ", ".join(content.experiments)
            raise ConfigError(f"{path}: experiments: unknown experiment {name}; allowed: {names}")
        whole = content.experiments[name]
        has_it = self.instead is None or self.scale in whole.get("scales", {})
        scale = self.scale if has_it else self.instead
        sized = lay_scale(whole, scale, path, key)
        if "task" not in sized:
            raise ConfigError(f"{path}: {key}: task is missing")
        task = sized["task"]
        if task not in tasks.names():
            allowed = ", ".join(tasks.names())
            raise ConfigError(f"{path}: {key}.task: {task!r} is not allowed; allowed: {allowed}")

        def where(keys):
            """Say whether it is the scale that a wrong key stands in."""
            return f"{key}.scales.{scale}" if says(whole["scales"][scale], keys) else key

        context = {"losses": list(content.losses), "variants": list(content.variants)}
        context["trusted"] = self.trusted
        names = {"study": study, "name": name}
        model = tasks.module(task, "experiment").Experiment
        return validate(model, {**sized, **names}, path, where, context)


def load_spec(config, root=ROOT):
    """Read and check all studies that a configuration names, and return the `Spec`.

    The other scales are checked too, as far as a study has them: a slip there is better found now
    than when an hour of smaller runs has gone by.
    """
    spec = Spec(config, root)
    if not spec.experiments:
        raise ConfigError(f"{root}: no experiments")
    for scale in SCALES:
        other = Spec({**spec.config.model_dump(), "scale": scale}, root)
        for study, content in other.studies.items():
            for name, experiment in content.experiments.items():
                if scale in experiment["scales"]:
                    other.experiment(study, name)
    return spec
