"""Adapts the rule `notebooks` to `closerthan.study.reports`."""

from closerthan.study.reports import make_page
from closerthan.study.spec import Spec

make_page(Spec(snakemake.config, trusted=True), snakemake.wildcards.page, snakemake.log[0])
