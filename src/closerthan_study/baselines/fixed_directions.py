"""Pattern search among the same directions in all epochs, against which its paper warns."""

import numpy as np

from closerthan.mds.pattern_search import PatternSearchMDS


class FixedDirections(PatternSearchMDS):
    """`PatternSearchMDS` that draws its share of the directions once, not anew in each epoch."""

    def _draw(self, n_tried, rng):
        return super()._draw(n_tried, np.random.default_rng(self.random_state))
