"""Run many fits in parallel, each to a part of the answers."""

import warnings
from contextlib import contextmanager

from tqdm import tqdm

from closerthan._core.threads import Team, count_threads


@contextmanager
def missing_objects_allowed():
    """Silence warnings that are usual in a part of the answers: objects missing, apart, folded."""
    usual = (
        "[0-9]+ of [0-9]+ objects occur in no comparison|a scale in one dimension can fold|"
        "No comparison links"
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", usual)
        yield


def fit_many(fit, n_fits, n_jobs, name, progress):
    """Call fit(number) for each number, in threads; `name` labels the progress bar."""

    def step(number):
        fit(number)
        bar.update()

    with (
        missing_objects_allowed(),
        tqdm(total=n_fits, desc=name, disable=not progress) as bar,
        Team(count_threads(n_jobs)) as team,
    ):
        team.each(step, range(n_fits))
