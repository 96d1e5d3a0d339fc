"""What is under config/ is read whole, or refused with the file, the key and what is allowed."""

import json
import os
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
import yaml

import relsim.losses
import relsim.optimize
from relsim import BatchKernel
from relsim.study.fits import make_loss
from relsim.study.seeds import seed_sequence
from relsim.study.spec import ROOT, ConfigError, fingerprint, load_spec

SHIPPED = {
    str(path.relative_to(ROOT / "config")): yaml.safe_load(path.read_text())
    for path in (ROOT / "config").rglob("*.yaml")
}
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
            for variant, loss in product(method.variants, spec.losses(experiment.study)):
                settings = method.variant(variant).settings(loss)
                if method.solver:
                    getattr(relsim.optimize, method.solver)(**settings)
                elif method.model:
                    BatchKernel(**settings)
                else:
                    assert method.control and not settings
        for settings in spec.losses(experiment.study).values():
            make_loss(settings, experiment.n_components)


def test_what_the_schemas_allow_exists():
    study = yaml.safe_load((ROOT / "workflow/schemas/study.schema.yaml").read_text())
    for name in study["$defs"]["method"]["properties"]["solver"]["enum"]:
        assert hasattr(getattr(relsim.optimize, name), "minimize")
    loss = study["properties"]["losses"]["additionalProperties"]
    for name in loss["properties"]["class"]["enum"]:
        assert issubclass(getattr(relsim.losses, name), relsim.losses.Loss)
    assert set(study["$defs"]["dataset"]["enum"]) == set(relsim.datasets.registry())
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
        (SCALE, "svrg", {}, ["unknown study svrg", "allowed: svrg_sbb"]),
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
        load_spec({**SHIPPED["config.yaml"], "scale": "smoke"}, tmp_path)
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


def test_shards_are_the_trials_in_order(load):
    sizes = {"trials": 5, "epochs": 1, "trials_per_job": 2}
    spec = load(SCALE, "svrg_sbb.eurodist", sizes)
    experiment = spec.experiment("svrg_sbb", "eurodist")
    assert experiment.shards("batch") == [[0, 1], [2, 3], [4]]
    files = spec.fits(experiment, "eurodist", "batch", "embedding.parquet")
    stem = "results/fits/svrg_sbb/eurodist/eurodist/batch"
    assert files == [f"{stem}.{n}.embedding.parquet" for n in range(3)]


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
