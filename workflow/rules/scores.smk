# scores: measures how good the fits are (test error, retrieval, stress and others).
# Reads the same results/data/*.npz as trials, results/trials/, and all batches of results/fits/.
# Makes results/scores/{study}/{experiment}/{dataset}/ with {method}.parquet, a row for each value of a
# measure, and seconds.parquet, the seconds of all methods (empty if they do not count). If {dataset}
# names a collection of data sets, each has a folder of its own within that.


rule scores:
    input:
        data=collect("results/data/{dataset}.npz", dataset=datasets),
        trials="results/trials/{study}/{experiment}/{dataset}",
        fits=collect(
            "results/fits/{job.study}/{job.experiment}/{job.dataset}/{job.batch}", job=batches
        ),
    output:
        directory("results/scores/{study}/{experiment}/{dataset}"),
    log:
        "results/logs/scores/{study}/{experiment}/{dataset}.log",
    benchmark:
        "results/logs/scores/{study}/{experiment}/{dataset}.tsv"
    priority: lambda wildcards: experiment_of(wildcards).runtime
    group:
        "scores"
    resources:
        mem_mb=lambda wildcards, attempt: attempt * experiment_of(wildcards).mem_mb,
        runtime=lambda wildcards, attempt: attempt * experiment_of(wildcards).runtime,
    params:
        code=lambda wildcards: dependencies.code_of_scores(experiment_of(wildcards).task),
        settings=lambda wildcards: spec.settings_of("scores", experiment_of(wildcards)),
    message:
        "scores: {wildcards.study}/{wildcards.experiment} on {wildcards.dataset}"
    script:
        "../scripts/scores.py"
