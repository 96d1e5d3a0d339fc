"""Arguments under the names that they had in relsim 0.1, before scikit-learn's names."""

import warnings
from functools import wraps


def renamed(**names):
    """Let a method take arguments under former names too, with a warning.

    Parameters
    ----------
    **names : str
        The present name of each former one.

    Examples
    --------
    >>> class Model:
    ...     @renamed(triplets="X")
    ...     def fit(self, X):
    ...         return X
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     Model().fit(triplets=[[0, 1, 2]])
    [[0, 1, 2]]
    """

    def decorate(method):
        @wraps(method)
        def called(self, *args, **kwargs):
            for former, present in names.items():
                if former in kwargs:
                    warnings.warn(
                        f"`{former}` of {type(self).__name__}.{method.__name__} is now called "
                        f"`{present}`, as in scikit-learn; relsim 0.3 will not know it",
                        FutureWarning,
                        stacklevel=2,
                    )
                    kwargs = dict(**{present: kwargs.pop(former)}, **kwargs)
            return method(self, *args, **kwargs)

        return called

    return decorate
