"""Files of people: read into Answers, and written whole or not at all."""

from closerthan.discovery import lazy_face as _lazy_face

__getattr__, __dir__ = _lazy_face(__name__)
