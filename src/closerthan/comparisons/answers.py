"""Keep people's answers: the comparisons, which belong together, by whom, and when."""

from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from closerthan._core.validation import (
    as_floats,
    as_names,
    check_length,
    check_rows,
    check_whole,
    refuse_entries,
)
from closerthan.comparisons.check import HEADERS, PER_SCREEN, check_comparisons, pair_columns

if TYPE_CHECKING:
    import pandas as pd

_ROWS = 2**16  # rows handled at once, so that they stay in the cache


@dataclass(frozen=True, eq=False, repr=False)
class Answers:
    """Hold the comparisons that people gave, and which of them belong to one judgment.

    A screen is what a person sees at once and answers with one judgment. The comparisons of a
    screen stay together in a split, and share the weight of the judgment.

    Every function of closerthan that takes comparisons also takes `Answers`. `score`,
    `triplet_error` and each `fit` that has `sample_weight` use their weights by default. Each
    parameter becomes an attribute: an array of its own, or None for participants and times that
    are unknown. ``np.asarray(answers)`` is the array of comparisons.

    Raise a ValueError as :func:`check_comparisons` does, and if screens are not counted from 0 in
    order, an array has the wrong length, a participant has no name, a time is negative or infinite,
    or a weight is negative or not finite.

    Parameters
    ----------
    comparisons : array_like of shape (n_comparisons, 3) or (n_comparisons, 4)
        Triplets or quadruplets. The comparisons of one screen stand in consecutive rows.
    screen : array_like of int, shape (n_comparisons,), optional
        The screen of each comparison: 0, 1, 2, ... None gives each comparison its own screen.
    participant : array_like of int or str, shape (n_screens,), optional
        Who answered each screen. None if unknown.
    time : array_like of shape (n_screens,), optional
        Seconds that each answer took; NaN if unknown. None if all are unknown.
    weight : array_like of shape (n_screens,), optional
        The weight of each comparison of the screen. None means 1.

    Examples
    --------
    >>> answers = Answers([[0, 1, 2], [1, 0, 2], [0, 2, 3]], screen=[0, 0, 1], time=[2.5, 1.0])
    >>> answers
    Answers: 3 triplets from 2 screens, with time
    >>> answers.take([1]).comparisons
    array([[0, 2, 3]])
    """

    # Each field accepts anything like an array, and keeps an array.
    comparisons: Any
    screen: Any = None
    participant: Any = None
    time: Any = None
    weight: Any = None

    def __post_init__(self):
        if isinstance(self.comparisons, Answers):
            raise ValueError("comparisons: these are Answers; give their array, `.comparisons`")
        comparisons = check_comparisons(self.comparisons).copy()
        screen = _check_screen(self.screen, len(comparisons))
        n = int(screen[-1]) + 1
        self._set("comparisons", comparisons)
        self._set("screen", screen)
        self._set("participant", _check_participant(self.participant, n))
        self._set("time", _check_numbers("time", self.time, n, missing=True))
        weight = np.ones(n) if self.weight is None else self.weight
        self._set("weight", _check_numbers("weight", weight, n))

    def _set(self, name, value):
        object.__setattr__(self, name, value)  # the only way to set a field of a frozen dataclass

    def __len__(self):
        return len(self.comparisons)

    def __array__(self, dtype=None, copy=None):
        return np.array(self.comparisons, dtype=dtype, copy=copy)

    def __repr__(self):
        known = [name for name in ("participant", "time") if getattr(self, name) is not None]
        kind = "triplets" if self.comparisons.shape[1] == 3 else "quadruplets"
        end = f", with {' and '.join(known)}" if known else ""
        return f"Answers: {len(self)} {kind} from {self.n_screens} screens{end}"

    @property
    def n_screens(self) -> int:
        return len(self.weight)

    @property
    def n_people(self) -> int | None:
        """The number of participants; None if they are unknown."""
        return None if self.participant is None else len(np.unique(self.participant))

    @property
    def sample_weight(self) -> np.ndarray:
        """The weight of each comparison, as `fit` takes it, of shape (n_comparisons,)."""
        return self.weight[self.screen]

    @property
    def question(self) -> np.ndarray:
        """The number of the question that each screen asks, of shape (n_screens,).

        Two screens ask the same question if they compare the same pairs, whatever the answers.
        """
        return _number_sets(np.column_stack(self.pairs), self.screen)

    @property
    def response(self) -> np.ndarray:
        """The number of the answer that each screen gives, of shape (n_screens,).

        Two screens have the same answer if the same comparisons follow from it.
        """
        near, far = self.pairs
        return _number_sets(hash_numbers(near) * np.uint64(3) + hash_numbers(far), self.screen)

    @property
    def repeat(self) -> np.ndarray:
        """How often the participant had answered this question before, of shape (n_screens,).

        Screens further up in the table count as before. If participants are unknown, the screens
        of all people count.
        """
        import pandas as pd  # imported here because it takes longer than this whole package

        group = self.question
        if self.participant is not None:
            group = number_rows(group, self.participant)
        return pd.Series(group).groupby(group).cumcount().to_numpy()

    @property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """The number of the nearer and the number of the farther pair of each comparison.

        Two pairs have the same number if they hold the same objects, in any order.
        """
        comparisons = small_ids(self.comparisons)
        i, j, l, k = pair_columns(comparisons)
        n_objects = int(comparisons.max()) + 1
        return number_pairs(i, j, n_objects), number_pairs(l, k, n_objects)

    def take(self, screens: ArrayLike) -> "Answers":
        """Return the answers to some screens, in the order of this table, numbered from 0 again.

        Raise a ValueError if a screen does not exist, or no screen is taken.

        Parameters
        ----------
        screens : array_like
            A bool for each screen, or the numbers of the screens to take; -1 is the last one. A
            screen whose number is given twice is taken once.
        """
        n = self.n_screens
        chosen = np.zeros(n, dtype=bool)
        chosen[check_rows(screens, n, "screens", least=-n)] = True
        if not chosen.any():
            raise ValueError("screens: no screen is taken; take at least one")
        rows, known = chosen[self.screen], self.arrays()
        number = np.cumsum(chosen) - 1
        per_screen = {name: known[name][chosen] for name in PER_SCREEN if name in known}
        return Answers(self.comparisons[rows], number[self.screen[rows]], **per_screen)

    def to_frame(self) -> "pd.DataFrame":
        """Return a pandas.DataFrame with a row for each comparison.

        The columns are ``anchor``, ``near``, ``far`` (for quadruplets ``near_1``, ``near_2``,
        ``far_1``, ``far_2``), then ``screen``, ``repeat``, ``weight`` and, if they are known,
        ``participant`` and ``time``.

        Examples
        --------
        >>> Answers([[0, 1, 2], [0, 2, 1]], participant=["ann", "bo"]).to_frame()
           anchor  near  far  screen  repeat  weight participant
        0       0     1    2       0       0     1.0         ann
        1       0     2    1       1       0     1.0          bo
        """
        import pandas as pd  # imported here because it takes longer than this whole package

        columns = dict(zip(HEADERS[self.comparisons.shape[1]], self.comparisons.T, strict=True))
        columns |= {"screen": self.screen, "repeat": self.repeat[self.screen]}
        columns["weight"] = self.sample_weight
        for name in ("participant", "time"):
            if getattr(self, name) is not None:
                columns[name] = getattr(self, name)[self.screen]
        return pd.DataFrame(columns)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return all known arrays by name, for `numpy.savez`; ``Answers(**arrays)`` reads them."""
        return {name: value for name, value in vars(self).items() if value is not None}


def as_answers(given):
    """Return `Answers` unchanged, and comparisons as `Answers` with one screen each."""
    return given if isinstance(given, Answers) else Answers(given)


def number_rows(*columns):
    """Return a number, from 0, for each different row of these columns, in lexicographic order."""
    number = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        code = np.unique(column, return_inverse=True)[1]
        number = np.unique(number * (code.max() + 1) + code, return_inverse=True)[1]
    return number


def number_people(answers, wanted_by):
    """Return the number of each screen's participant; the message names who wants them."""
    if answers.participant is None:
        raise ValueError(
            f"{wanted_by}; the participants of these answers are unknown: "
            "give `participant` to Answers"
        )
    return np.unique(answers.participant, return_inverse=True)[1]


