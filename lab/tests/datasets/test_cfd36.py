"""Check the faces: matching ids and names, attention checks, times in milliseconds."""

from closerthan_lab.datasets.cfd36 import parse_answers

HEADER = "head,winner,loser,worker_id,rt,Center,Left,Right,Answer,sampleAlg,sampleSet"
NAMES = ["a", "b", "c", "d"]


def line(head, winner, loser, worker=70, ms=1500, right_won=False, sample="random,train"):
    shown = (loser, winner) if right_won else (winner, loser)
    names = ",".join(NAMES[i] for i in (head, *shown, winner))
    return f"{head},{winner},{loser},{worker},{ms},{names},{sample}"


ROWS = [
    line(0, 1, 2),
    line(1, 3, 2, worker=71, ms=2, right_won=True, sample="validation,train"),
    line(2, 2, 0, sample="check,NA"),
    line(3, 1, 3, right_won=True, sample="check,NA"),
    line(3, 1, 2, sample="random,test"),
]


def test_answers_are_read():
    content = "\n".join([HEADER, *ROWS]).encode()
    answers, checks, names = parse_answers(content)
    assert checks.tolist() == [False, False, True, True, False]
    assert answers.comparisons.tolist() == [[0, 1, 2], [1, 3, 2], [3, 1, 2]]
    assert answers.participant.tolist() == [70, 71, 70]
    assert answers.time.tolist() == [1.5, 0.002, 1.5]
    assert names.tolist() == NAMES


def test_the_faces(data):
    answers = data.answers
    assert answers.comparisons[0].tolist() == [15, 6, 0]
    assert (answers.participant[0], answers.time[0]) == (78972, 8.728)
    faces = ["CFD-BM-038-007-HO", "CFD-BF-050-004-HO", "CFD-BF-002-004-HO"]
    assert data.object_names[[15, 6, 0]].tolist() == faces and len(data.object_names) == 36
    assert data.info["dropped"] == [
        "2234 of 39468 answers to checks of attention, "
        "where one of the two faces is the third itself"
    ]
