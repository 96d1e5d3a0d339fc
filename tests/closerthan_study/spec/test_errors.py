"""Check that files under config/ are read whole, or refused with file, key and allowed values.

One of each kind of message is enough here.
"""

import json

import pytest

from closerthan.datasets import fetch
from closerthan_study.configuration import Spec, load_spec
from closerthan_study.spec import ROOT, ConfigError
from closerthan_study.spec.config import check_places
from closerthan_study.spec.validation import read_yaml

CONFIG, MA = "config.yaml", "studies/svrg_sbb/study.yaml"
MUSIC, SMOKE = "experiments.music", "experiments.music.scales.smoke"
SGD, SVRG = f"{MUSIC}.methods.sgd", "methods.svrg"
PAPER = f"{SGD}.variants.paper"
HEIM, PASSES, FIG_1 = "studies/erkle/study.yaml", "experiments.passes", "experiments.synthetic"
ONLINE, REFIT = f"{FIG_1}.methods.pa-erkle", f"{PASSES}.methods.batch"
WU, TABLE_2 = "studies/sdca/study.yaml", "experiments.retrieval"
MAPS, FIG_5 = "studies/pattern_search/study.yaml", "experiments.noise"
SEARCH = f"{FIG_5}.methods.pattern-search.variants.paper.parameters"


@pytest.mark.parametrize(
    ("file", "key", "value", "words"),
    [
        (CONFIG, "scal", "smoke", ["unknown key scal", "scale, studies, seed, results, data"]),
        (CONFIG, "scale", "small", ["'small' should be", "'smoke', 'default' or 'paper'"]),
        (MA, "losses.ste.mu", 0.1, ["losses.ste: unknown parameter mu", "allowed: none"]),
        (MA, "losses.ckl.mu", "5e-4", ["losses.ckl: mu: '5e-4' is not a number", "5.0e-4"]),
        (MA, "losses.ckl.class", "Ckl", ["losses.ckl: class: no class 'Ckl'", "GNMDS, CKL, STE"]),
        (MA, f"{MUSIC}.dataset", "music", [f"{MUSIC}: unknown key dataset", "datasets"]),
        (MA, f"{MUSIC}.comparisons.source", "labels", ["comparisons: n_test is missing"]),
        (MA, f"{PAPER}.parameters.decay", {"soe": 1}, ["decay: unknown loss soe", "gnmds, ckl"]),
        (MA, f"{PAPER}.parameters.step", {"ste": 1}, ["unknown parameter step", "step_size, dec"]),
        (MA, f"{PAPER}.tune", {"decay": [1, "a"]}, ["paper.tune.decay: 'a' is not a number"]),
        (MA, f"{SGD}.variants.papers", {}, ["unknown variant papers", "paper, released-code"]),
        (MA, f"{SGD}.batch_sizes", [5], ["batch_sizes: unknown parameter batch_size"]),
        (MA, f"{SGD}.control", "random", [SGD, "exactly one of solver and variants, model"]),
        (MA, f"{SGD}.control", "oracle", ["unknown control oracle", "random, truth, mds"]),
        (MA, f"{SVRG}.variants.paper.parameters.step", 1, [f"{SVRG}: ", "step: 1 is not a word"]),
        (MAPS, "defaults.scales.smoke.epochs", 0, ["epochs: 0 should be"]),
        (MA, f"{MUSIC}.task", "metric", ["unknown task metric", "mds, online, ordinal, simi"]),
        (MA, f"{MUSIC}.task", ["mds"], ["task: unknown task ['mds']"]),
        (HEIM, f"{ONLINE}.model", "Online", ["no class 'Online'", "BatchKernel, OnlineKernel"]),
        (HEIM, f"{ONLINE}.losses", ["soe"], ["pa-erkle: losses.0: unknown loss soe", "gnmds, ste"]),
        (HEIM, f"{ONLINE}.sweep", {"revisit": [1]}, ["unknown parameter revisit", "margin"]),
        (HEIM, f"{ONLINE}.sweep", {"random_state": [1]}, ["unknown parameter random_state"]),
        (HEIM, f"{ONLINE}.sweep", {"revisits": ["few"]}, ["sweep.revisits.0: 'few' is not a num"]),
        (HEIM, f"{REFIT}.variants.default.parameters", {"max_iter": 9}, ["parameter max_iter"]),
        (
            HEIM,
            f"{REFIT}.variants.tuned.tune",
            {"tol": [1, 2]},
            ["tol: ", "'step_size' or 'tau'"],
        ),
        (WU, f"{TABLE_2}.fallback", ["vine"], ["fallback: unknown data set vine; ", "wine"]),
        (WU, f"{TABLE_2}.normalize", {"vine": "range"}, ["normalize: unknown data set vine"]),
        (MAPS, f"{FIG_5}.objects.pairs", "men", ["'men' is not allowed; allowed: none"]),
        (MAPS, f"{SEARCH}.radius", True, ["radius: True is not a num"]),
        (MAPS, f"{SEARCH}.bad_moves", 1, ["not true or false"]),
        (MA, SMOKE, None, [f"{SMOKE}: None should be a valid dictionary"]),
        (MA, f"{SMOKE}.trails", 1, [f"{MUSIC}: unknown key trails", "trials, epochs"]),
        (MA, f"{SMOKE}.methods", {"sdg": {}}, [f"{SMOKE}.methods: unknown method sdg", "sgd"]),
        (MA, f"{SMOKE}.methods", {"sgd": {"trials": 9}}, ["sgd.trials: 9 is more than the 2"]),
        (MA, f"{SMOKE}.points", {"n_objects": 9}, [f"{SMOKE}.points: the experiment has no po"]),
        (MA, f"{SMOKE}.checkpoints", [1, 2], ["convex.checkpoints: a list", "the task online"]),
        (HEIM, f"{SMOKE}.checkpoints", [50, 20, 100], ["[50, 20, 100] does not rise to n_train"]),
        (
            HEIM,
            f"{PASSES}.scales.smoke.methods",
            {"pa-erkle": {"sweep": {"revisits": [0, 3]}}},
            ["smoke.methods.pa-erkle.sweep.revisits: unknown value 3; allowed: 0, 1, 2, 4, 9, 19"],
        ),
        (
            HEIM,
            f"{PASSES}.scales.smoke.methods",
            {"pa-erkle": {"sweep": {"margin": [1]}}},
            ["pa-erkle.sweep.margin: unknown value 1; allowed: none"],
        ),
    ],
)
def test_one_error_names_the_file_the_key_and_what_is_allowed(load, file, key, value, words):
    with pytest.raises(ConfigError) as error:
        load(file, key, value)
    message = str(error.value)
    for word in (f"{file}: ", *words):
        assert word in message
    assert "\n" not in message and "constrained" not in message


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": "one"}, "seed: 'one' should be a valid integer"),
        ({"studies": ["svrg"]}, "studies.0: unknown study svrg"),
    ],
)
def test_an_error_of_the_command_line_does_not_blame_the_file(load, changes, words):
    with pytest.raises(ConfigError, match=f"^--config: {words}"):
        load(MA, "title", "New", **changes)


