# data: fetches, verifies and parses each data set.
# Reads the files of a data set: from the cache, else from the mirror, else from the internet. Their
# checksums are verified, and what they hold is checked.
# Makes results/data/{dataset}.npz (its arrays) and results/data/{dataset}.json (source, license,
# checksums, shape, what was dropped).


# On a cluster this runs beside Snakemake, because nodes often can't reach the internet.
localrules:
    data,


rule data:
    output:
        npz=f"{RESULTS}/data/{{dataset}}.npz",
        record=f"{RESULTS}/data/{{dataset}}.json",
    log:
        f"{RESULTS}/logs/data/{{dataset}}.log",
    benchmark:
        f"{RESULTS}/logs/data/{{dataset}}.tsv"
    priority: 5_000  # the longest experiments can start only when all their data are there
    conda:
        "../../environment.yml"
    params:
        code=lambda wildcards: dependencies.code_of_data(wildcards.dataset),
        settings=lambda wildcards: str(options_of(spec, wildcards.dataset)),
    script:
        "../scripts/data.py"
