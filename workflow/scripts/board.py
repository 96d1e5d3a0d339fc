"""Adapts the rule `board` to `relsim.study.reports`."""

from relsim.study.files import log_to
from relsim.study.reports import make_board
from relsim.study.spec import Spec

log_to(snakemake.log[0])
make_board(Spec(snakemake.config, trusted=True), snakemake.output[0])
