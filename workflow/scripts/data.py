"""Adapts the rule `data` to `closerthan_study.data`."""

from closerthan_study.configuration import Spec
from closerthan_study.data import make_data
from closerthan_study.files import log_to

log_to(snakemake.log[0])
spec = Spec(snakemake.config, trusted=True)
make_data(spec, snakemake.wildcards.dataset, snakemake.output.npz, snakemake.output.record)
