"""Files that appear whole or not at all."""

import pytest

from closerthan_study.files import replacing, write_json


def test_success_replaces_and_leaves_nothing_else(tmp_path):
    target = tmp_path / "new" / "a.b.csv"
    for text in ("old", "new"):
        with replacing(target) as temporary:
            assert temporary.parent == target.parent and temporary.suffix == ".csv"
            temporary.write_text(text)
        assert target.read_text() == text
    assert list(target.parent.iterdir()) == [target]


def test_failure_keeps_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "a.csv"
    target.write_text("old")
    with pytest.raises(KeyError), replacing(target) as temporary:
        temporary.write_text("half")
        assert target.read_text() == "old"
        raise KeyError
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_json_has_no_nan(tmp_path):
    write_json(tmp_path / "a.json", {"b": "–", "a": 1})
    assert (tmp_path / "a.json").read_text("utf-8") == '{\n  "b": "–",\n  "a": 1\n}\n'
    with pytest.raises(ValueError, match="JSON compliant"):
        write_json(tmp_path / "nan.json", float("nan"))
    assert not (tmp_path / "nan.json").exists()
