# data: each data set fetched, verified and parsed.
# Reads the files of a data set. They are looked for in the cache, then in the mirror, then on the
# internet; their checksums are verified, and so is the form of what they hold.
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
    conda:
        "../../environment.yml"
    params:
        code=lambda wildcards: dependencies.code_of_data(wildcards.dataset),
        settings=lambda wildcards: str(options_of(spec, wildcards.dataset)),
    script:
        "../scripts/data.py"
