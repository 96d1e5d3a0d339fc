"""Adapts the rule `index` to `closerthan.study.reports`."""

from closerthan.study.files import log_to
from closerthan.study.reports import make_index
from closerthan.study.spec import Spec

log_to(snakemake.log[0])
make_index(Spec(snakemake.config, trusted=True), snakemake.params.missing, *snakemake.output)
