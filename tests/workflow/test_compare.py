"""Check that a comparison of two runs names what a changed step size changes, and nothing else."""

from closerthan_study.compare import compare


def test_a_changed_step_size_is_seen_in_what_rests_on_it(finished, done):
    batch = {"default": {"parameters": {"step": "fixed", "step_size": 1e-9}}}
    done.change("studies/tiny/study.yaml", "experiments.map.methods.batch.variants", batch)
    status, said = done.run()
    assert status == 0, said
    found = compare(finished[0].results, done.results)
    assert found["figures"].figure.tolist() == ["tiny/errors"]
    assert found["printed numbers"].empty
