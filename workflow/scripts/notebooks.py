"""Adapts the rule `notebooks` to `closerthan_study.reports`."""

from closerthan_study.configuration import Spec
from closerthan_study.reports import make_page

make_page(Spec(snakemake.config, trusted=True), snakemake.wildcards.page, snakemake.log[0])
