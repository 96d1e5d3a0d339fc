"""Adapts the rule `notebooks` to `closerthan_study.reports`."""

from closerthan_study.reports import make_page
from closerthan_study.spec import Spec

make_page(Spec(snakemake.config, trusted=True), snakemake.wildcards.page, snakemake.log[0])
