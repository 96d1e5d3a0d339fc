"""Adapts the rule `compile` to the tasks of `closerthan_study`."""

from closerthan_study import tasks
from closerthan_study.configuration import Spec
from closerthan_study.files import log_to

log_to(snakemake.log[0])
Spec(snakemake.config, trusted=True)  # which knows the folders of tasks
tasks.module(snakemake.wildcards.task, "fits").compile_kernels()
