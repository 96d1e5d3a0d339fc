"""Adapts the rule `board` to `closerthan.study.reports`."""

from closerthan.study.files import log_to
from closerthan.study.reports import make_board
from closerthan.study.spec import Spec

log_to(snakemake.log[0])
make_board(Spec(snakemake.config, trusted=True), snakemake.output[0])
