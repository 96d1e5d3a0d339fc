"""The time and memory of a run's jobs: `python -m closerthan_study.report.costs results`."""

import sys
from pathlib import Path

import pandas as pd


def costs(results):
    """Return the jobs, core hours, minutes and megabytes of each study's fits and scores."""
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
