"""Adapts the rule `notebooks` to `relsim.study.reports`."""

from relsim.study.reports import make_page
from relsim.study.spec import Spec

make_page(Spec(snakemake.config, trusted=True), snakemake.wildcards.page, snakemake.log[0])
