"""Printed numbers are read whole or refused, and set beside what the scores say."""

import numpy as np
import pandas as pd
import pytest
import yaml

from relsim.study.report.printed import COLUMNS, describe_data, join_reported, read_reported
from relsim.study.spec import ROOT, ConfigError, load_spec

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
    "status": "value",
}
TABLE_2 = {**ROW, "artefact": "table-2", "dataset": "sun397", "metric": "map", "unit": "fraction"}


@pytest.fixture(scope="module")
def spec():
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    studies = [path.parent.name for path in ROOT.glob("config/studies/*/reported.csv")]
    return load_spec({**config, "studies": sorted(studies)})


@pytest.fixture
def read(tmp_path, spec):
    """Read rows through a file."""

    def through_file(*rows):
        path = tmp_path / "printed.csv"
        pd.DataFrame(rows, columns=COLUMNS).to_csv(path, index=False)
        return read_reported(path, spec)

    return through_file


def scores(values, **columns):
    """Rows as the scores station makes them, one a trial; columns replace what Table 1 needs."""
    row = {"study": "svrg_sbb", "experiment": "synthetic", "dataset": "synthetic", "noise": 0.0}
    row |= {"method": "svrg-sbb", "variant": "paper", "batch_size": 20, "loss": "t-ste"}
    row |= {"measure": "seconds_to_error", "k": pd.NA, "epoch": np.nan, **columns}
    rows = [{**row, "trial": trial, "value": value} for trial, value in enumerate(values)]
    return pd.DataFrame(rows).astype({"batch_size": "Int64", "k": "Int64"})


def test_what_a_printed_row_is_called_here(read):
    seconds, ap = read(ROW, {**TABLE_2, "setting": "noise=5%"}).to_dict("records")
    ours = {"study": "svrg_sbb", "experiment": "synthetic", "our_dataset": "synthetic"}
    ours |= {"our_loss": "t-ste", "our_method": "svrg-sbb", "batch_size": 20, "value": 0.4104}
    ours |= {"measure": "seconds_to_error", "statistic": "mean"}
    assert ours.items() <= seconds.items()
    assert np.isnan(seconds["noise"]) and ap["noise"] == 0.05
    assert (ap["experiment"], ap["our_dataset"], ap["measure"]) == ("retrieval", "sun397", "MAP@R")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"paper": "svgr"}, "unknown paper 'svgr'; allowed: "),
        ({"artefact": "table-3"}, "unknown table or figure 'table-3'"),
        ({"dataset": "sun"}, "unknown data set 'sun'; allowed: synthetic-n100-p10, synthetic, "),
        ({"loss": "tsne"}, "unknown loss 'tsne'"),
        ({"method": "adam"}, "unknown method 'adam'"),
        ({"metric": "auc"}, "unknown measure 'auc'; allowed: seconds_to_error_0.15, map, "),
        ({"setting": "median"}, "unknown setting median"),
        ({"setting": "noise=60%"}, "unknown setting noise=60%"),
        ({"status": "missing"}, "unknown status 'missing'; allowed: failed, not-reached, value"),
        ({"value": ""}, "status value with the value ''; it has a finite number"),
        ({"value": "inf"}, "it has a finite number"),
        ({"value": "0.4l"}, "the value '0.4l' is not a number"),
        ({"status": "not-reached"}, "status not-reached with the value '0.4104'; it has no value"),
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
        ("paper,value\nsvrg-sbb,1\n", "line 1: the columns are paper, value; they must be"),
        (",".join(COLUMNS) + "\n", "there are no rows"),
    ],
)
def test_a_file_that_is_no_table_of_numbers_is_refused(tmp_path, spec, text, words):
    path = tmp_path / "printed.csv"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"printed\.csv") as error:
        read_reported(path, spec)
    assert words in str(error.value)


def test_a_missing_file_is_refused(tmp_path, spec):
    with pytest.raises(ConfigError, match="no such file"):
        read_reported(tmp_path / "printed.csv", spec)


@pytest.mark.parametrize(
    ("statistic", "ours"), [("min", 1.0), ("mean", 2.5), ("max", 5.0), ("std", np.sqrt(11 / 3))]
)
def test_the_same_statistic_is_set_beside_the_printed_one(read, statistic, ours):
    printed = read({**ROW, "setting": statistic, "value": "0.5"})
    row = join_reported(scores([1.0, 1.0, 3.0, 5.0]), printed).iloc[0]
    assert row.printed == 0.5 and row.ours == pytest.approx(ours)
    assert row.difference == pytest.approx(ours - 0.5)
    assert (row.trials, row.reached, row.data, row.status) == (4, 4, "same", "compared")
    if statistic in ("min", "max"):
        assert np.isnan([row.low, row.high]).all()
    else:
        assert row.low < ours < row.high


