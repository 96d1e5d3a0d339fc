"""psiz: displays, whose facts are in a second file, so that they are refused."""

from closerthan_lab.files.sources.source import Source


class Psiz(Source):
    """Refuse the files of psiz, and say which table to write."""

    name, title, has_header = "psiz", "psiz", False

    def recognizes(self, titles, path):
        return "judged_displays" in path.name or "display_info" in path.name

    def translate(self, rows):
        raise rows.faults.error(
            "a file of psiz, which keeps displays and their facts apart; write a table with the "
            "columns anchor, rank_1, rank_2, ... (or anchor, chosen_1, ..., candidate_1, ...)"
        )
