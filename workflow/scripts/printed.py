"""Adapts the rule `printed` to `relsim.study.reports`."""

from relsim.study.files import log_to
from relsim.study.reports import make_printed
from relsim.study.spec import Spec

log_to(snakemake.log[0])
spec = Spec(snakemake.config, trusted=True)
make_printed(spec, snakemake.params.cells, snakemake.output[0])
