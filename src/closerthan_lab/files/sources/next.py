"""NEXT: center, left, right and the one that was picked, as a table or as nested JSON."""

import pandas as pd

from closerthan_lab.files.sources.source import Source, two_alternatives

_OLD = {"center", "left", "right", "answer", "alglabel"}
_NEW = {"targetcenter", "targetleft", "targetright", "targetwinner"}
_JSON = {"meta", "participantresponses"}
_LONGEST = 100  # seconds; a larger median is in milliseconds


class Next(Source):
    """Read the triplets that NEXT exports, as CSV of two versions or as JSON."""

    name, title, has_sides = "next", "NEXT", True

    def recognizes(self, titles, path):
        return titles >= _NEW or titles >= _JSON or (titles >= _OLD and "head" not in titles)

    def translate(self, rows):
        if set(rows.frame) >= _JSON:
            return _of_json(rows)
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


def _of_json(rows):
    """Return the questions of a JSON export: lists of answers by participant."""
    answers, origin = [], []
    for row, people in rows.frame["participantresponses"].items():
        for person, one in ((person, one) for person, some in people.items() for one in some):
            shown = {target["label"]: target["index"] for target in one["target_indices"]}
            answers.append(
                {
                    "anchor": shown["center"],
                    "first": shown["left"],
                    "second": shown["right"],
                    "chosen": one.get("index_winner") or "",
                    "participant": person,
                    "time": one.get("response_time") or "",
                    "kind": "" if one.get("index_winner") else "unanswered",
                }
            )
            origin.append(row)
    return pd.DataFrame(answers, origin)
