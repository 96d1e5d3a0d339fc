"""Adapts the rule `notebook` to `relsim.study.notebooks`."""

from relsim.study.notebooks import run_notebook

run_notebook(
    snakemake.input.notebook,
    snakemake.output.notebook,
    snakemake.output.page,
    parameters={"config": snakemake.config},
    log=snakemake.log[0],
)
