"""`closerthan check`: describe a file of answers and its problems."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from shlex import quote
from typing import Any

import numpy as np
import pandas as pd

from closerthan._core.shown import shown, shown_list
from closerthan._core.typing import StrPath
from closerthan._core.validation import check_count
from closerthan.ordinal.embedding import OrdinalEmbedding
from closerthan.ordinal.groups import connected_objects
from closerthan_lab.checks import look_alikes
from closerthan_lab.commands.held_out import FOLDS, predict_held_out, split_half_reliability
from closerthan_lab.commands.reading import describe_reading
from closerthan_lab.commands.writing import number_of, plain_number, records
from closerthan_lab.files.answers import AnswerTable, read_answers
from closerthan_lab.page.templates import page_templates
from closerthan_lab.people.posterior import share_interval
from closerthan_lab.quality.agreement import Agreement, agreement
from closerthan_lab.quality.ceiling import NoiseCeiling, most_given, noise_ceiling
from closerthan_lab.quality.coverage import answers_by_object, describe_groups, least_bits
from closerthan_lab.quality.inconsistency import Inconsistency, inconsistency
from closerthan_lab.quality.participants import (
    compare_participants,
    find_guessers,
    find_hurried,
    find_sides,
)
from closerthan_lab.quality.repeated import Repeated, repeated

_HERE = Path(__file__).parent
_PICKS = ["n_first", "n_picks"]
_LISTED = 20  # examples of repeated or contradictory answers in the facts
_SHOWN = 5  # items of any list in the text
_MOST = 1_000_000  # comparisons in a file; beyond this, agreement is estimated from a sample


def check(
    answers: StrPath | AnswerTable,
    *,
    n_components: int = 2,
    fit_maps: bool = True,
    n_jobs: int | None = None,
    progress: bool = False,
) -> "Check":
    """Describe a file of answers: its size, its reliability and its problems.

    Parameters
    ----------
    answers : str, path-like or closerthan_lab.files.AnswerTable
        The answers, or a file of answers.
    n_components : int, default 2
        The dimension of the planned map. The position of one object among n takes at least about
        ``n_components * log2(n)`` bits. An answer between two alternatives brings at most one bit
        (Jamieson and Nowak, Low-dimensional embedding using adaptively selected ordinal data,
        Allerton 2011). Objects with fewer bits are named.
    fit_maps : bool, default True
        Whether to fit maps in this dimension, for the reliability of each participant and to find
        those who guess.
    n_jobs, progress
        As for all commands; see `closerthan_lab.commands`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "answers.csv")
    >>> _ = path.write_text(
    ...     "user,anchor,near,far\\nann,ape,bee,cat\\nann,ape,cat,bee\\nbo,bee,cat,ape\\n"
    ... )
    >>> print(check(path).text())
    Line 2: ape is more like bee than like cat (anchor=anchor, near=near, far=far; ...
    answers.csv: 3 answers (triplets) by 2 participants to 2 different questions about 3 objects.
    ...
    Repeated questions: 1. The same participant gave the same answer again: never.
    Contradictory answers: to 1 question. Participants contradicted their own answers in 1
    participant-question pair (lines 2, 3 by 'ann').
    ...
    """
    check_count("n_components", n_components)
    table = answers if isinstance(answers, AnswerTable) else read_answers(answers)
    answers = table.answers
    known = answers.participant is not None
    n_answers, bits = answers_by_object(answers, len(table.names))
    objects = pd.DataFrame({"name": table.names, "answers": n_answers, "bits": bits})
    objects["group"] = connected_objects(answers.comparisons, len(table.names))
    people = ["any", "same", "different"] if known else ["any"]
    some = _some_questions(answers)
    several = (answers.n_people or 0) > 1
    enough = some.question.max() + 1 >= FOLDS and n_components < len(table.names)
    fitted = several and fit_maps and enough
    return Check(
        table=table,
        least_bits=least_bits(len(table.names), n_components),
        objects=objects,
        repeats={which: repeated(answers, people=which) for which in people[:2]},
        agreement={which: agreement(some, people=which) for which in people},
        ceiling=noise_ceiling(some),
        participants=compare_participants(some) if several else None,
        sides=None if table.place is None else find_sides(table.place, answers.participant),
        hurried=find_hurried(answers) if several and answers.time is not None else None,
        guessers=_find_guessers(some, n_components, n_jobs, progress) if fitted else None,
        reliability=(
            split_half_reliability(some, n_components, progress=progress) if fitted else None
        ),
    )


def _find_guessers(answers, n_components, n_jobs, progress):
    model = OrdinalEmbedding(n_components, random_state=0)
    held_out = predict_held_out(model, answers, n_jobs=n_jobs, progress=progress)
    return find_guessers(answers, held_out.holds, held_out.placed)


def _some_questions(answers):
    """Return all answers to a random sample of questions, small enough to process in a minute."""
    if len(answers) <= _MOST:
        return answers
    question = answers.question
    n_questions = int(question.max()) + 1
    chosen = np.random.default_rng(0).random(n_questions) < _MOST / len(answers)
    return answers.take(chosen[question]) if chosen.any() else answers


@dataclass(frozen=True, eq=False)
class Check:
    """The result of `check`.

    If there are more than a million comparisons, all from `agreement` on except `sides` and
    `hurried` use the answers to a random sample of questions.

    `least_bits` is the least number of bits that an object needs. `objects` has a row for each
    object: ``name``, the number of its ``answers``, their ``bits``, and the ``group`` of objects
    that comparisons connect it to. `repeats` and `agreement` have repeated questions and
    `Agreement` between "any" two answers and, if participants are known, answers of the "same"
    participant and (agreement) of "different" ones. `participants`, `sides`, `hurried`, `guessers`
    and `reliability` are the results of `compare_participants`, `find_sides`, `find_hurried` and
    `find_guessers` of `closerthan_lab.quality.participants`, and `split_half_reliability`, or None
    if unknown.
    """

    table: AnswerTable
    least_bits: float
    objects: pd.DataFrame = field(repr=False)
    repeats: dict[str, Repeated] = field(repr=False)
    agreement: dict[str, Agreement] = field(repr=False)
    ceiling: NoiseCeiling = field(repr=False)
    participants: pd.DataFrame | None = field(repr=False)
    sides: pd.DataFrame | None = field(repr=False)
    hurried: pd.DataFrame | None = field(repr=False)
    guessers: pd.DataFrame | None = field(repr=False)
    reliability: pd.DataFrame | None = field(repr=False)

    @cached_property
    def inconsistency(self) -> Inconsistency | None:
        """None if there are more than a million comparisons. Its first use compiles for long."""
        answers = self.table.answers
        return inconsistency(answers) if len(answers) <= _MOST else None

    @property
    def rare(self) -> pd.DataFrame:
        """Objects with too few bits, sorted from the fewest."""
        rare = self.objects[self.objects["bits"] < self.least_bits]
        return rare.sort_values("bits", kind="stable")

    @property
    def groups(self) -> list[list[str]]:
        """Names of the objects in each connected group, the largest group first."""
        return [list(names) for _, names in self.objects.groupby("group")["name"]]

    def facts(self) -> dict[str, Any]:
        table, answers = self.table, self.table.answers
        asked = np.bincount(self.repeats["any"].group)
        return {
            "file": None if table.path is None else str(table.path),
            "source": table.source,
            "form": table.form,
            "unit": table.unit,
            "answers": answers.n_screens,
            "comparisons": len(answers),
            "width": answers.comparisons.shape[1],
            "objects": len(table.names),
            "participants": answers.n_people,
            "questions": len(asked),
            "repeated_questions": int((asked > 1).sum()),
            "left_out": dict(table.left_out),
            "failed_checks": _failed_checks(table.checks),
            "skipped": [{"line": line, "reason": reason} for line, reason in table.skipped],
            "reading": describe_reading(table),
            "ignored_columns": list(table.ignored),
            "unused_files": list(table.unused_files),
            "has_header": table.has_header,
            "look_alike_names": look_alikes(table.names),
            "given_again": self._given_again(),
            "contradictions": {who: self._contradictions(who) for who in self.repeats},
            "inconsistency": self.inconsistency and self.inconsistency._asdict(),
            "least_bits": self.least_bits,
            "rare_objects": self.rare[["name", "answers", "bits"]].to_dict("records"),
            "groups": [len(names) for names in self.groups],
            "unconnected_objects": [name for names in self.groups[1:] for name in names],
            "agreement": {
                who: {name: plain_number(value) for name, value in found._asdict().items()}
                for who, found in self.agreement.items()
            },
            "noise_ceiling": plain_number(self.ceiling.value),
            "noise_ceiling_interval": [plain_number(end) for end in self.ceiling[1:3]],
            "unlike_others": _suspects(self.participants, "unlike"),
            "one_sided": _suspects(self.sides, "one_sided"),
            "of_two": self._of_two(),
            "guessers": _suspects(self.guessers, "guesses"),
            "hurried": _suspects(self.hurried, "hurried"),
            "reliability": records(self.reliability),
            "look_alike_participants": (
                [] if answers.participant is None else look_alikes(np.unique(answers.participant))
            ),
        }

    def text(self) -> str:
        name, unlinked = (
            self.table.path and Path(self.table.path).name,
            describe_groups(self.groups),
        )
        more = {"name": name, "ceiling": self.ceiling, "unlinked": unlinked}
        return "\n".join(render_lines("check.txt.j2", self.table, **self.facts(), **more))

    def of_ceiling(self) -> list[str]:
        """Return what the interval of the noise ceiling leaves out."""
        return render_lines("ceiling.txt.j2", self.table, ceiling=self.ceiling)

    def _of_two(self):
        """Return how often the left of two alternatives was picked (the first, if unknown)."""
        asked = None if self.sides is None else self.sides.query("n_picks > 0")
        if self.table.form != "responses" or asked is None or asked.empty:
            return None
        first, picks = (np.append(asked[name], asked[name].sum()) for name in _PICKS)
        who = [*asked["participant"], None]
        low, high = share_interval(first, picks)
        rows = {"participant": who, "picks": picks, "share": first / picks, "low": low}
        *people, everybody = records(pd.DataFrame({**rows, "high": high}, dtype=object))
        side = "left" if self.table.has_sides else "first"
        known = self.table.answers.participant is not None
        return everybody | {"side": side, "participants": people if known else []}

    def _given_again(self):
        """Count the answers that a participant (anybody, if unknown) had given before."""
        found = self.repeats.get("same", self.repeats["any"])
        several = np.flatnonzero(np.bincount(found.answer)[found.answer] > 1)
        return {
            "asked": int((np.bincount(found.group) > 1).sum()),
            "answers": int(found.again.sum()),
            "examples": self._examples(found.answer, several, "same" in self.repeats),
        }

    def _contradictions(self, who):
        found = self.repeats[who]
        screens = np.flatnonzero(found.contradictory)
        return {
            "questions": len(np.unique(found.group[screens])),
            "answers": len(screens),
            "examples": self._examples(found.group, screens, who == "same"),
        }

    def _examples(self, group, screens, of_one):
        """Return the objects, lines and participant of the first few groups of screens."""
        answers, examples = self.table.answers, []
        numbers, first = np.unique(group[screens], return_index=True)
        for number in numbers[np.argsort(first)][:_LISTED]:
            some = screens[group[screens] == number]
            rows = answers.comparisons[answers.screen == some[0]]
            example = {
                "objects": self.table.names[np.unique(rows)].tolist(),
                "lines": list(dict.fromkeys(self.table.lines_of(some)))[:_LISTED],
            }
            if of_one:
                example["participant"] = answers.participant[some[0]].item()
            examples.append(example)
        return examples


def describe_table(table: AnswerTable) -> list[str]:
    """Return what a table was taken for, and what was left out."""
    return render_lines("table.txt.j2", table)


def render_lines(template, table, **facts):
    """Return the lines of a text. In its template, an empty line ends a line."""
    given = {"table": table, "failed": _failed_checks(table.checks), **facts}
    given["reading"] = describe_reading(table)
    text = page_templates(_HERE).get_template(template).render(**given, **_WORDS)
    lines = (re.sub(r"\s*\n", " ", line).strip() for line in text.split("\n\n"))
    return [line for line in lines if line]


def _failed_checks(checks):
    """Return who failed checks, the most first; None if no check tells whether it was passed."""
    if checks is None or checks["passed"].isna().all():
        return None
    known = checks[checks["passed"].notna()]
    failed = ~known["passed"].astype(bool)
    found = failed.groupby(known["participant"].fillna(""), sort=False).agg(["size", "sum"])
    found = found[found["sum"] > 0].sort_values("sum", ascending=False, kind="stable")
    return [
        {"participant": name or None, "failed": int(n_failed), "checks": int(n)}
        for name, n, n_failed in found.itertuples()
    ]


_WORDS = {  # for the templates
    "most_comparisons": _MOST,
    "shown_most": _SHOWN,
    "most_given": most_given,
    "number": "{:,}".format,
    "numbers": lambda numbers: ", ".join(f"{number:,}" for number in numbers),
    "percent": "{:.1%}".format,
    "whole": "{:.0%}".format,
    "number_of": number_of,
    "quote": quote,
    "shown": shown,
    "shown_list": shown_list,
}


def _suspects(people, which):
    """Return the rows of a table of people that a column marks, or None if there is no table."""
    return records(None if people is None else people[people[which]])
