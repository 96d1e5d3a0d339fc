"""tripletTools: the ids of head, winner and loser beside the names on the screen."""

from closerthan.files.faults import shown
from closerthan.files.sources.source import Source, two_alternatives


class TripletTools(Source):
    """Read the processed files of the R package tripletTools.

    `Center`, `Left`, `Right` and `Answer` hold names. `head`, `winner` and `loser` hold ids of the
    same objects. `sampleAlg` says which trials are checks.
    """

    name, title = "triplet-tools", "tripletTools"

    def recognizes(self, titles, path):
        return {"center", "left", "right", "answer", "head", "winner", "loser"} <= titles

    def translate(self, rows):
        frame = rows.frame
        loser = frame["left"].where(frame["answer"] != frame["left"], frame["right"])
        for ids, names in (
            ("head", frame["center"]),
            ("winner", frame["answer"]),
            ("loser", loser),
        ):
            _refuse_other_ids(rows, ids, names)
        table = two_alternatives(rows, "center left right answer")
        return table.assign(**rows.seconds("rt", 1000), kind=frame.get("samplealg", ""))


def _refuse_other_ids(rows, ids, names):
    """Raise if one id in a column stands for two names."""
    first = names.groupby(rows.frame[ids]).transform("first")
    if (first != names).any():
        line = (first != names).idxmax()
        raise rows.faults.error(
            f"{ids}: {shown(rows.frame.loc[line, ids])} stands for {shown(names[line])} and for "
            f"{shown(first[line])}",
            line,
        )
