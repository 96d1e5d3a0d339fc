"""Check the fits station: each fit is in one batch, and batches change no result."""

from collections import Counter

import pandas as pd
import pytest

from closerthan_study.configuration import Spec
from closerthan_study.fits import make_fits
from closerthan_study.spec import ConfigError
from closerthan_study.tasks.base import KEYS, SUFFIXES
from toy_study import WORDS, config


def fits_in(batches):
    return Counter(
        (name, trial) for batch in batches for name, trials in batch.items() for trial in trials
    )


@pytest.mark.parametrize("scale", ["smoke", "default", "paper"])
def test_every_trial_of_a_method_is_in_exactly_one_batch(shipped, scale):
    for experiment in shipped[scale].experiments.values():
        batches = [experiment.batch(n) for n in range(experiment.batches)]
        assert all(batches)
        methods = experiment.methods.values()
        assert fits_in(batches) == Counter((m.name, t) for m in methods for t in range(m.trials))
        assert scale == "paper" or experiment.batches == 1


def test_more_batches_than_fits_are_refused(study):
    assert study(batches=10).experiment.batch(9) == {"truth": [1]}
    with pytest.raises(ConfigError, match="batches: 11 are more than the experiment has fits"):
        study(batches=11)


def test_batches_change_no_result(study):
    tables, scores = {}, []
    for batches in (1, 3):
        toy = study(batches=batches)
        toy.make_trials()
        spec = Spec(config(toy.root), toy.root)
        wrapped = []

        def wrap(fits, wrapped=wrapped):
            wrapped.extend(fits)
            return fits

        for batch in range(batches):
            make_fits(spec, *WORDS, toy.dataset, batch, progress=wrap)
        assert len(wrapped) == 2 * (2 + 4 + 2 + 1 + 1), "trials times losses and sizes, or controls"
        scores.append(toy.make_scores())
        for name in toy.experiment.methods:
            for suffix in SUFFIXES[:2]:
                files = spec.fits(toy.experiment, toy.dataset, name, suffix)
                table = pd.concat(map(pd.read_parquet, files)).sort_values(KEYS, kind="stable")
                tables[batches, name, suffix] = table.reset_index(drop=True)
    for name in toy.experiment.methods:
        for suffix in SUFFIXES[:2]:
            both = (tables[batches, name, suffix] for batches in (1, 3))
            pd.testing.assert_frame_equal(*both, check_exact=True)
    pd.testing.assert_frame_equal(*scores, check_exact=True)


def test_fits_name_the_commit_that_made_them(study, git):
    toy = study()
    toy.make_trials()
    git("init", "-q")
    git("add", "config")
    git("commit", "-q", "-m", "a study")
    assert set(toy.make_fits("batch").seconds.commit) == {
        f"{git('rev-parse', '--short=12', 'HEAD')} with uncommitted changes"  # results/
    }


def test_the_data_sets_of_a_collection_lie_in_its_folder(study):
    toy = study(collection="toys", batches=2)
    place = toy.folder("scores").relative_to(toy.spec.results)
    assert str(place) == f"scores/papers/toy/toys/{toy.dataset}"
    (file,) = toy.spec.fits(toy.experiment, toy.dataset, "truth")
    place = file.relative_to(toy.spec.results)
    assert str(place) == f"fits/papers/toy/toys/1/{toy.dataset}/truth.parquet"
    make = toy.spec, *WORDS, "toys"
    toy.make_trials()
    for batch in (0, 1):
        make_fits(*make, batch)
    assert file.exists() and len(toy.make_scores())
