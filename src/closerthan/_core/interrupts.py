"""What an error or an interrupt in the middle of learning leaves behind: nothing half done."""

import signal
import threading
from contextlib import contextmanager
from functools import wraps
from typing import Any, cast

from closerthan._core.typing import Method


def all_or_nothing(fit: Method) -> Method:
    """Make a method leave its estimator as it was before, unless it succeeds.

    Attributes are put back, not what they refer to: the method may not write to arrays that are
    attributes already.
    """

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
    """Put off an interrupt from the keyboard until the end of the block.

    Yields a function that tells whether one waits, so that a long block can end early.
    """
    # Python takes signals in the main thread, and a handler that is none of its own is to stay.
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
