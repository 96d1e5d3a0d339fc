"""Files that appear whole or not at all."""

import pytest

from closerthan._core.files import replacing


def test_a_file_is_replaced_when_it_is_whole(tmp_path):
    path = tmp_path / "map.html"
    path.write_text("old")
    with replacing(path) as temporary:
        temporary.write_text("new")
        assert path.read_text() == "old" and temporary.suffix == ".html"
    assert path.read_text() == "new" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_what_fails_leaves_nothing(tmp_path, error):
    path = tmp_path / "map.html"
    with pytest.raises(error), replacing(path) as temporary:
        temporary.write_text("half")
        raise error
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_named(tmp_path):
    path = tmp_path / "nowhere" / "map.html"
    with pytest.raises(FileNotFoundError, match="there is no folder"), replacing(path):
        pass
