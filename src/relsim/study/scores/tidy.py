"""The rows that every kind of scores has: their columns, their measures, and how they are kept."""

import pandas as pd

from relsim.study.files import replacing

COLUMNS = [
    *("study", "experiment", "dataset", "method", "variant", "loss", "batch_size"),
    *("noise", "sweep", "trial", "epoch", "triplets", "measure", "k", "value"),
]
MEASURES = {
    "test_error": "share of test comparisons that do not hold, ties included",
    "norm": "Frobenius norm of the points, or of the kernel",
    "step_size": "step size of the solver",
    "final_error": "test error at the end of the budget, or of the stream",
    "epochs_to_error": "epochs until the target error (of a map, 1 % above the least found); "
    "missing where it is not reached",
    "seconds_to_error": "the same in seconds, in a file of its own",
    "peak_rise": "largest rise of the test error above what it had been",
    "step_spread": "decimal logarithm of the largest over the smallest step size",
    "procrustes": "Procrustes distance to metric MDS of all distances; of a map, to the true one",
    "MAP": "mean average precision over the whole ranking",
    "precision": "mean precision among the first k",
    "recall": "mean recall among the first k",
    "AP@60": "the protocol `printed`: mean average precision of the first 60, the query included",
    "P@60": "the protocol `printed`: mean precision among the first 60, the query included",
    "squared_gradient": "squared norm of the gradient of the mean loss",
    "mean_squared_gradient": "squared norm of the gradient, averaged over the iterates so far",
    "suboptimality": "objective less the least one known",
    "train_error": "share of the training triplets so far that do not hold, ties included",
    "seconds": "seconds of learning so far, in a file of its own",
    "eigenpairs": "eigenpairs computed so far",
    "trace": "trace of the kernel",
    "rank": "number of eigenvalues above 1e-6 of the largest",
    "tau": "weight of the trace, as tuned",
    "mse": "mean squared error of the distances in a map",
    "epochs": "epochs until the method stopped",
    "failed": "1 if the method failed, else 0",
    "search_seconds": "seconds of the epochs alone, in a file of its own",
    "stress": "Kruskal's Stress-1, the map scaled to fit best",
    "distortion": "share of the true coordinates' variance that no affine map of the map explains",
    "trustworthiness": "trustworthiness of 12 neighbors in the map, among those without noise",
    "spearman": "rank correlation of the cosines of words with people's scores",
    "pearson": "correlation of the cosines of words with people's scores",
    "f1": "macro F1 of the labels by the nearest neighbor, in ten folds",
    "negative_eigenvalues": "most that any update so far has left, before its projection",
    "projection_distance": "largest distance so far of a projection from that by all eigenvalues, "
    "relative to the norm",
    "hinge": "mean hinge of the steps so far, each before it is made",
    "squared_hinge": "mean squared hinge, likewise",
    "mistake_rate": "share of the steps so far whose triplet did not hold before",
    "duality_gap": "primal objective less the dual one",
    "gap_bound": "what Theorem 1 says that the expected duality gap is at most",
    "reg": "weight of the penalty of SDCA, as tuned",
    "C": "aggressiveness of OASIS, as tuned",
    "gamma": "price of leaving the bounds of ITML, as tuned",
    "eta": "weight of a loss in LEGO, as tuned",
    "ridge": "ridge of RCA, as tuned",
    "objects": "number of objects of a data set",
    "features": "number of features of a data set",
    "classes": "number of classes of a data set",
}


def read_fits(spec, experiment, dataset, method, suffix="parquet"):
    """Return one table of the fits of a method, its shards put together."""
    files = spec.fits(experiment, dataset, method, suffix)
    return pd.concat(map(pd.read_parquet, files), ignore_index=True)


def words(experiment, dataset, method):
    """Return the columns that name where a row comes from."""
    names = {"study": experiment.study, "experiment": experiment.name}
    return {**names, "dataset": dataset, "method": method.name}


def write_scores(path, table):
    """Write rows, sorted, with every column and always the same types."""
    table = table.reindex(columns=COLUMNS).sort_values(COLUMNS, ignore_index=True)
    whole = dict.fromkeys(("batch_size", "triplets", "k"), "Int64")
    table = table.astype({**whole, "sweep": float, "epoch": float})
    with replacing(path) as temporary:
        table.to_parquet(temporary, index=False)
