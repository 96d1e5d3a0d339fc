"""Adapts the checkpoint `fetch` to `closerthan_study.data`."""

import sys

from closerthan_study.configuration import Spec
from closerthan_study.data import fetch_all
from closerthan_study.files import log_to

terminal = sys.stderr
log_to(snakemake.log[0])
spec = Spec(snakemake.config, trusted=True)
if said := fetch_all(spec, snakemake.output[0]):
    if spec.config.data.strict:
        sys.exit(said)
    print(said, file=terminal)
