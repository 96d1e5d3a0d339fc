"""Methods that the survey sets beside those of the package: a module each.

A class here is an estimator in scikit-learn's way. Of the parameters `n_components`, `n_objects`,
`random_state` and `loss` it is given those that it takes. `fit(answers)` learns from `Answers` of
triplets or quadruplets, and then it has `embedding_`, a row an object; or else `score(answers)`,
the share of answers that hold. With `predict_proba` its probabilities are scored, too.
"""
