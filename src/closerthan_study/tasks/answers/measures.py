"""What scores of held-out answers measure."""

MEASURES = {
    "test_error": "share of test comparisons that do not hold, ties included",
    "log_loss": "mean negative log-probability of the test answers, in nats",
    "calibration_error": "expected calibration error: mean distance of the probability of the "
    "likelier answer from the share of the answers that are this one",
    "predicted": "mean probability of the likelier answer, among the test answers of bin k",
    "observed": "share of the answers that are the likelier one, among those of bin k",
    "epochs": "epochs until the method stopped",
    "n_train": "number of training comparisons",
    "n_components": "dimension of an embedding, as tuned or given",
    "strength": "weight of the penalty",
    "lapse": "rate of answers that are given at random",
    "seconds": "seconds of learning so far, in a file of its own",
    "start_spread": "Procrustes distance of two fits to the same answers from other random starts",
    "resample_spread": "Procrustes distance of the fits of two trials, to other parts of the "
    "answers; of a trial the mean over all others",
}
