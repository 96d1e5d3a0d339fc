"""The fit of one loss and nothing else: no penalty, no start but random points, no choice."""

from closerthan import OrdinalEmbedding

PLAIN = {"loss": "ste", "penalty": None, "init": "random"}


def plain_embedding(n_components=2, **options):
    """An embedding by STE alone, but for what the options say."""
    return OrdinalEmbedding(n_components, **PLAIN | options)
