"""Read people's files as Answers or arrays of comparisons, and write files whole or not at all.

`read_answers` reads answers of any form, with who gave them and when. `read_comparisons` reads
triplets and quadruplets as arrays; .npy files may be larger than memory. `describe_columns` and
`describe_names` tell how columns may be named. Spreadsheets take some names for formulas:
`escape_formula` and `unescape_formula` protect them.
"""

from closerthan.discovery import lazy_face as _lazy_face

__getattr__, __dir__ = _lazy_face(
    __name__,
    "AnswerTable|read_answers|read_comparisons|write_comparisons|describe_columns|describe_names|"
    "escape_formula|unescape_formula|escape_table|replacing|locked",
)
