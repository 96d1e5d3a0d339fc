# data: each data set fetched (cache, mirror, internet), verified, parsed and checked.
# Reads the files of the data set, from wherever they are found first.
# Makes results/data/{dataset}.npz, its arrays, and .json (source, license, checksums, shape, what was
# dropped).


# On a cluster on the machine that Snakemake runs on: nodes often can't reach the internet.
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
    conda:
        "../../environment.yml"
    params:
        code=lambda wildcards: dependencies.code_of_data(wildcards.dataset),
        settings=lambda wildcards: str(options_of(spec, wildcards.dataset)),
    script:
        "../scripts/data.py"
