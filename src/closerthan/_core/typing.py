"""Types shared by annotations of several modules."""

import os
from collections.abc import Callable
from typing import TypeVar

import numpy as np

Seed = int | np.random.SeedSequence | np.random.Generator | None
StrPath = str | os.PathLike[str]
Method = TypeVar("Method", bound=Callable)  # for decorators that keep the type of a method
