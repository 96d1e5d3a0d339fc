"""Adapts the rule `scoreboard` to `closerthan.study.reports`."""

from closerthan.study.files import log_to
from closerthan.study.reports import make_scoreboard
from closerthan.study.spec import Spec

log_to(snakemake.log[0])
spec = Spec(snakemake.config, trusted=True)
make_scoreboard(spec, snakemake.params.cells, *snakemake.output)
