"""Check that the results of earlier stations are read as written."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from closerthan_study.reading import read_data, read_records, read_scores, read_table
from closerthan_study.tasks.setup import Setup


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


def test_records_come_in_the_order_of_their_files(tmp_path):
    records = [{"name": "b", "title": "Größe"}, {"name": "a"}]
    paths = [tmp_path / f"{number}.json" for number in range(2)]
    for path, record in zip(paths, records, strict=True):
        path.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
    assert read_records(paths) == records


def test_comparisons_are_those_of_a_trial_a_noise_level_and_a_part(tmp_path):
    keys = [
        *((0, 0.0, "train"), (0, 0.1, "train"), (0, 0.0, "test")),
        *((1, 0.0, "train"), (-1, 0.0, "train"), (0, 0.0, "tuning")),
    ]
    rows = [
        {"trial": trial, "noise": noise, "part": part, "i": n, "j": n + 1, "k": n + 2}
        for n, (trial, noise, part) in enumerate(keys)
        for _ in range(2)
    ]
    table = pd.DataFrame(rows).astype({"i": np.int32, "j": np.int32, "k": np.int32})
    table.to_parquet(tmp_path / "comparisons.parquet")
    spec = SimpleNamespace(folder=lambda *words: tmp_path)
    setup = Setup(spec, None, "music")
    train, test = setup.comparisons(0)
    assert train.tolist() == [[0, 1, 2]] * 2 and test.tolist() == [[2, 3, 4]] * 2
    assert train.dtype == np.int64
    assert setup.comparisons(0, 0.1)[0].tolist() == [[1, 2, 3]] * 2
    assert setup.comparisons(-1)[0].tolist() == [[4, 5, 6]] * 2
    (tuning,) = setup.comparisons(0, parts=("tuning",))
    assert tuning.tolist() == [[5, 6, 7]] * 2
