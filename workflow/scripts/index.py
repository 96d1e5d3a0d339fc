"""Adapts the rule `index` to `closerthan_study.report`."""

from closerthan_study.configuration import Spec
from closerthan_study.files import log_to
from closerthan_study.report.index import make_index_page

log_to(snakemake.log[0])
make_index_page(Spec(snakemake.config, trusted=True), *snakemake.output)
