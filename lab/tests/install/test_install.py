"""Check that both wheels, and the lab's pages, work in an environment without anything else."""

import sys
from textwrap import dedent

import pytest

from fresh import ROOT, installed, installs, read_page, run
from fresh import bare as bare
from fresh import wheels as wheels

USE = """
        closerthan check answers.csv | grep "about 3 objects"
        python - <<end
        import numpy as np
        from closerthan.comparisons import Answers, sample_from_points
        from closerthan_lab.dimension import DimensionSearch
        from closerthan_lab.page import save_map
        from closerthan_lab.people import PeopleEmbedding
        from closerthan_lab.spose import SPoSE
        rng = np.random.default_rng(0)
        triplets = sample_from_points(rng.normal(size=(12, 2)), 600, random_state=0)
        people = Answers(triplets, participant=np.arange(600) % 4)
        assert PeopleEmbedding(2).fit(people).embedding_.shape == (12, 2)
        search = DimensionSearch(dimensions=[1, 2], cv=2, n_repeats=1).fit(triplets)
        assert search.best_index_ in (0, 1)
        triples = rng.permuted(np.tile(np.arange(12), (300, 1)), axis=1)[:, :3]
        assert len(SPoSE(3, strength=(0.1, 0.0)).fit(triples, triples[:, 0]).embedding_) == 12
        save_map(["map.svg"], ["a", "b"], [[0, 0], [1, 2]])
        end
        """


def test_the_command_comes_with_the_lab(bare, wheels, tmp_path):
    path = installed("lab", ["closerthan-lab"], bare, wheels)
    (tmp_path / "answers.csv").write_text("anchor,near,far\na,b,c\nb,a,c\nc,b,a\n")
    run(["bash", "-euo", "pipefail", "-c", dedent(USE)], tmp_path, PATH=path)


def test_both_wheels_are_installed_from_their_folder_alone(bare, wheels, tmp_path):
    path = installed("lab", ["closerthan-lab"], bare, wheels)
    target = path.partition("/bin")[0]
    install = f"-m pip --python {target}/bin/python install --no-index --force-reinstall --no-deps"
    command = f"{sys.executable} {install} --find-links {ROOT}/dist closerthan-lab closerthan"
    run(["bash", "-euc", command], tmp_path)
    assert "closerthan 0" in run(["bash", "-euc", "closerthan --version"], tmp_path, PATH=path)


PAGES = [page for page in sorted((ROOT / "lab" / "docs").glob("*.md")) if installs(page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs_from_the_wheels_with_what_it_installs(page, bare, wheels, tmp_path):
    read_page(page, installed(f"page-{page.stem}", installs(page), bare, wheels), tmp_path)
