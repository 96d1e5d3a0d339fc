"""Adapts the rule `scores` to `closerthan_study.scores`."""

from closerthan_study.configuration import Spec
from closerthan_study.files import log_to
from closerthan_study.scores import make_scores

log_to(snakemake.log[0])
make_scores(Spec(snakemake.config, trusted=True), **snakemake.wildcards)
