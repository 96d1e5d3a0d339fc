"""What the survey's pages show of published results: `python survey/docs/survey_made.py` writes it into them.

The marks are those of docs/made.py.
"""

import json
import sys
from pathlib import Path

import pandas as pd

DOCS = Path(__file__).parent
PUBLISHED = DOCS.parent / "results" / "published"
sys.path.append(str(DOCS.parents[1] / "docs"))
from made import ROOT, holding, table, write_pages  # noqa: E402

MEASURED = ROOT / "results" / "published" / "benchmarks"
PEER = "cblearn STE"
RACES = {  # what the table of speed calls a problem: n, triplets and p of the benchmark, and its noise
    "100 objects in 10 dimensions, 10,000 triplets": (100, 10_000, 10, 0.0),
    "the same, a tenth of the answers wrong": (100, 10_000, 10, 0.1),
    "10,000 objects in 10 dimensions, 1,000,000 triplets": (10_000, 1_000_000, 10, 0.0),
}
SIZES = 2  # dimensions of the problems that are as large as real data sets
OURS = {"default": "`OrdinalEmbedding()`", "auto": "STE alone, no penalty"}
DIFFERENCE = ["difference", "difference, from", "difference, to"]
NEAR = 3  # percent above the error of the best method, as on the page of the survey


def pages():
    return holding(sorted(DOCS.glob("*.md")))


def speed():
    """CPU seconds and test errors of whole fits: the default, one loss, and the same loss of a peer."""
    fits = pd.read_csv(MEASURED / "tables" / "compare-1.csv")
    fits = fits.query("peer == @PEER and start == 'same' and environment == 'stock'")
    rows = []
    for name, problem in RACES.items():
        same = fits[fits[["n", "triplets", "p", "noise"]].eq(list(problem)).all(axis=1)]
        of = same.set_index("ours")
        row = {
            shown: _seconds(of["whole: our CPU ms"][ours], of["our end"][ours])
            for ours, shown in OURS.items()
        }
        first = same.iloc[0]
        row["cblearn's STE"] = _seconds(first["whole: peer's CPU ms"], first["peer's end"])
        rows.append({"problem": name} | row)
    many = fits[fits["p"].eq(SIZES)]
    (default, alone), (elapsed, elapsed_alone) = (
        [_spread(many[f"whole: {kind} ratio"][many["ours"] == ours]) for ours in OURS]
        for kind in ("cpu", "wall")
    )
    n_problems = many["ours"].value_counts().iloc[0]
    measured, _, _ = (MEASURED / "README-table.md").read_text(encoding="utf-8").partition("\n")
    return f"""{table(pd.DataFrame(rows))}
{measured}
On {n_problems} generated problems, with sizes of real data sets, cblearn needs {default} times the CPU time
of the default (median and range). It needs {alone} times the CPU time of STE alone. It uses several threads, so
in elapsed time it needs {elapsed} and {elapsed_alone} times.
"""


def _spread(ratios):
    numbers = pd.to_numeric(ratios.str.split().str[0])
    middle, least, most = map(_two_digits, numbers.agg(["median", "min", "max"]))
    return f"{middle} ({least} to {most})"


def _seconds(milliseconds, end):
    """Write seconds with the test error; a fit that was stopped would have taken longer."""
    error, _, stopped = str(end).partition(", ")
    seconds = int(milliseconds / 1000) if stopped else _two_digits(milliseconds / 1000)
    return f"{'> ' if stopped else ''}{seconds} s ({error})"


def _two_digits(value):
    return f"{value:.0f}" if value >= 99.5 else f"{value:#.2g}".rstrip(".")


def things():
    """Return the published accuracies for the questions of THINGS that were asked many times."""
    rows = pd.read_csv(PUBLISHED / "tables" / "things" / "repeated.csv")
    rows = rows.sort_values("accuracy", ascending=False)
    interval = [
        f"{low:.3f} to {high:.3f}" if high > low else ""
        for low, high in zip(rows["accuracy, from"], rows["accuracy, to"], strict=True)
    ]
    accuracy = rows["accuracy"].map("{:.3f}".format)
    columns = {"method": rows["method"], "odd ones out predicted": accuracy, "interval": interval}
    return table(pd.DataFrame(columns))


def survey():
    """Say what the published survey compares, and on how many data sets the default is near the best."""
    folder = PUBLISHED / "tables" / "survey"
    default, ranks = (pd.read_csv(folder / f"{name}.csv") for name in ("default", "ranks"))
    record = json.loads((PUBLISHED / "provenance-survey.json").read_text(encoding="utf-8"))
    sources = [
        entry["source"]
        for name, entry in record["datasets"].items()
        if not name.startswith("simulated")
    ]
    near = int((default["difference, %"] <= NEAR).sum())
    return f"""The survey compares {len(ranks)} methods on {len(default)} data sets: {len(sources)} with answers from
people (from {len(set(sources))} sources) and {len(default) - len(sources)} simulated. Each data set was split
{default["trials"].max()} times. On {near} of the data sets, the error of the default is at most {NEAR} % above the
error of the best method.
"""


def court():
    """Return the figure and the table of the court that is published: a row for each contender."""
    folder = PUBLISHED / "court"
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    summary = pd.read_csv(folder / "summary.csv")
    errors = [
        "" if pd.isna(middle) else f"{middle:+.1f} ({low:+.1f} to {high:+.1f})"
        for middle, low, high in summary[DIFFERENCE].to_numpy()
    ]
    shown = pd.DataFrame(
        {
            "contender": summary["contender"],
            "sets": summary["data sets"],
            "error minus the default's": errors,
            "better, worse on": [f"{n}, {m}" for n, m in summary[["better", "worse"]].to_numpy()],
            "CPU s": summary["seconds of a fit"].map("{:.1f}".format, "ignore"),
        }
    )
    return f"""![Error of each contender minus the error of the default, and seconds](../results/published/court/court.png)

*Held-out error in two dimensions (SPoSE and VICE have more). Each dot is a data set. Diamonds: medians over data sets.
Bars: their 95 % intervals, or the range of fewer than six sets. Left of zero is better than the default. The axis is
linear up to 3 points, then logarithmic. A dot at the right edge of the seconds may be a fit that was out of time.*

{table(shown)}
*{run["others"]} methods of others on {run["datasets"]} sets of people's answers. Trials on each set: {run["trials"]}.
Limits of a fit: {run["seconds"]} seconds, {run["megabytes"]:,} MB. Error: percentage points, medians over data sets with
95 % intervals. "Better" and "worse" count data sets with a difference above one point. "CPU s": one fit, with the start
of the program. The default searches within this fit. The others need one such fit for each setting, and one more.*
"""


MADE = {
    "speed": speed,
    "things": things,
    "survey": survey,
    "court": court,
}

if __name__ == "__main__":
    write_pages(pages(), MADE)
