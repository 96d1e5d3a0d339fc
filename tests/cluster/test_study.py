"""Check that a tiny study gives the same bytes on two nodes as on one machine."""

from workflow.conftest import Checkout

# One experiment reports seconds, so each of its jobs gets a whole node.
PLACES = ["map/eurodist", "stream/synthetic", "similarity/synthetic", "shape/swissroll"]
SCORES = [f"results/scores/tiny/{place}" for place in PLACES]


def test_a_refused_partition_ends_a_run_before_it_begins(cluster, snakemake, tmp_path, monkeypatch):
    study = Checkout(tmp_path / "study")
    study.shrink()
    monkeypatch.setitem(cluster.environment, "PYTHONPATH", str(study.folder / "src"))
    process = snakemake("--default-resources", "slurm_partition=nowhere", folder=study.folder)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 1 and "SLURM refuses jobs: " in said, said
    assert "nvalid partition" in said and "Traceback" not in said, said
    assert not (study.results / "data").exists()


def test_two_nodes_score_what_one_machine_scores(cluster, snakemake, start, tmp_path, monkeypatch):
    local = Checkout(tmp_path / "local")
    local.shrink()
    local.change("studies/tiny/study.yaml", "experiments.shape.scales.smoke.timed", True)
    remote = Checkout(tmp_path / "remote", local.folder)
    status, said = local.run(*SCORES)
    assert status == 0, said

    monkeypatch.setitem(cluster.environment, "PYTHONPATH", str(remote.folder / "src"))
    # The backslash lets each node insert its own name, like its own disk.
    caches = tmp_path / "caches"
    compiled = f"export NUMBA_CACHE_DIR={caches}/\\$SLURMD_NODENAME"
    batches = ["--group-components", "prepare=6", "fits=4", "scores=4"]
    process = snakemake("--precommand", compiled, *batches, "--", *SCORES, folder=remote.folder)
    said, _ = process.communicate(timeout=600)
    assert process.returncode == 0, said

    assert {name.name for name in caches.iterdir()} == {"n1", "n2"}
    assert all(list((caches / node).rglob("*.nbc")) for node in ("n1", "n2"))
    jobs, _ = start("scontrol", "show", "job", "--oneliner", folder=tmp_path).communicate()
    assert "OverSubscribe=NO" in jobs, "no job had a node to itself"
    expected, found = local.contents("scores"), remote.contents("scores")
    assert set(found) == set(expected) and len(found) > len(PLACES)
    for name, content in expected.items():
        assert found[name] == content, name
