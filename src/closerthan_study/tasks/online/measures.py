"""Describe the measures of online learning."""

MEASURES = {
    "test_error": "share of test comparisons that do not hold, ties included",
    "final_error": "test error at the end of the budget, or of the stream",
    "train_error": "share of the training triplets so far that do not hold, ties included",
    "seconds": "seconds of learning so far, in a file of its own",
    "stream_seconds": "the same, as if batch were fitted again at every checkpoint of the stream",
    "eigenpairs": "eigenpairs computed so far",
    "trace": "trace of the kernel",
    "rank": "number of eigenvalues above 1e-6 of the largest",
    "tau": "weight of the trace, as tuned",
    "step_size": "step size of the solver",
    "negative_eigenvalues": "largest number after any update so far, before the projection",
    "projection_distance": "largest distance so far of a projection from the nearest positive "
    "semidefinite matrix, relative to its norm",
}
