# fits: runs each method of an experiment on a data set, in every variant and trial.
# Reads the same results/data/*.npz as trials, and results/trials/, after results/compiled/{task} is made.
# A job fits one batch of the methods and trials; study.yaml says how many batches there are.
# Makes results/fits/{study}/{experiment}/{dataset}/{batch}/ with three files a method:
#   {method}.parquet            learning curves
#   {method}.embedding.parquet  what was learned; empty if it is too large to keep
#   {method}.seconds.parquet    seconds, apart from the rest because they never repeat
# If {dataset} names a collection of data sets, each has a folder of its own within that.


# A job for each task compiles its functions into numba's cache, before the fits. These jobs run one
# after another, because tasks share functions: profiles/default, which every run uses, allows one
# `compiling`. The empty output says that the task is compiled.
rule compile:
    output:
        touch(f"{RESULTS}/compiled/{{task}}"),
    log:
        f"{RESULTS}/logs/compiled/{{task}}.log",
    priority: 10_000  # all fits of the task wait for it
    group:
        "prepare"
    resources:
        compiling=1,
    params:
        code=lambda wildcards: dependencies.code_of_fits(wildcards.task),
    message:
        "compile: {wildcards.task}"
    script:
        "../scripts/compile.py"


rule fits:
    input:
        data=collect(f"{RESULTS}/data/{{dataset}}.npz", dataset=datasets),
        trials=f"{RESULTS}/trials/{{study}}/{{experiment}}/{{dataset}}",
        compiled=lambda wildcards: f"{RESULTS}/compiled/{experiment_of(wildcards).task}",
    output:
        directory(f"{RESULTS}/fits/{{study}}/{{experiment}}/{{dataset}}/{{batch}}"),
    log:
        f"{RESULTS}/logs/fits/{{study}}/{{experiment}}/{{dataset}}/{{batch}}.log",
    benchmark:
        f"{RESULTS}/logs/fits/{{study}}/{{experiment}}/{{dataset}}/{{batch}}.tsv"
    priority: longest_first
    group:
        group_of_fits
    # A job computes with one thread. If seconds are reported, nothing else may run beside it.
    threads: lambda wildcards: workflow.cores if experiment_of(wildcards).timed else 1
    resources:
        mem_mb=resource("mem_mb"),
        runtime=resource("runtime"),
        slurm_extra=lambda wildcards: (
            "--exclusive" if experiment_of(wildcards).timed else ""
        ),
    params:
        code=code(dependencies.code_of_fits),
        settings=settings_of_fits,
    message:
        "fits: {wildcards.study}/{wildcards.experiment} on {wildcards.dataset}, batch {wildcards.batch} (up to {resources.runtime} minutes)"
    script:
        "../scripts/fits.py"
