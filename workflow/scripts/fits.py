"""Adapts the rule `fits` to `closerthan_study.fits`."""

from functools import partial

from tqdm import tqdm

from closerthan_study.configuration import Spec
from closerthan_study.files import log_to, unmake_around
from closerthan_study.fits import make_fits

log_to(snakemake.log[0])
unmake_around(snakemake.output[0])
spec = Spec(snakemake.config, trusted=True)
for cell in snakemake.params.cells:
    make_fits(spec, *cell, progress=partial(tqdm, desc="/".join(cell), mininterval=5))
