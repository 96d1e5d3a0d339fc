"""A loss; the class is what is added."""

from closerthan.losses import Loss, compile_slopes, compile_values


class SquaredHinge(Loss):
    """Squared hinge loss, max(0, 1 + a - b)^2."""

    @staticmethod
    @compile_values
    def _values(a, b, _, out):
        for t in range(a.size):
            out[t] = max(0.0, 1.0 + a[t] - b[t]) ** 2

    @staticmethod
    @compile_slopes
    def _slopes(a, b, _, da, db):
        for t in range(a.size):
            da[t] = 2.0 * max(0.0, 1.0 + a[t] - b[t])
            db[t] = -da[t]
