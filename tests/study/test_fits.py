"""The fits station: the same tables, however methods and trials are put together in jobs."""

import pandas as pd
import pytest

from closerthan_study.configuration import Spec
from closerthan_study.fits import make_fits
from closerthan_study.tasks.base import KEYS, SUFFIXES
from toy_study import WORDS, config


@pytest.mark.parametrize("trials_per_job", [None, 1])
def test_methods_together_or_apart_give_the_same(study, trials_per_job):
    changes = {"trials_per_job": trials_per_job} if trials_per_job else {}
    toy = study(**changes)
    toy.make_trials()
    tables = {}
    for jobs in ("method", "experiment"):
        spec = Spec(config(toy.root, jobs=jobs), toy.root)
        experiment = spec.experiment(*WORDS)
        wrapped = []

        def wrap(fits, wrapped=wrapped):
            wrapped.extend(fits)
            return fits

        for job in spec.jobs(experiment):
            make_fits(spec, *WORDS, toy.dataset, job.name, progress=wrap)
        assert len(wrapped) == 2 * (2 + 4 + 2 + 1 + 1), "trials times losses and sizes, or controls"
        for name in experiment.methods:
            for suffix in SUFFIXES[:2]:
                files = spec.fits(experiment, toy.dataset, name, suffix)
                table = pd.concat(map(pd.read_parquet, files)).sort_values(KEYS, kind="stable")
                tables[jobs, name, suffix] = table.reset_index(drop=True)
    for name in toy.experiment.methods:
        for suffix in SUFFIXES[:2]:
            both = (tables[jobs, name, suffix] for jobs in ("method", "experiment"))
            pd.testing.assert_frame_equal(*both, check_exact=True)
