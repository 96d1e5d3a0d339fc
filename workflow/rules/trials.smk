# trials: draws what the trials of an experiment on a data set are given.
# Reads results/data/{dataset}.npz, and the data sets that the experiment also reads. {dataset} may name
# a collection of data sets: then all of them are read, and each has a folder within the one that is made.
# Makes results/trials/{study}/{experiment}/{dataset}/ with three files, each for all trials:
#   objects.parquet      the objects that take part
#   comparisons.parquet  comparisons for training, validation and test, with noise in the first; only if
#                        the task learns from comparisons
#   drawn.json           how many objects and comparisons there are


rule trials:
    input:
        data=collect(f"{RESULTS}/data/{{dataset}}.npz", dataset=datasets),
    output:
        directory(f"{RESULTS}/trials/{{study}}/{{experiment}}/{{dataset}}"),
    log:
        f"{RESULTS}/logs/trials/{{study}}/{{experiment}}/{{dataset}}.log",
    benchmark:
        f"{RESULTS}/logs/trials/{{study}}/{{experiment}}/{{dataset}}.tsv"
    priority: longest_first
    group:
        "prepare"
    resources:
        mem_mb=resource("mem_mb"),
        runtime=resource("runtime"),
    params:
        code=code(dependencies.code_of_trials),
        settings=settings("trials"),
    message:
        "trials: {wildcards.study}/{wildcards.experiment} on {wildcards.dataset}"
    script:
        "../scripts/trials.py"
