"""Adapts the rule `scoreboard` to `relsim.study.reports`."""

from relsim.study.files import log_to
from relsim.study.reports import make_scoreboard
from relsim.study.spec import Spec

log_to(snakemake.log[0])
spec = Spec(snakemake.config, trusted=True)
make_scoreboard(spec, snakemake.params.cells, *snakemake.output)
