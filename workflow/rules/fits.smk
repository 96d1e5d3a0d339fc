# fits: what each method of an experiment learns, for all variants, losses, mini-batch sizes and noise
# levels, on a data set or on each of a collection; `batches` in study.yaml cuts it into jobs.
# Reads results/data/ and results/trials/. Makes a folder with {method}.parquet (learning curves),
# {method}.embedding.parquet (what was learned, where it can be kept) and {method}.seconds.parquet
# (apart, because seconds never repeat); of a collection, such a folder for each data set.


# Jobs that compile the same functions at once would get in each other's way, so one does it first.
rule compile:
    output:
        touch(f"{RESULTS}/compiled"),
    log:
        f"{RESULTS}/logs/compiled.log",
    benchmark:
        f"{RESULTS}/logs/compiled.tsv"
    priority: 10_000  # all fits wait for it
    group:
        "prepare"
    conda:
        "../../environment.yml"
    params:
        code=[dependencies.code_of_fits(task) for task in TASKS],
    script:
        "../scripts/compile.py"


rule fits:
    input:
        data=collect(f"{RESULTS}/data/{{member}}.npz", member=datasets),
        trials=f"{RESULTS}/trials/{{study}}/{{experiment}}/{{dataset}}",
        compiled=ancient(f"{RESULTS}/compiled"),
    output:
        directory(f"{RESULTS}/fits/{{study}}/{{experiment}}/{{dataset}}/{{batch}}"),
    log:
        f"{RESULTS}/logs/fits/{{study}}/{{experiment}}/{{dataset}}/{{batch}}.log",
    benchmark:
        f"{RESULTS}/logs/fits/{{study}}/{{experiment}}/{{dataset}}/{{batch}}.tsv"
    priority: runtime
    group:
        short_fits
    conda:
        "../../environment.yml"
    # Where seconds count nothing runs beside it, though it computes with one thread.
    threads: lambda wildcards: workflow.cores if experiment_of(wildcards).timed else 1
    resources:
        mem_mb=resource("mem_mb"),
        runtime=resource("runtime"),
        slurm_extra=lambda wildcards: (
            "--exclusive" if experiment_of(wildcards).timed else ""
        ),
    params:
        code=code("fits"),
        settings=settings("fits"),
    script:
        "../scripts/fits.py"
