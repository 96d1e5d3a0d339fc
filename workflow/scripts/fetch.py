"""Adapts the checkpoint `fetch` to `closerthan_study.data`."""

import sys

from closerthan_study.configuration import Spec
from closerthan_study.data import fetch_all
from closerthan_study.files import log_to

log_to(snakemake.log[0])
sys.exit(fetch_all(Spec(snakemake.config, trusted=True), snakemake.output[0]))
