"""Types that several annotations share."""

import os

import numpy as np

Seed = int | np.random.SeedSequence | np.random.Generator | None
StrPath = str | os.PathLike[str]
