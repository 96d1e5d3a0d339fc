"""Format numbers for the page."""

import numpy as np


def spread(values):
    """Return median and range as text, such as "52 (48 to 57)".

    Examples
    --------
    >>> spread([48.0, 52.3, 57.0])
    '52 (48 to 57)'
    """
    values = np.asarray(values, dtype=float)
    if np.isnan(values).all():
        return "-"
    middle, least, most = (short(f(values)) for f in (np.nanmedian, np.nanmin, np.nanmax))
    return middle if least == most else f"{middle} ({least} to {most})"


def short(number):
    """Return a number as text with at least two digits, and leave words unchanged.

    Examples
    --------
    >>> short(0.0341), short(1.234), short(1234.5), short("auto")
    ('0.034', '1.2', '1,234', 'auto')
    """
    if not isinstance(number, float | np.floating):
        return f"{number:,}" if isinstance(number, int | np.integer) else str(number)
    if not np.isfinite(number):
        return "-" if np.isnan(number) else "never"
    if number == 0 or abs(number) >= 10:
        return f"{number:,.0f}"
    digits = 1 - int(np.floor(np.log10(abs(number))))
    return f"{number:.{digits}f}"


def ratios(ours, theirs, column):
    """Return their seconds divided by ours, by turn; a fit timed once counts for all turns."""
    ours, theirs = (rows.set_index("round")[column] for rows in (ours, theirs))
    if list(ours.index) == [0] or list(theirs.index) == [0]:
        return np.divide.outer(theirs.to_numpy(), ours.to_numpy()).ravel()
    return (theirs / ours).to_numpy()
