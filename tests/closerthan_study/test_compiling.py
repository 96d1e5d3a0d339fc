"""Check that compiling jobs wait for each other if they share a cache."""

from threading import Event, Thread

import pytest

from closerthan_study.compiling import compile_in_turn


def test_where_a_node_has_a_cache_of_its_own_one_job_compiles_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "of" / "node"))
    entered = Event()
    other = Thread(target=compile_in_turn, args=[entered.set])

    def compile_first():
        other.start()
        assert not entered.wait(0.2)

    compile_in_turn(compile_first)
    assert entered.wait(300)
    other.join()


def test_a_cache_that_cannot_be_written_is_named_with_the_remedy(tmp_path, monkeypatch):
    (tmp_path / "file").touch()  # root may write every folder
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    with pytest.raises(OSError, match=f"{tmp_path}/file/cache'; set NUMBA_CACHE_DIR"):
        compile_in_turn(print)
