"""The merged configuration of a run, from which all modules take their settings."""

from functools import cache, cached_property
from pathlib import Path

from closerthan_study import folders, tasks
from closerthan_study.reading import read_json
from closerthan_study.spec import ROOT, ConfigError
from closerthan_study.spec.config import Config, check_places
from closerthan_study.spec.scales import SCALES, lay_scale
from closerthan_study.spec.study import Study
from closerthan_study.spec.validation import check_name, read_yaml, validate


class Spec:
    """Everything under config/, at the scale of a run. Files are read when they are needed.

    `trusted` means that all has been checked before, as in a job, so no class is imported to check
    its parameters. `instead` is the scale of experiments that do not have the configured one.
    """

    def __init__(self, config, root=None, *, trusted=False, instead=None):
        self.root = Path(root or ROOT / (config.get("root") or "."))
        self.trusted = trusted
        self.instead = instead
        self.config = self._read_config(config)
        for kind, some in self.config.folders:
            folders.add(**{kind: [ROOT / folder for folder in some]})
        self.scale = self.config.scale
        self.description = SCALES[self.scale]
        self.results = self.config.results  # the folder that everything is written to
        self.seed = self.config.seed  # every random number of the study comes from it
        self.experiment = cache(self._read_experiment)
        self.study = cache(self._read_study)

    @property
    def clone(self):
        """The folder with the code, whose commit makes the results."""
        return ROOT if self.config.root else self.root

    @property
    def known_studies(self):
        """All studies, one folder for each, whether the run has them or not."""
        return sorted(path.parent.name for path in self.root.glob("config/studies/*/study.yaml"))

    @cached_property
    def whole(self):
        """The configuration at the scale of the papers. Other scales may leave something out."""
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

    def notebook(self, page):
        """Return the notebook of a page: the run's own, or the study's."""
        own = Path("notebooks", f"{page}.ipynb")
        return ROOT / own if not (self.root / own).exists() else self.root / own

    def wanted(self, missing=()):
        """Return the data sets of the run, by name. A fallback is one if all others are missing."""
        found = []
        for experiment in self.experiments.values():
            lacks_all = set(experiment.datasets) <= set(missing)
            names = experiment.all_datasets if lacks_all else experiment.datasets
            found += [*names, *experiment.also_reads]
        return list(dict.fromkeys(found))

    @cached_property
    def missing(self):
        """The data sets that this run could not get, by name, with what was tried."""
        path = Path(self.results, "data", "missing.json")
        return read_json(path) if path.exists() else {}

    def pairs(self, missing=None):
        """Return the experiments that run, each with one of its data sets.

        `missing` data sets are left out, by default those of the run. If an experiment has none
        left, it runs on its fallback. If it lacks one that all its jobs read, it does not run.
        """
        missing, found = self.missing if missing is None else missing, []
        for experiment in self.experiments.values():
            if not set(experiment.also_reads).isdisjoint(missing):
                continue
            left = [
                [(experiment, name) for name in names if name not in missing]
                for names in (experiment.datasets, experiment.fallback)
            ]
            found += left[0] or left[1]
        return found

    def settings_of(self, station, experiment, batch=None):
        """Return as text all settings that results of a station depend on, to be compared."""
        losses = self.losses(experiment.study) if station == "fits" else {}
        named = {name: loss.model_dump() for name, loss in losses.items()}
        return str([self.seed, experiment.settings_of(station, batch), named])

    def folder(self, station, experiment, dataset, batch=""):
        """Return the folder of a station's results, or a folder in it for one of a collection."""
        place = experiment.study, experiment.name, experiment.place(dataset)
        inner = dataset if experiment.collection else ""
        return Path(self.results, station, *place, str(batch), inner)

    def fits(self, experiment, dataset, method, suffix="parquet"):
        """Return the tables of the fits station for a method, one for each batch."""
        batches = [n for n in range(experiment.batches) if method in experiment.batch(n)]
        folders = [self.folder("fits", experiment, dataset, n) for n in batches]
        return [folder / f"{method}.{suffix}" for folder in folders]

    def scores(self, experiment, dataset):
        """Return the tables of the scores station: one for each method, and the seconds."""
        folder = self.folder("scores", experiment, dataset)
        return [folder / f"{name}.parquet" for name in (*experiment.methods, "seconds")]

    def _read_config(self, config):
        """Check the settings. An error that the file does not have is the command line's."""
        path = self.root / "config" / "config.yaml"
        try:
            return self._check_config(config, path)
        except ConfigError as error:
            self._check_config(read_yaml(path) if path.exists() else config, path)
            raise ConfigError(str(error).replace(str(path), "--config", 1)) from None

    def _check_config(self, config, path):
        settings, known = validate(Config, config, path), self.known_studies
        for n, name in enumerate(settings.studies):
            check_name(name, known, f"{path}: studies.{n}: unknown study")
        return settings

    def _read_study(self, name):
        """Return a study, whether the run has it or not."""
        path = self.folder_of(name) / "study.yaml"
        content = {**read_yaml(path), "name": name}
        return validate(Study, content, path, context={"trusted": self.trusted})

    def _read_experiment(self, study, name):
        """Return an experiment by the names in its paths."""
        content = self.study(study)
        path = self.folder_of(study) / "study.yaml"
        key = f"experiments.{name}"
        check_name(name, content.experiments, f"{path}: experiments: unknown experiment")
        whole = content.experiment(name)
        has_it = self.instead is None or self.scale in whole.get("scales", {})
        scale = self.scale if has_it else self.instead
        sized = lay_scale(whole, scale, path, key)
        if "task" not in sized:
            raise ConfigError(f"{path}: {key}: task is missing")
        task = sized["task"]
        check_name(task, tasks.names(), f"{path}: {key}.task: unknown task")

        context = {"losses": list(content.losses), "variants": list(content.variants)}
        context["trusted"] = self.trusted
        sized |= {"study": study, "name": name}
        model = tasks.module(task, "settings").Experiment
        return validate(model, sized, path, key, context)


def load_spec(config, root=None):
    """Read and check all studies that a configuration names, at all scales; return the `Spec`."""
    spec = Spec(config, root)
    check_places(spec.config)
    for scale in SCALES:
        other = Spec({**spec.config.model_dump(), "scale": scale}, root)
        for study, content in other.studies.items():
            for name in content.experiments:
                if scale == spec.scale or scale in content.experiment(name).get("scales", {}):
                    other.experiment(study, name)
    return spec
