"""Adapts the rule `index` to `closerthan_study.reports`."""

from closerthan_study.configuration import Spec
from closerthan_study.files import log_to
from closerthan_study.reports import make_index

log_to(snakemake.log[0])
make_index(Spec(snakemake.config, trusted=True), *snakemake.output)
