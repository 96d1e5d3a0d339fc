"""The profiles, as Snakemake puts them together."""

from snakemake.cli import parse_args

from workflow.conftest import ROOT


def test_jobs_of_a_group_run_in_turn_and_one_compiles_at_a_time(monkeypatch):
    monkeypatch.chdir(ROOT)
    _, options = parse_args(["--profile", "profiles/slurm"])
    assert {name: limit.value for name, limit in options.resources.items()} == {
        "compiling": 1,
        "in_turn": 1,
    }
    assert options.set_resource_scopes == {"compiling": "local", "in_turn": "local"}
    assert options.default_resources.args[-1].startswith("in_turn=1")
