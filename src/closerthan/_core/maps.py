"""What the transformers that make a map share."""

from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin


class MapMixin(ClassNamePrefixFeaturesOutMixin, TransformerMixin):
    """A transformer that is fitted if it has `embedding_`, with a feature for each column."""

    def __sklearn_is_fitted__(self):
        return hasattr(self, "embedding_")

    @property
    def _n_features_out(self):
        return self.embedding_.shape[1]
