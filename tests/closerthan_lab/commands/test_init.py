"""`closerthan init` writes a readable example and a valid workflow."""

import json
import re
import subprocess
import sys

import pytest
import yaml

from closerthan_lab.commands.init import init
from closerthan_lab.commands.overview import overview
from closerthan_lab.files.comparisons import read_comparisons


def snakemake(folder, *options):
    command = [sys.executable, "-m", "snakemake", "--dry-run", "--cores", "1", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_example_can_be_read(tmp_path):
    folder = init(tmp_path / "mine")
    comparisons, names = read_comparisons(folder / "answers" / "example.csv")
    assert comparisons.shape == (600, 3)
    assert len(names) == 12


def test_snakemake_plans_every_job_of_every_set(tmp_path):
    folder = init(tmp_path / "mine")
    config = yaml.safe_load((folder / "config" / "config.yaml").read_text())
    file = config["answers"]["example"]
    config["answers"]["three"] = {"file": file, "where": {"group": "a b"}, "dimension": 3}
    (folder / "config" / "config.yaml").write_text(yaml.safe_dump(config))
    plan = snakemake(folder, "--printshellcmds")
    counts = dict(re.findall(r"^(\w+) +(\d+)$", plan, flags=re.MULTILINE))
    del counts["total"]
    assert counts == {
        **dict.fromkeys(["check", "dimensions", "embed"], "2"),
        **dict.fromkeys(["all", "compare", "overview"], "1"),
    }
    assert "--where 'group=a b' --dimension 3" in plan


def test_it_is_a_module_of_another_workflow(tmp_path):
    folder = init(tmp_path / "mine")
    (tmp_path / "Snakefile").write_text(
        f"""
settings = dict(results="out", seed=1, dimension=2, refits=0, by="answers", most_dimensions=3)
settings["answers"] = {{"one": "mine/answers/example.csv"}}

module answers:
    snakefile: "{folder}/workflow/Snakefile"
    config: settings

use rule * from answers as answers_*

rule everything:
    default_target: True
    input: rules.answers_all.input
"""
    )
    plan = snakemake(tmp_path)
    assert "answers_embed" in plan and "out/one/map" in plan


@pytest.mark.parametrize(
    ("sets", "title"), [("a", "1 set of answers"), ("ab", "2 sets of answers")]
)
def test_the_overview_counts_its_sets(tmp_path, sets, title):
    embedded = {"error_held_out": 0.2, "error_held_out_standard_error": 0.01}
    checked = dict.fromkeys(["answers", "objects", "participants"], 9) | {"noise_ceiling": None}
    files = {f"{name}/check": checked for name in sets}
    files |= {f"{name}/dimensions/dimensions": {"chosen": 2} for name in sets}
    files |= {f"{name}/map/embed": embedded for name in sets}
    files["compared/a/b"] = {"correlation": 0.9, "p_value": 0.01, "n_objects": 9}
    for name, facts in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.json").write_text(json.dumps(facts))
    overview(tmp_path, list(sets)).write(tmp_path / "out")
    assert f"<h1>{title}</h1>" in (tmp_path / "out" / "index.html").read_text()
