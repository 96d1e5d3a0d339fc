"""Files that appear whole or not at all."""

import pytest

from closerthan._core.writing import replacing


def test_a_file_is_replaced_when_it_is_whole(tmp_path):
    path = tmp_path / "new" / "a.b.html"
    for text in ("old", "new"):
        with replacing(path) as temporary:
            assert temporary.parent == path.parent and temporary.suffix == ".html"
            temporary.write_text(text)
            assert text == "old" or path.read_text() == "old"
        assert path.read_text() == text and list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "map.html"
    path.write_text("old")
    with pytest.raises(error), replacing(path) as temporary:
        temporary.write_text("half")
        raise error
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]
