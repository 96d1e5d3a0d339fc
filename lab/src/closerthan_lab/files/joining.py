"""Join several tables of answers."""

import numpy as np

from closerthan.comparisons.answers import Answers


def concatenate(tables):
    """Return several `Answers` as one; times are NaN where a table has none."""
    if len({table.participant is None for table in tables}) > 1:
        raise ValueError("participant: known in some tables only; give it in all of them or none")
    starts = np.cumsum([0, *(table.n_screens for table in tables)])
    times = [np.full(t.n_screens, np.nan) if t.time is None else t.time for t in tables]
    people = [table.participant for table in tables]
    return Answers(
        np.concatenate([table.comparisons for table in tables]),
        np.concatenate([t.screen + start for t, start in zip(tables, starts, strict=False)]),
        None if people[0] is None else np.concatenate(people),
        None if all(table.time is None for table in tables) else np.concatenate(times),
        np.concatenate([table.weight for table in tables]),
    )
