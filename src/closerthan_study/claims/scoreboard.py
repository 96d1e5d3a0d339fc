"""Judge all claims of all papers from the scores of a run."""

import pandas as pd

from closerthan_study.claims.cases import read_claims
from closerthan_study.claims.effects import KEYS, read_by
from closerthan_study.claims.outcomes import COUNTS, NOT_YET_JUDGED
from closerthan_study.claims.verdicts import judge
from closerthan_study.reading import read_scores
from closerthan_study.spec.printed import DATA

COLUMNS = [
    *("study", "claim", "statement", "note", "where", "verdict", "verdict_fair"),
    *COUNTS.values(),
    *("data", "settings", "readings", "why", "artefact", "published"),
]
PART_COLUMNS = [
    *("study", "claim", "part", "subject", "baselines", "against", "loss", "dataset", "data"),
    *("outcome", "why", "measure", "effect", "censored", "low", "high", "coverage", "trials"),
    *("unit", "cases", "scale", "threshold", "side", "threshold_by", "turns"),
]
READING_COLUMNS = [
    *("study", "claim", "setting", "reading", "source", "verdict", "verdict_fair"),
    *COUNTS.values(),
]


def judge_all(spec, scores_of):
    """Judge all claims of all papers; return scoreboard.csv, parts.csv and readings.csv."""
    files = sorted(spec.root.glob("config/studies/*/claims.yaml"))
    claims = [claim for file in files for claim in read_claims(file, spec)]
    wanted = {(claim.study, name) for claim in claims for name in claim.experiments}
    scores = {words: scores_of(*words) for words in wanted}
    board, parts, readings = [], [], []
    for claim in claims:
        tables = [scores[claim.study, name] for name in claim.experiments]
        table = pd.concat(tables or [_tidy([])])
        row, of_claim = judge(claim, table)
        under = list(_readings(claim, row, table))
        parts += of_claim
        readings += under
        board.append(row | {"readings": _differ(row, under)})
    parts = pd.DataFrame(parts, columns=PART_COLUMNS).astype({"trials": "Int64", "cases": "Int64"})
    readings = pd.DataFrame(readings, columns=READING_COLUMNS)
    return pd.DataFrame(board, columns=COLUMNS), parts, readings


def _readings(claim, row, table):
    """Yield the verdict of a claim under each reading of its hinge, the first one first."""
    if not claim.others:
        return
    hinge = claim.entry.hinge
    rows = [row, *(judge(other, table)[0] for other in claim.others)]
    for reading, judged in zip(hinge.readings, rows, strict=True):
        words = {"setting": hinge.setting, "reading": reading.reading, "source": reading.source}
        for name in ("verdict", "verdict_fair"):
            words[name] = judged.get(name.replace("verdict", "shown"), judged[name])
        yield {**judged, **words}


def _differ(row, under):
    """Say whether readings differ; without the paper's data no reading decides."""
    found = {reading["verdict"] for reading in under} - {NOT_YET_JUDGED}
    return "differ" if len(found) > 1 and "shown" not in row else ""


def scores_of_run(spec, places):
    """Return a function that reads the scores of an experiment."""

    def read(study, experiment):
        here = [place for place in places if place[0].words == (study, experiment)]
        files = sorted(file for place in here for file in spec.scores(*place))
        return _tidy([read_scores(file) for file in files if file.parent.exists()])

    return read


def scores_of_table(table):
    """Return a function that finds the scores of an experiment in a table of `scores_to_judge`."""

    def find(study, experiment):
        return _tidy([table[table.study.eq(study) & table.experiment.eq(experiment)]])

    return find


def scores_to_judge(spec, study, scores_of, printed=None):
    """Return the scores that the claims of a study are judged by, and no others.

    `printed`, a table of `read_reported`, adds the scores that are set beside printed numbers.
    """
    claims = read_claims(spec.root / "config" / "studies" / study / "claims.yaml", spec)
    needed = {}
    for claim in claims:
        for one in (claim, *claim.others):
            for case in one.cases:
                needed.setdefault(case.experiment, set()).update(read_by(one, case))
    if printed is not None:
        of_scores = printed[printed.experiment != DATA]
        for row in of_scores.itertuples():
            needed.setdefault(row.experiment, set()).add((row.our_method, row.measure))
    tables = []
    for experiment, pairs in sorted(needed.items()):
        scores = scores_of(study, experiment)
        index = pd.MultiIndex.from_frame(scores[["method", "measure"]])
        tables.append(scores[index.isin(pairs)])
    return _tidy(tables).reset_index(drop=True)


def _tidy(tables):
    columns = ["study", "experiment", "dataset", "trial", "epoch", "triplets", "value", *KEYS]
    scores = pd.concat(tables) if tables else pd.DataFrame()
    return scores.reindex(columns=columns)  # many scores lack sweep and triplets
