"""The real files: parsed, counted, and what is derived from them rebuilt."""

import io
import json

import numpy as np
import pandas as pd
import pytest
from scipy.io import loadmat
from sklearn.neighbors import NearestNeighbors

from relsim.datasets import fetch, load, load_eurodist, registry
from relsim.datasets.fetch import read
from relsim.datasets.music import CLASS_NAMES, artist_table


@pytest.fixture
def places(mirror, tmp_path):
    return {"mirror": mirror, "cache": tmp_path / "cache", "offline": True}


def test_the_mirror_holds_every_file_whose_content_was_seen(places, mirror):
    for dataset, entry in registry().items():
        files = entry["files"] | entry["derived"]
        for file in (file for file, facts in files.items() if "sha256" in facts):
            assert fetch(dataset, file, **places).is_relative_to(mirror)
    assert not places["cache"].exists()


def test_embedded_eurodist_is_the_raw_source(places):
    raw = pd.read_csv(io.BytesIO(read("eurodist", "eurodist.csv", **places)))
    distances = load_eurodist().distances
    by_columns = distances.T[np.triu_indices(21, 1)]
    np.testing.assert_array_equal(by_columns, raw["x"])


def test_embedded_eurodist_is_the_derived_matrix(places):
    content = read("eurodist", "eurodist_matrix.csv", **places)
    matrix = pd.read_csv(io.BytesIO(content), index_col="city")
    data = load_eurodist()
    assert matrix.index.tolist() == matrix.columns.tolist() == data.object_names.tolist()
    np.testing.assert_array_equal(data.distances, matrix)


def test_music(places):
    data = load("music", **places)
    assert data.triplets.shape == (9090, 3)
    np.testing.assert_array_equal(np.unique(data.triplets), np.arange(400))
    assert all(len(set(triplet)) == 3 for triplet in data.triplets.tolist())
    assert np.bincount(data.labels).tolist() == [237, 16, 68, 19, 29, 3, 10, 4, 14]
    assert len(set(data.object_names.tolist())) == 400
    assert data.info["dropped"] == [
        "17 of 9107 triplets that name an artist twice",
        "12 of 412 artists that no triplet names",
    ]
    assert data.info["files"]["music_triplets.mat"]["sha256"].startswith("ce7b33bb")
    assert json.loads(json.dumps(data.info)) == data.info
    assert all(array.dtype != object for array in data.arrays().values())


def test_music_names_and_genres_follow_the_renumbering(places):
    data = load("music", **places)
    genre = dict(zip(data.object_names, data.class_names[data.labels], strict=True))
    for artist, expected in {"abba": "pop", "bad_brains": "metal", "eiffel_65": "other"}.items():
        assert genre[artist] == expected
    assert "laibach" not in genre
    table = artist_table(**places)
    original = dict(zip(table["name"], table["artist_id"], strict=True))
    ids = np.array([original[name] for name in data.object_names])
    raw = loadmat(io.BytesIO(read("music", "music_triplets.mat", **places)))["triplets"]
    kept = [row for row in raw.tolist() if len(set(row)) == 3]
    np.testing.assert_array_equal(ids[data.triplets], kept)


def test_the_artists_table_is_rebuilt_row_by_row(places):
    content = read("music", "music_artists.csv", **places)
    derived = pd.read_csv(io.BytesIO(content), keep_default_na=False, dtype={"name": str})
    rebuilt = artist_table(**places)
    pd.testing.assert_frame_equal(rebuilt, derived, check_dtype=False)
    assert rebuilt["super_class"].unique().size == len(CLASS_NAMES)


def test_land_use(places):
    data = load("landuse21", **places)
    assert data.features.shape == (2100, 119) and data.features.dtype == np.float64
    np.testing.assert_array_equal(data.labels, np.repeat(np.arange(21), 100))
    assert np.isfinite(data.features).all()
    assert len(data.class_names) == 21
    assert len(np.unique(data.features, axis=0)) == 2099
    assert data.info["n_objects"] == 2100


def test_scenes(places):
    data = load("scene15", **places)
    assert data.features.shape == (4485, 119) and data.features.dtype == np.float64
    assert np.isfinite(data.features).all()
    assert len(np.unique(data.features, axis=0)) == 4485 - 18
    assert (np.diff(data.labels) >= 0).all() and np.bincount(data.labels).sum() == 4485
    assert data.class_names[data.labels[[0, 241, -1]]].tolist() == ["suburb", "coast", "store"]
    assert data.info["n_objects"] == 4485
    assert json.loads(json.dumps(data.info)) == data.info


@pytest.mark.parametrize(("name", "accuracy"), [("landuse21", 0.708), ("scene15", 0.664)])
def test_features_belong_to_the_labels(places, name, accuracy):
    """Nearest neighbors agree with the labels far more often than by chance (1/21, 1/15)."""
    data = load(name, **places)
    features = (data.features - data.features.mean(axis=0)) / data.features.std(axis=0)
    nearest = NearestNeighbors(n_neighbors=1).fit(features).kneighbors(return_distance=False)
    assert round((data.labels[nearest.ravel()] == data.labels).mean(), 3) == accuracy
