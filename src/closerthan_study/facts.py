"""Read the registry of data sets once."""

from functools import cache

from closerthan.datasets.registry import registry

facts = cache(registry)
