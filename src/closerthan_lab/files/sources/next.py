"""NEXT: center, left, right and the one that was picked."""

import pandas as pd

from closerthan_lab.files.sources.source import Source, two_alternatives

_OLD = {"center", "left", "right", "answer", "alglabel"}
_NEW = {"targetcenter", "targetleft", "targetright", "targetwinner"}
_LONGEST = 100  # seconds; a larger median is in milliseconds


class Next(Source):
    """Read the triplets that NEXT exports, as CSV of two versions."""

    name, title, has_sides = "next", "NEXT", True

    def recognizes(self, titles, path):
        return titles >= _NEW or (titles >= _OLD and "head" not in titles)

    def translate(self, rows):
        names = "targetcenter targetleft targetright targetwinner"
        if names.split()[0] not in rows.frame:
            names = "center left right answer"
        table = two_alternatives(rows, names)
        time = next((title for title in rows.frame if title.startswith("responsetime")), "")
        in_seconds = rows.seconds(time)
        if in_seconds:
            median = pd.to_numeric(in_seconds["time"], errors="coerce").median()
            in_seconds = rows.seconds(time, 1000 if median > _LONGEST else 1)
        return table.assign(**in_seconds)
