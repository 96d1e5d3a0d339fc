# data: each data set fetched (cache, mirror, internet), verified, parsed and checked.
# Makes results/data/{dataset}.npz and .json (source, license, checksums, shape, what was dropped).


# On a cluster on the machine that Snakemake runs on: nodes often can't reach the internet.
localrules:
    data,


rule data:
    output:
        npz=f"{RESULTS}/data/{{dataset}}.npz",
        record=f"{RESULTS}/data/{{dataset}}.json",
    log:
        f"{RESULTS}/logs/data/{{dataset}}.log",
    conda:
        "../../environment.yml"
    params:
        code=fingerprint("relsim/datasets", "relsim/study/data", "relsim/study/seeds"),
        settings=data_settings,
    script:
        "../scripts/data.py"
