"""SDCA with the first of the two outputs of its Algorithm 1: an average of matrices."""

from dataclasses import KW_ONLY, dataclass

from closerthan.similarity import SDCA


@dataclass(eq=False, repr=False)
class AveragedSDCA(SDCA):
    """SDCA that returns its last matrix, or the average of those in the second half of `fit`.

    The paper's remark has T = 2 T_0. The average is of 100 steps, evenly spaced.
    """

    _: KW_ONLY
    average: bool = False

    def _begin(self, X, triplets, online=False):
        self._sum, self._counted = 0.0, 0
        return super()._begin(X, triplets, online)

    def _advance(self, X, triplets, order, alphas, online=False):
        super()._advance(X, triplets, order, alphas, online)
        if self.average and 2 * self.n_iter_ > self.n_epochs * len(triplets):
            self._sum += len(order) * self._accumulator.matrix
            self._counted += len(order)

    def _finish(self):
        super()._finish()
        if self.average:
            self.similarity_ = self._sum / self._counted
        return self
