"""What the study is to do: models of everything under config/, and the one place that reads it.

`load_spec` returns a `Spec`, from which the Snakefile takes its paths and every other module its
settings.
"""

from closerthan_study.spec.model import ROOT, ConfigError
from closerthan_study.spec.spec import Spec, load_spec

__all__ = ["ROOT", "ConfigError", "Spec", "load_spec"]
