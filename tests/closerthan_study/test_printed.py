"""Check that printed numbers are read whole or refused, and compared with the scores."""

import json

import numpy as np
import pandas as pd
import pytest
import yaml

from closerthan_study.configuration import Spec
from closerthan_study.printed import (
    BESIDE,
    compare_printed,
    compare_with_printed,
    join_reported,
)
from closerthan_study.reported import KEYS, read_reported
from closerthan_study.spec import ROOT, ConfigError
from closerthan_study.spec.printed import DATA
from planted import write_scores
from printed_numbers import check_printed_numbers

ROW = {
    "paper": "svrg-sbb",
    "artefact": "table-1",
    "dataset": "synthetic-n100-p10",
    "loss": "tste",
    "method": "svrg-sbb-b20",
    "setting": "mean",
    "metric": "seconds_to_error_0.15",
    "value": "0.4104",
    "unit": "s",
}
VOWEL = {"study": "sdca", "experiment": "retrieval", "dataset": "vowel", "loss": "none"}
VOWEL |= {"measure": "MAP", "batch_size": pd.NA}
TABLE_2 = {**ROW, "artefact": "table-2", "dataset": "sun397", "metric": "map", "unit": "fraction"}


FILES = sorted(ROOT.glob("config/studies/*/reported.csv"))


def config_of(**changes):
    """Return a configuration of the studies with printed numbers, at the sizes of the papers."""
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    config |= {"studies": [path.parent.name for path in FILES], "scale": "paper"}
    return {**config, **changes}


@pytest.fixture(scope="module")
def spec(shipped):
    return shipped["paper"]


@pytest.fixture
def read(tmp_path, spec):
    """Read rows through a file."""

    def through_file(*rows):
        path = tmp_path / "printed.csv"
        cells = [{key: row[key] for key in KEYS} | {row["setting"]: row["value"]} for row in rows]
        pd.DataFrame(cells).to_csv(path, index=False)
        return read_reported(path, spec)

    return through_file


def scores(values, **columns):
    """Return rows as the scores station makes them, one per trial; columns replace the defaults."""
    variant = "paper" if columns.keys() & {"measure", "method"} else "dense"
    variant = "released-code" if columns.get("measure") == "MAP@R" else variant
    row = {"study": "svrg_sbb", "experiment": "synthetic", "dataset": "synthetic", "noise": 0.0}
    row |= {"method": "svrg-sbb", "variant": variant, "batch_size": 20, "loss": "t-ste"}
    row |= {"measure": "seconds_to_error", "k": pd.NA, "epoch": np.nan, **columns}
    rows = [{**row, "trial": trial, "value": value} for trial, value in enumerate(values)]
    return pd.DataFrame(rows).astype({"batch_size": "Int64", "k": "Int64"})


def places(spec, words):
    """Return experiments with data sets by their names, as `pairs` does."""
    return [(spec.experiment(study, name), dataset) for study, name, dataset in words]


@pytest.fixture
def join(spec):
    """Compare some rows with printed ones, as if a run had only these rows."""

    def beside(ours, printed, spec=spec):
        words = ours[["study", "experiment", "dataset"]].drop_duplicates()
        words = [row for row in words.itertuples(index=False, name=None) if row[1] != DATA]
        if not words:  # these rows are about the data themselves
            words = [("sdca", "retrieval", dataset) for dataset in set(ours.dataset)]
        return join_reported(printed, ours, spec, places(spec, words))

    return beside


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"paper": "svgr"}, "unknown paper svgr; allowed: "),
        ({"artefact": "table-3"}, "unknown table or figure table-3"),
        ({"dataset": "sun"}, "unknown data set sun; allowed: synthetic-n100-p10, sun397, "),
        ({"loss": "tsne"}, "unknown loss tsne"),
        ({"method": "adam"}, "unknown method adam"),
        ({"metric": "auc"}, "unknown measure auc; allowed: seconds_to_error_0.15, "),
        ({"value": ""}, "there is no number"),
        ({"value": "inf"}, "'inf' is not a number"),
        ({"value": "missing"}, "'missing' is not a number; allowed too: not-reached, failed"),
    ],
)
def test_a_row_that_cannot_be_is_refused_with_its_line(read, tmp_path, changes, words):
    with pytest.raises(ConfigError) as error:
        read(ROW, ROW, {**ROW, **changes})
    assert f"{tmp_path / 'printed.csv'}: line 4: " in str(error.value)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not CSV"),
        ("a,b\n1,2,3\n4,5\n6,7,8,9\n", "printed.csv"),
        ("paper,value\nsvrg-sbb,1\n", "line 1: the columns are paper, value; the first must be"),
        (",".join(KEYS) + ",median\n", "line 1: unknown setting median; allowed: min, mean, "),
        (",".join(KEYS) + ",noise=60%\n", "line 1: unknown setting noise=60%"),
        (",".join(KEYS) + ",mean\n", "there are no rows"),
        (None, "no such file"),
    ],
)
def test_a_file_that_is_no_table_of_numbers_is_refused(tmp_path, spec, text, words):
    path = tmp_path / "printed.csv"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ConfigError, match=r"printed\.csv") as error:
        read_reported(path, spec)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("statistic", "ours"), [("min", 1.0), ("mean", 2.5), ("max", 5.0), ("std", np.sqrt(11 / 3))]
)
def test_the_same_statistic_is_set_beside_the_printed_one(read, join, statistic, ours):
    printed = read({**ROW, "setting": statistic, "value": "0.5"})
    row = join(scores([1.0, 1.0, 3.0, 5.0]), printed).iloc[0]
    assert row.printed == 0.5 and row.ours == pytest.approx(ours)
    assert row.difference == pytest.approx(ours - 0.5)
    assert (row.trials, row.reached, row.data, row.status) == (4, 4, "same", "compared")
    if statistic in ("min", "max"):
        assert np.isnan([row.low, row.high]).all()
    else:
        assert row.low < ours < row.high


