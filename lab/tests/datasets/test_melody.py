"""Check melodies: ties, text that is not UTF-8, questions about variations."""

import csv
import io

import numpy as np

from closerthan_lab.datasets.melody import find_usable, parse_judgments

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


def test_answers_that_say_nothing_are_counted():
    questions, choices, *_ = parse(ROWS)
    kept, dropped = find_usable(questions, choices)
    assert kept.tolist() == [True, True, False, False, True, False]
    assert dropped == [
        "1 of 6 answers to questions in which the first variation is the query",
        "1 of 6 answers to questions in which the second variation is the query",
        "1 of 6 answers to other questions that are empty",
    ]


def test_the_melodies(data):
    answers = data.answers
    assert data.info["dropped"] == [
        "150 of 2810 answers to questions in which the first variation is the query",
        "370 of 2810 answers to questions in which the second variation is the query",
        "4 of 2810 answers to other questions that are empty",
        "1 of 118 melodies, which no answer that is kept names",
    ]
    np.testing.assert_array_equal(np.unique(answers.comparisons), np.arange(117))
    # The first answer that is kept is "b", the second "a"; 1,198 say neither.
    query, first, second = "702.001.406-1.1.1", "850.002.851-1.1.1", "850.020.654-1.1.1"
    named = data.object_names[answers.comparisons[:2]].tolist()
    assert named == [[query, second, first], [query, first, second]]
    assert (answers.participant[0], answers.time[0]) == (8, 32)
    assert len(answers) - answers.n_screens == 1198
