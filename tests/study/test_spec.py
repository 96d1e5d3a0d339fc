"""What is under config/ is read whole, or refused with the file, the key and what is allowed."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
import yaml

import relsim.kernels
import relsim.losses
import relsim.optimize
from relsim.study import fits, scores
from relsim.study.fits import make_loss
from relsim.study.models import find_model
from relsim.study.seeds import seed_sequence
from relsim.study.spec import ROOT, ConfigError, fingerprint, load_spec

SHIPPED = {
    str(path.relative_to(ROOT / "config")): yaml.safe_load(path.read_text())
    for path in (ROOT / "config").rglob("*.yaml")
}
# Every study is tested, whether a run has it or not.
SHIPPED["config.yaml"]["studies"] = sorted(
    Path(file).stem for file in SHIPPED if file.startswith("studies")
)
SCALES = ["smoke", "default", "paper"]


@pytest.fixture
def load(tmp_path):
    """Load the shipped files after a change: the value under a dotted key, or no such key."""

    def change(file, key, *value, scale="smoke"):
        shutil.copytree(ROOT / "config", tmp_path / "config")
        contents = json.loads(json.dumps(SHIPPED))  # without YAML's aliases
        *path, last = key.split(".")
        place = contents[file]
        for step in path:
            place = place[step]
        if value:
            place[last] = value[0]
        else:
            del place[last]
        (tmp_path / "config" / file).write_text(yaml.safe_dump(contents[file], sort_keys=False))
        return load_spec({**contents["config.yaml"], "scale": scale}, tmp_path)

    return change


@pytest.mark.parametrize("scale", SCALES)
def test_the_shipped_files_load_and_every_class_takes_its_parameters(scale):
    spec = load_spec({**SHIPPED["config.yaml"], "scale": scale})
    assert spec.experiments
    for experiment in spec.experiments.values():
        for name, method in experiment.methods.items():
            trials = [trial for shard in experiment.shards(name) for trial in shard]
            assert trials == list(range(method.trials))
            losses = method.losses or spec.losses(experiment.study) or ["none"]
            for variant, loss in product(method.variants, losses):
                settings = method.variant(variant).settings(loss)
                for sweep in method.sweeps or [()]:
                    chosen = {**settings, **dict([sweep] if sweep else [])}
                    if experiment.learns == "map":
                        chosen.pop("n_neighbors", None)  # not all models have them
                    if method.solver:
                        getattr(relsim.optimize, method.solver)(**chosen)
                    elif method.model:
                        find_model(method.model)(**chosen)
                    else:
                        assert method.control and not chosen
            if experiment.learns == "stream":
                marks = experiment.marks(name)
                assert marks == sorted(set(marks)) and marks[0] > 0
                assert marks[-1] == experiment.comparisons["n_train"]
        for settings in spec.losses(experiment.study).values():
            make_loss(settings, experiment.n_components or 2)


def test_what_the_schemas_allow_exists():
    study = yaml.safe_load((ROOT / "workflow/schemas/study.schema.yaml").read_text())
    for name in study["$defs"]["method"]["properties"]["solver"]["enum"]:
        assert hasattr(getattr(relsim.optimize, name), "minimize")
    for kind in ("method", "stream_method"):
        for name in study["$defs"][kind]["properties"]["model"]["enum"]:
            assert hasattr(getattr(relsim.kernels, name), "fit")
    for kind in ("similarity_method", "map_method"):
        for name in study["$defs"][kind]["properties"]["model"]["enum"]:
            assert hasattr(find_model(name), "fit")
    assert set(study["$defs"]["points"]["properties"]["learns"]["enum"]) == set(fits.KINDS)
    assert set(fits.KINDS) == set(scores.KINDS)
    loss = study["properties"]["losses"]["additionalProperties"]
    for name in loss["properties"]["class"]["enum"]:
        assert issubclass(getattr(relsim.losses, name), relsim.losses.Loss)
    assert set(study["$defs"]["dataset"]["enum"]) <= set(relsim.datasets.registry())
    config = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())
    assert set(config["properties"]) == set(SHIPPED["config.yaml"])
    for key, folder in (("scale", "scales"), ("studies", "studies")):
        allowed = config["properties"][key]
        files = {Path(file).stem for file in SHIPPED if file.startswith(folder)}
        assert set(allowed.get("enum") or allowed["items"]["enum"]) == files


CONFIG, SCALE, STUDY = "config.yaml", "scales/smoke.yaml", "studies/svrg_sbb.yaml"
MUSIC = "experiments.music"
SGD = f"{MUSIC}.methods.sgd"
PAPER = f"{SGD}.variants.paper"
ERKLE, PASSES = "studies/erkle.yaml", "experiments.passes"
ONLINE, REFIT = f"{PASSES}.methods.pa-erkle", f"{PASSES}.methods.batch"
WU, TABLE_2 = "studies/sdca.yaml", "experiments.retrieval"
SDCA = f"{TABLE_2}.methods.sdca.variants.paper"
MAPS, FIG_5, FIG_2 = "studies/pattern_search.yaml", "experiments.noise", "experiments.start-radius"
SEARCH = f"{FIG_5}.methods.pattern-search"


@pytest.mark.parametrize(
    ("file", "key", "value", "words"),
    [
        (CONFIG, "scal", "smoke", ["unknown key scal", "scale, studies, seed, results, data"]),
        (CONFIG, "studies", ["svrg"], ["studies.0", "'svrg' is not allowed", "svrg_sbb"]),
        (CONFIG, "studies", [], ["studies", "non-empty"]),
        (CONFIG, "seed", "one", ["seed", "'one' is not of type 'integer'"]),
        (CONFIG, "seed", -1, ["seed", "-1 is less than the minimum of 0"]),
        (CONFIG, "data", {"strict": 1}, ["data"]),
        (CONFIG, "data.mirrors", "/data", ["data: unknown key mirrors", "mirror, cache, strict"]),
        (CONFIG, "data.strict", "yes", ["data.strict", "'yes' is not of type 'boolean'"]),
        (SCALE, "svrg_sbb.musik", {"trials": 1, "epochs": 1}, ["experiment musik", "music"]),
        (SCALE, "svrg", {}, ["unknown study svrg; allowed: erkle"]),
        (SCALE, "svrg_sbb.music.trails", 1, ["svrg_sbb.music: unknown key trails", "trials"]),
        (SCALE, "svrg_sbb.music.trials", 0, ["svrg_sbb.music.trials", "0 is less"]),
        (SCALE, "svrg_sbb.music.epochs", 1.5, ["svrg_sbb.music.epochs", "integer"]),
        (SCALE, "svrg_sbb.music.by_method", {"sdg": {}}, ["unknown method sdg", "sgd"]),
        (SCALE, "svrg_sbb.music.by_method", {"sgd": {"epoch": 1}}, ["unknown key epoch", "epochs"]),
        (SCALE, "svrg_sbb.music.by_method", {"sgd": {"trials": 9}}, ["9 is more", "sgd.trials"]),
        (STUDY, "titel", "", ["unknown key titel", "title"]),
        (STUDY, "losses.ckl.mo", 0.1, ["losses.ckl", "unknown parameter mo", "allowed: mu"]),
        (STUDY, "losses.ste.mu", 0.1, ["losses.ste", "unknown parameter mu", "allowed: none"]),
        (STUDY, "losses.ckl.mu", "5e-4", ["losses.ckl.mu", "'5e-4' is not a number", "5.0e-4"]),
        (STUDY, "losses.ckl.class", "Ckl", ["losses.ckl.class", "'Ckl' is not allowed", "CKL"]),
        (STUDY, f"{MUSIC}.dataset", "music", [f"{MUSIC}: unknown key dataset", "datasets"]),
        (STUDY, f"{MUSIC}.datasets", ["musik"], [f"{MUSIC}.datasets.0", "'musik'", "music"]),
        (STUDY, f"{MUSIC}.n_components", 0, [f"{MUSIC}.n_components", "0 is less"]),
        (STUDY, f"{MUSIC}.comparisons.noises", [0], ["comparisons: unknown key noises", "noise"]),
        (STUDY, f"{MUSIC}.comparisons.source", "labels", ["comparisons", "'n_test' is a required"]),
        (STUDY, f"{PAPER}.parameters.step_sise", 1, ["parameter step_sise", "step_size, decay"]),
        (STUDY, f"{PAPER}.parameters.decay", "slow", ["paper.parameters.decay", "'slow'"]),
        (STUDY, f"{PAPER}.by_loss.soe", {}, ["by_loss", "loss soe", "gnmds, ckl, ste"]),
        (STUDY, f"{PAPER}.by_loss.ste.step", 1, ["by_loss.ste", "step_size, decay"]),
        (STUDY, f"{PAPER}.parameter", {}, ["variants.paper", "parameter", "parameters, by_loss"]),
        (STUDY, f"{PAPER}.tune", {"step": [1, 2]}, ["paper.tune", "parameter step", "step_size"]),
        (STUDY, f"{SGD}.variants.papers", {}, ["sgd.variants", "papers", "released-code"]),
        (STUDY, f"{SGD}.batch_sizes", [5], ["sgd.batch_sizes", "parameter batch_size"]),
        (STUDY, f"{SGD}.solver", "Sgd", ["sgd.solver", "'Sgd'", "SGD"]),
        (STUDY, f"{SGD}.control", "random", ["sgd", "exactly one of solver"]),
        (STUDY, f"{SGD}.lable", "SGD", ["sgd: unknown key lable", "label"]),
        (STUDY, f"{MUSIC}.methods.svrg.variants.paper.parameters.step", 1, ["step: 1 is not"]),
        (STUDY, f"{MUSIC}.methods.convex.variants.paper.parameters.tol", 0, ["tol", "step_size"]),
        (STUDY, f"{MUSIC}.methods.random.parameters", {}, ["random: unknown key parameters"]),
        (STUDY, f"{MUSIC}.learns", "metric", ["learns", "'metric' is not", "points, stream"]),
        (STUDY, f"{MUSIC}.learns", "stream", [MUSIC, "unknown key", "allowed: learns, shows"]),
        (SCALE, "svrg_sbb.music.points", {"n_objects": 9}, ["music.points", "no points"]),
        (SCALE, "svrg_sbb.music.checkpoints", [1, 2], ["music.checkpoints", "for streams"]),
        (SCALE, "svrg_sbb.music.checkpoints", "all", ["music.checkpoints", "'all' is not of type"]),
        (
            SCALE,
            "erkle.music.checkpoints",
            [100, 250],
            ["[100, 250] does not rise to n_train"],
        ),
        (SCALE, "erkle.music.checkpoints", [200, 100, 300], ["does not rise to n_train"]),
        (SCALE, "erkle.passes.points", {"n": 9}, ["points: unknown key n", "n_objects"]),
        (
            SCALE,
            "erkle.passes.by_method",
            {"pa-erkle": {"sweep": [0, 3]}},
            ["pa-erkle.sweep: unknown value 3", "allowed: 0, 1, 2"],
        ),
        (
            SCALE,
            "erkle.passes.by_method",
            {"random": {"sweep": [0]}},
            ["random.sweep: unknown value 0; allowed: none"],
        ),
        (ERKLE, f"{PASSES}.n_components", 2, [PASSES, "unknown key n_components", "points"]),
        (ERKLE, f"{PASSES}.points.n", 100, ["passes.points: unknown key n", "n_objects"]),
        (ERKLE, f"{PASSES}.comparisons.noise", [0], ["unknown key noise", "n_validation"]),
        (ERKLE, f"{PASSES}.comparisons.n_train", 0.5, ["n_train", "0.5 is not of type 'integer'"]),
        (ERKLE, f"{ONLINE}.model", "Online", ["'Online' is not", "BatchKernel, OnlineKernel"]),
        (ERKLE, f"{ONLINE}.losses", ["soe"], ["pa-erkle.losses", "loss soe", "gnmds, ste, ckl"]),
        (
            ERKLE,
            f"{ONLINE}.sweep",
            {"revisit": [1]},
            ["unknown parameter revisit", "margin"],
        ),
        (ERKLE, f"{ONLINE}.sweep", {"random_state": [1]}, ["unknown parameter random_state"]),
        (ERKLE, f"{ONLINE}.sweep", {"margin": [1], "step_size": [1]}, ["too many properties"]),
        (ERKLE, f"{ONLINE}.solver", "SGD", ["pa-erkle: unknown key solver", "label, model"]),
        (ERKLE, f"{REFIT}.variants.default.parameters", {"max_iter": 9}, ["parameter max_iter"]),
        (
            ERKLE,
            f"{REFIT}.variants.default.parameters",
            {"warm_start": 1},
            ["not true or false"],
        ),
        (
            ERKLE,
            f"{REFIT}.variants.tuned.tune_on",
            "train",
            ["tune_on", "validation, test"],
        ),
        (ERKLE, f"{REFIT}.variants.tuned.tune", {"tol": [1, 2]}, ["unknown key tol", "tau"]),
        (WU, f"{TABLE_2}.n_components", 2, [TABLE_2, "unknown key n_components", "normalize"]),
        (WU, f"{TABLE_2}.fallback", ["vine"], ["fallback.0", "'vine' is not allowed", "wine"]),
        (WU, f"{TABLE_2}.normalize", {"wine": "unit"}, ["normalize.wine", "'unit'", "length"]),
        (WU, f"{TABLE_2}.comparisons.items", 1, ["comparisons.items", "1 is greater than or"]),
        (WU, f"{TABLE_2}.comparisons.n_test", 9, ["unknown key n_test", "validation, queries"]),
        (WU, f"{TABLE_2}.methods.sdca.model", "Sdca", ["sdca.model", "'Sdca'", "OASIS, SDCA"]),
        (WU, f"{TABLE_2}.methods.sdca.variants.psd", {}, ["unknown key psd", "projected"]),
        (WU, f"{SDCA}.tune", {"C": [1, 2]}, ["tune: unknown parameter C", "reg"]),
        (WU, f"{SDCA}.tune", {"reg": [1]}, ["paper.tune.reg", "too short"]),
        (WU, f"{SDCA}.tune_on", "test", ["unknown key tune_on", "parameters, tune"]),
        (WU, f"{SDCA}.parameters", {"n_epochs": 3}, ["parameters: unknown parameter n_epochs"]),
        (SCALE, "sdca.large.points", {"n_features": 9}, ["unknown key n_features", "n_labeled"]),
        (SCALE, "sdca.bags.points", {"n_objects": 9}, ["bags.points", "no points"]),
        (CONFIG, "words", {"vector": None}, ["words: unknown key vector", "allowed: vectors"]),
        (SCALE, "pattern_search.noise.n_objects", 0, ["noise.n_objects", "0 is less"]),
        (SCALE, "pattern_search.noise.checkpoints", [9], ["noise.checkpoints", "for streams"]),
        (MAPS, f"{FIG_5}.rank", True, [FIG_5, "unknown key rank", "dissimilarity, n_neighbors"]),
        (MAPS, f"{FIG_5}.dissimilarity", "cosine", ["'cosine' is not", "geodesic, euclidean"]),
        (MAPS, f"{FIG_5}.comparisons.n_train", 9, ["unknown key n_train", "n_objects, pairs"]),
        (MAPS, f"{FIG_5}.comparisons.pairs", "wordsim", ["'wordsim' is not", "men, simlex"]),
        (MAPS, f"{FIG_5}.comparisons.noise", [2], ["noise.0", "2 is greater"]),
        (MAPS, f"{SEARCH}.model", "TSNE", ["model", "'TSNE' is not", "PatternSearchMDS, SMACOF"]),
        (MAPS, f"{SEARCH}.control", "random", ["pattern-search", "exactly one of solver"]),
        (MAPS, f"{SEARCH}.variants.tuned", {}, ["unknown key tuned", "paper, monotone, default"]),
        (MAPS, f"{SEARCH}.variants.paper.tune", {}, ["unknown key tune", "allowed: parameters"]),
        (MAPS, f"{SEARCH}.variants.paper.parameters.epsilon", 1, ["parameter epsilon", "tol"]),
        (MAPS, f"{SEARCH}.variants.paper.parameters.random_state", 1, ["parameter random_state"]),
        (MAPS, f"{SEARCH}.variants.paper.parameters.radius", "1e4", ["'1e4' is not a number"]),
        (MAPS, f"{SEARCH}.variants.paper.parameters.radius", True, ["radius: True is not a num"]),
        (MAPS, f"{SEARCH}.variants.paper.parameters.bad_moves", 1, ["not true or false"]),
        (MAPS, f"{FIG_5}.methods.lle.variants.paper.parameters", {"method": 1}, ["not a word"]),
        (MAPS, f"{FIG_2}.methods.pattern-search.sweep", {"r": [1]}, ["sweep: unknown parameter r"]),
    ],
)
def test_one_error_names_the_file_the_key_and_what_is_allowed(load, file, key, value, words):
    with pytest.raises(ConfigError) as error:
        load(file, key, value)
    message = str(error.value)
    for word in (file, *words):
        assert word in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("file", "key", "words"),
    [
        (CONFIG, "data", ["'data' is a required property"]),
        (SCALE, "svrg_sbb.music", ["no trials and epochs for the experiment music"]),
        (SCALE, "svrg_sbb.music.epochs", ["svrg_sbb.music", "'epochs' is a required property"]),
        (STUDY, f"{MUSIC}.n_components", [MUSIC, "'n_components' is a required property"]),
        (STUDY, f"{SGD}.solver", ["sgd", "exactly one of solver"]),
        (STUDY, f"{MUSIC}.tuning_trials", ["variants.tuned.tune", f"{MUSIC}.tuning_trials"]),
        (ERKLE, f"{PASSES}.tuning_trials", ["variants.paper.tune", f"{PASSES}.tuning_trials"]),
        (MAPS, f"{FIG_5}.n_neighbors", [FIG_5, "'n_neighbors' is a required property"]),
        (MAPS, f"{FIG_5}.comparisons.n_objects", ["comparisons", "'n_objects' is a required"]),
        (ERKLE, f"{REFIT}.variants.tuned.tune_on", ["variants.tuned", "'tune_on' is a dependency"]),
        (
            ERKLE,
            f"{PASSES}.comparisons.n_validation",
            ["variants.tuned.tune_on: validation", "passes.comparisons.n_validation"],
        ),
    ],
)
def test_a_missing_key_is_named(load, file, key, words):
    with pytest.raises(ConfigError) as error:
        load(file, key)
    for word in (file, *words):
        assert word in str(error.value)


def test_an_unknown_scale_is_refused():
    with pytest.raises(ConfigError, match=r"scale: 'small' is not allowed; .*smoke, default"):
        load_spec({**SHIPPED["config.yaml"], "scale": "small"})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a: [1", "not YAML"),
        (b"\xff\xfe\x00", "not YAML"),
        (b"", "None is not of type 'object'"),
        (b"- a", "is not of type 'object'"),
        (None, "there is no such file"),
    ],
)
@pytest.mark.parametrize("file", [SCALE, STUDY])
def test_a_file_that_is_missing_or_not_yaml_is_named(tmp_path, file, content, message):
    shutil.copytree(ROOT / "config", tmp_path / "config")
    path = tmp_path / "config" / file
    if content is None:
        path.rename(tmp_path / "config" / f"{path.stem}.yml")
        if file == STUDY:
            (tmp_path / "config" / SCALE).write_text("description: none")
    else:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=message) as error:
        load_spec({**SHIPPED["config.yaml"], "scale": "smoke", "studies": ["svrg_sbb"]}, tmp_path)
    assert str(path) in str(error.value)


def test_an_override_holds_for_its_method_and_loss_alone(load):
    changed = {"trials": 1, "epochs": 3, "reason": "slow"}
    spec = load(SCALE, "svrg_sbb.music", {"trials": 4, "epochs": 9, "by_method": {"sgd": changed}})
    methods = spec.experiment("svrg_sbb", "music").methods
    assert (methods["sgd"].trials, methods["sgd"].epochs, methods["sgd"].reason) == (1, 3, "slow")
    assert (methods["svrg"].trials, methods["svrg"].epochs, methods["svrg"].reason) == (4, 9, "")
    paper = SHIPPED[STUDY]["experiments"]["music"]["methods"]["sgd"]["variants"]["paper"]
    found = methods["sgd"].variant("paper")
    assert found.settings("ckl") == paper["parameters"] | paper["by_loss"]["ckl"]
    assert found.settings("other") == paper["parameters"]


def test_a_scale_changes_what_a_stream_brings_and_what_is_swept(load):
    sizes = {"trials": 1, "epochs": 4, "checkpoints": 4, "n_train": 200, "n_validation": 50}
    sizes |= {"points": {"n_objects": 20}}
    sizes["by_method"] = {"pa-erkle": {"sweep": [0, 9]}, "batch": {"checkpoints": [50, 200]}}
    experiment = load(SCALE, "erkle.passes", sizes).experiment("erkle", "passes")
    assert experiment.points == {"n_objects": 20, "n_components": 50, "variance": 1}
    expected = {"source": "distances", "n_train": 200, "n_validation": 50}
    assert experiment.comparisons == expected
    assert experiment.methods["pa-erkle"].sweeps == [("revisits", 0), ("revisits", 9)]
    assert experiment.methods["ste-erkle"].sweeps[-1] == ("revisits", 19)
    assert experiment.marks("pa-erkle") == [50, 100, 150, 200]
    assert experiment.marks("batch") == [50, 200]
    assert list(experiment.tuned_on) == [0], "no more trials than there are"


def test_a_scale_changes_how_many_objects_take_part_and_how_many_iterations_smacof_makes(load):
    sizes = {"trials": 1, "epochs": 7, "n_objects": 99, "noise": [0.1]}
    experiment = load(SCALE, "pattern_search.noise", sizes).experiment("pattern_search", "noise")
    assert experiment.comparisons == {"n_objects": 99, "noise": [0.1]}
    assert experiment.methods["smacof"].epochs == 7
    assert (experiment.dissimilarity, experiment.n_neighbors) == ("geodesic", 12)


def test_shards_are_the_trials_in_order(load):
    sizes = {"trials": 5, "epochs": 1, "trials_per_job": 2}
    spec = replace(load(SCALE, "svrg_sbb.eurodist", sizes), job="method")
    experiment = spec.experiment("svrg_sbb", "eurodist")
    assert experiment.shards("batch") == [[0, 1], [2, 3], [4]]
    files = spec.fits(experiment, "eurodist", "batch", "embedding.parquet")
    stem = "results/fits/svrg_sbb/eurodist/eurodist/batch"
    assert files == [f"{stem}.{n}/batch.embedding.parquet" for n in range(3)]


def test_a_job_fits_a_shard_of_a_method_or_a_whole_experiment(load):
    sizes = {"trials": 3, "epochs": 1, "trials_per_job": 2, "by_method": {"mds": {"trials": 1}}}
    spec = replace(load(SCALE, "svrg_sbb.eurodist", sizes), job="method")
    experiment = spec.experiment("svrg_sbb", "eurodist")
    jobs = spec.jobs(experiment)
    assert jobs["batch.0"] == {"batch": [0, 1]} and jobs["batch.1"] == {"batch": [2]}
    assert jobs["mds.0"] == {"mds": [0]} and "mds.1" not in jobs
    together = replace(spec, job="experiment")
    assert together.jobs(experiment) == {
        "all": {name: [0] if name == "mds" else [0, 1, 2] for name in experiment.methods}
    }
    (file,) = together.fits(experiment, "eurodist", "batch", "seconds.parquet")
    assert file == "results/fits/svrg_sbb/eurodist/eurodist/all/batch.seconds.parquet"


def test_seeds_depend_on_every_word_and_on_nothing_else():
    words = [(1, "a", "b", 0), (1, "a", "b", 1), (1, "ab", "", 0), (1, "a", "b", "0"), (2, "a")]
    assert len({seed_sequence(*run).entropy for run in words}) == len(words)
    program = (
        "from relsim.study.seeds import seed_sequence\n"
        "print(seed_sequence(2019, 'svrg_sbb', 'music', 'start', 3).generate_state(2).tolist())"
    )
    found = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert found == "[2098750315, 274033647]\n", "not what every other machine has"


SOURCE = '''"""A module."""


def double(x):
    """Twice x."""
    return 2 * x  # a comment


class Number:
    """A number."""

    def half(self):
        """Half of it."""
'''


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ('"""A module."""', '"""Another\nmodule."""', True),
        ('"""Twice x."""', '"""Two times x."""', True),
        ('"""Half of it."""', '"""Its half."""', True),
        ("# a comment", "# another", True),
        ("\n\n\nclass", "\n\n\n\nclass", True),
        ("2 * x", "3 * x", False),
        ("def double(x)", "def double(x, y=1)", False),
        ("class Number", "class Numeral", False),
    ],
)
@pytest.mark.parametrize("module", ["package", "package/module", "package.module"])
def test_a_fingerprint_tells_code_from_words(tmp_path, module, old, new, same):
    path = tmp_path / "src" / "package" / "module.py"
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE)
    before = fingerprint(module, root=tmp_path)
    assert SOURCE.count(old) == 1
    path.write_text(SOURCE.replace(old, new))
    assert (fingerprint(module, root=tmp_path) == before) is same
