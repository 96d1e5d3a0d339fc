"""Keep estimators consistent if an error or interrupt stops learning."""

import signal
import threading
from contextlib import contextmanager
from functools import wraps
from typing import Any, cast

from closerthan._core.typing import Method


def all_or_nothing(fit: Method) -> Method:
    """Make a method restore its estimator's attributes, but not contents of arrays, if it fails."""

    @wraps(fit)
    def whole(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = vars(self).copy()
        try:
            return fit(self, *args, **kwargs)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    return cast(Method, whole)


@contextmanager
def uninterrupted():
    """Delay a keyboard interrupt until the end of the block.

    Yields a function that returns whether an interrupt is waiting, so that a block can end early.
    """
    # Python handles signals in the main thread only, and a foreign handler must stay installed.
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is None:
        yield lambda: False
        return
    waiting = []
    handler = signal.signal(signal.SIGINT, lambda *_: waiting.append(True))
    try:
        yield lambda: bool(waiting)
    finally:
        signal.signal(signal.SIGINT, handler)
        if waiting:
            signal.raise_signal(signal.SIGINT)
