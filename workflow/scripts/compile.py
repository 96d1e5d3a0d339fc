"""Adapts the rule `compile` to the tasks of `closerthan.study`."""

from closerthan.study import tasks
from closerthan.study.files import log_to

log_to(snakemake.log[0])
tasks.part(snakemake.wildcards.task, "fit").compile_kernels()
