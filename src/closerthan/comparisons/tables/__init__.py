"""Files of people's answers, as experiments write them: any form, ids or names, columns by name.

`read_answers` is the one function; what columns are called stands in `.columns`.
"""

from .read import AnswerTable, read_answers

__all__ = ["AnswerTable", "read_answers"]