def test_a_study_that_is_being_written_may_have_a_single_scale(load):
    sizes = {"smoke": {"trials": 1, "epochs": 1}}
    assert load(MA, f"{MUSIC}.scales", sizes).experiment("svrg_sbb", "music").trials == 1
    with pytest.raises(ConfigError, match=r"music\.scales: default is missing: its trials"):
        load(MA, f"{MUSIC}.scales", sizes, scale="default")


@pytest.mark.parametrize(
    ("file", "key", "words"),
    [
        (CONFIG, "data", ["data is missing"]),
        (MA, "variants.tuned", ["unknown variant tuned; allowed: paper, released-code, script, "]),
        (MA, f"{MUSIC}.scales", [f"{MUSIC}.scales: smoke is missing"]),
        (MA, f"{SMOKE}.epochs", [f"{MUSIC}: epochs is missing"]),
        (MA, "defaults.task", [f"{FIG_1}: task is missing"]),
        (MA, "methods.sgd.label", [f"{FIG_1}.methods.sgd: label is missing"]),
        (MA, "methods.l-bfgs.variants", ["methods.l-bfgs", "exactly one of solver"]),
        (MA, f"{MUSIC}.tuning_trials", ["variants.tuned.tune: it needs", f"{MUSIC}.tuning_trials"]),
        (HEIM, f"{REFIT}.variants.tuned.tune_on", ["variants.tuned: tune_on is missing"]),
        (HEIM, f"{REFIT}.variants.tuned.tune", ["variants.tuned: tune is missing"]),
        (HEIM, f"{FIG_1}.comparisons.n_validation", ["tuned.tune_on: validation, without"]),
    ],
)
def test_a_missing_key_is_named(load, file, key, words):
    with pytest.raises(ConfigError) as error:
        load(file, key)
    for word in (f"{file}: ", *words):
        assert word in str(error.value)


