"""Check that the workflow runs where the catalog of workflows deploys it."""

import pytest

from workflow.conftest import REPORTS, Checkout

SNAKEFILE = """
configfile: "config/config.yaml"


module closerthan:
    snakefile:
        "{clone}/workflow/Snakefile"
    config:
        config


use rule * from closerthan
"""  # as snakedeploy writes it, with the clone in place of its address


@pytest.fixture
def deployed(finished, fresh, tmp_path):
    """Return what snakedeploy makes of a clone, with the results of another one."""
    parts = ["config", "profiles", "results", ".snakemake"]
    checkout = Checkout(tmp_path / "deployed", finished[0].folder, parts)
    checkout.code = fresh.code
    (checkout.folder / "workflow").mkdir()
    snakefile = checkout.folder / "workflow" / "Snakefile"
    snakefile.write_text(SNAKEFILE.format(clone=fresh.folder))
    return checkout


def test_a_deployed_workflow_runs_the_studies_of_its_clone(fresh, deployed):
    assert deployed.plan() == REPORTS  # with other paths of claims and notebooks
    page = deployed.results / "reports" / "index.html"
    page.unlink()
    status, said = deployed.run()
    assert status == 0 and page.exists(), said
    assert not fresh.results.exists()


def test_an_edit_of_a_deployed_study_is_no_silent_nothing(deployed):
    path = deployed.folder / "config" / "studies" / "tiny" / "study.yaml"
    path.write_text(path.read_text().replace("Tiny", "Mine"))
    status, said = deployed.run("--dry-run")
    assert status != 0 and "config/studies/tiny/study.yaml here differs from" in said
