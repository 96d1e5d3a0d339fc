"""Adapts the rule `scores` to `closerthan.study.scores`."""

from closerthan.study.files import log_to, unmake_around
from closerthan.study.scores import make_scores
from closerthan.study.spec import Spec

log_to(snakemake.log[0])
unmake_around(snakemake.output[0])
spec = Spec(snakemake.config, trusted=True)
for cell in snakemake.params.cells:
    make_scores(spec, *cell)
