"""Salmon: head, left, right and winner as positions of targets, with their HTML and file names."""

from closerthan_lab.files.sources.source import Source, two_alternatives


class Salmon(Source):
    """Read the responses that a Salmon server exports, as CSV or JSON.

    An object has the name of its file, or the text that was shown. `puid` is the participant,
    `response_time` the time in seconds.
    """

    name, title, has_sides = "salmon", "Salmon", True

    def recognizes(self, titles, path):
        return {"head", "left", "right", "winner", "puid"} <= titles

    def translate(self, rows):
        for end in ("filename", "html", "object", ""):
            names = [f"{role}{end}" for role in ("head", "left", "right", "winner")]
            if set(names) <= set(rows.frame):
                break
        table = two_alternatives(rows, " ".join(names))
        if "loser" in rows.frame:
            # In rare rows the winner was not on the screen; it still won over the second.
            chosen, is_second = table["chosen"], rows.frame["loser"] == rows.frame["right"]
            table["first"] = table["first"].mask(is_second & (chosen != table["second"]), chosen)
        return table.assign(**rows.seconds("responsetime"))
