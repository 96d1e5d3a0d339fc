# fits: what each method of an experiment learns on a data set, in every variant and trial.
# Reads the data set in results/data/ and its trials in results/trials/. Each job fits a batch: some of
# the methods and trials. study.yaml says how many batches there are.
# Makes a folder for the batch with {method}.parquet (learning curves), {method}.embedding.parquet
# (what was learned, if it is small enough to keep) and {method}.seconds.parquet (a file of its own,
# because seconds never repeat). If {dataset} names a collection, each of its data sets has a folder
# within the folder.


# numba compiles the functions of a task into its cache. Two jobs that add to the cache at once could
# spoil it, so one job does it before the fits, and never two at a time.
rule compile:
    output:
        touch(f"{RESULTS}/compiled/{{task}}"),
    log:
        f"{RESULTS}/logs/compiled/{{task}}.log",
    benchmark:
        f"{RESULTS}/logs/compiled/{{task}}.tsv"
    priority: 10_000  # all fits of the task wait for it
    group:
        "prepare"
    conda:
        "../../environment.yml"
    resources:
        compiling=1,
    params:
        code=lambda wildcards: dependencies.code_of_fits(wildcards.task),
    script:
        "../scripts/compile.py"


rule fits:
    input:
        data=collect(f"{RESULTS}/data/{{member}}.npz", member=datasets),
        trials=f"{RESULTS}/trials/{{study}}/{{experiment}}/{{dataset}}",
        compiled=collect(f"{RESULTS}/compiled/{{task}}", task=task),
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
    # If its seconds are reported, nothing runs beside the job, though it computes with one thread.
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
