# data: fetches, verifies and parses each data set.
# Reads the files of a data set: from the cache, else from the mirror, else from the internet. Their
# checksums are verified, and what they hold is checked.
# Makes results/data/missing.json (which data sets could not be had, and where each was looked for; all
# rules plan their jobs with it), results/data/{dataset}.npz (its arrays) and results/data/{dataset}.json
# (source, license, checksums, shape, what was dropped).


# On a cluster these run beside Snakemake, because nodes often can't reach the internet.
localrules:
    fetch,
    data,


# Downloads what is neither in the cache nor in the mirror, several data sets at once. Which other jobs run
# depends on what could be had, so Snakemake plans them after this checkpoint (see `planned` in common.smk).
# While a data set is missing, every run asks for it again.
checkpoint fetch:
    output:
        "results/data/missing.json",
    log:
        "results/logs/data/missing.log",
    priority: 20_000
    params:
        # A new value makes the output again. Nothing is fetched while Snakemake plans.
        again=time.time() if workflow.is_main_process and find_absent(spec) else 0,
    message:
        "fetch: all data sets that are not here"
    script:
        "../scripts/fetch.py"


# Only data sets that can be had are in the plan.
rule data:
    output:
        npz="results/data/{dataset}.npz",
        record="results/data/{dataset}.json",
    log:
        "results/logs/data/{dataset}.log",
    priority: 5_000  # the longest experiments can start only when all their data are there
    params:
        code=lambda wildcards: dependencies.code_of_data(wildcards.dataset),
        settings=lambda wildcards: str(options_of(spec, wildcards.dataset)),
    message:
        "data: {wildcards.dataset}"
    script:
        "../scripts/data.py"
