"""`closerthan next`: choose the next questions, given the answers so far."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from closerthan._core.typing import StrPath
from closerthan.comparisons.answers import Answers
from closerthan_lab.adaptive.questions import AdaptiveQuestions
from closerthan_lab.commands.check import describe_table
from closerthan_lab.commands.folder import filling
from closerthan_lab.commands.reading import as_table, plain_name
from closerthan_lab.commands.writing import number_of, write_facts, write_safe_csv
from closerthan_lab.files.answers import AnswerTable

_SHOWN = 10  # questions in the text
_CHOICE = 20  # candidates for each question


def propose(
    answers: StrPath | AnswerTable | Answers,
    n: int = 100,
    n_components: int = 2,
    *,
    n_jobs: int | None = None,
    random_state: int = 0,
) -> "Proposed":
    """Choose the questions that are expected to tell most about the map.

    With fewer than two answers for each object, all questions are random.

    Parameters
    ----------
    answers : str, path-like, closerthan_lab.files.AnswerTable or Answers
        The answers so far. Their questions are not proposed again.
    n : int, default 100
        Number of questions. There are fewer if fewer are left.
    n_components : int, default 2
        The dimension of the map.
    n_jobs, random_state
        As for all commands; see `closerthan_lab.commands`.

    Examples
    --------
    >>> from closerthan.comparisons.answers import Answers
    >>> from closerthan.comparisons.sample import sample_from_points
    >>> points = np.random.default_rng(0).normal(size=(12, 2))
    >>> answers = Answers(sample_from_points(points, 100, random_state=0))
    >>> proposed = propose(answers, 5)
    >>> list(proposed.frame()), len(proposed.frame())
    (['anchor', 'first', 'second'], 5)
    """
    table = as_table(answers)
    asked = AdaptiveQuestions(
        table.names,
        n_components,
        n_candidates=max(1000, _CHOICE * n) if isinstance(n, int) and n > 0 else 1000,
        n_jobs=n_jobs,
        random_state=random_state,
    )
    asked.tell(table.answers)
    return Proposed(table, asked, asked.propose(n), n)


@dataclass(frozen=True, eq=False)
class Proposed:
    """The result of `propose`: the next questions.

    `asked` is the state of the survey. Continue it with `tell` and `propose`. `questions` has the
    ids of the anchor, the first and the second object of each question, and `wanted` their number.
    """

    table: AnswerTable
    asked: AdaptiveQuestions = field(repr=False)
    questions: np.ndarray
    wanted: int

    def frame(self) -> pd.DataFrame:
        """Return a table of the questions by name: ``anchor``, ``first`` and ``second``."""
        return pd.DataFrame(self.table.names[self.questions], columns=["anchor", "first", "second"])

    def facts(self) -> dict[str, Any]:
        return {
            "answers": self.table.answers.n_screens,
            "objects": len(self.table.names),
            "dimension": self.asked.n_components,
            "strategy": "random" if self.at_random else "information-gain",
            "questions": self.frame().to_dict("records"),
        }

    @property
    def at_random(self) -> bool:
        """Whether there are too few answers to choose by."""
        return len(self.table.answers) < self.asked.n_random

    def text(self) -> str:
        rows = self.frame()
        lines = [
            *describe_table(self.table),
            self.sentence(),
            "",
            rows.head(_SHOWN).map(plain_name).to_string(index=False),
        ]
        if len(rows) > _SHOWN:
            lines.append(f"... and {len(rows) - _SHOWN:,} more")
        return "\n".join(lines)

    def sentence(self) -> str:
        """Return a description of the questions."""
        answers = self.table.answers.n_screens
        how, few = "with the highest expected information about the whole map", ""
        if self.at_random:
            how, few = "drawn at random", ", too few to choose by"
        few += "" if len(self.questions) == self.wanted else ". No other questions are left"
        return (
            f"{number_of(len(self.questions), 'question')} {how}, given "
            f"{answers:,} answers{few}. Ask: Which of the two, first or second, is closer to the "
            "anchor? Write first or second into a column `response`."
        )

    def write(self, folder: StrPath, *, overwrite: bool = False) -> None:
        """Write ``questions.csv`` and ``next.json`` into a folder."""
        with filling(folder, overwrite=overwrite) as here:
            write_safe_csv(here / "questions.csv", self.frame())
            write_facts(here / "next.json", self.facts())