def test_the_interval_covers_the_mean(read):
    # The percentile interval of a mean of 20 covers it a little less often than in 95 % of cases.
    rng = np.random.default_rng(3)
    printed = read(ROW)
    rows = [join_reported(scores(rng.exponential(2.0, 20)), printed).iloc[0] for _ in range(200)]
    assert 0.85 <= np.mean([row.low <= 2.0 <= row.high for row in rows]) <= 0.98


def test_one_trial_has_no_interval(read):
    joined = join_reported(scores([3.0]), read(ROW, {**ROW, "setting": "std"}))
    assert joined[["low", "high"]].isna().all(axis=None)
    assert joined.ours[0] == 3.0 and np.isnan(joined.ours[1])


def test_of_a_curve_the_last_value_counts(read):
    printed = read({**TABLE_2, "setting": "noise=10%"})
    place = {"experiment": "retrieval", "dataset": "sun397", "measure": "MAP@R", "noise": 0.1}
    curve = [
        scores([value] * 2, epoch=epoch, **place) for epoch, value in ((60.0, 0.5), (9.0, 0.3))
    ]
    other = scores([0.9] * 2, epoch=60.0, **{**place, "noise": 0.05})
    assert join_reported(pd.concat([*curve, other]), printed).ours[0] == 0.5


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ([np.nan] * 10, "agree: 0 of 10 trials"),
        ([1.0] * 9 + [np.nan], "disagree: reached here in 9 of 10 trials"),
    ],
)
def test_a_cell_printed_as_not_reached(read, values, status):
    row = join_reported(scores(values), read({**ROW, "status": "not-reached", "value": ""})).iloc[0]
    assert row.status == status
    assert row.printed_status == "not-reached" and np.isnan(row.difference)


def test_a_cell_printed_as_failed(read):
    printed = read({**ROW, "status": "failed", "value": ""})
    status = join_reported(scores([1.0, 2.0]), printed).status[0]
    assert status == "disagree: succeeds here in 2 of 2 trials"


@pytest.mark.parametrize(
    ("values", "ours", "status"),
    [
        ([1.0, 2.0, np.nan], 1.5, "compared: reached in 2 of 3 trials"),
        ([np.nan] * 3, np.nan, "disagree: not reached here in any trial"),
    ],
)
def test_a_printed_number_that_is_not_always_reached_here(read, values, ours, status):
    row = join_reported(scores(values), read(ROW)).iloc[0]
    assert row.status == status
    np.testing.assert_equal(row.ours, ours)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"experiment": "music"}, "the experiment synthetic"),
        ({"dataset": "digits"}, "the data set synthetic"),
        ({"method": "sgd"}, "the method svrg-sbb"),
        ({"variant": "tuned"}, "the variant paper"),
        ({"batch_size": 5}, "the mini-batch size 20"),
        ({"loss": "ste"}, "the loss t-ste"),
        ({"measure": "epochs_to_error"}, "the measure seconds_to_error"),
    ],
)
def test_what_was_not_run_is_said_with_the_reason(read, changes, reason):
    row = join_reported(scores([1.0] * 3, **changes), read(ROW)).iloc[0]
    assert row.status == f"not run here: no result with {reason}"
    assert row.printed == 0.4104 and np.isnan(row.ours) and row.trials == 0


def test_a_stand_in_serves_where_the_data_set_was_not_run(read):
    printed = read({**TABLE_2, "setting": "noise=10%"})
    place = {"experiment": "retrieval", "measure": "MAP@R", "noise": 0.1, "epoch": 60.0}
    table = scores([0.6] * 3, dataset="landuse21", **place)
    assert join_reported(table, printed).status[0].startswith("not run here")
    stand_ins = {"sun397": "landuse21"}
    row = join_reported(table, printed, stand_ins=stand_ins).iloc[0]
    assert (row.data, row.our_dataset) == ("stand-in", "landuse21")
    assert row.ours == pytest.approx(0.6)
    both = pd.concat([table, scores([0.7] * 3, dataset="sun397", **place)])
    row = join_reported(both, printed, stand_ins=stand_ins).iloc[0]
    assert row.data == "same" and row.ours == pytest.approx(0.7)


def test_another_variant_can_be_set_beside(read):
    table = pd.concat([scores([1.0] * 3), scores([2.0] * 3, variant="released-code")])
    assert join_reported(table, read(ROW)).ours[0] == 1.0
    assert join_reported(table, read(ROW), variant="released-code").ours[0] == 2.0


