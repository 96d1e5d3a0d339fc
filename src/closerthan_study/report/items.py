"""The figures and tables of the papers: ours, and the verdicts of the claims about them.

`config/studies/{study}/items.csv` lists those of a paper.
"""

import re

import pandas as pd

from closerthan_study.spec import ROOT

_VERDICTS = ("reproduced", "partly", "not", "open", "not yet judged")


def read_items(study, board, root=ROOT):
    """Return the figures and tables of a paper, none if it lists none.

    The column `ours` has the files of our figures and tables less their suffix, and `verdicts` what
    became of the claims about it in a scoreboard, in words.
    """
    path = root / "config" / "studies" / study / "items.csv"
    if not path.exists():
        return pd.DataFrame(columns=["item", "shows", "ours", "differs", "verdicts"])
    items = pd.read_csv(path, keep_default_na=False)
    of_item = [_say_verdicts(board[is_about(board, study, item)]) for item in items["item"]]
    return items.assign(ours=items["ours"].str.split(), verdicts=of_item)


def is_about(board, study, item):
    """Return which claims are about a figure or table; a claim about Fig. 3 is about 3a, too."""
    names = {item, item.rstrip("abcd")}
    return board["study"].eq(study) & board["where"].map(lambda where: bool(names & named(where)))


def named(where):
    """Return the figures and tables that a claim names.

    >>> sorted(named("Fig. 3a, 3b, sec. 5.2 and Table 1"))
    ['Fig. 3a', 'Fig. 3b', 'Table 1']
    """
    found, kind = set(), ""
    for word in re.findall(r"[A-Za-z]{2,}|[\d.]*\d[a-d]?", where):
        if word[0].isalpha():
            kind = {"Fig": "Fig. ", "Table": "Table "}.get(word, "" if word != "and" else kind)
        elif kind:
            found.add(kind + word)
    return found


def _say_verdicts(claims):
    counts = claims["verdict"].value_counts(sort=False)
    return ", ".join(f"{counts[word]} {word}" for word in _VERDICTS if word in counts) or "none"
