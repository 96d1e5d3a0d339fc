"""`closerthan dimensions`: find how many dimensions the answers support."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from closerthan._core.typing import Seed, StrPath
from closerthan.comparisons.convert import to_query_response
from closerthan.ordinal.groups import connected_objects
from closerthan_lab.commands.check import describe_table
from closerthan_lab.commands.folder import filling
from closerthan_lab.commands.reading import as_table
from closerthan_lab.commands.writing import write_facts, write_figure
from closerthan_lab.dimension import DimensionSearch
from closerthan_lab.files.answers import AnswerTable
from closerthan_lab.quality.coverage import describe_groups

_CHANCE = 0.5  # the error of guessing between two alternatives
_ENOUGH = 10  # different comparisons an object and dimension; with fewer, simulations failed


def dimensions(
    answers: StrPath | AnswerTable,
    candidates: Sequence[int] = range(1, 11),
    *,
    rule: str = "one-standard-error",
    cv: int = 10,
    n_repeats: int = 1,
    n_jobs: int | None = None,
    random_state: Seed = 0,
    progress: bool = False,
) -> "Dimensions":
    """Find how many dimensions a file of answers supports, by cross-validation over questions.

    Parameters
    ----------
    answers : str, path-like or closerthan_lab.files.AnswerTable
        The answers, or a file of answers.
    candidates : sequence of int, default range(1, 11)
        Dimensions to try, from low to high. Dimensions above the number of objects are skipped.
    rule, cv, n_repeats, n_jobs, random_state
        See `closerthan_lab.dimension.DimensionSearch`. Here the default is ten folds, once.
    progress : bool, default False
        Whether to show a progress bar on stderr.

    Notes
    -----
    It takes about 10 different comparisons for each object and dimension. The text says if there
    are fewer. More answers to the same questions do not help.

    Examples
    --------
    >>> from closerthan.comparisons.answers import Answers
    >>> from closerthan.comparisons.sample import sample_from_points
    >>> import numpy as np
    >>> points = np.random.default_rng(0).normal(size=(20, 2))
    >>> triplets = sample_from_points(points, 1000, random_state=0)
    >>> dimensions(Answers(triplets), [1, 2, 3]).chosen
    2
    """
    table = as_table(answers)
    search = DimensionSearch(
        dimensions=[number for number in candidates if number <= len(table.names)],
        rule=rule,
        cv=cv,
        n_repeats=n_repeats,
        n_jobs=n_jobs,
        verbose=int(progress),
        random_state=random_state,
    )
    return Dimensions(search.fit(table.answers), table)


@dataclass(frozen=True, eq=False)
class Dimensions:
    """The result of `dimensions`: the fitted `DimensionSearch`, and the answers."""

    search: DimensionSearch
    table: AnswerTable

    @property
    def chosen(self) -> int:
        return self.search.best_params_["n_components"]

    def frame(self) -> pd.DataFrame:
        """Return a table with the mean held-out error of each dimension and its standard error."""
        errors = self.search.errors_
        numbers = self.search.cv_results_["param_n_components"]
        return pd.DataFrame(
            {
                "dimension": numbers,
                "error": errors.mean(axis=1),
                "standard_error": errors.std(axis=1, ddof=1) / self.search.cv**0.5,
                "chosen": numbers == self.chosen,
            }
        )

    def facts(self) -> dict[str, Any]:
        return {
            "answers": self.table.answers.n_screens,
            "objects": len(self.table.names),
            "rule": self.search.rule,
            "folds": self.search.cv,
            "repeats": self.search.n_repeats,
            "chosen": self.chosen,
            "dimensions": self.frame().to_dict("records"),
        }

    def text(self) -> str:
        rows = self.frame()
        lines = [f"{'dimension':>9}  held-out error ± standard error"]
        for row in rows.itertuples():
            mark = "  <- chosen" if row.chosen else ""
            lines.append(f"{row.dimension:>9}  {row.error:.3f} ± {row.standard_error:.3f}{mark}")
        return "\n".join(
            [*describe_table(self.table), self.sentence(), *self._doubts(), "", *lines]
        )

    def _doubts(self):
        """Yield what the answers cannot show: how groups lie, and dimensions if they are few."""
        comparisons, n = self.table.answers.comparisons, len(self.table.names)
        groups = pd.Series(self.table.names).groupby(connected_objects(comparisons, n)).agg(list)
        yield from filter(None, [describe_groups(groups)])
        asked = len(np.unique(to_query_response(comparisons)[0], axis=0))
        needed = _ENOUGH * n * (self.chosen + 1)
        if asked < needed and self.chosen < n:
            yield (
                f"This is uncertain, because there are only {asked:,} different comparisons: to "
                f"tell {self.chosen} from {self.chosen + 1} dimensions takes about {needed:,}. "
                "More answers to the same questions do not help."
            )

    def sentence(self) -> str:
        """Return the conclusion in words."""
        if self.search.rule == "test":
            shown = f"{self.chosen} dimension{'' if self.chosen == 1 else 's'}"
            return (
                f"The answers show {shown}: one more does not lower the held-out error "
                "significantly. More dimensions may exist that these answers do not show."
            )
        rows = self.frame()
        if (rows["error"] + 2 * rows["standard_error"]).min() >= _CHANCE:
            return (
                "No dimension predicts held-out answers better than chance, by two standard "
                "errors. The answers have no structure that a map could show, or there are too "
                "few answers."
            )
        least = rows["dimension"][rows["error"].idxmin()]
        why = (
            "the lowest held-out error"
            if least == self.chosen
            else "the fewest within one standard error of the lowest held-out error, "
            f"at {least} dimensions"
        )
        tried = f"{rows['dimension'].min()} to {rows['dimension'].max()}"
        said = f"Of {tried} dimensions, the search takes {self.chosen}: {why}."
        return f"{said} {self._say_next()}"

    def _say_next(self):
        """Say how the next dimension that was tried changes the error."""
        rows = self.frame()
        place = int(rows["chosen"].argmax())
        if place == len(rows) - 1:
            if self.chosen == len(self.table.names):
                return "There are as many dimensions as objects."
            return "More dimensions were not tried (raise --most)."
        changes = self.search.errors_[place + 1] - self.search.errors_[place]
        return (
            f"With {rows['dimension'][place + 1]}, the held-out error changes by "
            f"{changes.mean():+.4f} ± {changes.std(ddof=1) / self.search.cv**0.5:.4f}."
        )

    def write(self, folder: StrPath, *, overwrite: bool = False) -> None:
        """Write ``dimensions.csv``, ``.json``, ``.png`` and ``.pdf`` into a folder."""
        import matplotlib.pyplot as plt

        with filling(folder, overwrite=overwrite) as here:
            self.frame().to_csv(here / "dimensions.csv", index=False)
            write_facts(here / "dimensions.json", self.facts())
            figure, ax = plt.subplots(figsize=(5, 3.5), layout="constrained")
            self.search.plot(ax)
            of = self.facts()
            ax.set_title(f"{of['answers']:,} answers about {of['objects']:,} objects")
            write_figure(figure, here / "dimensions.png", here / "dimensions.pdf")
