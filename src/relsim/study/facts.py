"""The registry of data sets, read once."""

from functools import cache

from relsim.datasets.registry import registry

facts = cache(registry)
