"""Scores of streams: tidy rows over the triplets so far."""

from closerthan_study.tasks.base import KEYS
from toy_study import pick


def test_every_row_says_what_it_is_of(stream, tidy_scores):
    toy = stream()
    table = tidy_scores(toy)
    assert table[["epoch", "triplets", "noise", "value"]].notna().all(axis=None)
    assert table[["batch_size", "k"]].isna().all(axis=None)
    assert table.sweep.notna().equals(table.method == "online")
    curves = {"test_error", "train_error", "rank", "trace"}
    measures = {"online": {*curves, "eigenpairs", "removed", "final_error"}}
    measures["online"] |= {"eigenpairs_deviation", "removed_share"}
    measures["refit"] = {*curves, "final_error"}
    measures["truth"] = {"test_error", "train_error", "final_error"}
    for method, expected in measures.items():
        assert set(pick(table, method=method).measure) == expected
    words = {"method": "online", "variant": "paper", "sweep": 2.0, "trial": 1}
    of_fit = pick(table, **words)
    assert list(pick(of_fit, measure="rank").triplets) == [30, 60, 90]
    (final,) = pick(of_fit, measure="final_error").iloc
    (last,) = pick(of_fit, measure="test_error", triplets=90).iloc
    assert (final.value, final.epoch, final.triplets) == (last.value, last.epoch, 90)
    same = {key: value for key, value in words.items() if key != "trial"}
    pairs = pick(table, **same, measure="eigenpairs", triplets=90).value
    deviation = pick(table, **same, measure="eigenpairs_deviation").value
    assert len(deviation) == 2 and deviation.eq(pairs.std()).all() and pairs.std() > 0

    seconds = toy.seconds
    assert set(seconds.measure) == {"seconds", "stream_seconds"}
    for _, curve in seconds.groupby(["method", "measure", *KEYS], dropna=False):
        assert list(curve.triplets) == [30, 60, 90] and curve.value.is_monotonic_increasing
        assert curve.value.iloc[0] > 0


def test_seconds_of_a_stream_count_the_refits_that_a_scale_leaves_out(stream):
    few = {"refit": {"checkpoints": [60, 90], "reason": "a refit takes a while"}}
    toy = stream(sizes={"methods": few})
    toy.make_all()
    table = toy.seconds
    keys = ["method", "sweep", "trial", "variant", "triplets"]
    seconds = table.set_index(["measure", *keys]).value
    times = (seconds["stream_seconds"] / seconds["seconds"]).groupby(["method", "triplets"]).mean()
    assert times["refit"].to_dict() == {60: 2.0, 90: 1.5}
    assert times["online"].eq(1).all()


def test_the_study_has_a_row_for_every_comparison_of_projections(stream):
    variants = {"paper": {"parameters": {"gradient": "paper"}}, "default": {}}
    online = {"model": "OnlineKernel", "losses": ["gnmds"], "variants": variants}
    toy = stream(methods={"online": online}, projection=True, rank=False)
    toy.make_fits("online")
    table = toy.make_scores()
    assert "rank" not in set(table.measure)
    assert pick(table, measure="negative_eigenvalues").value.between(0, 1).all()
    assert pick(table, measure="projection_distance").value.between(0, 1e-10).all()
    assert len(pick(table, measure="projection_distance")) == 2 * 2 * 3