def _number_sets(members, screen):
    """Return a number for each screen, equal for screens whose rows hold the same set of members.

    Sets are compared by the sum of their members' hashes. A member counts once.
    """
    sizes = np.bincount(screen)
    starts = np.cumsum(sizes) - sizes
    sums = np.empty(len(sizes), dtype=np.uint64)
    for size in np.unique(sizes):  # screens of one size make a matrix
        same = np.flatnonzero(sizes == size)
        for block in np.array_split(same, len(same) * size // _ROWS + 1):
            rows = members[starts[block, None] + np.arange(size)].reshape(len(block), -1)
            rows = np.sort(rows, axis=1)
            again = np.zeros(rows.shape, dtype=bool)
            again[:, 1:] = rows[:, 1:] == rows[:, :-1]
            sums[block] = np.where(again, 0, hash_numbers(rows)).sum(axis=1)
    return np.unique(sums, return_inverse=True)[1]


def small_ids(ids):
    """Return ids, or their ranks if the numbers of their pairs would not fit an int64."""
    if ids.max() < 2**31:
        return ids
    return np.unique(ids, return_inverse=True)[1].reshape(ids.shape)


def number_pairs(first, second, n_objects):
    """Return a number for each unordered pair of objects."""
    return np.minimum(first, second) * n_objects + np.maximum(first, second)


def hash_numbers(numbers):
    """Return a 64-bit hash of each number; sums of different sets almost never agree."""
    from closerthan._core.hashes import replace_by_hashes  # here, because it imports numba

    hashes = numbers.astype(np.uint64, order="C")
    replace_by_hashes(hashes.reshape(-1))
    return hashes


def _check_screen(screen, n_comparisons):
    if screen is None:
        return np.arange(n_comparisons)
    screen = check_length(screen, n_comparisons, "screen", "comparison")
    screen = check_whole(screen, "screen", "screens are whole numbers from 0").copy()
    bad = np.diff(screen).view(np.uint64) > 1  # or less than 0
    if screen[0] != 0 or bad.any():
        row = 0 if screen[0] != 0 else int(bad.argmax()) + 1
        before = f"after {screen[row - 1]}" if row else "at the start"
        raise ValueError(
            f"screen, row {row}: {screen[row]} {before}; screens count from 0, and all comparisons "
            "of a screen stand in consecutive rows"
        )
    return screen


def _check_participant(participant, n_screens):
    if participant is None:
        return None
    rule = "is not a name; give a name or leave the screen out"
    names = as_names(participant, "participant", rule)
    check_length(names, n_screens, "participant")
    if names.dtype.kind == "O":
        bad = [not isinstance(name, str | Integral) for name in names]
        refuse_entries(np.array(bad), names, "participant", rule)
        names = names.astype(str)
    if names.dtype.kind not in "iuU":
        raise ValueError(f"participant: {names.dtype}; participants are whole numbers or names")
    if names.dtype.kind == "U":
        refuse_entries(np.char.strip(names) == "", names, "participant", rule)
    return names.copy()


def _check_numbers(name, values, n_screens, missing=False):
    if values is None:
        return None
    values = as_floats(check_length(values, n_screens, name), name).copy()
    bad = ~(np.isfinite(values) & (values >= 0)) & ~(missing & np.isnan(values))
    refuse_entries(bad, values, name, "it must be finite and not negative")
    return values
