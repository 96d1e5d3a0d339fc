"""`closerthan simulate`: estimate by simulation how many answers are enough."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from closerthan._core.typing import StrPath
from closerthan._core.validation import check_count, check_number, check_word
from closerthan.comparisons.noise import bradley_terry_luce, swap_answers
from closerthan.comparisons.sample import sample_from_points
from closerthan.ordinal.embedding import OrdinalEmbedding
from closerthan.scores.error import triplet_error
from closerthan.scores.procrustes import procrustes_distance
from closerthan_lab.commands.folder import filling
from closerthan_lab.commands.writing import (
    coordinate_table,
    number_of,
    write_facts,
    write_figure,
    write_safe_csv,
)
from closerthan_lab.fit_many import fit_many

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ERRS = ("on-hard-questions", "at-random")
_A_COORDINATE = (2, 4, 8, 16, 32, 64)  # answers for each coordinate
_TEST = 5_000  # held-out questions
_BAND = (0.1, 0.9)  # quantiles over trials
_MOST = 0.8  # the share of trials in which a number of answers must be enough
_SHARPEST = 64.0  # exponent of Bradley-Terry-Luce at which hardly any answer is wrong


def simulate(
    n_objects: int,
    n_components: int = 2,
    *,
    noise: float = 0.1,
    errs: str = "on-hard-questions",
    n_answers: Sequence[int] | None = None,
    repeats: int = 10,
    error_within: float = 0.05,
    distance_below: float = 0.05,
    n_jobs: int | None = None,
    random_state: int = 0,
    progress: bool = False,
) -> "Simulated":
    """Estimate how many answers are enough, by fitting maps to simulated answers.

    In each trial the true map is a set of normally distributed points. Maps are fitted to more and
    more random triplets with noise, compared with the true map, and tested on new questions.

    Parameters
    ----------
    n_objects : int
        Number of objects, at least 4.
    n_components : int, default 2
        The dimension of the true map and of the fitted maps.
    noise : float, default 0.1
        The share of wrong answers, from 0 to less than 0.5. For real data, use one minus the noise
        ceiling that `closerthan_lab.commands.check` estimates from repeated questions.
    errs : {"on-hard-questions", "at-random"}, default "on-hard-questions"
        Which answers are wrong. "on-hard-questions" makes errors more frequent if the two
        distances are similar, by the Bradley-Terry-Luce model
        (`closerthan.comparisons.bradley_terry_luce`) with the exponent that gives the share
        `noise`. "at-random" makes all answers equally likely to be wrong.
    n_answers : sequence of int, optional
        The numbers of answers to try. The default is 2, 4, ..., 64 for each of the
        n_objects * n_components coordinates.
    repeats : int, default 10
        Number of trials. Each has its own true map.
    error_within, distance_below : float, default 0.05
        Criteria for enough answers, which 80 % of the trials must meet. The error on new answers
        must exceed the error of the true map by at most `error_within`. The
        `closerthan.scores.procrustes_distance` to the true map must be at most `distance_below`.
        Use 0.1 for a rough picture, and 0.02 for claims about single objects.
    n_jobs, random_state, progress
        As for all commands; see `closerthan_lab.commands`.

    Examples
    --------
    >>> simulated = simulate(12, noise=0.05, n_answers=[50, 400, 1600], repeats=3)
    >>> simulated.enough
    400
    """
    n_answers = _check(n_objects, n_components, noise, n_answers, repeats)
    check_word("errs", errs, ERRS)
    check_number("error_within", error_within, positive=True)
    check_number("distance_below", distance_below, positive=True)
    seeds = np.random.SeedSequence(random_state).spawn(repeats)
    trials = [None] * repeats

    def try_out(number):
        trials[number] = _Trial(n_objects, n_components, noise, errs, n_answers, seeds[number])

    # Few answers can miss an object; its comparisons then count as errors.
    fit_many(try_out, repeats, n_jobs, "trials", progress)
    return Simulated(n_objects, n_components, noise, errs, trials, error_within, distance_below)


def _check(n_objects, n_components, noise, n_answers, repeats):
    """Check the parameters; return the numbers of answers to try."""
    check_count("n_objects", n_objects)
    if n_objects < 4:
        raise ValueError(f"n_objects={n_objects}; it must be 4 or more")
    check_count("n_components", n_components, n_objects, "the number of objects")
    check_count("repeats", repeats)
    check_number("noise", noise)
    if noise >= 0.5:
        raise ValueError(f"noise={noise}; it must be less than 0.5, pure guessing")
    if n_answers is None:
        return [n_objects * n_components * number for number in _A_COORDINATE]
    for number in n_answers:
        check_count("n_answers", number)
    if not len(n_answers):
        raise ValueError("n_answers is empty; give one number or more")
    return sorted({int(number) for number in n_answers})


class _Trial:
    """One true map, noisy answers about it, and the accuracy of maps fitted to them."""

    def __init__(self, n_objects, n_components, noise, errs, n_answers, seed):
        rng = np.random.default_rng(seed)
        self.truth = rng.normal(size=(n_objects, n_components))
        right = sample_from_points(
            self.truth, max(n_answers) + _TEST, replace=True, random_state=rng
        )
        given = _with_noise(right, self.truth, noise, errs, rng)
        self.answers, test = given[:-_TEST], given[-_TEST:]
        self.best = triplet_error(self.truth, test)
        rows = []
        for number in n_answers:
            model = OrdinalEmbedding(n_components, n_objects=n_objects, random_state=0)
            points = model.fit(self.answers[:number]).embedding_
            middle = np.where(np.isnan(points), np.nanmean(points, axis=0), points)
            distance = procrustes_distance(self.truth, middle)
            rows.append((number, triplet_error(points, test), distance))
        self.rows = pd.DataFrame(rows, columns=["answers", "error", "distance"])
        self.rows["best"] = self.best


def _with_noise(triplets, points, noise, errs, rng):
    """Return triplets with a share of about `noise` wrong answers."""
    if noise == 0:
        return triplets
    if errs == "at-random":
        return swap_answers(triplets, noise, random_state=rng)[0]
    exponent = _exponent(points, triplets, noise)
    return bradley_terry_luce(triplets, points, exponent=exponent, random_state=rng)[0]


def _exponent(points, triplets, noise):
    """Return the Bradley-Terry-Luce exponent that gives the share `noise` of wrong answers."""
    from scipy.optimize import brentq
    from scipy.special import expit

    i, j, k = points[triplets].transpose(1, 0, 2)
    ratio = np.log(np.linalg.norm(i - j, axis=1) / np.linalg.norm(i - k, axis=1))

    def excess(exponent):
        return expit(exponent * ratio).mean() - noise

    return brentq(excess, 0.0, _SHARPEST) if excess(_SHARPEST) < 0 else _SHARPEST


@dataclass(frozen=True, eq=False)
class Simulated:
    """The result of `simulate`: the accuracy of maps by the number of answers, for each trial."""

    n_objects: int
    n_components: int
    noise: float
    errs: str
    trials: list = field(repr=False)
    error_within: float
    distance_below: float

    def frame(self) -> pd.DataFrame:
        """Return a table with a row for each number of answers.

        ``error`` is the mean error on new answers, and ``distance`` the mean Procrustes distance to
        the true map, with their 0.1 and 0.9 quantiles over trials. ``best`` is the mean error of
        the true map. ``reached`` is the number of trials that meet both criteria. ``enough`` says
        whether 80 % of the trials do, with this and all larger numbers of ``answers``.
        """
        rows = pd.concat([trial.rows for trial in self.trials])
        near = rows["error"] <= rows["best"] + self.error_within
        rows["reached"] = near & (rows["distance"] <= self.distance_below)
        rows = rows.groupby("answers")
        means = rows.mean()
        low, high = (rows[["error", "distance"]].quantile(share) for share in _BAND)
        columns: dict[str, Any] = {}
        for name in ("error", "distance"):
            columns |= {name: means[name], f"{name}_low": low[name], f"{name}_high": high[name]}
        reached = rows["reached"].sum()
        fine = reached.to_numpy() >= self._needed
        columns |= {"best": means["best"], "reached": reached}
        columns["enough"] = np.logical_and.accumulate(fine[::-1])[::-1]
        return pd.DataFrame(columns).reset_index()

    @property
    def enough(self) -> int | None:
        """The smallest number of answers that is enough, or None if none is."""
        rows = self.frame()
        return int(rows["answers"][rows["enough"]].iloc[0]) if rows["enough"].any() else None

    @property
    def _needed(self):
        """The number of trials in which a number of answers must be enough."""
        return math.ceil(_MOST * len(self.trials))

    @property
    def typical(self) -> "_Trial":
        """The trial in the middle, by the distance with the number of answers that is enough."""
        number = self.enough or self.frame()["answers"].max()
        distances = [t.rows.set_index("answers").distance[number] for t in self.trials]
        return self.trials[np.argsort(distances, kind="stable")[(len(distances) - 1) // 2]]

    def facts(self) -> dict[str, Any]:
        return {
            "objects": self.n_objects,
            "dimension": self.n_components,
            "noise": self.noise,
            "errs": self.errs,
            "trials": len(self.trials),
            "error_within": self.error_within,
            "distance_below": self.distance_below,
            "enough": self.enough,
            "answers": self.frame().to_dict("records"),
        }

    def text(self) -> str:
        errors, distances = "error on new answers", "Procrustes distance"
        head = f"{'answers':>9}  {errors:<24}{distances:<24}trials that reach both"
        lines = [self.sentence(), "", head]
        for row in self.frame().itertuples():
            mark = "  <- enough" if row.answers == self.enough else ""
            error = f"{row.error:.3f} ({row.error_low:.3f} to {row.error_high:.3f})"
            distance = f"{row.distance:.3f} ({row.distance_low:.3f} to {row.distance_high:.3f})"
            reached = f"{row.reached} of {len(self.trials)}"
            lines.append(f"{row.answers:>9,}  {error:<24}{distance:<24}{reached}{mark}")
        trials = number_of(len(self.trials), "trial")
        lines += ["", f"Mean of {trials}; in parentheses the range of the middle 80%."]
        return "\n".join(lines)

    def sentence(self) -> str:
        """Return the conclusion in words."""
        best = self.frame()["best"].mean()
        rule = (
            f"the error on new answers is within {self.error_within:g} of the best possible "
            f"({best:.3f}), and the Procrustes distance to the true map is at most "
            f"{self.distance_below:g}"
        )
        n = len(self.trials)
        if self.enough is None:
            return (
                "None of these numbers of answers is enough. With enough answers, in at least "
                f"{self._needed} of {n} trials {rule}. Try more answers."
            )
        each, rows = self.enough / self.n_objects, self.frame().set_index("answers")
        return (
            f"{self.enough:,} random triplets ({each:.0f} per object) are enough: in "
            f"{rows.reached[self.enough]} of {n} trials {rule}."
        )

    def plot(self, axes: "Sequence[Axes] | None" = None) -> "Sequence[Axes]":
        """Draw error and distance against the number of answers, with 80 % bands, or all trials."""
        if axes is None:
            import matplotlib.pyplot as plt  # optional dependency

            axes = plt.subplots(1, 2, figsize=(8, 3.5), layout="constrained")[1]
        single = len(self.trials[0].rows) == 1
        labels = {"error": "error on new answers", "distance": "distance to the true map"}
        for ax, (column, label) in zip(axes, labels.items(), strict=True):
            (self._draw_trials if single else self._draw_means)(ax, column)
            ax.set(ylabel=label, ylim=(0, None))
        axes[0].legend(fontsize=8)
        return axes

    def _draw_means(self, ax, column):
        rows = self.frame()
        x = rows["answers"]
        ax.plot(x, rows[column], "o-", label="mean of the trials")
        band = rows[f"{column}_low"], rows[f"{column}_high"]
        ax.fill_between(x, *band, alpha=0.2, label="middle 80%")
        if column == "error":
            ax.plot(x, rows["best"], "k--", label="best possible")
        ax.set(xscale="log", xlabel="answers")
        if self.enough is not None:
            ax.axvline(self.enough, color="k", linestyle=":", label="enough")

    def _draw_trials(self, ax, column):
        """Draw each trial in order of its value, because a single number makes no curve."""
        rows = pd.concat([trial.rows for trial in self.trials]).sort_values(column)
        place, ends = range(1, len(rows) + 1), np.arange(len(rows) + 1) + 0.5
        ax.plot(place, rows[column], "o", label="a trial")
        limit = self.distance_below
        if column == "error":
            ax.stairs(rows["best"], ends, baseline=None, color="k", ls="--", label="best possible")
            limit = rows["best"] + self.error_within
        limit = np.broadcast_to(limit, len(rows))
        ax.stairs(limit, ends, baseline=None, color="k", ls=":", label="highest that is enough")
        ax.set_xlabel(f"trials with {rows['answers'].iloc[0]:,} answers, in order")
        ax.xaxis.get_major_locator().set_params(integer=True)

    def write(self, folder: StrPath, *, overwrite: bool = False) -> None:
        """Write tables, facts, a figure, and the answers and true map of the typical trial."""
        with filling(folder, overwrite=overwrite) as here:
            write_safe_csv(here / "simulate.csv", self.frame())
            write_facts(here / "simulate.json", self.facts())
            names, typical = self._names(), self.typical
            given = names[typical.answers[: self.enough]]
            given = pd.DataFrame(given, columns=["anchor", "near", "far"])
            write_safe_csv(here / "answers.csv", given)
            write_safe_csv(here / "truth.csv", coordinate_table(names, typical.truth))
            write_figure(self.plot()[0].figure, here / "simulate.png")

    def _names(self):
        width = len(str(self.n_objects))
        return np.array([f"object {number:0{width}}" for number in range(1, self.n_objects + 1)])
