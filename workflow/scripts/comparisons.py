"""Adapts the rule `comparisons` to `relsim.study.comparisons`."""

from relsim.study.comparisons import make_comparisons
from relsim.study.files import log_to
from relsim.study.spec import load_spec

log_to(snakemake.log[0])
spec = load_spec(snakemake.config)
words = snakemake.wildcards
experiment = spec.experiment(words.study, words.experiment)
make_comparisons(spec, experiment, words.dataset, snakemake.input[0], *snakemake.output)
