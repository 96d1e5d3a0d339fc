"""Check that the data station has the data sets of the lab, and those that odd ones out read."""

from closerthan_lab import datasets
from closerthan_study.configuration import Spec
from closerthan_study.data import find_absent, make_data, say_missing
from closerthan_study.reading import read_data, read_records
from closerthan_survey.reading import answers_of
from toy_study import config, write_study


def test_an_experiment_without_the_features_that_it_reads_does_not_run(tmp_path):
    model = {"label": "map", "model": "OrdinalEmbedding", "variants": {"default": {}}}
    experiment = {
        **{"task": "odd_ones", "shows": "Fig. 0", "datasets": ["simulated_dimensions"]},
        **{"answers": {"test": "things_repeated"}, "scales": {"smoke": {"trials": 1}}},
        "methods": {"map": model | {"features": "things_clip"}},
    }
    write_study(tmp_path, {"toy": experiment})
    spec = Spec(config(tmp_path), tmp_path)
    assert spec.wanted() == ["simulated_dimensions", "things_clip", "things_repeated"]
    assert [name for _, name in spec.pairs({})] == ["simulated_dimensions"]
    assert spec.pairs({"things_clip": ""}) == []
    some = "1 of 3 data sets could not be had; 1 experiment is missing."
    assert say_missing(spec, {"things_clip": ""}) == some


def test_a_data_set_of_the_lab_is_written_whole_or_named(tmp_path, monkeypatch):
    monkeypatch.delenv("CLOSERTHAN_DATA_MIRROR", raising=False)
    methods = {"random": {"label": "random", "control": "random"}}
    experiment = {
        **{"task": "answers", "shows": "Fig. 0", "datasets": ["simulated_few", "cars60"]},
        **{"comparisons": {"n_train": 0.8}, "n_components": 2, "methods": methods},
        "scales": {"smoke": {"trials": 1, "epochs": 1}},
    }
    write_study(tmp_path, {"toy": experiment})
    cache = {"data": {"cache": str(tmp_path / "cache")}}
    spec = Spec(config(tmp_path, **cache), tmp_path)
    assert find_absent(spec) == ["cars60"]
    npz, record = tmp_path / "few.npz", tmp_path / "few.json"
    make_data(spec, "simulated_few", npz, record)
    found = answers_of(read_data(npz))
    assert len(found) > 0 and found.comparisons.shape[1] in (3, 4)
    (facts,) = read_records([record])
    assert facts["name"] == "simulated_few"
    assert facts["title"] == datasets.registry()["simulated_few"]["title"]
