"""Adapts the rule `scoreboard` to `closerthan_study.reports`."""

from closerthan_study.configuration import Spec
from closerthan_study.files import log_to
from closerthan_study.reports import make_scoreboard

log_to(snakemake.log[0])
spec = Spec(snakemake.config, trusted=True)
make_scoreboard(spec, snakemake.params.cells, *snakemake.output)
