"""`closerthan next`: what to ask next, given the answers so far."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from closerthan._core.typing import StrPath
from closerthan.adaptive.questions import AdaptiveQuestions
from closerthan.commands.folder import filling
from closerthan.commands.reading import as_table, write_facts, write_table
from closerthan.comparisons.answers import Answers
from closerthan.files.answers import AnswerTable

_SHOWN = 10  # questions in the text
_CHOICE = 20  # candidates a question


def propose(
    answers: StrPath | AnswerTable | Answers,
    n: int = 100,
    n_components: int = 2,
    *,
    strategy: str = "information-gain",
    random_state: int = 0,
) -> "Proposed":
    """Choose the questions whose answers will say the most about where objects are.

    Parameters
    ----------
    answers : str, path-like, closerthan.files.AnswerTable or Answers
        Those so far. Their questions are not asked again.
    n : int, default 100
        How many; fewer if fewer are left.
    n_components : int, default 2
        The dimension of the map.
    strategy : {"information-gain", "crowd-kernel", "uncertainty", "random"}, default \
"information-gain"
        See `closerthan.adaptive.AdaptiveQuestions`. With fewer than two answers an object all are
        random.
    random_state : int, default 0

    Returns
    -------
    Proposed

    Raises
    ------
    ValueError
        As `closerthan.files.read_answers` and `AdaptiveQuestions`, and if all
        questions were asked.

    Examples
    --------
    >>> from closerthan.comparisons.answers import Answers
    >>> from closerthan.comparisons.sample import sample_from_points
    >>> points = np.random.default_rng(0).normal(size=(12, 2))
    >>> answers = Answers(sample_from_points(points, 100, random_state=0))
    >>> proposed = propose(answers, 5)
    >>> list(proposed.frame()), len(proposed.frame())
    (['head', 'first', 'second'], 5)
    """
    table = as_table(answers)
    asked = AdaptiveQuestions(
        table.names,
        n_components,
        strategy=strategy,
        n_candidates=max(1000, _CHOICE * n) if isinstance(n, int) and n > 0 else 1000,
        random_state=random_state,
    )
    asked.tell(table.answers)
    return Proposed(table, asked, asked.propose(n))


@dataclass(frozen=True, eq=False)
class Proposed:
    """Questions, and the answers that they follow.

    Attributes
    ----------
    table : closerthan.files.AnswerTable
    asked : closerthan.adaptive.AdaptiveQuestions
        To go on with, by `tell` and `propose`.
    questions : ndarray of shape (n, 3)
        (head, first, second), of ids.
    """

    table: AnswerTable
    asked: AdaptiveQuestions = field(repr=False)
    questions: np.ndarray

    def frame(self) -> pd.DataFrame:
        """Return the questions by name: the columns ``head``, ``first`` and ``second``."""
        return pd.DataFrame(self.table.names[self.questions], columns=["head", "first", "second"])

    def facts(self) -> dict[str, Any]:
        return {
            "answers": self.table.answers.n_screens,
            "objects": len(self.table.names),
            "dimension": self.asked.n_components,
            "strategy": self.strategy,
            "questions": self.frame().to_dict("records"),
        }

    @property
    def strategy(self) -> str:
        """How they were chosen: "random" too where answers are too few for anything else."""
        few = len(self.table.answers) < self.asked.n_random
        return "random" if few else self.asked.strategy

    def text(self) -> str:
        rows = self.frame()
        lines = [self.sentence(), "", rows.head(_SHOWN).to_string(index=False)]
        if len(rows) > _SHOWN:
            lines.append(f"... and {len(rows) - _SHOWN:,} more")
        return "\n".join(lines)

    def sentence(self) -> str:
        """Return what the questions are."""
        count, answers = len(self.questions), self.table.answers.n_screens
        how = {
            "information-gain": "that tell the most about all places",
            "crowd-kernel": "that tell the most about the place of the head",
            "uncertainty": "that the map is least sure of",
            "random": "drawn at random",
        }[self.strategy]
        if self.strategy != self.asked.strategy:
            how += ", as the answers are too few to choose by"
        return (
            f"{count:,} questions {how}, after {answers:,} answers. Ask each so: which of the two, "
            "first or second, is closer to the head?"
        )

    def write(self, folder: StrPath, *, overwrite: bool = False) -> None:
        """Write ``questions.csv``, and ``next.json``, into a folder."""
        with filling(folder, overwrite=overwrite) as here:
            write_table(here / "questions.csv", self.frame())
            write_facts(here / "next.json", self.facts())
