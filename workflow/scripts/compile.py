"""Adapts the rule `compile` to `relsim.study.fits`."""

from relsim.study.files import log_to
from relsim.study.fits import KINDS

log_to(snakemake.log[0])
KINDS[snakemake.wildcards.kind].compile_kernels()
