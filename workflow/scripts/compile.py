"""Adapts the rule `compile` to `relsim.study.fits`."""

from relsim.study.files import log_to
from relsim.study.fits import compile_kernels

log_to(snakemake.log[0])
compile_kernels()
