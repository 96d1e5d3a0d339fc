"""Adapts the rule `trials` to `closerthan_study.trials`."""

from closerthan_study.configuration import Spec
from closerthan_study.files import log_to
from closerthan_study.trials import make_trials

log_to(snakemake.log[0])
make_trials(Spec(snakemake.config, trusted=True), **snakemake.wildcards)
