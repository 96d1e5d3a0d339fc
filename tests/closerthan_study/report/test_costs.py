"""Check that costs are summed by station and study, for any division into jobs."""

from closerthan_study.report.costs import costs


def test_jobs_of_a_whole_study_and_of_a_method_are_told_by_their_study(tmp_path):
    seconds = {
        "fits/erkle.tsv": 3600,
        "fits/sdca/bags/caltech10/oasis.0.tsv": 60,
        "fits/sdca/bags/caltech10/sdca.0.tsv": 120,
        "scores/sdca/bags/caltech10.tsv": 30,
    }
    for place, s in seconds.items():
        path = tmp_path / "logs" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"s\tmax_rss\n{s}\t100\n")
    table = costs(tmp_path).set_index(["station", "study"])
    assert table.jobs.to_dict() == {
        ("fits", "erkle"): 1,
        ("fits", "sdca"): 2,
        ("scores", "sdca"): 1,
    }
    assert table.core_hours["fits", "erkle"] == 1
    assert table.longest_minutes["fits", "sdca"] == 2
    assert table.largest_mb["scores", "sdca"] == 100