def test_the_interval_covers_the_mean(read, join):
    # The percentile interval of a mean of 20 covers the truth a little less often than 95 %.
    rng = np.random.default_rng(3)
    printed = read(ROW)
    rows = [join(scores(rng.exponential(2.0, 20)), printed).iloc[0] for _ in range(40)]
    assert 0.84 <= np.mean([row.low <= 2.0 <= row.high for row in rows]) <= 0.99


@pytest.mark.parametrize(
    ("values", "deviation", "status"),
    [
        ([3.0], np.nan, "not run here: one trial has no deviation"),
        ([3.0, np.nan], np.nan, "not reached here: one trial has no deviation"),
        # A method without chance on the same data. Resampling would report 3 as certain.
        ([3.0] * 5, 0.0, "compared"),
    ],
)
def test_what_does_not_vary_has_no_interval(read, join, values, deviation, status):
    joined = join(scores(values), read(ROW, {**ROW, "setting": "std"}))
    assert joined[["low", "high"]].isna().all(axis=None)
    np.testing.assert_equal(joined.ours.tolist(), [3.0, deviation])
    assert joined.status[1] == status and joined.status[0].startswith("compared")


def test_of_a_curve_the_last_value_counts(read, join):
    printed = read({**TABLE_2, "setting": "noise=10%"})
    place = {"experiment": "retrieval", "dataset": "sun397", "measure": "MAP@R", "noise": 0.1}
    curve = [
        scores([value] * 2, epoch=epoch, **place) for epoch, value in ((60.0, 0.5), (9.0, 0.3))
    ]
    other = scores([0.9] * 2, epoch=60.0, **{**place, "noise": 0.05})
    assert join(pd.concat([*curve, other]), printed).ours[0] == 0.5


def test_a_curve_is_read_where_the_study_says_that_the_paper_s_ends(read, join):
    printed = read({**TABLE_2, "loss": "gnmds", "setting": "noise=10%"})
    place = {"experiment": "retrieval", "dataset": "sun397", "measure": "MAP@R", "noise": 0.1}
    ends = ((300.0, 0.5), (10.0, 0.3), (5.0, 0.2))
    curve = [scores([value] * 2, epoch=epoch, loss="gnmds", **place) for epoch, value in ends]
    assert join(pd.concat(curve), printed).ours[0] == 0.3


def test_a_loss_may_mean_another_in_one_table(read):
    rows = read({**ROW, "loss": "ckl"}, {**TABLE_2, "loss": "ckl"})
    assert rows.our_loss.tolist() == ["ste", "ckl"] and rows.loss.eq("ckl").all()
    assert rows.experiment.tolist() == ["synthetic", "retrieval"]
    assert read({**ROW, "loss": "ste"}).experiment.tolist() == ["synthetic-ste"]


NOT_REACHED, FAILED = {"value": "not-reached"}, {"value": "failed"}
MISSED = "ran 450 epochs, and the target was not reached"


