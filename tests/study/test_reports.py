"""The reports station writes what it makes where the workflow expects it."""

import nbformat
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from closerthan_study.claims.scoreboard import COLUMNS, PART_COLUMNS
from closerthan_study.configuration import load_spec
from closerthan_study.reports import make_claims, make_page

STUDY = """
title: A study
summary: What it shows.
reference: Somebody, 2019
variants: {default: the defaults}
losses: {ste: {class: STE}}
experiments:
  cities:
    task: ordinal
    shows: Fig. 1
    datasets: [eurodist]
    comparisons: {source: distances, n_train: 100}
    n_components: 2
    methods:
      batch: {label: batch, solver: Batch, variants: {default: {}}}
      random: {label: random points, control: random}
    scales: {smoke: {trials: 1, epochs: 1}, paper: {trials: 1, epochs: 1}}
"""
CLAIMS = """
better:
  statement: It is better than random.
  where: Fig. 1
  artefact: figures/papers/cities
  experiment: cities
  data: {eurodist: same}
  parts:
    - part: fewer errors
      kind: compare
      who: batch
      against: random
      measure: test_error
      direction: less
"""


@pytest.fixture
def spec(tmp_path):
    folder = tmp_path / "config" / "studies" / "papers"
    folder.mkdir(parents=True)
    (folder / "study.yaml").write_text(STUDY)
    (folder / "claims.yaml").write_text(CLAIMS)
    config = {"scale": "smoke", "studies": ["papers"], "seed": 0, "data": {}, "words": {}}
    return load_spec({**config, "results": str(tmp_path / "results")}, tmp_path)


def test_the_scoreboard_of_a_run_without_scores(spec, tmp_path):
    (tmp_path / "results" / "data").mkdir(parents=True)
    (tmp_path / "results" / "data" / "eurodist.npz").touch()
    make_claims(spec, *(tmp_path / f"{name}.csv" for name in ("scoreboard", "parts", "printed")))
    board = pd.read_csv(tmp_path / "scoreboard.csv")
    assert board.columns.tolist() == COLUMNS
    (row,) = board.itertuples()
    assert (row.study, row.claim, row.verdict) == ("papers", "better", "not yet run")
    assert row.sentence == "Not yet run: no scores of cities on eurodist."
    assert pd.read_csv(tmp_path / "parts.csv").columns.tolist() == PART_COLUMNS


def test_pages_are_told_the_configuration(spec, tmp_path):
    cells = [
        new_code_cell("config = {}", metadata={"tags": ["parameters"]}),
        new_code_cell("print('scale', config['scale'], 'of', config['studies'])"),
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    (tmp_path / "notebooks").mkdir()
    for name in ("papers", "scoreboard"):
        notebook = new_notebook(cells=cells, metadata={"kernelspec": kernel})
        nbformat.write(notebook, tmp_path / "notebooks" / f"{name}.ipynb")
    for name in ("papers", "scoreboard"):
        log = tmp_path / "results" / "logs" / "reports" / f"{name}.ipynb"
        make_page(spec, name, log)
        assert log.is_file()
        page = tmp_path / "results" / "reports" / "notebooks" / f"{name}.html"
        assert "scale smoke of ['papers']" in page.read_text()
        assert page.with_suffix(".ipynb").is_file()
