"""Arguments under the names that they had in closerthan 0.1, before scikit-learn's names."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from closerthan._typing import Method
from closerthan._warn import warn


def renamed(**names: str) -> Callable[[Method], Method]:
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
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     Model().fit(triplets=[[0, 1, 2]])
    [[0, 1, 2]]
    """

    def decorate(method: Method) -> Method:
        @wraps(method)
        def called(self: Any, *args: Any, **kwargs: Any) -> Any:
            for former, present in names.items():
                if former in kwargs:
                    warn(
                        f"`{former}` of {type(self).__name__}.{method.__name__} is now called "
                        f"`{present}`, as in scikit-learn; closerthan 0.3 will not know it",
                        FutureWarning,
                    )
                    kwargs = dict(**{present: kwargs.pop(former)}, **kwargs)
            return method(self, *args, **kwargs)

        return cast(Method, called)

    return decorate
