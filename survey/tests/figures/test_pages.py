"""Check the notebooks of the survey as those of the study."""

from pathlib import Path

import pytest

from notebook_checks import check_claims, check_parameters, check_prose_and_calls, not_shown

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ["closerthan_study.figures", "closerthan_survey.figures"]
NOTEBOOKS = sorted(ROOT.glob("notebooks/*.ipynb"))
CLAIMS = sorted(ROOT.glob("config/studies/*/claims.yaml"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_prose_and_calls(path):
    check_prose_and_calls(path, PACKAGES)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_takes_the_configuration_and_keeps_no_outputs(path):
    check_parameters(path)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_every_figure_and_table(path):
    assert not_shown(path) == []


@pytest.mark.parametrize("path", CLAIMS, ids=lambda path: path.parent.name)
def test_claims_name_figures_and_tables_that_a_page_has(path):
    check_claims(path, ROOT)