@pytest.mark.parametrize(
    ("values", "changes", "ours", "status"),
    [
        ([np.nan] * 10, NOT_REACHED, np.nan, "agree: not reached in 10 of 10 trials"),
        ([1.0] * 9 + [np.nan], NOT_REACHED, 1.0, "disagree: reached here in 9 of 10 trials"),
        ([1.0, 2.0], FAILED, 1.5, "disagree: succeeds here in 2 of 2 trials"),
        ([1.0, 2.0, np.nan], {}, 1.5, f"compared: {MISSED} in 1 of 3 trials"),
        ([np.nan] * 3, {}, np.nan, f"not reached here: {MISSED} in 3 of 3 trials"),
    ],
)
def test_what_is_not_always_reached(read, join, values, changes, ours, status):
    row = join(scores(values), read({**ROW, **changes})).iloc[0]
    assert row.status == status
    assert row.printed_status == changes.get("value", "value")
    np.testing.assert_equal([row.ours, row.difference], [ours, ours - row.printed])


def test_what_fails_here_alone_has_no_value(spec, join):
    printed = read_reported(ROOT / "config/studies/pattern_search/reported.csv", spec)
    row = {"study": "pattern_search", "experiment": "mnist", "dataset": "mnist", "loss": "none"}
    row |= {"method": "lle", "batch_size": pd.NA, "measure": "f1"}
    status = join(scores([np.nan] * 2, **row), printed).status
    assert "not reached here: no value in 2 of 2 trials" in set(status)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"experiment": "music"}, "the data set synthetic is missing"),
        ({"dataset": "digits"}, "the data set synthetic is missing"),
        ({"method": "sgd"}, "this run leaves out the method svrg-sbb"),
        ({"variant": "tuned"}, "this run leaves out the variant dense"),
        ({"batch_size": 5}, "this run leaves out the mini-batch size 20"),
    ],
)
def test_what_was_not_run_is_said_with_the_reason(read, join, changes, reason):
    row = join(scores([1.0] * 3, **changes), read(ROW)).iloc[0]
    assert row.status == f"not run here: {reason}"
    assert row.printed == 0.4104 and np.isnan(row.ours) and row.trials == 0


def test_what_a_smaller_run_leaves_out_is_said(shipped, read, join):
    noisy = read({**TABLE_2, "setting": "noise=5%"})
    place = {"experiment": "retrieval", "dataset": "landuse21", "measure": "MAP@R", "noise": 0.1}
    row = join(scores([0.6] * 2, **place), noisy, shipped["default"]).iloc[0]
    assert row.status == "not run here: this run leaves out the noise 0.05"
    smoke = shipped["smoke"]
    assert join(scores([1.0] * 2), read(ROW), smoke).status[0] == (
        "not run here: seconds do not count at the scale smoke"
    )
    printed = read_reported(ROOT / "config/studies/sdca/reported.csv", smoke)
    rows = join(scores([0.2], method="sdca", **VOWEL), printed, smoke)
    of_letter = set(rows[rows.our_dataset == "letter"].status)
    assert of_letter == {"not run here: this run leaves out the data set letter"}
    study = Spec(config_of(studies=["erkle"]))
    assert join(scores([1.0] * 2), read(ROW), study).status[0] == (
        "not run here: this run leaves out the study"
    )


def test_a_map_of_other_dimensions_is_not_set_beside(spec, read, join):
    changes = {"artefact": "table-2", "dataset": "mnist-1000", "loss": "", "metric": "macro_f1_1nn"}
    changes |= {"paper": "pattern-search-mds", "method": "lle", "unit": "fraction"}
    three, twenty, features = read(
        {**ROW, **changes, "setting": "dimensions=3"},
        {**ROW, **changes, "setting": "dimensions=20"},
        {**ROW, **changes, "setting": "dimensions=784", "method": "original"},
    ).to_dict("records")
    place = {"study": "pattern_search", "experiment": "mnist", "dataset": "mnist", "loss": "none"}
    place |= {"batch_size": pd.NA, "measure": "f1"}
    table = [scores([0.8, 0.9], **place, method=name) for name in ("lle", "original")]
    rows = join(pd.concat(table), pd.DataFrame([three, twenty, features]))
    assert rows.status.tolist() == [
        "not run here: the maps have 20 dimensions",
        "compared",
        "compared",
    ]


