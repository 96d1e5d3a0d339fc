"""Judge all claims of all papers from the scores of a run."""

import pandas as pd

from closerthan_study.claims.cases import read_claims
from closerthan_study.claims.effects import KEYS
from closerthan_study.claims.outcomes import OUTCOMES
from closerthan_study.claims.verdicts import judge

COLUMNS = [
    *("study", "claim", "statement", "where", "verdict", "verdict_fair"),
    *(outcome.replace(" ", "_") for outcome in OUTCOMES),
    *("data", "settings", "sentence", "artefact"),
]
PART_COLUMNS = [
    *("study", "claim", "part", "subject", "baselines", "against", "loss", "dataset", "data"),
    *("outcome", "why", "measure", "effect", "censored", "low", "high", "coverage", "trials"),
    *("unit", "cases", "scale", "threshold", "side", "threshold_by", "turns"),
]


def judge_all(spec, places):
    """Judge all claims of all papers; return the rows of scoreboard.csv and parts.csv.

    `places` has one pair per experiment of the run and data set.
    """
    files = sorted(spec.root.glob("config/studies/*/claims.yaml"))
    claims = [claim for file in files for claim in read_claims(file, spec)]
    wanted = {(claim.study, name) for claim in claims for name in claim.experiments}
    scores = {words: _read_scores(spec, words, places) for words in wanted}
    board, parts = [], []
    for claim in claims:
        tables = [scores[claim.study, name] for name in claim.experiments]
        row, of_claim = judge(claim, pd.concat(tables or [_tidy([])]))
        board.append(row)
        parts += of_claim
    parts = pd.DataFrame(parts, columns=PART_COLUMNS).astype({"trials": "Int64", "cases": "Int64"})
    return pd.DataFrame(board, columns=COLUMNS), parts


def _read_scores(spec, words, places):
    folders = [spec.folder("scores", *place) for place in places if place[0].words == words]
    files = [file for folder in sorted(folders) for file in sorted(folder.glob("*.parquet"))]
    return _tidy([pd.read_parquet(file) for file in files])


def _tidy(tables):
    columns = ["study", "experiment", "dataset", "trial", "epoch", "triplets", "value", *KEYS]
    scores = pd.concat(tables) if tables else pd.DataFrame()
    return scores.reindex(columns=columns)  # many scores lack sweep and triplets
