"""The same bytes, and no hang, in threads, in forked children and under joblib."""

import subprocess
import sys
import textwrap

import numpy as np
import pytest

from closerthan import OrdinalEmbedding
from closerthan.comparisons import sample_from_points

SCRIPT = """
    import multiprocessing, sys, threading
    import joblib, numpy as np
    from closerthan import OrdinalEmbedding
    from closerthan.mds import PatternSearchMDS, SMACOF

    points = np.random.default_rng(0).normal(size=(1100, 3))

    def fit(n_jobs):
        searched = PatternSearchMDS(n_jobs=n_jobs, tol=0.1, min_radius=0.1).fit(points)
        majorized = SMACOF(n_jobs=n_jobs, max_iter=5).fit(points)
        maps = searched.embedding_, majorized.embedding_, searched.transform(points[:1000] + 0.1)
        triplets = np.random.default_rng(0).permuted(np.tile(np.arange(60), (200_000, 1)), axis=1)
        model = OrdinalEmbedding(
            2, loss="ste", penalty=None, init="random",
            solver="l-bfgs", max_iter=8, n_jobs=n_jobs, random_state=0,
        )
        maps += (model.fit(triplets[:, :3]).embedding_,)
        return b"".join(each.tobytes() for each in maps)

    if __name__ == "__main__":
        found = [fit(1), fit(2), fit(-1), fit(1000)]
        with multiprocessing.get_context("fork").Pool(2) as pool:
            found += pool.map(fit, [2, 2])
        threads = [threading.Thread(target=lambda: found.append(fit(2))) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for backend in ("loky", "threading"):
            found += joblib.Parallel(2, backend=backend)(joblib.delayed(fit)(2) for _ in range(2))
        print(len(found), len(set(found)))
"""


def test_threads_forks_and_joblib_give_the_same_bytes(tmp_path):
    script = tmp_path / "fits.py"
    script.write_text(textwrap.dedent(SCRIPT), encoding="utf-8")
    command = [sys.executable, script]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (result.returncode, result.stdout.split()) == (0, ["12", "1"]), result.stderr


@pytest.fixture(scope="module")
def triplets():
    return sample_from_points(np.random.default_rng(0).normal(size=(30, 2)), 2000, random_state=0)


@pytest.mark.parametrize("solver", ["auto", "l-bfgs", "batch", "minibatch-sgd", "sgd", "svrg"])
def test_an_interrupt_ends_a_fit_and_leaves_no_half_of_it(solver, triplets):
    def interrupt(points, row):
        raise KeyboardInterrupt

    model = OrdinalEmbedding(solver=solver, callback=interrupt, n_jobs=2, random_state=0)
    with pytest.raises(KeyboardInterrupt):
        model.fit(triplets)
    assert not [name for name in vars(model) if name.endswith("_")]
    assert not hasattr(model, "history_")


def test_n_jobs_must_be_a_number(triplets):
    with pytest.raises(ValueError, match="n_jobs=0; it must be None or a whole number"):
        OrdinalEmbedding(n_jobs=0).fit(triplets)
