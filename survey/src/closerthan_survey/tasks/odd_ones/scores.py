"""Score fits to odd ones out: accuracy, log loss, sizes, and what was found."""

from closerthan_study.tasks import scoring

MEASURES = {
    "accuracy": "share of test answers whose odd one is predicted; chance is one third",
    "log_loss": "mean negative log-probability of the test answers, in nats",
    "n_answers": "number of training answers",
    "n_dimensions": "number of dimensions of the points; of SPoSE those that are left",
    "sparsity": "weight of the sum of the coordinates, as chosen",
    "spose_ridge": "weight of half the sum of squared coordinates, as chosen",
    "feature_share": "share of the prior variance that comes from the features, as chosen",
    "found": "share of the true dimensions that correlate above 0.8 with one that was learned",
    "below_truth": "accuracy of the true dimensions less that of those that were learned",
    "megabytes": "peak memory of the process during the fit, in a file of its own",
}


class Scoring(scoring.Scoring):
    """Scores of fits to odd ones out; see `closerthan_study.tasks.scoring.Scoring`."""

    costs = ("seconds", "megabytes")

    def score(self, method):
        """Return the scores of one method as tidy rows."""
        return scoring.tidy(self.setup.fits(method.name), [*MEASURES])
