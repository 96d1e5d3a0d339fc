"""Adapts the rule `fits` to `closerthan_study.fits`."""

from functools import partial

from tqdm import tqdm

from closerthan_study.configuration import Spec
from closerthan_study.files import log_to
from closerthan_study.fits import make_fits

log_to(snakemake.log[0])
spec = Spec(snakemake.config, trusted=True)
make_fits(spec, **snakemake.wildcards, progress=partial(tqdm, mininterval=5))
