"""Check that the results of earlier stations are read as written."""

import numpy as np
import pandas as pd
import pytest

from closerthan_study.reading import read_data, read_scores, read_table


def test_arrays_come_by_name_and_nothing_is_unpickled(tmp_path):
    arrays = {"points": np.eye(3), "labels": np.arange(3)}
    np.savez(tmp_path / "data.npz", **arrays)
    found = read_data(tmp_path / "data.npz")
    assert list(found) == ["points", "labels"]
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array)
    np.savez(tmp_path / "objects.npz", words=np.array([{"a": 1}], dtype=object))
    with pytest.raises(OSError, match="allow_pickle"):
        read_data(tmp_path / "objects.npz")


def test_a_broken_or_missing_file_is_named_with_the_option_that_makes_it_again(tmp_path):
    npz = tmp_path / "results" / "data" / "words.npz"
    npz.parent.mkdir(parents=True)
    np.savez(npz, points=np.eye(3))
    npz.write_bytes(npz.read_bytes()[:-9])
    with pytest.raises(OSError, match=f"^{npz} is broken.*--forcerun {npz}$"):
        read_data(npz)
    folder = tmp_path / "results" / "fits" / "scores" / "all" / "words" / "0"
    with pytest.raises(OSError, match=f"missing.*--forcerun {folder}$"):
        read_table(folder / "member" / "batch.parquet")


def test_scores_of_another_experiment_are_refused(tmp_path):
    rows = pd.DataFrame({"study": "ma", "experiment": ["map", "music"], "value": 1.0})
    paths = [tmp_path / "scores/ma" / name / "cities/batch.parquet" for name in rows.experiment]
    for path in paths:
        path.parent.mkdir(parents=True)
        rows[rows.experiment == path.parts[-3]].to_parquet(path)
        assert len(read_scores(path)) == 1
    paths[1].write_bytes(paths[0].read_bytes())
    with pytest.raises(OSError, match=f"scores of ma/map, not of ma/music.*{paths[1].parent}$"):
        read_scores(paths[1])
