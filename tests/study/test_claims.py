"""Claims are read whole or refused, and judged by what was planted in the scores."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
import yaml

from relsim.study.claim_spec import read_claims
from relsim.study.claims import COLUMNS, judge, judge_all
from relsim.study.spec import ROOT, ConfigError, Experiment, Method, Spec, load_spec

ONLY = "only against the paper's own baselines"
LOSSES = ["ste", "gnmds"]
SIZES = {"trials": 20, "epochs": 100}
SBB = {"solver": "SVRG", "variants": {"paper": {}}, "batch_sizes": [1, 5]}
SGD = {"solver": "SGD", "variants": {"paper": {}, "tuned": {}}}
ONLINE = {"model": "OnlineKernel", "variants": {"paper": {}}}
METHODS = {
    "sbb": Method("sbb", "SBB", **SBB, **SIZES),
    "sgd": Method("sgd", "SGD", **SGD, **SIZES),
    "random": Method("random", "random", control="random", **SIZES),
}
STREAM = {
    "pa": Method("pa", "PA", losses=["gnmds"], sweep={"revisits": [0, 9]}, **ONLINE, **SIZES),
    "refit": Method("refit", "refit", model="BatchKernel", variants={"paper": {}}, **SIZES),
}
# What the paper on the next line claims, of scores that each test plants.
FASTER = {
    "kind": "compare",
    "who": "sbb",
    "against": "sgd",
    "measure": "epochs_to_error",
    "direction": "less",
}


@pytest.fixture
def spec():
    def experiment(name, dataset, noise, retrieval=None, methods=METHODS):
        return Experiment(
            *("papers", name, "Fig. 0", [dataset], {"noise": noise}, 2, methods),
            **SIZES,
            trials_per_job=20,
            fallback="digits",
            retrieval=retrieval,
        )

    experiments = [
        experiment("toy", "synthetic", [0.0]),
        experiment("search", "scenes", [0.05, 0.1], {"k": [5, 10]}),
        experiment("stream", "synthetic", [0.0], methods=STREAM),
    ]
    contents = {
        e.name: {
            "comparisons": e.comparisons,
            "datasets": e.datasets,
            "methods": {name: {"sweep": method.sweep} for name, method in e.methods.items()},
        }
        for e in experiments
    }
    return Spec(
        {"seed": 0, "results": "results"},
        "tiny",
        {"papers": {"losses": dict.fromkeys(LOSSES), "experiments": contents}},
        {("papers", experiment.name): experiment for experiment in experiments},
    )


@pytest.fixture
def claim(tmp_path, spec):
    """Read a claim with some checks, through a file; keywords replace other keys."""

    def read(*checks, **changes):
        content = {"statement": "It is so.", "where": "Fig. 1", "artefact": "figures/papers/a"}
        content |= {"experiment": "toy", "data": {"synthetic": "same"}, "check": list(checks)}
        path = tmp_path / "papers.yaml"
        path.write_text(yaml.safe_dump({"it": content | changes}))
        return read_claims(path, spec)[0]

    return read


def scores(values, measure="epochs_to_error", losses=LOSSES, **columns):
    """Rows of a measure: for (method, variant, batch size) one value a trial, or one a loss."""
    rows = []
    for (method, variant, size), of_method in values.items():
        for loss in losses:
            of_loss = of_method[loss] if isinstance(of_method, dict) else of_method
            row = {"study": "papers", "experiment": "toy", "dataset": "synthetic", "noise": 0.0}
            row |= {"method": method, "variant": variant, "batch_size": size, "loss": loss}
            row |= {"measure": measure, "k": pd.NA, "epoch": np.nan, **columns}
            row = {"sweep": np.nan, "triplets": pd.NA, **row}
            rows += [{**row, "trial": n, "value": value} for n, value in enumerate(of_loss)]
    return pd.DataFrame(rows).astype(dict.fromkeys(("k", "batch_size", "triplets"), "Int64"))


def around(center, n=20, spread=0.05, seed=0):
    """Values of trials: a center times noise."""
    rng = np.random.default_rng([seed, int(1000 * abs(center))])
    return center * (1 + spread * rng.normal(size=n))


def rivals(sbb, sgd, tuned=None):
    tables = {("sbb", "paper", 1): sbb, ("sgd", "paper", 0): sgd}
    return tables if tuned is None else tables | {("sgd", "tuned", 0): tuned}


@pytest.mark.parametrize(
    ("ratio", "verdict"), [(6, "reproduced"), (4, "undecided"), (2, "not reproduced")]
)
def test_a_factor_is_reached_missed_or_within_the_interval(claim, ratio, verdict):
    faster = claim({**FASTER, "by": {"factor": 4}})
    row = judge(faster, scores(rivals(around(10), around(10 * ratio))))
    assert row["verdict"] == verdict
    assert (row["dataset"], row["data"], row["trials"]) == ("synthetic", "same", 20)


def test_the_evidence_is_the_effect_with_its_interval_for_each_loss(claim):
    table = scores(rivals(np.full(20, 10.0), {"ste": np.full(20, 50.0), "gnmds": [15.0] * 20}))
    evidence = judge(claim(FASTER), table)["evidence"]
    assert "ste 5 [5, 5] sbb (paper, b = 1) against sgd (paper), n = 20" in evidence
    assert "gnmds 1.5 [1.5, 1.5]" in evidence


@pytest.mark.parametrize(
    ("direction", "by", "offset", "verdict"),
    [
        ("less", {"difference": -0.05}, 0.03, "reproduced"),  # no worse by more than 0.05
        ("less", {"difference": -0.05}, 0.08, "not reproduced"),
        ("greater", {"difference": 0.05}, 0.08, "reproduced"),
        ("greater", {"difference": 0.05}, 0.03, "not reproduced"),
    ],
)
def test_differences(claim, direction, by, offset, verdict):
    base = around(0.3, spread=0.2)
    table = scores(rivals(base + offset, base), measure="final_error")
    check = {**FASTER, "measure": "final_error", "direction": direction, "by": by}
    assert judge(claim(check), table)["verdict"] == verdict


def test_trials_are_paired(claim):
    base = around(10, spread=0.5)
    assert judge(claim(FASTER), scores(rivals(0.99 * base, base)))["verdict"] == "reproduced"
    shuffled = scores(rivals(0.99 * base, np.roll(base, 7)))
    assert judge(claim(FASTER), shuffled)["verdict"] == "undecided"


def test_the_same_is_not_better(claim):
    base = around(10)
    assert judge(claim(FASTER), scores(rivals(base, base)))["verdict"] == "not reproduced"


def test_few_trials_decide_nothing(claim):
    table = scores(rivals(around(10, n=4), around(60, n=4)))
    row = judge(claim(FASTER), table)
    assert row["verdict"] == "undecided" and "4 trials, 5 needed" in row["evidence"]
    assert judge(claim(FASTER, min_trials=4), table)["verdict"] == "reproduced"


@pytest.mark.parametrize(
    ("of_gnmds", "verdict"), [(60, "reproduced"), (10, "undecided"), (2, "not reproduced")]
)
def test_every_loss_is_needed(claim, of_gnmds, verdict):
    sgd = {"ste": around(60), "gnmds": around(of_gnmds, seed=1)}
    table = scores(rivals(around(10), sgd))
    assert judge(claim(FASTER), table)["verdict"] == verdict
    assert judge(claim({**FASTER, "losses": ["ste"]}), table)["verdict"] == "reproduced"


@pytest.mark.parametrize(
    ("paper", "fair", "verdict"),
    [
        (60, 60, "reproduced"),
        (60, 2, f"reproduced {ONLY}"),
        (60, 10, "undecided"),
        (2, 60, "not reproduced"),
        (2, 2, "not reproduced"),
        (10, 2, "undecided"),
    ],
)
def test_fair_baselines_are_judged_apart(claim, paper, fair, verdict):
    sides = {"paper": ["sgd"], "fair": [{"method": "sgd", "variant": "tuned"}]}
    table = scores(rivals(around(10), around(paper, seed=1), around(fair, seed=2)))
    row = judge(claim({**FASTER, "against": sides}), table)
    assert row["verdict"] == verdict
    assert "paper baselines: " in row["evidence"] and "fair baselines: " in row["evidence"]


@pytest.mark.parametrize(
    ("paper", "fair", "verdict"),
    [(60, 60, "holds"), (60, 2, f"holds {ONLY}"), (2, 60, "does not hold"), (10, 60, "undecided")],
)
def test_on_stand_in_data_nothing_is_reproduced(claim, paper, fair, verdict):
    sides = {"paper": ["sgd"], "fair": [{"method": "sgd", "variant": "tuned"}]}
    table = scores(rivals(around(10), around(paper, seed=1), around(fair, seed=2)))
    stand_in = claim({**FASTER, "against": sides}, data={"synthetic": "stand-in"})
    row = judge(stand_in, table)
    assert (row["verdict"], row["data"]) == (verdict, "stand-in")


def test_the_first_data_set_that_was_run_is_judged(claim):
    table = scores(rivals(around(10), around(60)), dataset="digits")
    row = judge(claim(FASTER, data={"synthetic": "same", "digits": "stand-in"}), table)
    assert (row["dataset"], row["verdict"]) == ("digits", "holds")


NEVER = np.full(20, np.nan)


@pytest.mark.parametrize(
    ("sbb", "sgd", "verdict"),
    [
        (around(10), NEVER, "reproduced"),
        (NEVER, around(10), "not reproduced"),
        (NEVER, NEVER, "not reproduced"),
        (np.where(np.arange(20) < 8, np.nan, 10.0), NEVER, "undecided"),
    ],
)
def test_not_reached_is_worse_than_any_number(claim, sbb, sgd, verdict):
    faster = claim({**FASTER, "by": {"factor": 4}})
    assert judge(faster, scores(rivals(sbb, sgd)))["verdict"] == verdict


@pytest.mark.parametrize(("measure", "direction"), [("MAP", "greater"), ("procrustes", "less")])
@pytest.mark.parametrize(
    ("sbb", "sgd", "verdict"),
    [(around(0.5), NEVER, "reproduced"), (NEVER, around(0.5), "not reproduced")],
)
def test_a_missing_score_is_worse_than_any_number(claim, measure, direction, sbb, sgd, verdict):
    check = {**FASTER, "measure": measure, "direction": direction, "by": {"factor": 1.2}}
    assert judge(claim(check), scores(rivals(sbb, sgd), measure))["verdict"] == verdict


def test_only_trials_that_both_have_count(claim):
    table = scores(rivals(around(10), around(60)))
    table = table[(table.method == "sbb") | (table.trial >= 12)]
    row = judge(claim(FASTER), table)
    assert (row["verdict"], row["trials"]) == ("reproduced", 8)
    apart = table[(table.method == "sgd") | (table.trial < 12)]
    assert judge(claim(FASTER), apart)["verdict"] == "not yet run"


@pytest.mark.parametrize(
    ("values", "verdict"),
    [(NEVER, "reproduced"), (np.where(np.arange(20) < 1, 90.0, np.nan), "not reproduced")],
)
def test_never_is_refuted_by_one_trial(claim, values, verdict):
    check = {"kind": "within", "who": "sgd", "measure": "epochs_to_error"}
    check |= {"at_least": np.inf, "share": 1}
    assert judge(claim(check), scores({("sgd", "paper", 0): values}))["verdict"] == verdict


@pytest.mark.parametrize(
    ("good", "verdict"), [(20, "reproduced"), (18, "undecided"), (10, "not reproduced")]
)
def test_a_bound_in_a_share_of_the_trials(claim, good, verdict):
    check = {"kind": "within", "who": ["sbb"], "measure": "peak_rise", "at_most": 0.02}
    table = scores({("sbb", "paper", 1): np.where(np.arange(20) < good, 0.0, 0.1)}, "peak_rise")
    assert judge(claim({**check, "share": 0.9}), table)["verdict"] == verdict


def test_a_missing_value_is_within_no_bounds(claim):
    table = scores({("sbb", "paper", 1): NEVER}, "peak_rise")
    for bound in ({"at_most": 9}, {"at_least": -9}):
        check = {"kind": "within", "who": "sbb", "measure": "peak_rise", **bound}
        assert judge(claim(check), table)["verdict"] == "not reproduced"


def curves(power, epochs=range(101), spread=0.01):
    """A measure that falls as a power of the epoch, a power a trial."""
    return pd.concat(
        scores(
            {("sbb", "paper", 1): max(epoch, 1) ** np.asarray(around(power, spread=spread))},
            "test_error",
            epoch=float(epoch),
        )
        for epoch in epochs
    )


@pytest.mark.parametrize(
    ("bounds", "verdict"),
    [
        ({"at_most": -0.9}, "reproduced"),
        ({"at_most": -1.2}, "not reproduced"),
        ({"at_least": -1.1, "at_most": -0.9}, "reproduced"),
        ({"at_least": -0.9, "at_most": 0}, "not reproduced"),
    ],
)
def test_slope_of_a_curve(claim, bounds, verdict):
    check = {"kind": "slope", "who": "sbb", "measure": "test_error", "after": 0.1, **bounds}
    assert judge(claim(check), curves(-1.0))["verdict"] == verdict


def test_a_slope_leaves_the_first_part_out_and_what_has_no_logarithm(claim):
    table = curves(-1.0, spread=0)
    table.loc[table.epoch <= 50, "value"] = 1 / 50
    table.loc[table.epoch == 99, "value"] = 0.0
    check = {"kind": "slope", "who": "sbb", "measure": "test_error", "at_most": -0.99}
    assert judge(claim({**check, "after": 0.5}), table)["verdict"] == "reproduced"
    assert judge(claim(check), table)["verdict"] == "not reproduced"


@pytest.mark.parametrize(("above", "verdict"), [(1e-12, "reproduced"), (0, "not reproduced")])
def test_a_slope_ends_where_the_curve_meets_rounding(claim, above, verdict):
    table = curves(-8.0, spread=0)
    noise = 1e-14 * (1 + table.epoch % 7)
    table["value"] = table.value.where(table.epoch < 40, 0) + noise
    table.loc[table.epoch == 90, "value"] = 1e-11  # once, after the curve has met it
    check = {"kind": "slope", "who": "sbb", "measure": "test_error", "after": 0.5}
    check |= {"at_most": -7, "above": above}
    assert judge(claim(check), table)["verdict"] == verdict


@pytest.mark.parametrize(
    ("epoch", "verdict"), [({"epoch": 10}, "not reproduced"), ({}, "reproduced")]
)
def test_a_curve_is_read_at_an_epoch_or_at_its_end(claim, epoch, verdict):
    check = {"kind": "within", "who": "sbb", "measure": "test_error", "at_most": 0.02, **epoch}
    assert judge(claim(check), curves(-1.0, range(0, 101, 4)))["verdict"] == verdict


def streams(values, measure="test_error", **columns):
    """Rows of a stream, for (method, loss, sweep): one value a trial, or one for each number."""
    tables = []
    for (method, loss, sweep), of_method in values.items():
        by_triplets = of_method if isinstance(of_method, dict) else {1000: of_method}
        for triplets, of_trials in by_triplets.items():
            place = {"experiment": "stream", "sweep": sweep, "triplets": triplets}
            place |= {"epoch": 7.0 * triplets, **columns}  # not what a slope is taken over
            rows = {(method, "paper", pd.NA): of_trials}
            tables.append(scores(rows, measure, [loss], **place))
    return pd.concat(tables)


PASSES = {
    **{"kind": "compare", "who": [{"method": "pa", "sweep": 9}], "losses": ["gnmds"]},
    **{"against": [{"method": "refit", "loss": "ste"}], "measure": "test_error"},
    "direction": "less",
}


def test_a_contender_may_have_a_loss_and_a_swept_value_of_its_own(claim):
    values = {
        ("pa", "gnmds", 0.0): around(0.5),
        ("pa", "gnmds", 9.0): around(0.1),
        ("refit", "gnmds", np.nan): around(0.05),
        ("refit", "ste", np.nan): around(0.3),
    }
    better = claim(PASSES, experiment="stream")
    row = judge(better, streams(values))
    assert row["verdict"] == "reproduced"
    assert "pa (paper, revisits 9) against refit (paper, ste), n = 20" in row["evidence"]
    for key, other in (("who", [{"method": "pa"}]), ("against", [{"method": "refit"}])):
        worse = claim({**PASSES, key: other}, experiment="stream")
        assert judge(worse, streams(values))["verdict"] == "not reproduced"
    without = streams({key: value for key, value in values.items() if key[2] != 9.0})
    assert (
        "no test_error of pa (paper, revisits 9) with gnmds" in judge(better, without)["evidence"]
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"who": [{"method": "pa", "sweep": 4}]}, "unknown revisits 4; allowed: 0, 9"),
        ({"losses": ["ste"]}, "check.0: pa: unknown loss ste; allowed: gnmds"),
    ],
)
def test_a_contender_of_a_stream_that_was_never_run_is_refused(claim, changes, words):
    with pytest.raises(ConfigError) as error:
        claim({**PASSES, **changes}, experiment="stream")
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("triplets", "verdict"),
    [
        ([400], "not reproduced"),
        ([500], "reproduced"),
        ([700, 1000], "reproduced"),  # 700: what it was at 500
        ([400, 500], "not reproduced"),
        (None, "reproduced"),
    ],
)
def test_a_stream_is_read_at_every_number_of_triplets(claim, triplets, verdict):
    late = {400: around(0.4), 500: around(0.2), 1000: around(0.1)}
    steady = dict.fromkeys((400, 500, 1000), around(0.3))
    table = streams({("pa", "gnmds", 9.0): late, ("refit", "ste", np.nan): steady})
    check = PASSES if triplets is None else {**PASSES, "triplets": triplets}
    row = judge(claim(check, experiment="stream"), table)
    assert row["verdict"] == verdict
    assert ("400 triplets" in row["evidence"]) is (triplets is not None and 400 in triplets)


@pytest.mark.parametrize(("at_least", "verdict"), [(-0.6, "reproduced"), (-0.4, "not reproduced")])
def test_the_slope_of_a_stream_is_over_triplets(claim, at_least, verdict):
    curve = {n: np.full(20, n**-0.5) for n in range(100, 1001, 100)}
    table = streams({("pa", "gnmds", 0.0): curve})
    table["epoch"] = table.epoch**2  # a refit takes more evaluations on more triplets
    check = {"kind": "slope", "who": "pa", "losses": ["gnmds"], "measure": "test_error"}
    falls = claim({**check, "at_least": at_least}, experiment="stream")
    assert judge(falls, table)["verdict"] == verdict


def test_every_noise_and_k_is_needed(claim):
    values = rivals(around(0.6), around(0.3))
    check = {**FASTER, "measure": "recall", "direction": "greater"}
    better = claim(check, experiment="search", data={"scenes": "same"})
    places = [{"noise": noise, "k": k} for noise, k in product((0.05, 0.1), (5, 10))]
    place = {"measure": "recall", "experiment": "search", "dataset": "scenes"}
    tables = [scores(values, **place, **where) for where in places]
    assert judge(better, pd.concat(tables))["verdict"] == "reproduced"
    assert judge(better, pd.concat(tables[1:]))["verdict"] == "not yet run"
    tables[2] = scores(rivals(around(0.3), around(0.6)), **place, **places[2])
    row = judge(better, pd.concat(tables))
    assert row["verdict"] == "not reproduced" and "k = 5" in row["evidence"]


def test_a_check_may_be_about_some_noise_levels_only(claim):
    check = {**FASTER, "measure": "MAP", "direction": "greater", "noise": [0.1]}
    place = {"measure": "MAP", "experiment": "search", "dataset": "scenes"}
    table = pd.concat(
        scores(rivals(around(center), around(0.3)), noise=noise, **place)
        for noise, center in ((0.05, 0.1), (0.1, 0.6))
    )
    better = claim(check, experiment="search", data={"scenes": "same"})
    assert judge(better, table)["verdict"] == "reproduced"
    everywhere = claim(
        {**check, "noise": [0.05, 0.1]}, experiment="search", data={"scenes": "same"}
    )
    assert judge(everywhere, table)["verdict"] == "not reproduced"
    with pytest.raises(ConfigError, match=r"unknown noise 0\.2; allowed: 0\.05, 0\.1"):
        claim({**check, "noise": [0.2]}, experiment="search", data={"scenes": "same"})


@pytest.mark.parametrize(("error", "verdict"), [(0.1, "reproduced"), (0.5, "not reproduced")])
def test_a_check_may_be_about_another_experiment(claim, tmp_path, spec, error, verdict):
    low = {"kind": "within", "who": "pa", "losses": ["gnmds"], "measure": "test_error"}
    low |= {"experiment": "stream", "at_most": 0.2}
    both = claim(FASTER, low)
    assert both.experiments == ["toy", "stream"]
    toy, stream = (
        scores(rivals(around(10), around(60))),
        streams({("pa", "gnmds", 0): [error] * 20}),
    )
    assert judge(both, pd.concat([toy, stream]))["verdict"] == verdict
    assert "no test_error of pa" in judge(both, toy)["evidence"]
    for name, table in (("toy", toy), ("stream", stream)):
        folder = tmp_path / "scores" / "papers" / name / "synthetic"
        folder.mkdir(parents=True)
        table.to_parquet(folder / "all.parquet")
    (tmp_path / "config" / "claims").mkdir(parents=True)
    (tmp_path / "papers.yaml").rename(tmp_path / "config" / "claims" / "papers.yaml")
    row = judge_all(spec, tmp_path / "scores", tmp_path).iloc[0]
    assert (row.verdict, row.experiment) == (verdict, "toy")


def test_another_experiment_must_be_known(claim):
    with pytest.raises(ConfigError, match=r"check\.0\.experiment: unknown experiment steam"):
        claim({**FASTER, "experiment": "steam"})


def test_a_method_against_itself_with_more_noise(claim):
    check = {**FASTER, "who": [{"method": "sbb", "noise": 0.05}], "measure": "MAP"}
    check |= {"against": [{"method": "sbb", "noise": 0.1}], "direction": "greater"}
    place = {"measure": "MAP", "experiment": "search", "dataset": "scenes"}
    table = pd.concat(
        scores({("sbb", "paper", 1): around(center)}, noise=noise, **place)
        for noise, center in ((0.05, 0.6), (0.1, 0.4))
    )
    lower = claim(check, experiment="search", data={"scenes": "same"})
    assert len(lower.cases) == len(LOSSES)
    assert judge(lower, table)["verdict"] == "reproduced"


def test_a_control_serves_all_losses_and_a_loss_may_have_its_own_batch_size(claim):
    who = {"method": "sbb", "by_loss": {"gnmds": {"batch_size": 5}}}
    check = {**FASTER, "who": [who], "against": "random", "measure": "test_error"}
    values = {
        ("sbb", "paper", 1): {"ste": around(0.1), "gnmds": around(0.9)},
        ("sbb", "paper", 5): {"ste": around(0.9), "gnmds": around(0.1)},
    }
    random = scores({("random", "control", 0): around(0.5)}, "test_error", losses=["none"])
    table = pd.concat([scores(values, "test_error"), random])
    assert judge(claim(check), table)["verdict"] == "reproduced"


def test_what_has_no_result_is_not_yet_run(claim):
    table = scores(rivals(around(10), around(60)))
    for changed in (table[table.method == "sbb"], table[table.loss == "ste"], table[:0]):
        row = judge(claim(FASTER), changed)
        assert row["verdict"] == "not yet run" and row["evidence"]
    assert "epochs_to_error of sgd (paper)" in judge(claim(FASTER), table[:20])["evidence"]


def test_the_interval_covers_the_median(claim):
    # At 20 trials the percentile interval of a median covers it in 95 % of cases.
    rng = np.random.default_rng(5)
    covered = 0
    check = {"kind": "within", "who": "sbb", "losses": ["ste"], "measure": "norm", "at_most": 0}
    median = claim(check)
    for _ in range(200):
        table = scores({("sbb", "paper", 1): rng.normal(3.0, 1.0, size=20)}, "norm", ["ste"])
        text = judge(median, table)["evidence"]
        low, high = text[text.index("[") + 1 : text.index("]")].split(", ")
        covered += float(low) <= 3.0 <= float(high)
    assert 0.9 <= covered / 200 <= 0.99


def test_judging_repeats_and_does_not_depend_on_the_order_of_rows(claim):
    table = scores(rivals(around(10, spread=0.9), around(11, spread=0.9)))
    assert judge(claim(FASTER), table) == judge(claim(FASTER), table[::-1])


@pytest.mark.parametrize(
    ("check", "key", "words"),
    [
        ({**FASTER, "who": "svgr"}, "check.0", "unknown method svgr; allowed: sbb, sgd, random"),
        ({**FASTER, "against": ["adam"]}, "check.0", "unknown method adam"),
        ({**FASTER, "measure": "tets_error"}, "check.0.measure", "unknown measure tets_error"),
        ({**FASTER, "losses": ["tse"]}, "check.0.losses", "unknown loss tse; allowed: ste, gnmds"),
        ({**FASTER, "measure": "recall"}, "check.0.measure", "not measured in toy"),
        (
            {**FASTER, "who": [{"method": "sbb", "by_loss": {"tse": {"batch_size": 5}}}]},
            "check.0.by_loss",
            "unknown loss tse",
        ),
        (
            {**FASTER, "who": [{"method": "sbb", "variant": "tuned"}]},
            "check.0: sbb",
            "unknown variant tuned; allowed: paper",
        ),
        (
            {**FASTER, "who": [{"method": "sbb", "batch_size": 20}]},
            "check.0: sbb",
            "unknown batch size 20; allowed: 1, 5",
        ),
        ({**FASTER, "who": [{"method": "sbb", "sweep": 9}]}, "check.0: sbb", "is swept"),
        (
            {**FASTER, "who": [{"method": "sbb", "loss": "ckl"}]},
            "check.0: sbb",
            "unknown loss ckl; allowed: ste, gnmds",
        ),
        ({**FASTER, "triplets": 500}, "check.0.triplets", "is not of type 'array'"),
        ({**FASTER, "who": [{"method": "sbb", "noise": 0.2}]}, "check.0: sbb", "unknown noise"),
        ({**FASTER, "faktor": 4}, "check.0", "unknown key faktor"),
        ({**FASTER, "by": {"factor": 4, "difference": 1}}, "check.0.by", "too many properties"),
        ({**FASTER, "direction": "lower"}, "check.0.direction", "allowed: less, greater"),
        ({**FASTER, "kind": "compares"}, "check.0.kind", "allowed: compare, within, slope"),
        ({**FASTER, "against": {"papers": ["sgd"]}}, "check.0.against", "unknown key papers"),
        ({"kind": "within", "who": "sgd", "measure": "norm"}, "check.0", "at_least"),
        ({"kind": "slope", "who": "sgd", "measure": "norm", "epoch": 3}, "check.0", "epoch"),
    ],
)
def test_a_check_that_cannot_be_is_refused(claim, tmp_path, check, key, words):
    with pytest.raises(ConfigError) as error:
        claim(check)
    assert str(tmp_path / "papers.yaml") in str(error.value)
    assert "it" in str(error.value) and key in str(error.value) and words in str(error.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"experiment": "toys"}, "it.experiment: unknown experiment toys; allowed: toy, search, "),
        (
            {"data": {"musik": "same"}},
            "unknown data set musik; allowed: synthetic, digits",
        ),
        ({"data": {"synthetic": "alike"}}, "allowed: same, stand-in, partial"),
        ({"statment": "It is."}, "unknown key statment"),
        ({"min_trials": 0}, "it.min_trials"),
    ],
)
def test_a_claim_that_cannot_be_is_refused(claim, changes, words):
    with pytest.raises(ConfigError, match="papers") as error:
        claim(FASTER, **changes)
    assert words in str(error.value)


def test_all_papers_are_on_the_scoreboard(tmp_path, spec, claim):
    folder = tmp_path / "config" / "claims"
    folder.mkdir(parents=True)
    claim(FASTER)
    (tmp_path / "papers.yaml").rename(folder / "papers.yaml")
    later = {"soon": {"statement": "It will be.", "where": "Fig. 2", "check": None}}
    (folder / "zebra.yaml").write_text(yaml.safe_dump(later))
    place = tmp_path / "scores" / "papers" / "toy" / "synthetic"
    empty = judge_all(spec, tmp_path / "scores", tmp_path)
    assert empty.verdict.tolist() == ["not yet run"] * 2
    place.mkdir(parents=True)
    table = scores(rivals(around(10), around(60)))
    for method, rows in table.groupby("method"):
        rows.to_parquet(place / f"{method}.parquet")
    board = judge_all(spec, tmp_path / "scores", tmp_path)
    assert board.columns.tolist() == COLUMNS
    assert board[["study", "claim", "verdict"]].to_numpy().tolist() == [
        ["papers", "it", "reproduced"],
        ["zebra", "soon", "not yet run"],
    ]


CLAIMS = {
    "svrg_sbb": """sbb0-unstable sbb-stable beats-svrg beats-sgd beats-batch beats-convex
        best-batch-size fast-start eurodist-map music-curves retrieval-best retrieval-noise
        minibatch-beats-single all-reasonable pl-rate rate""",
    "erkle": """steps beats-batch passes skipped cheaper-than-step overtakes music-noise music-rank
        few-triplets projection""",
    "sdca": """learners-beat-euclid sdca-best caltech-best large-best faster-loss fewer-mistakes
        linear-gap""",
    "pattern_search": """fewer-epochs faster bad-moves half-directions start-radius parallel
        tolerance svd-mnist noise-manifolds unrolls simlex-best mnist-best noise-robust hole""",
}


@pytest.mark.parametrize("scale", ["smoke", "default", "paper"])
@pytest.mark.parametrize("paper", CLAIMS)
def test_the_shipped_claims_fit_the_shipped_studies(paper, scale):
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    spec = load_spec({**config, "scale": scale, "studies": list(CLAIMS)})
    claims = {
        claim.name: claim
        for claim in read_claims(ROOT / "config" / "claims" / f"{paper}.yaml", spec)
    }
    assert set(CLAIMS[paper].split()) <= set(claims)
    assert all(claim.cases for claim in claims.values())
