"""Adapts the rule `scoreboard` to `relsim.study.claims`."""

from relsim.study.claims import judge_all
from relsim.study.files import log_to, replacing
from relsim.study.spec import load_spec

log_to(snakemake.log[0])
with replacing(snakemake.output[0]) as temporary:
    judge_all(load_spec(snakemake.config)).to_csv(temporary, index=False)
