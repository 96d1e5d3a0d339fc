"""Read people's files as Answers.

`read_answers` reads answers of any form, with who gave them and when. `describe_columns` and
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
    "unescape_formula": "spreadsheets",
}
__all__ = [*_PLACES]

__getattr__, __dir__ = _lazy_face(__name__, _PLACES)
