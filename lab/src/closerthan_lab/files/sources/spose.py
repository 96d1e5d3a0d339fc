"""SPoSE and VICE: three ids a row, the odd one last. Such a file looks like one of triplets."""

from closerthan_lab.files.sources.source import Source


class Spose(Source):
    """Read odd-one-out answers of SPoSE and VICE, as text or as a .npy array.

    Nothing in the file tells them from triplets, so they are never recognized.
    """

    name, title, has_header = "spose", "SPoSE or VICE (the odd one last)", False
    has_places = False

    def recognizes(self, titles, path):
        return False

    def translate(self, rows):
        if rows.frame.shape[1] != 3:
            raise rows.faults.error(
                f"{rows.frame.shape[1]} columns; files of SPoSE and VICE have three"
            )
        return rows.frame.set_axis(["object_1", "object_2", "object_3"], axis=1).assign(
            odd=rows.frame.iloc[:, 2]
        )