@pytest.mark.parametrize(
    ("study", "name"),
    [
        *(("svrg_sbb", "retrieval"), ("erkle", "passes")),
        *(("sdca", "bags"), ("pattern_search", "shapes")),
    ],
)
def test_nothing_of_another_kind_than_expected_ends_in_anything_but_such_an_error(
    contents, dump, tmp_path, study, name
):
    """Replace every key of an experiment, one after another, by two kinds in turn."""
    file = f"studies/{study}/study.yaml"
    path = tmp_path / "config" / file
    path.parent.mkdir(parents=True)
    content = json.loads(contents[file])
    experiment = content["experiments"].pop(name)
    config = {**json.loads(contents["config.yaml"]), "scale": "smoke", "studies": [study]}
    refused = 0
    kinds = (None, 3, "some", ["some"], {"some": 1})
    for number, keys in enumerate(places_in(experiment)):
        for value in (kinds[number % 5], kinds[(number + 2) % 5]):
            changed = json.loads(json.dumps(experiment))
            *above, last = keys
            place = changed
            for key in above:
                place = place[key]
            place[last] = value
            path.write_text(dump({**content, "experiments": {name: changed}}))
            try:
                assert Spec(config, tmp_path).experiments
            except ConfigError as error:
                refused += 1
                assert str(error).startswith(f"{path}: experiments.{name}")
    assert refused > 30


def places_in(content, depth=3):
    """Yield the keys of every place in a mapping, down to entries of methods and scales."""
    for key, value in content.items():
        yield [key]
        if isinstance(value, dict) and depth > 1:
            yield from ([key, *keys] for keys in places_in(value, depth - 1))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a: [1", "not YAML"),
        (b"\xff\xfe\x00", "not YAML"),
        (b"", "None is not a mapping"),
        (None, "unknown study svrg_sbb"),
    ],
)
def test_a_file_that_is_missing_or_not_yaml_is_named(contents, tmp_path, content, message):
    path = tmp_path / "config" / MA
    path.parent.mkdir(parents=True)
    if content is not None:
        path.write_bytes(content)
    config = {**json.loads(contents[CONFIG]), "scale": "smoke", "studies": ["svrg_sbb"]}
    with pytest.raises(ConfigError, match=message) as error:
        load_spec(config, tmp_path)
    assert str(path if content is not None else tmp_path / "config" / CONFIG) in str(error.value)


def test_a_claims_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"claims\.yaml: there is no such file"):
        read_yaml(tmp_path / "claims.yaml")


def test_a_run_elsewhere_is_told_of_the_option_for_it(tmp_path, monkeypatch):
    config = read_yaml(ROOT / "config/config.yaml")
    with pytest.raises(ConfigError, match=r"^results: .* snakemake --directory .smoke$"):
        load_spec(config | {"results": ".smoke"})
    monkeypatch.chdir(tmp_path)
    check_places(Spec(config).config)
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(ConfigError, match=r"results cannot be written; .*snakemake --directory"):
        check_places(Spec(config).config)


@pytest.mark.parametrize("place", ["https://example.org/data", "file:///srv/data", "s3://data"])
def test_a_mirror_is_a_folder_and_no_address(load, place, monkeypatch):
    said = f"{place} is an address; it must be a folder of this machine"
    with pytest.raises(ConfigError, match=f"data.mirror: {said}"):
        load(CONFIG, "data.mirror", place)
    monkeypatch.setenv("CLOSERTHAN_DATA_MIRROR", place)
    with pytest.raises(ConfigError, match=f"CLOSERTHAN_DATA_MIRROR: {said}"):
        load(CONFIG, "seed", 1)
    with pytest.raises(ValueError, match=f"mirror {place!r} is an address"):
        fetch("music", "music_triplets.mat")
