"""Adapts the rule `compile` to the tasks of `relsim.study`."""

from relsim.study import tasks
from relsim.study.files import log_to

log_to(snakemake.log[0])
tasks.part(snakemake.wildcards.task, "fit").compile_kernels()
