"""Adapts the rule `trials` to `closerthan_study.trials`."""

from closerthan_study.configuration import Spec
from closerthan_study.files import log_to, unmake_around
from closerthan_study.trials import make_trials

log_to(snakemake.log[0])
unmake_around(snakemake.output[0])
spec = Spec(snakemake.config, trusted=True)
for cell in snakemake.params.cells:
    make_trials(spec, *cell)
