"""Records as JSON, and folders that are whole."""

import pytest

from closerthan_study.files import replacing_folder, write_json


def test_json_has_no_nan(tmp_path):
    write_json(tmp_path / "a.json", {"b": "–", "a": 1})
    assert (tmp_path / "a.json").read_text("utf-8") == '{\n  "b": "–",\n  "a": 1\n}\n'
    with pytest.raises(ValueError, match="JSON compliant"):
        write_json(tmp_path / "nan.json", float("nan"))
    assert not (tmp_path / "nan.json").exists()


def test_a_folder_takes_its_place_whole_or_not_at_all(tmp_path):
    folder = tmp_path / "scores" / "toy"
    for word in ("first", "second"):
        with replacing_folder(folder) as new:
            (new / word).touch()
            assert not (folder / word).exists()
    with pytest.raises(RuntimeError), replacing_folder(folder) as new:
        (new / "third").touch()
        raise RuntimeError
    assert [path.name for path in tmp_path.rglob("*")] == ["scores", "toy", "second"]
