"""Run the study with a project beside it that brings a task, a data set and a study of its own."""

import shutil
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml

from closerthan.datasets.loader import find_loader
from closerthan.datasets.registry import registry
from closerthan_study import dependencies, folders, tasks
from closerthan_study.configuration import Spec, load_spec
from closerthan_study.data import find_absent, make_data
from closerthan_study.dependencies import modules_behind
from closerthan_study.facts import facts
from closerthan_study.fits import make_fits
from closerthan_study.reading import read_data
from closerthan_study.scores import make_scores
from closerthan_study.spec import ROOT, ConfigError
from closerthan_study.spec.config import RESULTS
from closerthan_study.spec.scales import SCALES
from closerthan_study.trials import make_trials
from digests import code_of_all_fits
from toy_study import config, write_study

RECIPES = Path(__file__).parents[1] / "workflow" / "recipes" / "src"
TASK = RECIPES / "closerthan_study" / "tasks" / "seriation"
RINGS = RECIPES / "closerthan" / "datasets"
PACKAGE = "beside"
LINE = {
    "task": "seriation",
    "shows": "Fig. 1",
    "datasets": ["rings"],
    "objects": {"n_objects": 40},
    "methods": {
        "first": {"label": "first", "model": "First", "variants": {"own": {}}},
        "random": {"label": "random", "control": "random"},
    },
    "scales": {scale: {"trials": 2, "epochs": 1} for scale in SCALES},
}
MODEL = '''"""A model of the project."""

from sklearn.base import BaseEstimator

__all__ = ["First"]


class First(BaseEstimator):
    """The first feature as the place."""

    def __init__(self, n_components=1):
        self.n_components = n_components

    def fit_transform(self, X, y=None):
        """Return the first features."""
        return X[:, : self.n_components]
'''


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Write a project with a package and a study; return its configuration."""
    package = tmp_path / "project" / PACKAGE
    shutil.copytree(TASK, package / "tasks" / "seriation", ignore=lambda *_: ["__pycache__"])
    settings = package / "tasks" / "seriation" / "settings.py"
    settings.write_text(settings.read_text().replace("closerthan.mds", f"{PACKAGE}.models"))
    (package / "datasets").mkdir()
    shutil.copy(RINGS / "rings.yaml", package / "datasets")
    text = (RINGS / "rings.py").read_text()
    text = text.replace(
        '"rings", len(points),', '"rings", len(points), folders=[Path(__file__).parent],'
    )
    (package / "datasets" / "rings.py").write_text(
        text.replace("import", "from pathlib import Path\n\nimport", 1)
    )
    (package / "models.py").write_text(MODEL)
    for folder in (package, package / "tasks", package / "datasets"):
        (folder / "__init__.py").touch()
    root = package.parent
    write_study(root, {"line": LINE}, name="rows", variants={"own": "ours"})
    (root / "notebooks").mkdir()
    (root / "notebooks" / "rows.ipynb").touch()
    monkeypatch.syspath_prepend(root)
    before = list(folders.TASKS), list(folders.DATASETS)
    places = {"tasks": [str(package / "tasks")], "datasets": [str(package / "datasets")]}
    content = config(tmp_path, studies=["rows"], root=str(root), folders=places)
    (root / "config" / "config.yaml").write_text(yaml.safe_dump(content))
    yield content
    folders.TASKS[:], folders.DATASETS[:] = before
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]
    dependencies.digest.cache_clear()


def test_its_study_task_and_data_set_are_found(project):
    assert "seriation" not in tasks.names() and "rings" not in facts()
    spec = load_spec({**project, "results": RESULTS})
    assert spec.root == Path(project["root"]) and spec.clone == ROOT
    assert spec.known_studies == ["rows"]
    assert set(tasks.names()) == {"mds", "online", "ordinal", "seriation", "similarity"}
    assert tasks.package("seriation") == f"{PACKAGE}.tasks.seriation"
    assert tasks.package("mds") == "closerthan_study.tasks.mds"
    experiment = spec.experiment("rows", "line")
    assert type(experiment).__module__ == f"{PACKAGE}.tasks.seriation.settings"
    assert facts()["rings"]["n_objects"] == 60 and "music" in facts()
    assert spec.wanted() == ["rings"] and find_absent(spec) == []
    assert "rings" not in registry(), "which is that of the package alone"
    with pytest.raises(ValueError, match="unknown data set 'rings'"):
        find_loader("rings")


def test_a_page_is_its_own_or_else_the_study_s(project):
    spec = Spec(project)
    assert spec.notebook("rows") == spec.root / "notebooks" / "rows.ipynb"
    assert spec.notebook("scoreboard") == ROOT / "notebooks" / "scoreboard.ipynb"


def test_its_experiment_runs_through_all_stations(project):
    spec = Spec(project)
    npz = Path(spec.results, "data", "rings.npz")
    npz.parent.mkdir(parents=True)
    make_data(spec, "rings", npz, npz.with_suffix(".json"))
    assert read_data(npz)["features"].shape == (60, 2)
    place = "rows", "line", "rings"
    make_trials(spec, *place)
    make_fits(spec, *place, 0)
    make_scores(spec, *place)
    experiment = spec.experiment("rows", "line")
    table = pd.concat(pd.read_parquet(path) for path in spec.scores(experiment, "rings")[:-1])
    orders = table[table.measure == "order"].groupby("method").value.mean()
    assert orders["first"] == pytest.approx(1, abs=0.01) and orders["random"] < 0.9


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("task", "seriations", "unknown task seriations; .*, ordinal, seriation, similarity"),
        ("datasets", ["ring"], "unknown data set ring; .* rings"),
    ],
)
def test_what_nobody_brings_is_refused(project, key, value, words):
    write_study(Path(project["root"]), {"line": LINE | {key: value}}, name="rows")
    with pytest.raises(ConfigError, match=words):
        load_spec({**project, "results": RESULTS})


def test_its_code_is_behind_its_own_results_alone(project):
    before = {name: code_of_all_fits(name) for name in tasks.names()}
    music = dependencies.code_of_data("music")
    Spec(project)
    assert dependencies.roots() == ("closerthan", "closerthan_study", PACKAGE)
    dependencies.digest.cache_clear()
    assert {name: code_of_all_fits(name) for name in before} == before
    assert dependencies.code_of_data("music") == music
    ours = modules_behind(f"{PACKAGE}.tasks.seriation.fits")
    assert "closerthan_study.tasks.base" in ours and f"{PACKAGE}.datasets.rings" not in ours
    found, changed = codes(), {}
    for name in ("tasks/seriation/fits.py", "models.py", "datasets/rings.py"):
        path = Path(project["root"], PACKAGE, name)
        text = path.read_text()
        path.write_text(text + "\nNEW = 1\n")
        changed[name] = {station for station, code in codes().items() if code != found[station]}
        path.write_text(text)
    assert list(changed.values()) == [{"fits"}, {"fits"}, {"data"}]
    assert "Two rings" in found["data"][1]


def codes():
    """Return the code of the project's results, by station."""
    dependencies.digest.cache_clear()
    dependencies._content.cache_clear()
    return {
        "trials": dependencies.code_of_trials("seriation"),
        "fits": code_of_all_fits("seriation"),
        "scores": dependencies.code_of_scores("seriation"),
        "data": dependencies.code_of_data("rings"),
    }