def test_a_stand_in_serves_where_the_data_set_was_not_run(read, join):
    printed = read({**TABLE_2, "setting": "noise=10%"})
    place = {"experiment": "retrieval", "measure": "MAP@R", "noise": 0.1, "epoch": 60.0}
    table = scores([0.6] * 3, dataset="music", **place)
    assert join(table, printed).status[0].startswith("not run here")
    tables = [
        scores([value] * 3, dataset=name, **place)
        for name, value in (("scene15", 0.5), ("landuse21", 0.6), ("sun397", 0.7))
    ]
    row = join(pd.concat(tables[:2]), printed).iloc[0]
    assert (row.data, row.our_dataset) == ("partial", "landuse21")
    assert row.ours == pytest.approx(0.6)
    row = join(pd.concat(tables), printed).iloc[0]
    assert (row.data, row.our_dataset) == ("same", "sun397") and row.ours == pytest.approx(0.7)


def test_fewer_objects_than_the_paper_has_are_a_part_of_its_data(shipped, spec, join):
    row = {"study": "erkle", "experiment": "large", "loss": "gnmds", "measure": "eigenpairs"}
    row |= {"method": "pa-erkle", "batch_size": pd.NA}
    printed = read_reported(ROOT / "config/studies/erkle/reported.csv", spec)
    assert set(join(scores([700.0, 720.0], **row), printed).data) == {"same"}
    smaller = join(scores([70.0, 72.0], **row), printed, shipped["default"])
    assert set(smaller.data) == {"partial"}


def test_a_stand_in_that_there_is_not_is_refused(spec, read, monkeypatch):
    printed = spec.study("svrg_sbb").printed
    monkeypatch.setitem(printed.datasets, "sun397", {"sun": "same"})
    with pytest.raises(ConfigError, match=r"study\.yaml: printed\.datasets\.sun397: unknown data"):
        read(TABLE_2 | {"setting": "noise=10%"})


def test_other_variants_are_not_set_beside(read, join):
    table = pd.concat([scores([1.0] * 3), scores([2.0] * 3, variant="paper")])
    row = join(table, read(ROW)).iloc[0]
    assert row.ours == 1.0  # every step moves all points, as in the paper
    assert (row.our_experiment, row.our_variant) == ("synthetic", "dense")
    there = {"measure": "MAP@R", "experiment": "retrieval", "dataset": "landuse21", "noise": 0.1}
    table = pd.concat([scores([1.0] * 3, **there), scores([2.0] * 3, variant="tuned", **there)])
    assert join(table, read(TABLE_2 | {"setting": "noise=10%"})).ours[0] == 1.0


@pytest.mark.parametrize(
    ("scale", "studies"), [("smoke", ["erkle"]), ("default", None), ("paper", None)]
)
def test_every_printed_number_has_a_row_whatever_was_run(tmp_path, scale, studies):
    changes = {"studies": studies} if studies else {}
    spec = Spec(config_of(scale=scale, results=str(tmp_path), **changes))
    check_printed_numbers(spec, FILES, tmp_path)


def test_the_file_has_what_was_reached_of_every_study(tmp_path):
    spec = Spec(config_of(results=str(tmp_path), studies=["svrg_sbb", "sdca"]))
    words = [("svrg_sbb", "synthetic", "synthetic"), ("sdca", "retrieval", "vowel")]
    tables = scores([1.0, 3.0]), scores([0.2, 0.4], method="sdca", **VOWEL)
    for table, (study, name, dataset) in zip(tables, words, strict=True):
        write_scores(spec, spec.experiment(study, name), dataset, table)
    (tmp_path / "data").mkdir()
    shape = {"features": [990, 10], "class_names": [11]}
    record = {"name": "vowel", "shape": shape}
    (tmp_path / "data" / "vowel.json").write_text(json.dumps(record))
    table = compare_printed(spec, places(spec, words))
    found = table[table.status == "compared"].set_index(["artefact", "setting", "metric"]).ours
    seconds = {"min": 1.0, "mean": 2.0, "max": 3.0, "std": np.sqrt(2)}
    for statistic, value in seconds.items():
        assert found["table-1", statistic, "seconds_to_error_0.15"] == pytest.approx(value)
    assert found["table-2", "mean", "map"] == pytest.approx(0.3)
    assert found["table-1", "mean", "objects"] == 990
    of_study = compare_with_printed(spec, "sdca", places(spec, words[1:]))
    pd.testing.assert_frame_equal(
        of_study[BESIDE], table[table.study == "sdca"].reset_index(drop=True)
    )


def test_the_shipped_numbers_are_read(spec):
    table = read_reported(ROOT / "config" / "studies" / "svrg_sbb" / "reported.csv", spec)
    assert len(table) == 343
    assert not table.duplicated(
        ["experiment", "our_loss", "our_method", "batch_size", "noise", "measure", "statistic"]
    ).any()
