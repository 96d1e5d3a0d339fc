"""Write answers as programs do, and read them as they were written, or with a question."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from closerthan_lab.files import read_answers

NAMES = ["ape", "bee", "cat", "dog", "eel", "fox", "gnu", "hen"]
WORDS = [["L", "M", "R", "x"], ["stim1", "stim2", "stim3", "stim4"], ["f", "g", "j", "k"]]
SIDES = [["left", "right"], ["first", "second"], ["1", "-1"], ["f", "j"], ["1", "0"], ["0", "1"]]
NOTHING = ["", "NA", "None", "nan", "null"]
EXTRA = {
    "eval": ["0", "1"],
    "correct_side": ["left", "right"],
    "block": ["1", "2", "3"],
    "rt": ["0.3", "NA", "-1"],
    "filename": ["a.csv"],
    "file_name": ["b.csv"],
    "item": ["1", "2", "3"],
}
# The columns of each form, by names that are known and by others. The last holds the pick.
ASKED = {
    "triplets": (["anchor", "near", "far"], ["stim", "pick", "other"]),
    "quadruplets": (["near_1", "near_2", "far_1", "far_2"], ["A", "B", "C", "D"]),
    "odd-one-out": (["object_1", "object_2", "object_3", "odd"], ["s1", "s2", "s3", "choice"]),
    "most-central": (["item1", "item2", "item3", "central"], ["u", "v", "w", "picked"]),
    "responses": (["anchor", "left", "right", "response"], ["A", "B", "C", "answer_key"]),
    "chosen": (["ref", "left", "right", "choice"], ["x", "y", "z", "key"]),
    "choices": (["anchor", *(f"candidate_{n}" for n in (1, 2, 3)), "chosen"], None),
    "rankings": (["head", "rank_1", "rank_2", "rank_3"], ["h", "r1", "r2", "r3"]),
    "best-worst": (["anchor", "item_1", "item_2", "item_3", "best", "worst"], None),
    "ranks": (["anchor", *(f"{part}_{n}" for part in ("option", "rank") for n in (1, 2, 3))], None),
}
PLACED = {"odd-one-out", "most-central", "chosen", "choices", "best-worst"}


def meant(form, objects, pick):
    """Return the comparisons that an answer means, by names."""
    if form in ("triplets", "quadruplets"):
        return [objects]
    if form == "odd-one-out":
        a, b = (one for place, one in enumerate(objects) if place != pick)
        return [[a, b, objects[pick]], [b, a, objects[pick]]]
    if form == "most-central":
        a, b = (one for place, one in enumerate(objects) if place != pick)
        return [[a, objects[pick], b], [b, objects[pick], a]]
    anchor, *others = objects
    if form in ("rankings", "ranks", "best-worst"):
        ranked = [others[place] for place in pick]
        return [[anchor, a, b] for n, a in enumerate(ranked) for b in ranked[n + 1 :]]
    return [[anchor, others[pick], one] for n, one in enumerate(others) if n != pick]


def row_of(form, rng, pool, how):
    """Return the cells of a random answer, and what it means."""
    n = 4 if form in {"quadruplets", "choices", "rankings", "ranks", "best-worst"} else 3
    objects = rng.sample(pool, n)
    n_others = n if form in ("odd-one-out", "most-central") else n - 1
    if form in ("triplets", "quadruplets"):
        return objects, meant(form, objects, None)
    if form in ("rankings", "ranks"):
        order = rng.sample(range(3), 3)
        ranks = [str(order.index(place) + 1) for place in range(3)]
        ranked = [objects[1 + place] for place in order]
        cells = [objects[0], *ranked] if form == "rankings" else objects + ranks
        return cells, meant(form, objects, order)
    if form == "best-worst":
        order = rng.sample(range(3), 3)
        said = [said_of(objects[1:], order[place], how) for place in (0, 2)]
        return [*objects, *said], meant(form, objects, order)
    pick = rng.randrange(n_others)
    if form == "responses":
        return [*objects, SIDES[how % 6][pick]], meant(form, objects, pick)
    shown = objects if n_others == n else objects[1:]
    return [*objects, said_of(shown, pick, how)], meant(form, objects, pick)


def said_of(shown, pick, how):
    """Return how a file tells which of the shown objects was picked."""
    said = [shown[pick], str(pick), str(pick + 1), *(some[pick] for some in WORDS)]
    return said[how % len(said)]


@st.composite
def written(draw):
    """Return a file of random answers, what they mean, and what was drawn."""
    form, rng = draw(st.sampled_from(sorted(ASKED))), random.Random(draw(st.integers(0, 2**32)))
    low, n = draw(st.sampled_from([0, 1, 10])), draw(st.integers(4, 8))
    pool = NAMES[:n] if draw(st.booleans()) else [str(low + k) for k in range(n)]
    how, known = draw(st.sampled_from([0, 0, 0, *range(30)])), ASKED[form][0]
    titles = draw(st.sampled_from([known, known, ASKED[form][1], []]))
    rows, expected = [], []
    for _ in range(draw(st.integers(1, 6))):
        cells, comparisons = row_of(form, rng, pool, how)
        if form in {*PLACED, "responses"} and draw(st.integers(0, 5)) == 0:
            cells, comparisons = [*cells[:-1], draw(st.sampled_from(NOTHING))], []
        rows.append(cells)
        expected += comparisons
    titles = list(titles or [])
    for name in draw(st.lists(st.sampled_from(sorted(EXTRA)), max_size=2, unique=True)):
        titles += [name] if titles else []
        rows = [[*row, rng.choice(EXTRA[name])] for row in rows]
    text = "\n".join(map(",".join, [titles, *rows] if titles else rows)) + "\n"
    return form, text, expected


@settings(max_examples=150)
@given(written())
def test_no_file_is_read_as_another(tmp_path, case):
    form, text, expected = case
    path = tmp_path / "answers.csv"
    path.write_text(text)
    for skip in (False, True):
        try:
            table = read_answers(path, skip_bad_rows=skip)
        except ValueError:
            continue
        assert table.form == {"chosen": "responses", "ranks": "rankings"}.get(form, form)
        found = table.names[table.answers.comparisons].tolist()
        assert sorted(found) == sorted(expected), text
