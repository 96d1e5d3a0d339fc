"""tripletTools: the ids of head, winner and loser beside the names on the screen."""

from closerthan._core.shown import shown
from closerthan_lab.files.cells import MISSING
from closerthan_lab.files.sources.source import Source, two_alternatives


class TripletTools(Source):
    """Read the processed files of the R package tripletTools.

    `Center`, `Left`, `Right` and `Answer` hold names. `head`, `winner` and `loser` hold ids of the
    same objects. `sampleAlg` says which trials are checks.
    """

    name, title, has_sides = "triplet-tools", "tripletTools", True

    def recognizes(self, titles, path):
        return {"center", "left", "right", "answer", "head", "winner", "loser"} <= titles

    def translate(self, rows):
        frame = rows.frame
        loser = frame["left"].where(frame["answer"] != frame["left"], frame["right"])
        _refuse_other_ids(
            rows, [("head", frame["center"]), ("winner", frame["answer"]), ("loser", loser)]
        )
        table = two_alternatives(rows, "center left right answer")
        return table.assign(**rows.seconds("rt", 1000), kind=frame.get("samplealg", ""))


def _refuse_other_ids(rows, roles):
    """Raise if one id stands for two names, or one name for two ids."""
    known = {}
    for role, names in roles:
        for row, one, name in zip(names.index, rows.frame[role], names, strict=True):
            if MISSING.intersection((one, name)):
                continue
            for key, value in ((("id", one), name), (("name", name), one)):
                other = known.setdefault(key, value)
                if other != value:
                    raise rows.faults.error(
                        f"{role}: {shown(key[1])} stands for {shown(value)} and for {shown(other)}",
                        rows.lines[row],
                    )
