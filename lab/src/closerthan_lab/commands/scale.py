"""`closerthan scale`: a scale of stimuli whose order is known."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from closerthan._core.typing import StrPath
from closerthan_lab.checks import check_share
from closerthan_lab.commands.check import describe_table
from closerthan_lab.commands.embed import describe_accuracy, for_whom
from closerthan_lab.commands.folder import filling
from closerthan_lab.commands.held_out import FOLDS, question_folds, weighted_share
from closerthan_lab.commands.reading import as_table
from closerthan_lab.commands.writing import records, write_facts, write_figure, write_safe_csv
from closerthan_lab.files.answers import AnswerTable
from closerthan_lab.scale import DifferenceScale, refuse_order

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MISFIT = 0.05  # p-value below which the answers do not follow the model


def scale(
    answers: StrPath | AnswerTable,
    order: Sequence[str] | None = None,
    *,
    link: str = "probit",
    monotone: bool = False,
    lapse: float | Literal["auto"] = 0.0,
    by: str = "answers",
    level: float = 0.9,
    random_state: int = 0,
) -> "Scaled":
    """Scale the stimuli of a file of answers along their order, with confidence intervals.

    Parameters
    ----------
    answers : str, path-like or closerthan_lab.files.AnswerTable
        The answers, or a file of answers.
    order : sequence of str, optional
        The names of all stimuli from the lowest to the highest. Names that are numbers need no
        order: they are sorted.
    link, monotone, lapse, by
        See `closerthan.DifferenceScale`.
    level : float, default 0.9
        Confidence level of the intervals.
    random_state : int, default 0
        Seeds the folds of questions and the simulated answers of the test of runs.

    Examples
    --------
    >>> from closerthan.comparisons.answers import Answers
    >>> triplets = [[0, 1, 2]] * 9 + [[0, 2, 1]] + [[2, 1, 0]] * 6 + [[2, 0, 1]] * 4
    >>> scale(Answers(triplets)).frame().round(2)
      name  scale   low  high
    0    0   0.00  0.00  0.00
    1    1   0.17 -0.23  0.56
    2    2   1.00  1.00  1.00
    """
    check_share("level", level)
    table = as_table(answers)
    names = table.names.astype(str)
    numbers = pd.to_numeric(pd.Series(names), errors="coerce").to_numpy()
    if order is not None:
        refuse_order(np.array(order, dtype=str), names)
        ids = pd.Index(names).get_indexer(order)
    elif np.isfinite(numbers).all():
        ids = np.argsort(numbers)
    else:
        word = names[~np.isfinite(numbers)][0]
        raise ValueError(
            f"order: '{word}' is no number; name the stimuli from the lowest to the highest"
        )
    model = DifferenceScale(link, monotone=monotone, lapse=lapse, by=by)
    model.fit(table.answers, order=ids)
    held_out = _held_out(model, table.answers, random_state)
    misfit = model.runs_test(table.answers, random_state=random_state)
    return Scaled(table, model, order is None, held_out, misfit, level)


def _held_out(model, answers, random_state):
    """Return the error on held-out questions and its standard error, or NaN without enough."""
    missed = np.zeros(len(answers), dtype=bool)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            for train, test in question_folds(answers, FOLDS, random_state):
                rows = np.isin(answers.screen, test)
                fit = clone(model).set_params(by="answers")
                fit.fit(answers.take(train), order=model.order_)
                missed[rows] = fit.predict(answers.comparisons[rows]) == 0
    except ValueError:
        return np.nan, np.nan
    return weighted_share(missed, answers)


@dataclass(frozen=True, eq=False)
class Scaled:
    """The result of `scale`: a scale, its answers, and its accuracy.

    `is_sorted` tells whether the order is that of the numbers that name the stimuli. `held_out` has
    the error on held-out questions and its standard error, NaN if none could be held out. `misfit`
    is the p-value of the test of runs.
    """

    table: AnswerTable
    model: DifferenceScale
    is_sorted: bool
    held_out: tuple[float, float]
    misfit: float
    level: float

    def frame(self) -> pd.DataFrame:
        """Return a table with ``name``, ``scale``, ``low`` and ``high``, in the order."""
        frame = self.model.intervals(self.level)
        frame.insert(0, "name", self.table.names[frame.pop("stimulus")])
        return frame

    def facts(self) -> dict[str, Any]:
        answers, frame = self.table.answers, self.frame()
        error, spread = (None if np.isnan(x) else float(x) for x in self.held_out)
        return {
            "answers": answers.n_screens,
            "comparisons": len(answers),
            "skipped_rows": len(self.table.skipped),
            "link": self.model.link,
            "noise": self.model.sigma_,
            "lapse": self.model.lapse_,
            "deviance": self.model.deviance_,
            "error": 1 - self.model.score(answers),
            "error_held_out": error,
            "error_held_out_standard_error": spread,
            "misfit": self.misfit,
            "by": self.model.by,
            "level": self.level,
            "stimuli": records(frame),
        }

    def text(self) -> str:
        rows = self.frame()
        width = max(8, *map(len, rows["name"]))
        lines = [f"{'stimulus':>{width}}   scale  {self.level:.0%} interval"]
        for row in rows.itertuples():
            ends = f"{row.low:.3f} to {row.high:.3f}" if row.low < row.high else ""
            lines.append(f"{row.name:>{width}}  {row.scale:6.3f}  {ends}".rstrip())
        return "\n".join([*describe_table(self.table), *self.sentences(), "", *lines])

    def sentences(self) -> Iterator[str]:
        """Yield the lines that say what the numbers mean."""
        facts, names = self.facts(), self.frame()["name"].tolist()
        sort = "order of their numbers" if self.is_sorted else "given order"
        yield (
            f"Scaled {len(names)} stimuli from {facts['answers']:,} answers, in the {sort}: from "
            f"{names[0]} to {names[-1]}."
        )
        if facts["error_held_out"] is None:
            right = f"{1 - facts['error']:.1%} of the comparisons used to fit it"
            yield f"The scale predicts {right}; there are too few questions to hold some out."
        else:
            yield describe_accuracy("scale", facts)
        lapses = f"; {facts['lapse']:.1%} of answers are lapses" if facts["lapse"] else ""
        yield f"The noise of a judgment is {facts['noise']:.3f} of the scale{lapses}."
        yield (
            f"The residuals show {'a' if self.misfit <= _MISFIT else 'no'} deviation from the "
            f"model (test of runs: p = {self.misfit:.3f})."
        )
        if facts["stimuli"][1]["low"] is not None:
            made = f"The scale has {self.level:.0%} confidence intervals."
            yield for_whom(made, self.table.answers, self.model.by, " (--by participant)")

    def plot(self) -> "Figure":
        """Draw the scale over the stimuli, with a band of its intervals."""
        import matplotlib.pyplot as plt  # optional dependency

        figure, ax = plt.subplots(figsize=(5, 4), layout="constrained")
        frame = self.frame()
        x = np.arange(len(frame))
        if self.is_sorted:
            x = frame["name"].astype(float)
        else:
            ax.set_xticks(x, frame["name"], rotation=45, ha="right", parse_math=False)
        ax.fill_between(x, frame["low"], frame["high"], alpha=0.2, linewidth=0)
        ax.plot(x, frame["scale"], "o-")
        ax.set(xlabel="stimulus", ylabel="scale")
        file = f"{self.table.path.name}: " if self.table.path else ""
        answers = f"{file}{self.table.answers.n_screens:,} answers about {len(frame)} stimuli"
        ax.set_title(answers, fontsize=11, parse_math=False)
        figure.supxlabel(f"Band: {self.level:.0%} confidence intervals", fontsize=9)
        return figure

    def write(self, folder: StrPath, *, overwrite: bool = False) -> None:
        """Write ``scale.csv``, ``.json``, ``.png`` and ``.pdf`` into a folder."""
        with filling(folder, overwrite=overwrite) as here:
            write_safe_csv(here / "scale.csv", self.frame())
            write_facts(here / "scale.json", self.facts())
            write_figure(self.plot(), here / "scale.png", here / "scale.pdf")
