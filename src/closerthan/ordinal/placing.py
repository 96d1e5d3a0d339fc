"""New objects among those of a fitted map, placed by comparisons or by their features."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils._set_output import _get_output_config, _wrap_data_with_container
from sklearn.utils.validation import _check_feature_names, check_is_fitted

from closerthan._core.threads import one_blas_thread
from closerthan._core.validation import check_points, check_weights, refuse_entries
from closerthan._core.vectors import pad
from closerthan.comparison_model import ComparisonModel
from closerthan.comparisons.check import check_comparisons, count_objects
from closerthan.optimize.lapse import LapsingObjective
from closerthan.ordinal.problem import descend

_PLACING = 1000  # epochs at most to place new objects


# No TransformerMixin, although a subclass has it: scikit-learn wraps the `transform` of a class
# with this mixin, and it would then need X.
class PlacingModel(ComparisonModel):
    """A map on which new objects can be placed."""

    def transform(
        self, X: ArrayLike | None = None, *, features: ArrayLike | None = None
    ) -> np.ndarray:
        """Place new objects among the embedded ones, which stay where they are.

        With comparisons, the new points minimize the mean loss, with the lapse rate of the fit.
        `Answers` are weighted by their weights. There is no penalty, so an object with few answers
        may be placed far away. With features instead of comparisons, the new points are those
        that the features predict.

        Parameters
        ----------
        X : Answers, or array_like of shape (n, 3) or (n, 4), int, optional
            Comparisons. Ids from ``len(embedding_)`` on are new objects.
        features : array_like of shape (n_new, n_features), optional
            Features of the new objects, if the model was fitted with features.

        Returns
        -------
        ndarray of shape (n_new, n_components)
            The points of the new objects. An object without comparisons has a row of NaN. If
            `set_output` asks for a DataFrame, its index has the ids.

        Raises
        ------
        ValueError
            If no comparison names a new object, or if a comparison names an embedded object whose
            row of `embedding_` is NaN. If there are both comparisons and features, or neither. If
            features are not finite, or not those of the fit.
        """
        check_is_fitted(self)
        n_fitted = self._n_fitted()
        if (X is None) == (features is None):
            raise ValueError("transform: give either comparisons X or features")
        if X is None:
            return self._as_rows(self._predicted(self._check_new(features)), n_fitted)
        comparisons = check_comparisons(X)
        self._check_have_points(comparisons)
        n_new = count_objects(comparisons, first=n_fitted)
        if n_new < 1:
            raise ValueError(
                f"X: no comparison names a new object; give new objects the ids from {n_fitted} on"
            )
        is_named = np.isin(np.arange(n_fitted, n_fitted + n_new), comparisons)
        found = self._place(comparisons, n_new, check_weights(None, X))
        return self._as_rows(np.where(is_named[:, None], found, np.nan), n_fitted)

    def _as_rows(self, points, first=0):
        """Return points as an array, or as `set_output` asks, with the ids as the index."""
        # scikit-learn would take the index of X, whose rows are comparisons and not objects.
        ids = pd.RangeIndex(first, first + len(points))
        if _get_output_config("transform", self)["dense"] == "pandas":
            points = pd.DataFrame(points, index=ids)
        return _wrap_data_with_container("transform", points, None, self)

    def _check_new(self, features):
        """Return checked features of new objects."""
        if self.coef_ is None:
            raise ValueError("features: the model was fitted without features")
        _check_feature_names(self, features, reset=False)
        features = check_points(features, "features")
        if features.shape[1] != len(self.coef_):
            raise ValueError(
                f"features: shape {features.shape}; it must be (n, {len(self.coef_)}), as in `fit`"
            )
        return features

    def _predicted(self, features):
        """Return the points that features predict."""
        with one_blas_thread():
            return features @ self.coef_ + self.intercept_

    def _place(self, comparisons, n_new, weights):
        """Minimize over the new rows from several random starts; return the best."""
        rng = np.random.default_rng(self.random_state)
        known = np.nan_to_num(self.embedding_)
        objective = _NewRows(self.loss_, comparisons, known, n_new, weights)
        if self.lapse_ > 0:
            objective.allow(self.lapse_)
        points = self.embedding_[~np.isnan(self.embedding_[:, 0])]
        starts = [points[rng.integers(len(points), size=n_new)] for _ in range(10)]
        starts.append(np.tile(points.mean(axis=0), (n_new, 1)))
        found = [descend(objective, start, _PLACING, tol=1e-9) for start in starts]
        return min(found, key=lambda points: objective.value(pad(points)))

    def _check_have_points(self, comparisons):
        missing = np.flatnonzero(np.isnan(self.embedding_[:, 0]))
        rule = (
            "is an object without a point, because no comparison of `fit` named it; fit again with "
            "comparisons that name it, or leave the row out"
        )
        refuse_entries(np.isin(comparisons, missing), comparisons, "comparisons", rule)


class _NewRows(LapsingObjective):
    """Mean loss as a function of the new points only; `losses` takes the fixed ones, too."""

    def __init__(self, loss, comparisons, known, n_new, weights):
        n_known, n_components = known.shape
        super().__init__(loss, comparisons, (n_known + n_new, n_components), weights)
        self._whole = pad(np.vstack([known, np.zeros((n_new, n_components))]))
        self._new = self._whole[n_known:]
        self._gradient = np.empty_like(self._whole)

    def _sum(self, X, out, with_value, slopes=None):
        self._new[:] = X
        gradient = self._gradient if len(out) else self._gradient[:0]
        value = super()._sum(self._whole, gradient, with_value, slopes)
        out[:] = gradient[len(gradient) - len(out) :]  # nothing, if `out` is empty
        return value
