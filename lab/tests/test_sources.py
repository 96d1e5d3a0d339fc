"""Check the sources of the lab: what its compiled functions are made of, and what it imports."""

import json
import subprocess
import sys

import closerthan_lab
from compiled_sources import check_digests, with_own_cache


def test_the_digest_of_compiled_functions_is_of_all_that_they_import(monkeypatch):
    assert len(check_digests(monkeypatch, closerthan_lab)) > 2


def test_no_function_is_compiled_with_a_cache_of_numba_alone():
    assert with_own_cache(closerthan_lab) == set()


def test_a_search_for_a_dimension_loads_neither_plots_nor_kernels_nor_scores():
    code = "import json, sys\nimport closerthan_lab.dimension\nprint(json.dumps([*sys.modules]))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    loaded = set(json.loads(done.stdout))
    assert "closerthan_lab.dimension" in loaded
    assert not loaded & {"matplotlib", "closerthan.kernels", "closerthan.scores"}
