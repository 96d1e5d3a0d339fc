"""Check that compiling jobs wait for each other if they share a cache."""

from threading import Event, Thread

from closerthan_study.compiling import one_at_a_time


def test_where_a_node_has_a_cache_of_its_own_one_job_compiles_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "of" / "node"))
    entered = Event()

    def compile_too():
        with one_at_a_time():
            entered.set()

    with one_at_a_time():
        other = Thread(target=compile_too)
        other.start()
        assert not entered.wait(0.2)
    assert entered.wait(300)
    other.join()
