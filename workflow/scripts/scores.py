"""Adapts the rule `scores` to `closerthan_study.scores`."""

from closerthan_study.files import log_to
from closerthan_study.scores import make_scores
from closerthan_study.spec import Spec

log_to(snakemake.log[0])
make_scores(Spec(snakemake.config, trusted=True), **snakemake.wildcards)
