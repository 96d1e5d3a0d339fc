"""Check the loader of MusicSeer on a generated file of the same form."""

from closerthan.datasets.musicseer import _parse

NAMES = b"abba 20\nu2 10\nthe_who 30\n"
RESULTS = b"""\
5 S u7 10 20 30
9 G u8 30 20 10
5 S u7 10 20
5 S u7 10 30 30
4 S u9 20 10 30
4 S u9 20 99 30
5 S u7 20 30 10
"""
LINES, TWICE = "1 of 7 lines of another form", "triplets that name an artist twice or none"


def test_a_judgment_is_a_screen_and_other_lines_are_counted():
    names, answers, said = _parse(RESULTS, NAMES)
    assert names.tolist() == ["u2", "abba", "the_who"]
    assert answers.comparisons.tolist() == [[1, 0, 2], [0, 1, 2], [1, 2, 0]]
    assert (answers.screen.tolist(), answers.participant.tolist()) == ([0, 1, 1], ["u9", "u7"])
    assert said == [LINES, f"2 of 5 {TWICE}"]
