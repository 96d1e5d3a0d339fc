"""Adapts the rule `data` to `closerthan.study.data`."""

from closerthan.study.data import make_data
from closerthan.study.files import log_to
from closerthan.study.spec import Spec

log_to(snakemake.log[0])
spec = Spec(snakemake.config, trusted=True)
make_data(spec, snakemake.wildcards.dataset, snakemake.output.npz, snakemake.output.record)
