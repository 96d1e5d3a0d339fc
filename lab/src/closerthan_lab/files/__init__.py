"""Read people's files as Answers or as arrays of comparisons, and write comparisons.

`read_answers` reads answers of any form, with who gave them and when. `read_comparisons` reads
triplets and quadruplets as arrays; .npy files may be larger than memory. `describe_columns` and
`describe_names` tell how columns may be named. Spreadsheets take some names for formulas:
`escape_formula` and `unescape_formula` protect them.
"""

from closerthan._core.faces import lazy_face as _lazy_face

_PLACES = {
    "AnswerTable": "answers",
    "describe_columns": "columns",
    "describe_names": "columns",
    "escape_formula": "spreadsheets",
    "escape_table": "spreadsheets",
    "read_answers": "answers",
    "read_comparisons": "comparisons",
    "unescape_formula": "spreadsheets",
    "write_comparisons": "comparisons",
}
__all__ = [*_PLACES]

__getattr__, __dir__ = _lazy_face(__name__, _PLACES)
