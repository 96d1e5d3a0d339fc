"""Describe the measures of fits to answers."""

MEASURES = {
    "test_error": "share of test comparisons that do not hold, ties included",
    "log_loss": "mean negative log-probability of the test answers, in nats",
    "calibration_error": "expected calibration error: mean distance between the probability of the "
    "likelier answer and the share of the answers that agree with it",
    "predicted": "mean probability of the likelier answer, among the test answers of bin k",
    "observed": "share of the answers that are the likelier one, among those of bin k",
    "epochs": "epochs until the method stopped",
    "n_train": "number of training comparisons",
    "n_components": "dimension of an embedding, as tuned or given",
    "strength": "weight of the penalty",
    "lapse": "lapse rate: share of answers given at random",
    "seconds": "seconds of learning so far, in a file of its own",
    "start_spread": "Procrustes distance of two fits to the same answers from different random "
    "starts",
    "resample_spread": "mean Procrustes distance of a trial's fit to the fits of all other trials, "
    "which have other training answers",
}
