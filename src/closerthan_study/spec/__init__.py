"""What the study is to do: models of everything under config/."""

from closerthan_study.spec.validation import ROOT, ConfigError

__all__ = ["ROOT", "ConfigError"]
