"""Check melodies: ties, text that is not UTF-8, questions about variations."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, permutations, sampled_from, text, tuples

from closerthan.comparisons import from_responses
from closerthan.datasets.melody import find_usable, parse_judgments

MELODIES = [f"{number:03}.001.017-1.1.{number}" for number in range(4)]


def row(shown, worker=1, seconds=20, choice="a", comment="no"):
    values = {"WorkerId": worker, "WorkTimeInSeconds": seconds, "Answer.radio": choice}
    values |= zip(["Input.query", "Input.docA", "Input.docB"], shown, strict=True)
    return values | {"Answer.comment": comment}


def named(*ids):
    return [MELODIES[i] for i in ids]


ROWS = [
    row(named(0, 1, 2), worker=7, comment='I\xb4m "fine",\r\nthanks'),
    row(named(0, 3, 1), choice="b"),
    row(named(3, 3, 2), choice="s", seconds=3),
    row(named(3, 2, 3), choice=""),
    row(named(3, 1, 2), choice="s"),
    row(named(3, 1, 2), choice="", worker=2),
]


def parse(rows):
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, list(rows[0]), quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    content = stream.getvalue().encode("latin-1")
    return parse_judgments(content)


def test_answers_are_read():
    questions, choices, workers, seconds, names = parse(ROWS)
    assert questions.tolist() == [[0, 1, 2], [0, 3, 1], [3, 3, 2], [3, 2, 3], [3, 1, 2], [3, 1, 2]]
    assert choices.tolist() == ["a", "b", "s", "", "s", ""]
    assert workers.tolist() == [7, 1, 1, 1, 1, 2]
    assert seconds.tolist() == [20, 20, 3, 20, 20, 20]
    assert names.tolist() == MELODIES


@given(
    lists(
        tuples(
            permutations(range(4)),
            integers(1, 9),
            integers(0, 10**6),
            sampled_from(["a", "b", "s", ""]),
            text('\n\r",; \xb4\xe9abs'),
        )
    )
)
def test_whatever_people_comment_the_rest_is_read_back(answers):
    rows = [row(named(*ids[:3]), *rest) for ids, *rest in answers]
    questions, choices, workers, seconds, _ = parse([*ROWS, *rows])
    assert questions[6:].tolist() == [list(ids[:3]) for ids, *_ in answers]
    assert workers[6:].tolist() == [worker for _, worker, *_ in answers]
    assert seconds[6:].tolist() == [s for _, _, s, *_ in answers]
    assert choices[6:].tolist() == [choice for *_, choice, _ in answers]


def test_answers_that_say_nothing_are_counted():
    questions, choices, *_ = parse(ROWS)
    kept, dropped = find_usable(questions, choices)
    assert kept.tolist() == [True, True, False, False, True, False]
    assert dropped == [
        "1 of 6 answers to questions in which the first variation is the query",
        "1 of 6 answers to questions in which the second variation is the query",
        "1 of 6 answers to other questions that are empty",
    ]


@pytest.fixture(scope="module")
def raw(mirror):
    table = pd.read_csv(f"{mirror}/melody/judgments.csv", encoding="latin-1")
    table["choice"] = table["Answer.radio"].fillna("")
    table["is_query"] = (table["Input.docA"] == table["Input.query"]) | (
        table["Input.docB"] == table["Input.query"]
    )
    return table


def test_the_melodies(data, raw):
    answers = data.answers
    assert data.info["dropped"] == [
        "150 of 2810 answers to questions in which the first variation is the query",
        "370 of 2810 answers to questions in which the second variation is the query",
        "4 of 2810 answers to other questions that are empty",
        "1 of 118 melodies, which no answer that is kept names",
    ]
    assert answers.n_screens == 2810 - 150 - 370 - 4 == 2286
    kept = raw[~raw["is_query"] & (raw["choice"] != "")]
    ids = {name: number for number, name in enumerate(data.object_names)}
    questions = np.array([kept[f"Input.{name}"].map(ids) for name in ("query", "docA", "docB")]).T
    expected = from_responses(
        questions,
        kept["choice"].map({"a": 1, "b": -1, "s": 0}).to_numpy(),
        participant=kept["WorkerId"].to_numpy(),
        time=kept["WorkTimeInSeconds"].to_numpy(),
    )
    for name, array in expected.arrays().items():
        np.testing.assert_array_equal(answers.arrays()[name], array)
    np.testing.assert_array_equal(np.unique(answers.comparisons), np.arange(117))
