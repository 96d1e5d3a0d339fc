"""Methods that the survey compares with the package, one module per method.

Each class is an estimator in the style of scikit-learn. It gets the parameters that its constructor
accepts: `n_components`, `n_objects`, `random_state`, `loss`. `fit(answers)` learns from `Answers`
of triplets or quadruplets. After that the model has `embedding_` with one row per object, or
`score(answers)`, which returns the share of answers that hold. If it has `predict_proba`, its
probabilities are scored too.
"""
