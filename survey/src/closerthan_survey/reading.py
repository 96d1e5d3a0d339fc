"""Read people's answers from the arrays of a data set."""

from closerthan.comparisons.answers import Answers


def answers_of(data):
    """Return the answers in the arrays of a data set."""
    keys = ("comparisons", "screen", "participant", "time", "weight")
    return Answers(**{key: data[key] for key in keys if key in data})
