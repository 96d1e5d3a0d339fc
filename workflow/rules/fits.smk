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
# `compiling`. The empty output says that the task is compiled. After an edit, fits compile what has changed:
# this job would make all fits of the task again.
rule compile:
    output:
        touch("results/compiled/{task}"),
    log:
        "results/logs/compiled/{task}.log",
    priority: 10_000  # all fits of the task wait for it
    group:
        "prepare"
    resources:
        compiling=1,
    message:
        "compile: {wildcards.task}"
    script:
        "../scripts/compile.py"


rule fits:
    input:
        data=collect("results/data/{dataset}.npz", dataset=datasets),
        trials="results/trials/{study}/{experiment}/{dataset}",
        compiled=lambda wildcards: f"results/compiled/{experiment_of(wildcards).task}",
    output:
        directory("results/fits/{study}/{experiment}/{dataset}/{batch}"),
    log:
        "results/logs/fits/{study}/{experiment}/{dataset}/{batch}.log",
    benchmark:
        "results/logs/fits/{study}/{experiment}/{dataset}/{batch}.tsv"
    priority: lambda wildcards: experiment_of(wildcards).runtime
    group:
        lambda wildcards: None if takes_long(experiment_of(wildcards)) else "fits"
    # A job computes with one thread. If its seconds are reported, nothing else may run beside it.
    threads: lambda wildcards: workflow.cores if experiment_of(wildcards).timed else 1
    resources:
        mem_mb=lambda wildcards, attempt: attempt * experiment_of(wildcards).mem_mb,
        runtime=lambda wildcards, attempt: attempt * experiment_of(wildcards).runtime,
        slurm_extra=lambda wildcards: "--exclusive" if experiment_of(wildcards).timed else "",
    params:
        code=lambda wildcards: dependencies.code_of_fits(
            experiment_of(wildcards).task, experiment_of(wildcards).methods.values()
        ),
        settings=lambda wildcards: spec.settings_of(
            "fits", experiment_of(wildcards), int(wildcards.batch)
        ),
    message:
        "fits: {wildcards.study}/{wildcards.experiment} on {wildcards.dataset}, batch {wildcards.batch} (up to {resources.runtime} minutes)"
    script:
        "../scripts/fits.py"
