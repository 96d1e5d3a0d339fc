"""A page of the report: a study and its results in this run."""

from functools import cache, cached_property
from pathlib import Path

import pandas as pd

from closerthan_study.configuration import Spec
from closerthan_study.figures.save import save_figure, save_table
from closerthan_study.figures.style import DASHES, palette, style
from closerthan_study.origin import commit
from closerthan_study.printed import compare_with_printed
from closerthan_study.reading import (
    coordinates,
    read_data,
    read_json,
    read_made,
    read_scores,
    read_table,
)


class Page:
    """A page of the report: it reads the results of a study and writes its figures and tables.

    `name` is a study, or a page about all studies, which has no results.
    """

    def __init__(self, name, config, root=None):
        style()
        self.name = name
        self.spec = Spec(config, root, trusted=True)  # which was checked before anything ran
        self.study = self.spec.studies.get(name)
        keys = self.study.experiments if self.study else ()
        self.experiments = {key: self.spec.experiment(name, key) for key in keys}
        self.reports = Path(self.spec.results, "reports")
        # Figures share tables, which no one changes.
        self._read = cache(read_table)
        self._read_scores = cache(read_scores)
        self._seen = {}  # what was read since the last figure or table: station and experiment

    def label(self, name):
        """Return the label of a name of the study in figures and tables."""
        return self.study.label(name)

    @cached_property
    def losses(self):
        """The labels of the study's losses, by key."""
        return {key: self.label(key) for key in self.study.losses}

    @cached_property
    def colors(self):
        """The colors of losses and methods, the same in all figures of the page."""
        methods = (method for e in self.experiments.values() for method in e.methods)
        return palette(self.losses) | palette(methods)

    @cached_property
    def dashes(self):
        """The place in `DASHES` of each variant of the study."""
        return {name: place % len(DASHES) for place, name in enumerate(self.study.variants)}

    # What the stations made

    def datasets(self, name):
        """Return the data sets on which this run has an experiment."""
        experiment = self.experiments[name]
        names = experiment.all_datasets
        return [d for d in names if self.spec.folder("scores", experiment, d).is_dir()]

    @property
    def places(self):
        """Every experiment with each data set on which this run has it."""
        return [(name, dataset) for name in self.experiments for dataset in self.datasets(name)]

    @property
    def used(self):
        """All data sets of the study that this run has."""
        return list(dict.fromkeys(dataset for _, dataset in self.places))

    def dataset(self, name):
        """Return the one data set on which this run has an experiment."""
        (dataset,) = self.datasets(name)
        return dataset

    def scores(self, name, dataset=None):
        """Return the scores of all methods of an experiment, by default on all its data sets."""
        self._seen["scores", name] = True
        files = [file for of_data in self._scores(name, dataset) for file in of_data[:-1]]
        return pd.concat(map(self._read_scores, files), ignore_index=True)

    def seconds(self, name, dataset=None):
        """Return the seconds that an experiment took, which never repeat, as a tidy table."""
        self._seen["seconds", name] = True
        return pd.concat(self._read_scores(of_data[-1]) for of_data in self._scores(name, dataset))

    def _scores(self, name, dataset):
        """Return the files of scores, the seconds last, of one or all data sets."""
        names = [dataset] if dataset else self.datasets(name)
        return [self.spec.scores(self.experiments[name], d) for d in names]

    def both(self, name, dataset=None):
        """Return scores and seconds as one tidy table."""
        tables = self.scores(name, dataset), self.seconds(name, dataset)
        return pd.concat(tables, ignore_index=True)

    def trial(self, name, dataset, what="objects", trial=0):
        """Return the `objects` or the `comparisons` of a trial."""
        self._seen["trials", name] = True
        folder = self.spec.folder("trials", self.experiments[name], dataset)
        return read_table(folder / f"{what}.parquet", filters=[("trial", "==", trial)])

    def fits(self, name, dataset, method, suffix="parquet"):
        """Return the fits of a method as the fits station wrote them, for example its curves."""
        self._seen["fits", name] = True
        files = self.spec.fits(self.experiments[name], dataset, method, suffix)
        return pd.concat(map(self._read, files), ignore_index=True)

    def points(self, name, dataset, curve, *, trial=0, noise=None):
        """Return the points that a curve ends at, shape (n_objects, n_components)."""
        table = self.fits(name, dataset, curve.method, "embedding.parquet")
        wanted = {"trial": trial, "variant": curve.variant, "loss": curve.loss, "noise": noise}
        wanted |= {"batch_size": curve.batch_size or None, "sweep": curve.sweep}
        for column, value in wanted.items():
            if value is not None and column in table:
                table = table[table[column] == value]
        if "epoch" in table:
            table = table[table.epoch == table.epoch.max()]
        return coordinates(table.sort_values("object"))

    def arrays(self, dataset):
        """Return the arrays of a data set by name."""
        return read_data(Path(self.spec.results, "data", f"{dataset}.npz"))

    def record(self, dataset):
        """Return the record of a data set: its title, shape, source and so on."""
        return read_json(f"{self.spec.results}/data/{dataset}.json")

    def drawn(self, name, dataset):
        """Return the numbers of objects and comparisons in the trials of an experiment, by part."""
        folder = self.spec.folder("trials", self.experiments[name], dataset)
        return read_made(read_json, folder / "drawn.json")

    @cached_property
    def tuned(self):
        """The parameters that a method of the study tunes."""
        methods = (m for e in self.experiments.values() for m in e.methods.values())
        return list(dict.fromkeys(name for method in methods for name in method.tuned))

    # What the paper prints

    @cached_property
    def printed(self):
        """The numbers that the paper prints, each with our number."""
        places = [(self.experiments[name], dataset) for name, dataset in self.places]
        return compare_with_printed(self.spec, self.name, places)

    def printed_in(self, artefact):
        """Return the printed numbers of a table or figure, each with our number."""
        return self.printed[self.printed.artefact == artefact]

    # What the page makes

    def figure(self, figure, stem, **words):
        """Write a figure of this page; `words` are what `save_figure` takes."""
        folder = self.reports / "figures" / self.name
        return save_figure(figure, folder / stem, made=self._made(), **words)

    def table(self, frame, stem, **words):
        """Write a table of this page; `words` are what `save_table` takes."""
        folder = self.reports / "tables" / self.name
        return save_table(frame, folder / stem, made=self._made(), **words)

    def _made(self):
        """Return what the next figure or table is made from, by what the page read for it."""
        seen, self._seen = sorted(self._seen), {}
        stations = [("scores" if what == "seconds" else what, name) for what, name in seen]
        return {
            "experiments": sorted({name for _, name in seen}),
            "seconds": any(what == "seconds" for what, _ in seen),
            "results": [f"{what}/{self.name}/{name}" for what, name in dict.fromkeys(stations)],
            "script": f"notebooks/{self.name}.ipynb",
            "commit": self._commit,
        }

    @cached_property
    def _commit(self):
        return commit(self.spec.clone)
