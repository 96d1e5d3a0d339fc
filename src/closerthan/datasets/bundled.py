"""Load wines, breast tumors and digits that scikit-learn includes, without a download."""

from sklearn import datasets

from closerthan.datasets.dataset import Dataset, describe_classes


def load_wine() -> Dataset:
    """Load scikit-learn's chemical analyses of 178 wines.

    The data set has ``features``, shape (178, 13), as measured (nothing is standardized);
    ``labels``, the cultivar; ``class_names``.

    Examples
    --------
    >>> from closerthan.datasets import load_wine
    >>> load_wine().features.shape
    (178, 13)
    """
    return _load("wine", datasets.load_wine())


def load_breast_cancer() -> Dataset:
    """Load scikit-learn's measurements of 569 breast tumors.

    The data set has ``features``, shape (569, 30), as measured (nothing is standardized);
    ``labels``, 0 for malignant and 1 for benign; ``class_names``.

    Examples
    --------
    >>> from closerthan.datasets import load_breast_cancer
    >>> load_breast_cancer().features.shape
    (569, 30)
    """
    return _load("breast_cancer", datasets.load_breast_cancer())


def load_digits() -> Dataset:
    """Load scikit-learn's 1,797 images of handwritten digits.

    The data set has ``features``, shape (1797, 64), the pixels of 8 x 8 images, 0 to 16;
    ``labels``, the digit; ``class_names``, "0" to "9".

    Examples
    --------
    >>> from closerthan.datasets import load_digits
    >>> load_digits().features.shape
    (1797, 64)
    """
    return _load("digits", datasets.load_digits())


def _load(name, source):
    class_names = [str(class_name) for class_name in source.target_names]
    return describe_classes(name, source.data, source.target, class_names)
