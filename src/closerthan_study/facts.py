"""The registry of data sets, read once."""

from functools import cache

from closerthan.datasets.registry import registry

facts = cache(registry)
