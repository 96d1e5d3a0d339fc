"""`closerthan check`: what a file of answers holds, and what may be wrong with it."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from closerthan._core.typing import StrPath
from closerthan._core.validation import check_count
from closerthan.files.answers import AnswerTable, read_answers
from closerthan.files.columns import FORMS
from closerthan.files.faults import shown, shown_list
from closerthan.scores.agreement import Agreement, agreement
from closerthan.scores.ceiling import NoiseCeiling, noise_ceiling
from closerthan.scores.coverage import answers_by_object, connected_objects
from closerthan.scores.inconsistency import Inconsistency, inconsistency
from closerthan.scores.participants import compare_participants, find_sides
from closerthan.scores.repeated import Repeated, repeated

_LISTED = 20  # groups of lines, at most, in the facts
_SHOWN = 5  # of anything in the text
_MOST = 1_000_000  # comparisons of which agreement is asked, and whether they go round in circles


def check(answers: StrPath | AnswerTable, *, n_components: int = 2) -> "Check":
    """Say what a file of answers holds, and what may be wrong with it.

    Parameters
    ----------
    answers : str, path-like or closerthan.files.AnswerTable
    n_components : int, default 2
        The dimension that is thought of. In it the place of an object among n takes at least about
        ``n_components * log2(n)`` bits, and an answer between two alternatives brings one at most
        (Jamieson and Nowak, Low-dimensional embedding using adaptively selected ordinal data,
        Allerton 2011); objects that have fewer are named.

    Returns
    -------
    Check

    Raises
    ------
    ValueError
        As `closerthan.files.read_answers`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "answers.csv")
    >>> _ = path.write_text(
    ...     "user,anchor,near,far\\nann,ape,bee,cat\\nann,ape,cat,bee\\nbo,bee,cat,ape\\n"
    ... )
    >>> print(check(path).text())
    answers.csv: triplets, 3 answers of 2 participants to 2 questions about 3 objects.
    Asked again: 1 question. The same answer was given again by the same participant: never.
    Contradictory: 1 question, within a participant 1 (lines 2, 3 of 'ann').
    Cycles: 66.7% of the answers go round in circles, and 33.3% are broken by the best order of
    the distances: no embedding of any dimension has a lower error.
    ...
    """
    check_count("n_components", n_components)
    table = answers if isinstance(answers, AnswerTable) else read_answers(answers)
    answers = table.answers
    known = answers.participant is not None
    n_answers, bits = answers_by_object(answers, len(table.names))
    objects = pd.DataFrame({"name": table.names, "answers": n_answers, "bits": bits})
    objects["group"] = connected_objects(answers, len(table.names))
    people = ["any", "same", "different"] if known else ["any"]
    some = _some_questions(answers)
    return Check(
        table=table,
        least_bits=n_components * float(np.log2(len(table.names))),
        objects=objects,
        repeats={which: repeated(answers, people=which) for which in people[:2]},
        inconsistency=inconsistency(answers) if some is answers else None,
        agreement={which: agreement(some, people=which) for which in people},
        ceiling=noise_ceiling(some),
        participants=compare_participants(some) if (answers.n_people or 0) > 1 else None,
        sides=None if table.place is None else find_sides(table.place, answers.participant),
    )


def _some_questions(answers):
    """Return all answers to as many random questions as can be looked at in a minute."""
    if len(answers) <= _MOST:
        return answers
    question = answers.question
    n_questions = int(question.max()) + 1
    chosen = np.random.default_rng(0).random(n_questions) < _MOST / len(answers)
    return answers.take(chosen[question]) if chosen.any() else answers


@dataclass(frozen=True, eq=False)
class Check:
    """What a file of answers holds.

    Attributes
    ----------
    table : closerthan.files.AnswerTable
    least_bits : float
        What an object needs, at least.
    objects : DataFrame
        A row an object: ``name``, ``answers`` that it is part of, their ``bits``, and the ``group``
        of objects that comparisons connect it with.
    repeats : dict of str to closerthan.scores.repeated.Repeated
        Of the answers of "any" two people, and where participants are known of the "same".
    inconsistency : closerthan.scores.inconsistency.Inconsistency or None
        None of more than a million comparisons, in which cycles are not looked for. Of these
        what follows is that of random questions, with all their answers.
    agreement : dict of str to closerthan.scores.agreement.Agreement
        Of "any" people, and where participants are known of the "same" and of "different" ones.
    ceiling : closerthan.scores.ceiling.NoiseCeiling
    participants : DataFrame or None
        See `closerthan.scores.participants.compare_participants`.
    sides : DataFrame or None
        See `closerthan.scores.participants.find_sides`.
    """

    table: AnswerTable
    least_bits: float
    objects: pd.DataFrame = field(repr=False)
    repeats: dict[str, Repeated] = field(repr=False)
    inconsistency: Inconsistency | None = field(repr=False)
    agreement: dict[str, Agreement] = field(repr=False)
    ceiling: NoiseCeiling = field(repr=False)
    participants: pd.DataFrame | None = field(repr=False)
    sides: pd.DataFrame | None = field(repr=False)

    @property
    def rare(self) -> pd.DataFrame:
        """The objects of which too little is known, the least first."""
        rare = self.objects[self.objects["bits"] < self.least_bits]
        return rare.sort_values("bits", kind="stable")

    @property
    def unlike(self) -> pd.DataFrame | None:
        """The participants who answer unlike the others."""
        return None if self.participants is None else self.participants.query("unlike")

    @property
    def one_sided(self) -> pd.DataFrame | None:
        """The participants who nearly always pick what stands in the same place."""
        return None if self.sides is None else self.sides.query("one_sided")

    @property
    def groups(self) -> list[list[str]]:
        """The names of the objects that comparisons connect, the largest group first."""
        return [list(names) for _, names in self.objects.groupby("group")["name"]]

    def facts(self) -> dict[str, Any]:
        table, answers = self.table, self.table.answers
        asked = np.bincount(self.repeats["any"].group)
        return {
            "file": None if table.path is None else str(table.path),
            "form": table.form,
            "unit": table.unit,
            "answers": answers.n_screens,
            "comparisons": len(answers),
            "objects": len(table.names),
            "participants": answers.n_people,
            "questions": len(asked),
            "repeated_questions": int((asked > 1).sum()),
            "skipped": [{"line": line, "reason": reason} for line, reason in table.skipped],
            "ignored_columns": list(table.ignored),
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
                who: {name: _number(value) for name, value in found._asdict().items()}
                for who, found in self.agreement.items()
            },
            "noise_ceiling": _number(self.ceiling.value),
            "noise_ceiling_interval": [_number(self.ceiling.low), _number(self.ceiling.high)],
            "unlike_others": _records(self.unlike),
            "one_sided": _records(self.one_sided),
        }

    def text(self) -> str:
        return "\n".join(self.sentences())

    def sentences(self) -> Iterator[str]:
        """Yield what is known, a line each."""
        facts = self.facts()
        yield from _of_file(facts)
        yield from _of_repeats(facts)
        yield from _of_cycles(facts)
        yield from _of_objects(facts)
        yield from _of_agreement(facts)
        yield from _of_participants(facts)

    def _given_again(self):
        """Answers that the same participant gave before; where none is known, anybody."""
        found = self.repeats.get("same", self.repeats["any"])
        several = np.flatnonzero(np.bincount(found.answer)[found.answer] > 1)
        return {
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
        """Return the objects, the lines and the participant of the first few groups of screens."""
        answers, examples = self.table.answers, []
        numbers, first = np.unique(group[screens], return_index=True)
        for number in numbers[np.argsort(first)][:_LISTED]:
            some = screens[group[screens] == number]
            rows = answers.comparisons[answers.screen == some[0]]
            example = {
                "objects": self.table.names[np.unique(rows)].tolist(),
                "lines": np.unique(self.table.lines[some])[:_LISTED].tolist(),
            }
            if of_one:
                example["participant"] = answers.participant[some[0]].item()
            examples.append(example)
        return examples


def look_alikes(names):
    """Return the groups of names that differ in case, blanks or the writing of accents alone.

    Examples
    --------
    >>> look_alikes(["Paris", "Rome", "paris ", "rome", "Oslo"])
    [['Paris', 'paris '], ['Rome', 'rome']]
    """
    alike = defaultdict(list)
    for name in names:
        plain = unicodedata.normalize("NFKC", str(name)).casefold()
        alike["".join(plain.split())].append(str(name))
    return [some for some in alike.values() if len(some) > 1]


# What the facts mean, a line each


def _of_file(facts):
    people = facts["participants"]
    yield (
        f"{_source(facts)}{facts['form']}, {_count(facts['answers'], 'answer')}"
        + (f" of {_count(people, 'participant')}" if people else "")
        + f" to {_count(facts['questions'], 'question')} about {_count(facts['objects'], 'object')}"
        + (
            "."
            if facts["comparisons"] == facts["answers"]
            else f", from which follow {_count(facts['comparisons'], 'comparison')}."
        )
    )
    if facts["skipped"]:
        first = facts["skipped"][0]
        yield (
            f"Left out: {_count(len(facts['skipped']), 'row')} with faults, the first in "
            f"{facts['unit']} {first['line']}: {first['reason']}."
        )
    if not facts["has_header"]:
        needed = ", ".join(FORMS[facts["form"]][0])
        yield f"No column has a known name: they were taken for {needed}, in this order."
    if facts["ignored_columns"]:
        yield f"Columns that are not used: {shown_list(facts['ignored_columns'])}."
    for alike in facts["look_alike_names"][:_SHOWN]:
        yield f"Names that look alike, but are taken for different objects: {shown_list(alike)}."


def _of_repeats(facts):
    again, within = facts["given_again"], facts["contradictions"].get("same")
    everybody = facts["contradictions"]["any"]
    if not facts["repeated_questions"]:
        unknown = facts["agreement"]["any"]["value"] is None
        yield "No question was asked twice" + (
            ", so that it is not known how reliable the answers are; ask some again."
            if unknown
            else " as a whole, but comparisons were."
        )
        return
    unit, by_whom = facts["unit"], " by the same participant" if within else ""
    yield (
        f"Asked again: {_count(facts['repeated_questions'], 'question')}. The same answer was "
        f"given again{by_whom}: {_times(again['answers'])}{_lines(again['examples'], unit)}."
    )
    both = within and everybody["questions"]
    shown_of = within if within and within["questions"] else everybody
    yield (
        f"Contradictory: {_count(everybody['questions'], 'question', 'none')}"
        + (f", within a participant {within['questions'] or 'none'}" if both else "")
        + f"{_lines(shown_of['examples'], unit)}."
    )


def _of_cycles(facts):
    if facts["inconsistency"] is None:
        yield (
            f"Of more than {_MOST:,} comparisons, what follows is told by as many, those of random "
            "questions; whether answers go round in circles is not looked for."
        )
        return
    least, most, in_cycles = facts["inconsistency"].values()
    if not in_cycles:
        yield "No answers contradict each other, not in a circle either."
        return
    share = f"{least:.1%}" if most - least < 5e-4 else f"{least:.1%} to {most:.1%}"
    yield (
        f"Cycles: {in_cycles:.1%} of the answers go round in circles, and {share} are broken by "
        "the best order of the distances: no embedding of any dimension has a lower error."
    )


def _of_objects(facts):
    rare, least = facts["rare_objects"], f"{facts['least_bits']:.1f} bits"
    if rare:
        some = ", ".join(f"{shown(o['name'])} ({o['answers']})" for o in rare[:_SHOWN])
        more = f" and {len(rare) - _SHOWN:,} more" if len(rare) > _SHOWN else ""
        yield (
            f"Rarely asked about: {len(rare):,} of {_count(facts['objects'], 'object')}, with the "
            f"number of answers {some}{more}. To place an object takes answers worth at least "
            f"{least}; one between two alternatives is worth one."
        )
    else:
        yield f"No object is asked about rarely: each is part of answers worth at least {least}."
    if len(facts["groups"]) > 1:
        yield (
            f"Never compared with each other: {len(facts['groups']):,} groups of objects, of "
            f"{', '.join(f'{size:,}' for size in facts['groups'][:_SHOWN])}"
            f"{' and fewer' if len(facts['groups']) > _SHOWN else ''}. How they lie to each other "
            f"is not known; outside the largest are "
            f"{shown_list(facts['unconnected_objects'], _SHOWN)}."
        )


def _of_agreement(facts):
    meanings = {
        "any": "Agreement: two answers to a question are the same in {}; by chance it is 50%.",
        "same": "Of one participant they are the same in {}: so steady a person is.",
        "different": "Of two participants they are the same in {}.",
    }
    known = {who: found for who, found in facts["agreement"].items() if found["value"] is not None}
    for who, found in known.items():
        share = _share(found["value"], found["low"], found["high"])
        yield meanings[who].format(f"{share} of {_count(found['n_pairs'], 'pair')}")
    if {"same", "different"} <= known.keys():
        less = max(known["same"]["value"] - known["different"]["value"], 0)
        yield (
            f"The difference of the two, {less:.0%}, is how much people differ, beyond chance, in "
            "what is similar to them."
        )
    if facts["noise_ceiling"] is not None:
        share = _share(facts["noise_ceiling"], *facts["noise_ceiling_interval"])
        yield (
            f"Noise ceiling: no embedding predicts more than about {share} of the answers, however "
            "good it is; one that comes near has learned what there is."
        )


def _of_participants(facts):
    unlike, one_sided = facts["unlike_others"] or [], facts["one_sided"] or []
    for person in unlike[:_SHOWN]:
        yield (
            f"Participant {shown(person['participant'])} answers unlike the others: they agree in "
            f"{person['agreement']:.0%} of {_count(person['n_shared'], 'comparison')}, where "
            f"{person['expected']:.0%} would be expected of one of them."
        )
    if len(unlike) > _SHOWN:
        yield f"So do {_count(len(unlike) - _SHOWN, 'more participant')}."
    for side in one_sided[:_SHOWN]:
        who = f"Participant {shown(side['participant'])}" if facts["participants"] else "Somebody"
        yield (
            f"{who} picked what stands in place {side['place'] + 1} in {side['share']:.0%} of "
            f"{_count(side['n_picks'], 'answer')}, where {side['expected']:.0%} would be expected; "
            "was the question answered, or a key held down?"
        )
    if len(one_sided) > _SHOWN:
        yield f"So did {_count(len(one_sided) - _SHOWN, 'more participant')}."


def _source(facts):
    return f"{Path(facts['file']).name}: " if facts["file"] else ""


def _count(n, what, none=None):
    if none and not n:
        return none
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _times(n):
    return "never" if n == 0 else "once" if n == 1 else f"{n:,} times"


def _lines(examples, unit):
    """Return the lines of a few examples, in parentheses."""
    if not examples:
        return ""
    some = [
        f"{unit}s "
        + ", ".join(map(str, example["lines"][:_SHOWN]))
        + (f" of {shown(example['participant'])}" if "participant" in example else "")
        for example in examples[:3]
    ]
    return f" ({'; '.join(some)}{'; ...' if len(examples) > 3 else ''})"


def _share(value, low, high):
    return f"{value:.0%}" + ("" if low is None else f" ({low:.0%} to {high:.0%})")


def _records(frame):
    """Return the rows of a table as plain values; None of no table."""
    if frame is None:
        return None
    return [{name: _number(v) for name, v in row.items()} for row in frame.to_dict("records")]


def _number(value):
    """Return a value as JSON has it: NaN is None."""
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and not np.isfinite(value) else value
