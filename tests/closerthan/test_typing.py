"""Check that public names have annotations, which `make lint` then checks."""

from annotations import lacking, public

PUBLIC = dict(public("closerthan"))


def test_public_things_are_found():
    assert {
        "closerthan.datasets.music.load_music",
        "closerthan.ordinal.embedding.OrdinalEmbedding.fit",
        "closerthan.scores.stress.raw_stress",
    } <= set(PUBLIC)


def test_what_is_public_has_annotations():
    faults = {name: lacking(function) for name, function in PUBLIC.items()}
    assert {name: found for name, found in faults.items() if found} == {}
