"""Damaged files: whatever is in them, they are read or refused in one short line that names them.

Each file is a small generated one, in the form of its data set; what is done to it is drawn.
"""

import io
import json
import zipfile
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis.strategies import (
    binary,
    booleans,
    dictionaries,
    floats,
    integers,
    lists,
    none,
    recursive,
    sampled_from,
    text,
    tuples,
)

from closerthan.datasets import (
    animals37,
    cars60,
    cfd36,
    food100,
    melody,
    perceptual_kernels,
    things_ooo,
    vispa,
)
from closerthan.datasets.archive import read_member

WORDS = list("abcdefgh")


def lines(*rows):
    return "".join(f"{row}\n" for row in rows).encode()


def archive(content):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("f.csv", content)
    return stream.getvalue()


def image(name):
    return f"images/{name}.jpg"


SCREEN = {
    "probe": image("p"), "images": [image("a"), image("b")], "near_answer": [image("b")],
    "is_catchtrial": False, "correct_answer": None, "timer": 900,
}  # fmt: skip
CATCH = SCREEN | {"is_catchtrial": True, "correct_answer": [1]}
TASK = {"created_at": "", "worker_id": 3, "quality": 9.5, "HIT_screens": [SCREEN] * 8 + [CATCH] * 2}
TOLD = "a - b; c - d; e - f; g - h"
SESSION = {
    "text": f"Judge.\nWhich look the most similar? {TOLD}. You choose <<a - b>> as most similar. "
    f"Which look the least similar? {TOLD}. You choose <<g - h>> as least similar.\n",
    "experiment": "looks",
    "participant": 4,
}
RANKINGS = {f"i:{'.'.join(WORDS)}": [WORDS, WORDS[::-1]]}
MELODY = (
    ["x"] * 4 + ["7"] + ["x"] * 4 + ["20", *(f"001.002.003-1.1.{n}" for n in range(3)), *"xxxa"]
)
NAMES = [*WORDS, "i"]


def parse_run(content):
    return food100.build(food100.parse_run(content, "f.csv", n_images=2, n_chosen=1))


def parse_prompts(content):
    return vispa.build(*vispa.parse_prompts(content, n_people=1, n_trials=1))


JSON = {
    "food100": ([TASK], parse_run),
    "vispa": (SESSION, parse_prompts),
    "animals37": (
        RANKINGS,
        partial(animals37.parse_rankings, file="f.csv", names=NAMES, n_questions=1, n_repeats=2),
    ),
}
FILES = {name: (json.dumps(content).encode(), parse) for name, (content, parse) in JSON.items()} | {
    "classes": (
        b"CARS: 1 2\n\nVANS: 3\n", partial(cars60.parse_classes, n_objects=3)
    ),
    "survey": (
        lines(",".join(cars60.COLUMNS), "1,2,1,2,3,0.5"),
        partial(cars60.parse_survey, n_answers=1),
    ),
    "things_ooo": (
        b"0 1 2 3\n4 5 6 7\n", lambda content: things_ooo.parse_answers(content, "f.csv", 2, 9)
    ),
    "names": (b"a\nb\n", partial(things_ooo.parse_names, n_objects=2)),
    "stimuli": (b"a\nb\n", partial(animals37.parse_names, n_objects=2)),
    "melody": (
        lines(",".join(melody.COLUMNS), ",".join(MELODY)),
        partial(melody.parse_judgments, n_rows=1, n_melodies=3),
    ),
    "cfd36": (
        lines(
            ",".join(cfd36.COLUMNS),
            *(f"{h},{w},{l},9,50,{h},{w},{l},{w},random,test" for h, w, l in ("012", "120", "201")),
        ),
        partial(cfd36.parse_answers, n_rows=3, n_objects=3),
    ),
    "triples": (
        b"0,1,0,2,3,4,2,2,4\n",
        lambda content: perceptual_kernels.parse_triples(
            content, "f.csv", perceptual_kernels.Design(3, 2, 1), n_people=1, n_catch=1
        ),
    ),
    "ratings": (
        b"0,9,9,0\n",
        lambda content: perceptual_kernels.parse_ratings(content, "f.csv", 2, n_people=1),
    ),
    "archive": (archive(b"1,2"), lambda content: read_member(content, "f.csv", max_bytes=9)),
}  # fmt: skip
PIECES = [
    b"", b"\n", b"\r", b'"', b",", b"\xff", b"\xef\xbb\xbf", b"\0", b"\x85", b"-1", b"9" * 5000,
    b"NaN", b"null", b"[", b"[" * 10**5, b'{"a":', b"1.5", b"\xc2\xb2",
]  # fmt: skip
VALUES = recursive(
    none() | booleans() | integers() | floats() | text(max_size=5) | sampled_from(WORDS),
    lambda inner: lists(inner, max_size=3) | dictionaries(text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def read_or_refuse(parse, content):
    try:
        parse(content)
    except ValueError as error:
        message = str(error)
        assert type(error) is ValueError, repr(error)
        assert ": " in message and message.isprintable() and len(message) < 600


@pytest.mark.parametrize("name", FILES)
def test_a_whole_file_is_read(name):
    content, parse = FILES[name]
    parse(content)


@pytest.mark.parametrize("name", FILES)
@given(
    cuts=lists(
        tuples(floats(0, 1), integers(0, 9), sampled_from(PIECES) | binary(max_size=3)),
        min_size=1,
        max_size=3,
    )
)
@settings(deadline=None)
def test_bytes_that_are_changed(name, cuts):
    content, parse = FILES[name]
    for place, length, piece in cuts:
        start = int(place * len(content))
        content = content[:start] + piece + content[start + length :]
    read_or_refuse(parse, content)


def places(value, path=()):
    """Every place in a tree of lists and mappings, as the keys that lead there."""
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def put(value, path, other):
    if not path:
        return other
    changed = value.copy()
    changed[path[0]] = put(value[path[0]], path[1:], other)
    return changed


@pytest.mark.parametrize("name", JSON)
@given(share=floats(0, 1, exclude_max=True), other=VALUES)
@settings(deadline=None)
def test_another_value_anywhere_in_json(name, share, other):
    content, parse = JSON[name]
    known = list(places(content))
    changed = put(content, known[int(share * len(known))], other)
    read_or_refuse(parse, json.dumps(changed).encode())
