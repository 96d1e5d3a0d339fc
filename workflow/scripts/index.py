"""Adapts the rule `index` to `relsim.study.reports`."""

from relsim.study.files import log_to
from relsim.study.reports import make_index
from relsim.study.spec import Spec

log_to(snakemake.log[0])
make_index(Spec(snakemake.config, trusted=True), snakemake.params.missing, *snakemake.output)
