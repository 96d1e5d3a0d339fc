"""The study of the papers: its protocols as data, run by Snakemake, judged against the papers."""
