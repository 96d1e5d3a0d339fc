"""Records as JSON."""

import pytest

from closerthan_study.files import write_json


def test_json_has_no_nan(tmp_path):
    write_json(tmp_path / "a.json", {"b": "–", "a": 1})
    assert (tmp_path / "a.json").read_text("utf-8") == '{\n  "b": "–",\n  "a": 1\n}\n'
    with pytest.raises(ValueError, match="JSON compliant"):
        write_json(tmp_path / "nan.json", float("nan"))
    assert not (tmp_path / "nan.json").exists()
