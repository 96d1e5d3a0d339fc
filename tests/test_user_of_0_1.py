"""What a user of closerthan 0.1 wrote still runs, or gets a word on what to write instead."""

import ast
import inspect
import re
import warnings
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

# Each public name of 0.1, with what it could be given; after * by keyword alone.
API = Path(__file__).with_name("api_of_0_1.txt").read_text(encoding="utf-8").split("\n")[:-1]
# Those of which an argument is named otherwise; it is told in the changelog.
POSITIONAL = {"closerthan.kernels.KernelObjective", "closerthan.optimize.Objective"}

CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"


@pytest.mark.parametrize("line", API, ids=lambda line: line.partition("(")[0])
def test_name_takes_what_it_took(line):
    name, _, given = line.partition("(")
    module, _, attribute = name.rpartition(".")
    found = getattr(import_module(module), attribute)
    if not given:
        return
    call = ast.parse(f"def f({given}: pass").body[0].args
    positional, by_keyword = ([arg.arg for arg in args] for args in (call.args, call.kwonlyargs))
    parameters = inspect.signature(found).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        by_keyword = []  # handed on
    taken = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    if name not in POSITIONAL:
        assert taken[: len(positional)] == positional
    assert set(by_keyword) <= {p.name for p in parameters}
    required = {p.name for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD}
    assert name in POSITIONAL or required <= {*positional, *by_keyword}


@pytest.fixture(scope="module")
def triplets():
    from closerthan.comparisons import sample_from_points

    points = np.random.default_rng(0).normal(size=(12, 2))
    return sample_from_points(points, 200, random_state=0)


