"""Adapts the rule `fits` to `relsim.study.fits`."""

from relsim.study.files import log_to
from relsim.study.fits import make_fits
from relsim.study.spec import load_spec

log_to(snakemake.log[0])
spec = load_spec(snakemake.config)
words = snakemake.wildcards
experiment = spec.experiment(words.study, words.experiment)
parts = spec.jobs(experiment)[words.job]
inputs = snakemake.input.data, snakemake.input.comparisons, snakemake.input.objects
make_fits(spec, experiment, words.dataset, parts, inputs, snakemake.output[0])
