"""Meadows: arrangements and annotations, which are no comparisons and are refused."""

from closerthan_lab.files.sources.source import Source


class Meadows(Source):
    """Refuse the exports of Meadows, and say what they are."""

    name, title = "meadows", "Meadows"

    def recognizes(self, titles, path):
        as_json = {"tasks", "token"} <= titles or {"task", "trials", "stimuli"} <= titles
        return as_json or {"task", "participation", "stim1id", "stim1name"} <= titles

    def translate(self, rows):
        if "stim2name" in rows.frame:
            raise rows.faults.error(
                "a file of choices of Meadows, which does not say whether the picked stimulus is "
                "the odd one or the most similar one; write a table with the columns object_1, "
                "object_2, object_3 and odd (or anchor, near, far)"
            )
        if "stim1name" in rows.frame:
            raise rows.faults.error(
                "a file of annotations of Meadows: each row describes one stimulus and compares "
                "nothing; it can be joined to a map as attributes"
            )
        raise rows.faults.error(
            "a file of arrangements of Meadows: people placed stimuli on a plane, which gives "
            "dissimilarities and no comparisons; use them with closerthan.mds, such as SMACOF"
        )
