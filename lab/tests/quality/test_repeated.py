"""Check repeated and contradictory answers against a slow search of all pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from closerthan import comparisons as rc
from closerthan_lab.quality.repeated import repeated


@given(seed=st.integers(0, 2**32 - 1), people=st.sampled_from(["any", "same"]))
def test_every_pair_of_screens_is_told(seed, people):
    rng = np.random.default_rng(seed)
    objects = np.array([rng.permutation(4)[:3] for _ in range(30)])
    odd = objects[np.arange(30), rng.integers(3, size=30)]
    who = rng.choice(["ann", "bo"], 30)
    answers = rc.from_odd_one_out(objects, odd, participant=who)
    found = repeated(answers, people=people)
    for s in range(30):
        counted = [t for t in range(30) if t != s and (people == "any" or who[t] == who[s])]
        others = [t for t in counted if set(objects[t]) == set(objects[s])]
        assert found.again[s] == any(t < s and odd[t] == odd[s] for t in others)
        assert found.contradictory[s] == any(odd[t] != odd[s] for t in others)
        same = np.flatnonzero(found.group == found.group[s])
        assert set(same) == {s, *others}
        alike = np.flatnonzero(found.answer == found.answer[s])
        assert set(alike) == {s, *(t for t in others if odd[t] == odd[s])}


def test_without_participants_nobody_is_the_same():
    with pytest.raises(ValueError, match=r"people='same'; the participants .* are unknown"):
        repeated([[0, 1, 2]], people="same")
    with pytest.raises(ValueError, match="people='different'; it must be one of any, same"):
        repeated([[0, 1, 2]], people="different")
