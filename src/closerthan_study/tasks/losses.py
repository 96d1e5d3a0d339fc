"""Losses of comparisons, as study files name them."""

from closerthan.losses import find_loss


def build_loss(entry, n_components=2):
    """Build a loss from its entry in a study file: a class and its parameters."""
    loss = find_loss(entry.cls)(**entry.parameters)
    if loss.get_params().get("alpha", 1.0) is None:
        # Points and kernels shall minimize the same t-STE, but a kernel has no dimension.
        loss.set_params(alpha=loss.parameter(n_components))
    return loss
