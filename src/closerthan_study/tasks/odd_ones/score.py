"""Score fits to odd ones out: accuracy, log loss, sizes, and what was found."""

from closerthan_study.tasks import scoring
from closerthan_study.tasks.odd_ones.measures import MEASURES


class Scoring(scoring.Scoring):
    """Scores of fits to odd ones out; see `closerthan_study.tasks.scoring.Scoring`."""

    def score(self, method):
        """Return the scores of one method as tidy rows."""
        return scoring.tidy(self.setup.fits(method.name), [*MEASURES])

    def seconds(self, method):
        """Return the seconds and the memory of the fits."""
        costs = self.setup.fits(method.name, "seconds.parquet")
        return scoring.tidy(costs, ["seconds", "megabytes"])
