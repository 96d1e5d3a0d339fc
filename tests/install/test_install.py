"""Check that the wheel, the pages and each extra work in an environment without anything else.

`make test-install EXTRAS="none study"` names the extras to try.
"""

import os
import tomllib
from textwrap import dedent

import pytest

from fresh import ROOT, installed, installs, read_page, run
from fresh import bare as bare
from fresh import wheels as wheels

NAMED = os.environ.get("CLOSERTHAN_EXTRAS", "").split()

# A user's first call of each extra, in a folder with a file of answers.
USES = {
    "none": """
        python - <<end
        import importlib.util
        import numpy as np
        from closerthan import BatchKernel, OnlineKernel, OrdinalEmbedding
        from closerthan.comparisons import sample_from_labels, sample_from_points
        from closerthan.mds import SMACOF, PatternSearchMDS
        from closerthan.similarity import OASIS, SDCA
        for other in ("jinja2", "matplotlib", "typer", "pyarrow", "pooch", "yaml"):
            assert importlib.util.find_spec(other) is None, other
        rng = np.random.default_rng(0)
        labels = np.repeat([0, 1], 30)
        X = rng.normal(size=(60, 3)) + 3 * labels[:, None] - 1.5
        triplets = sample_from_points(X[:12], 600, random_state=0)
        for model in (
            OrdinalEmbedding(2, random_state=0),
            BatchKernel("gnmds", max_iter=20),
            OnlineKernel(random_state=0),
        ):
            assert model.fit(triplets).score(triplets) > 0.7, model
        for model in (SMACOF(2), PatternSearchMDS(2)):
            assert model.fit_transform(X).shape == (60, 2)
        named = sample_from_labels(labels, 200, random_state=0)
        for model in (OASIS(random_state=0), SDCA(random_state=0)):
            assert model.fit(X, named).score(X, named) > 0.7, model
        end
        [ ! -e "$(dirname "$(type -P python)")/closerthan" ]
        """,
    "data": """
        python - <<end
        import os, h5py, rdata
        from closerthan.datasets import list_datasets, load
        assert "music" in list_datasets().index
        if "CLOSERTHAN_DATA_MIRROR" in os.environ:
            assert len(load("music").answers) > 1000
        end
        """,
    "study": "snakemake --version && papermill --version",
    "cluster": "snakemake --help | grep slurm",
    "docs": """
        mkdir pages
        echo "extensions, html_theme = ['myst_parser', 'numpydoc'], 'furo'" > pages/conf.py
        echo "# A page" > pages/index.md
        python -m sphinx -q -W pages site
        """,
    "dev": """
        for tool in pytest ruff mypy snakefmt twine check-wheel-contents; do $tool --version; done
        python -c "import hatchling, hypothesis, importlinter"
        """,
}


def test_every_extra_has_a_use():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {*USES} == {"none", *project["optional-dependencies"]}


@pytest.mark.parametrize("extra", NAMED or USES)
def test_extra_does_what_it_is_for(extra, bare, wheels, tmp_path):
    wanted = ["closerthan" if extra == "none" else f"closerthan[{extra}]"]
    path = installed(extra, wanted, bare, wheels)
    run(["bash", "-euo", "pipefail", "-c", dedent(USES[extra])], tmp_path, PATH=path)


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES = [page for page in PAGES if installs(page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs_from_the_wheel_with_what_it_installs(page, bare, wheels, tmp_path):
    path = installed(f"page-{page.stem}", installs(page), bare, wheels)
    read_page(page, path, tmp_path)
