"""Fit one loss without penalty or choice, from random points."""

from closerthan import OrdinalEmbedding

PLAIN = {"loss": "ste", "penalty": None, "init": "random"}


def plain_embedding(n_components=2, **options):
    """Return an embedding with STE alone; options replace its settings."""
    return OrdinalEmbedding(n_components, **PLAIN | options)
