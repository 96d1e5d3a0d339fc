"""Adapts the rule `printed` to `closerthan.study.reports`."""

from closerthan.study.files import log_to
from closerthan.study.reports import make_printed
from closerthan.study.spec import Spec

log_to(snakemake.log[0])
spec = Spec(snakemake.config, trusted=True)
make_printed(spec, snakemake.params.cells, snakemake.output[0])
