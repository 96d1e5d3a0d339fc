"""Keep text in CSV files from running as a formula in a spreadsheet, and read it back unchanged.

A spreadsheet takes a cell for a formula if it begins with one of ``= + - @`` (also at full width),
a tab or a line end, even if the CSV file quotes it. A formula can call programs and send the
content of the sheet elsewhere. An apostrophe in front makes the cell text (OWASP, CSV injection). A
number is not a formula and stays unchanged, so ``-5`` can be sorted.

A text with apostrophes before such a character gets one more. No two texts then become the same,
and `unescape_formula` restores each. Call it on each text cell if you read a CSV file of closerthan
or of another program that protects its cells in this way.
"""

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_FORMULA = re.compile(r"'*[=+\-@＝＋－＠\t\r\n]")


def escape_formula(text: Any) -> Any:
    """Return text that a spreadsheet does not take for a formula; add an apostrophe if needed.

    Anything that is not a str is returned unchanged.

    Examples
    --------
    >>> [escape_formula(text) for text in ("=1+1", "-5", "-a", "'=1+1", "'s", -5)]
    ["'=1+1", '-5', "'-a", "''=1+1", "'s", -5]
    """
    if not isinstance(text, str) or not _FORMULA.match(text) or NUMBER.fullmatch(text):
        return text
    return "'" + text


def unescape_formula(text: Any) -> Any:
    """Return the text, or what else `escape_formula` was given.

    Examples
    --------
    >>> [unescape_formula(text) for text in ("'=1+1", "-5", "'-a", "''=1+1", "'s")]
    ['=1+1', '-5', '-a', "'=1+1", "'s"]
    """
    if isinstance(text, str) and text.startswith("'") and _FORMULA.match(text):
        return text[1:]
    return text


def escape_table(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return a copy of a DataFrame whose texts, row and column labels too, are not formulas.

    Write it with ``quoting=csv.QUOTE_NONNUMERIC``. If not, a spreadsheet that separates cells by
    another character than the file finds a formula within a text such as ``a;=1+1``.

    Examples
    --------
    >>> import pandas as pd
    >>> print(escape_table(pd.DataFrame({"object": ["=1+1", "b"], "x": [-0.5, 1.0]})).to_csv())
    ,object,x
    0,'=1+1,-0.5
    1,b,1.0
    """
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    escaped = frame.rename(index=escape_formula, columns=escape_formula)
    for place in range(frame.shape[1]):
        column = frame.iloc[:, place]
        if not is_numeric_dtype(column) and not is_bool_dtype(column):
            texts = column.astype(object).map(escape_formula)
            escaped.isetitem(place, texts.set_axis(escaped.index))
    return escaped