def test_the_shipped_numbers_are_read(spec):
    table = read_reported(ROOT / "config" / "studies" / "svrg_sbb" / "reported.csv", spec)
    assert len(table) == 320
    assert (table.status == "not-reached").sum() == 20
    cells = table[(table.our_loss == "t-ste") & (table.noise == 0.1) & (table.measure == "P@R")]
    assert cells.set_index(["our_method", "batch_size"]).value["svrg-sbb", 5] == 0.7437
    assert not table.duplicated(
        ["experiment", "our_loss", "our_method", "batch_size", "noise", "measure", "statistic"]
    ).any()


def test_the_printed_eigenpairs_are_set_beside_the_last_count_of_each_trial(spec):
    printed = read_reported(ROOT / "config" / "studies" / "erkle" / "reported.csv", spec)
    place = {"study": "erkle", "experiment": "large", "loss": "gnmds", "measure": "eigenpairs"}
    place |= {"method": "pa-erkle", "batch_size": pd.NA}
    table = pd.concat(
        scores(np.array([700.0, 720.0, 760.0]) * share, epoch=share, **place)
        for share in (0.5, 1.0)
    )
    rows = join_reported(table, printed).set_index("statistic")
    assert rows.printed.to_dict() == {"mean": 724.2, "std": 3.7}
    assert rows.ours["mean"] == pytest.approx(2180 / 3)
    assert rows.ours["std"] == pytest.approx(np.std([700, 720, 760], ddof=1))
    assert set(rows.status) == {"compared"}


def test_a_control_is_set_beside_what_is_printed_of_it(spec):
    printed = read_reported(ROOT / "config" / "studies" / "sdca" / "reported.csv", spec)
    assert len(printed) == 64
    row = {"study": "sdca", "experiment": "retrieval", "loss": "none", "measure": "MAP"}
    row |= {"dataset": "vowel", "batch_size": pd.NA}
    controls = scores([0.2, 0.4], method="euclidean", variant="control", **row)
    learned = scores([0.3, 0.5], method="sdca", variant="paper", **row)
    other = scores([0.9, 0.9], method="sdca", variant="projected", **row)
    rows = join_reported(pd.concat([controls, learned, other]), printed)
    rows = rows[rows.status == "compared"].set_index("our_method")
    assert rows.printed.to_dict() == {"euclidean": 0.2920, "sdca": 0.3564}
    assert rows.ours.to_dict() == pytest.approx({"euclidean": 0.3, "sdca": 0.4})


def test_the_size_of_data_sets_is_set_beside_what_is_printed(spec):
    printed = read_reported(ROOT / "config" / "studies" / "sdca" / "reported.csv", spec)
    shapes = {"segment": ([2310, 19], [7]), "wine": ([178, 13], [3])}
    records = [
        {"name": name, "shape": {"features": features, "class_names": classes}}
        for name, (features, classes) in shapes.items()
    ]
    rows = join_reported(describe_data("sdca", records), printed)
    rows = rows[rows.status == "compared"].set_index("measure")
    assert set(rows.dataset) == {"segment"}
    assert rows.ours.to_dict() == {"objects": 2310, "features": 19, "classes": 7}
    assert rows.difference.to_dict() == {"objects": 373, "features": 0, "classes": 0}


def test_maps_are_set_beside_what_is_printed_with_their_noise(spec):
    printed = read_reported(ROOT / "config" / "studies" / "pattern_search" / "reported.csv", spec)
    assert len(printed) == 81 and (printed.status == "failed").sum() == 3
    names = ["experiment", "our_method", "noise", "measure"]
    assert not printed.duplicated(names).any()
    row = {"study": "pattern_search", "loss": "none", "batch_size": pd.NA}
    words = {**row, "dataset": "words", "measure": "spearman", "variant": "paper"}
    tables = [
        scores([center, center + 0.02], experiment="simlex", method="isomap", noise=noise, **words)
        for noise, center in ((0.0, 0.3), (0.5, 0.2))
    ]
    original = {**words, "variant": "control", "experiment": "men", "method": "original"}
    tables.append(scores([0.7, 0.7], **original))
    digits = {**row, "dataset": "mnist", "measure": "f1", "experiment": "mnist"}
    tables.append(scores([np.nan] * 2, method="ltsa", variant="paper", **digits))
    rows = join_reported(pd.concat(tables), printed).set_index(["dataset", "method", "setting"])
    ours, status = rows.ours.to_dict(), rows.status.to_dict()
    assert ours["simlex-999", "isomap", "dimensions=10"] == pytest.approx(0.31)
    assert ours["simlex-999", "isomap", "dimensions=10; sigma=0.5"] == pytest.approx(0.21)
    assert ours["men", "original", "dimensions=300"] == pytest.approx(0.7)
    assert status["mnist-1000", "ltsa", "dimensions=20"] == "agree: 0 of 2 trials"
    assert (~rows.status.str.startswith("not run here")).sum() == 4
