"""Check that a run on a cluster without SLURM ends before it begins."""

import pytest

from closerthan_study.cluster import check_slurm
from closerthan_study.spec import ConfigError


@pytest.fixture
def answer(tmp_path, monkeypatch):
    """Return a function that puts an sbatch on an otherwise empty path."""
    monkeypatch.setenv("PATH", str(tmp_path))

    def answer(script):
        (tmp_path / "sbatch").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "sbatch").chmod(0o755)

    return answer


def test_without_slurm_a_run_ends_with_a_way_out(answer):
    with pytest.raises(ConfigError, match=r"there is no sbatch here.*without --profile"):
        check_slurm()


def test_a_refused_account_is_said_in_the_words_of_slurm(answer):
    answer('[ "$*" = "--test-only --wrap true" ]')
    check_slurm()
    answer('echo "error: no account $3," >&2; echo "partition $5" >&2; exit 1')
    with pytest.raises(ConfigError, match="SLURM refuses jobs: error: no account a, partition b; "):
        check_slurm("a", "b")
