"""Adapts the rule `data` to `relsim.study.data`."""

from relsim.study.data import make_data
from relsim.study.files import log_to
from relsim.study.spec import Spec

log_to(snakemake.log[0])
spec = Spec(snakemake.config, trusted=True)
make_data(spec, snakemake.wildcards.dataset, snakemake.output.npz, snakemake.output.record)
