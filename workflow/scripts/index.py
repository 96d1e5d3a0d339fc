"""Adapts the rule `index` to `closerthan_study.reports`."""

from closerthan_study.files import log_to
from closerthan_study.reports import make_index
from closerthan_study.spec import Spec

log_to(snakemake.log[0])
make_index(Spec(snakemake.config, trusted=True), snakemake.params.missing, *snakemake.output)
