"""The bar that shows how far a fit is."""

import sys

from tqdm.auto import tqdm


def progress_bar(verbose, **options):
    """Return a tqdm bar; it is hidden unless `verbose`, or if there is nowhere to show it."""
    return tqdm(disable=not verbose or sys.stderr is None, **options)
