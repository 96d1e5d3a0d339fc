"""What the study is to do: models of everything under config/.

`closerthan_study.configuration` reads the files, and returns a `Spec`.
"""

from closerthan_study.spec.validation import ROOT, ConfigError

__all__ = ["ROOT", "ConfigError"]
