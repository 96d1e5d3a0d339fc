"""Describe the measures of maps."""

NEIGHBORS = 12  # for trustworthiness
RESAMPLES = 1000  # bootstrap samples of the word pairs that people have scored
FOLDS = 10  # for cross-validation of the nearest neighbor

MEASURES = {
    "mse": "mean squared error of the distances in a map",
    "epochs": "epochs until the method stopped",
    "failed": "1 if the method failed, else 0",
    "seconds": "seconds of learning so far, in a file of its own",
    "search_seconds": "seconds of the epochs alone, in a file of its own",
    "cores": "number of cores of the machine, in the file of seconds",
    "epochs_to_error": "epochs until the target error (of a map, 1 % above the least found); "
    "missing where it is not reached",
    "seconds_to_error": "the same in seconds, in a file of its own",
    "stress": "Kruskal's Stress-1, after the best scaling of the map",
    "procrustes": "Procrustes distance to metric MDS of all distances; of a map, to the true one",
    "distortion": "share of the true coordinates' variance that no affine map of the map explains",
    "trustworthiness": f"trustworthiness of {NEIGHBORS} neighbors in the map, compared with the "
    "features without noise",
    "spearman": "rank correlation of the cosines of words with people's scores",
    "spearman_resampled": f"the same with resampled pairs, {RESAMPLES} times; `trial` counts these",
    "pearson": "correlation of the cosines of words with people's scores",
    "f1": f"macro F1 of the labels by the nearest neighbor, in {FOLDS} folds",
}
