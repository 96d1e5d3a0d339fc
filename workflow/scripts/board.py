"""Adapts the rule `board` to `closerthan_study.reports`."""

from closerthan_study.configuration import Spec
from closerthan_study.files import log_to
from closerthan_study.reports import make_board

log_to(snakemake.log[0])
make_board(Spec(snakemake.config, trusted=True), snakemake.output[0])
