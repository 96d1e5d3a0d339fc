"""The shipped study at its smallest scale, on two nodes that share a folder and on one machine.

What `make smoke` has made on the machine is found, and not made again.
"""

import shutil
import subprocess
import sys

import yaml

from closerthan_study.configuration import load_spec
from closerthan_study.data import find_missing
from cluster.conftest import ROOT

# One study whole, and an experiment of another that is timed, for which a job has a node alone.
STUDIES = "erkle", "pattern_search"
TIMED = "pattern_search", "threads"
CONFIG = {"scale": "smoke", "studies": [*STUDIES]}
WORDS = ["scale=smoke", f"studies=[{','.join(STUDIES)}]"]


def folders():
    """Return the folders of the scores station that are compared, without that of the results."""
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    spec = load_spec({**config, **CONFIG})
    return [
        f"scores/{experiment.study}/{experiment.name}/{dataset}"
        for experiment, dataset in spec.pairs(find_missing(spec))
        if experiment.study == "erkle" or (experiment.study, experiment.name) == TIMED
    ]


def contents(results, names):
    """Return the bytes of the files of some folders, but for the seconds, which never repeat."""
    return {
        str(path.relative_to(results)): path.read_bytes()
        for name in names
        for path in sorted((results / name).rglob("*.parquet"))
        if path.name != "seconds.parquet"
    }


def test_two_nodes_score_what_one_machine_scores(cluster, snakemake, tmp_path):
    local, remote = ".smoke/results", ".smoke/cluster"
    names = folders()
    command = [sys.executable, "-m", "snakemake", "--nolock", "--cores", "2"]
    config = ["--config", *WORDS, f"results={local}", "--", *(f"{local}/{name}" for name in names)]
    subprocess.run([*command, *config], cwd=ROOT, check=True, capture_output=True)

    shutil.rmtree(ROOT / remote, ignore_errors=True)
    # The backslash leaves it to a node to put its name there, as if that were its own disk.
    compiled = f"export NUMBA_CACHE_DIR={tmp_path}/\\$SLURMD_NODENAME"
    batches = ["--group-components", "prepare=6", "fits=5", "scores=5"]
    words = ["--config", *WORDS, f"results={remote}"]
    process = snakemake(
        *("--nolock", "--precommand", compiled, *batches, *words),
        *("--", *(f"{remote}/{name}" for name in names)),
    )
    said, _ = process.communicate(timeout=1800)
    assert process.returncode == 0, said

    assert {name.name for name in tmp_path.iterdir()} == {"n1", "n2"}
    assert all(list((tmp_path / node).rglob("*.nbc")) for node in ("n1", "n2"))
    assert "--exclusive" in said
    expected = contents(ROOT / local, names)
    found = contents(ROOT / remote, names)
    assert set(found) == set(expected) and len(found) > len(names)
    for name, content in expected.items():
        assert found[name] == content, name
