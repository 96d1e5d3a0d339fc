"""Adapts the rule `index` to `relsim.study.index`."""

from relsim.study.files import log_to
from relsim.study.index import make_index
from relsim.study.spec import load_spec

log_to(snakemake.log[0])
spec = load_spec(snakemake.config)
make_index(spec, snakemake.params.missing, snakemake.input.records, *snakemake.output)
