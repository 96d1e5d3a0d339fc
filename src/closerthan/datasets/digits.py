"""Load the handwritten digits that scikit-learn includes, without a download."""

import numpy as np
from sklearn import datasets

from closerthan.datasets.dataset import Dataset, describe
from closerthan.datasets.loader import loader


@loader("digits")
def load_digits() -> Dataset:
    """Load scikit-learn's 1,797 images of handwritten digits.

    Returns
    -------
    Dataset
        ``features``, shape (1797, 64), the pixels of 8 x 8 images, 0 to 16; ``labels``, the digit;
        ``class_names``, "0" to "9".

    Examples
    --------
    >>> from closerthan.datasets import load_digits
    >>> load_digits().features.shape
    (1797, 64)
    """
    images, digits = datasets.load_digits(return_X_y=True)
    return describe(
        "digits",
        len(images),
        features=images,
        labels=digits.astype(np.int64),
        class_names=np.array([str(digit) for digit in range(10)]),
    )
