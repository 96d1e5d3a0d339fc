"""Adapts the rule `printed` to `closerthan_study.reports`."""

from closerthan_study.configuration import Spec
from closerthan_study.files import log_to
from closerthan_study.reports import make_printed

log_to(snakemake.log[0])
spec = Spec(snakemake.config, trusted=True)
make_printed(spec, snakemake.params.cells, snakemake.output[0])
