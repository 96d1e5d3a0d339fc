"""Adapts the rule `scores` to `relsim.study.scores`."""

from relsim.study.files import log_to
from relsim.study.scores import make_scores
from relsim.study.spec import load_spec

log_to(snakemake.log[0])
spec = load_spec(snakemake.config)
words = snakemake.wildcards
experiment = spec.experiment(words.study, words.experiment)
inputs = snakemake.input.data, snakemake.input.objects
make_scores(spec, experiment, words.dataset, *inputs, snakemake.output[0])
