"""Describe the measures of ordinal embedding."""

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
    "late_step_spread": "the same after the first tenth of the curve",
    "largest_step": "largest step size",
    "procrustes": "Procrustes distance to metric MDS of all distances; of a map, to the true one",
    "procrustes_places": "Procrustes distance to metric MDS of the distances over the globe",
    "MAP": "mean average precision over the whole ranking",
    "precision": "mean precision among the first k",
    "recall": "mean recall among the first k",
    "MAP@R": "the protocol `printed`: mean average precision of the first R, as many as a "
    "class has items, the query included",
    "P@R": "the protocol `printed`: mean precision among the first R, the query included",
    "squared_gradient": "squared norm of the gradient of the mean loss",
    "mean_squared_gradient": "squared norm of the gradient, averaged over the iterates so far",
    "suboptimality": "objective less the least one known",
    "epochs": "epochs until the method stopped",
    "search_seconds": "seconds of the epochs alone, in a file of its own",
    "reached": "1 if the target error was reached, else 0",
    "largest_batch": "bound (24) on a mini-batch, with L estimated where a solver ends",
    "bound_25": "the bound (25) on the mean squared gradient so far",
    "over_bound_25": "largest ratio of the mean squared gradient so far to the bound (25)",
    "module_factor": "what Theorem 3 asks to exceed one: lambda m S b eta / 2, lambda as found",
    "over_bound_28": "largest ratio of the suboptimality after a module to the bound (28)",
}