@pytest.fixture
def may_warn():
    """Let a script of 0.1 be warned of names that will go, and of nothing else."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=FutureWarning, message=".* is now |.*deprecated")
        yield


def test_readme_of_0_1(may_warn, triplets, tmp_path):
    from closerthan import OrdinalEmbedding
    from closerthan.comparisons import read_csv, split, write_csv
    from closerthan.scores import triplet_error

    write_csv(tmp_path / "answers.csv", triplets, [f"object {i}" for i in range(12)])
    triplets, names = read_csv(tmp_path / "answers.csv")
    train, test = split(triplets, 0.8, random_state=0)
    model = OrdinalEmbedding(n_components=2, random_state=0).fit(train)
    assert model.score(test) > 0.7
    assert model.embedding_.shape == (len(names), 2)
    assert triplet_error(model.embedding_, test) == pytest.approx(1 - model.score(test))


def test_fit_of_0_1_with_its_losses_solvers_and_keywords(may_warn, triplets):
    from closerthan import BatchKernel, OnlineKernel, OrdinalEmbedding
    from closerthan.losses import TSTE
    from closerthan.optimize import SGD, SVRG

    weights = np.ones(len(triplets))
    plain = {"penalty": None, "init": "random", "random_state": 0}  # as the changelog says
    svrg, sgd = SVRG(step="sbb", batch_size=20), SGD(decay=0.01)
    for loss, solver in ((TSTE(alpha=2), svrg), ("ste", sgd), ("ste", "batch")):
        model = OrdinalEmbedding(2, loss=loss, solver=solver, max_iter=30, **plain)
        model.fit(triplets, sample_weight=weights)
        assert model.score(comparisons=triplets) > 0.6
        assert set(np.unique(model.predict(queries=triplets))) <= {0, 1}
        assert {"loss", "seconds"} <= set(model.history_.columns)
    assert OrdinalEmbedding(loss="ste", max_iter=5, **plain).fit(triplets=triplets).n_iter_ > 0
    with pytest.raises(ValueError, match="sample_weight="):  # y comes second now
        OrdinalEmbedding(loss="ste", **plain).fit(triplets, 0.5 * weights)
    assert BatchKernel("gnmds", max_iter=20).fit(triplets).kernel_.shape == (12, 12)
    assert OnlineKernel("gnmds", n_objects=12).partial_fit(triplets).kernel_.shape == (12, 12)


def test_maps_of_0_1(may_warn):
    from closerthan.datasets import load_eurodist
    from closerthan.mds import SMACOF, LandmarkMDS, PatternSearchMDS
    from closerthan.scores import normalized_stress

    distances = load_eurodist().distances
    plain = {"init": "random", "random_state": 0}
    for model in (PatternSearchMDS(2, **plain), SMACOF(2, max_iter=300, eps=1e-6, **plain)):
        model.set_params(dissimilarity="precomputed")
        with pytest.warns(FutureWarning, match="use `metric`"):
            points = model.fit_transform(distances)
        assert normalized_stress(points, distances) < 0.2
    assert LandmarkMDS(n_landmarks=8, random_state=0).fit(points).embedding_.shape == (21, 2)
    with pytest.raises(ValueError, match="'classical_mds'"):
        SMACOF(metric="precomputed", init="classical").fit(distances)


def test_similarities_and_metrics_of_0_1(may_warn, triplets):
    from closerthan.bilinear import OASIS, SDCA
    from closerthan.mahalanobis import ITML, RCA, pairs_from_triplets

    X = np.random.default_rng(0).normal(size=(12, 3))
    for model in (SDCA(n_epochs=2, random_state=0), OASIS(random_state=0)):
        assert model.fit(X, triplets).rank(X[:1], X).shape == (1, 12)
    near, far = pairs_from_triplets(triplets)
    assert ITML(random_state=0).fit(X, near, far).transform(X).shape == (12, 3)
    assert RCA().fit(X, np.repeat([0, 1, 2], 4)).components_.shape == (3, 3)


def test_data_sets_of_0_1_under_their_names():
    from closerthan.comparisons import Answers
    from closerthan.datasets import Dataset

    rows = np.array([[0, 1, 0.5]])
    music = Dataset("music", answers=Answers([[0, 1, 2]]))
    words = Dataset(
        "words", features=np.eye(2), object_names=np.array(["a", "b"]), ratings={"men": rows}
    )
    former = {
        "triplets": (music, "comparisons"),
        "words": (words, "object_names"),
        "vectors": (words, "features"),
    }
    for name, (data, field) in former.items():
        with pytest.warns(FutureWarning, match=rf"Dataset\.{name} is now Dataset\.{field};"):
            assert getattr(data, name) is getattr(data, field)
    with pytest.warns(FutureWarning, match=r"is now Dataset\.ratings\['men'\];"):
        assert words.men is rows
    with pytest.warns(FutureWarning):
        assert words.simlex is None and music.words is None
    with pytest.raises(AttributeError, match="no attribute 'images'"):
        words.images  # noqa: B018


def test_odd_ones_out_of_0_1_are_still_an_array_to_whoever_takes_one(may_warn):
    from closerthan.comparisons import from_most_central, from_odd_one_out, split, swap_answers

    odd = from_odd_one_out([[0, 1, 2], [1, 2, 3]], [2, 1])
    assert np.array_equal(odd, [[0, 1, 2], [1, 0, 2], [2, 3, 1], [3, 2, 1]])
    assert np.asarray(from_most_central([[0, 1, 2]], [1])).shape == (2, 3)
    assert len(odd) == 4
    assert [len(part) for part in split(np.asarray(odd), 2, random_state=0)] == [2, 2]
    assert len(swap_answers(np.asarray(odd), 0.5, random_state=0)[0]) == 4


def test_changelog_says_what_to_write_instead_of_what_is_gone():
    news = CHANGELOG.read_text(encoding="utf-8").partition("## [0.1.0]")[0]
    gone = (
        *("Dataset.triplets", "Dataset.words", "`.vectors`", "Dataset.men", "`.simlex`"),
        *("closerthan.losses.LOSSES", "closerthan.optimize.SOLVERS", "`quadruplets`"),
        *('init="classical"', "dissimilarity=", "from_odd_one_out", "from_most_central"),
    )
    assert [name for name in gone if not re.search(re.escape(name), news)] == []
