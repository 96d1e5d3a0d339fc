"""Adapts the rule `compile` to the tasks of `closerthan_study`."""

from closerthan_study import tasks
from closerthan_study.compiling import compile_in_turn
from closerthan_study.files import log_to

log_to(snakemake.log[0])
compile_in_turn(tasks.module(snakemake.wildcards.task, "fits").compile_kernels)
