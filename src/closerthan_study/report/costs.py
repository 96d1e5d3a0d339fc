"""What a run has cost, by the records that it kept: `python -m closerthan_study.report.costs`."""

import sys
from pathlib import Path

import pandas as pd

__all__ = ["costs"]


def costs(results):
    """Return what the fits and scores of each study have taken.

    Parameters
    ----------
    results : path-like
        The folder of a run, or of several that have followed one another: what was not run again
        counts as it was.

    Returns
    -------
    DataFrame
        A row a station and study: jobs, core hours (a job computes on one core), the minutes of
        the longest job, and the megabytes of the largest.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     record = Path(folder, "logs/fits/erkle/music/music/batch.0.tsv")
    ...     record.parent.mkdir(parents=True)
    ...     _ = record.write_text("s\\tmax_rss\\n5400\\t812.5\\n")
    ...     print(costs(folder).to_string(index=False))
    station study  jobs  core_hours  longest_minutes  largest_mb
       fits erkle     1         1.5             90.0       812.5
    """
    tables = []
    for station in ("fits", "scores"):
        logs = Path(results, "logs", station)
        for path in sorted(logs.rglob("*.tsv")):
            study = path.relative_to(logs).with_suffix("").parts[0]
            record = pd.read_csv(path, sep="\t", na_values="-")
            tables.append(record.assign(station=station, study=study))
    return (
        pd.concat(tables)
        .groupby(["station", "study"], as_index=False)
        .agg(
            jobs=("s", "size"),
            core_hours=("s", lambda seconds: seconds.sum() / 3600),
            longest_minutes=("s", lambda seconds: seconds.max() / 60),
            largest_mb=("max_rss", "max"),
        )
    )


if __name__ == "__main__":
    print(costs(sys.argv[1]).round(1).to_string(index=False))
