# scores: measures how good the fits are (test error, retrieval, stress and others).
# Reads the same results/data/*.npz as trials, results/trials/, and all batches of results/fits/.
# Makes results/scores/{study}/{experiment}/{dataset}/ with {method}.parquet, a row for each value of a
# measure, and seconds.parquet, the seconds of all methods (empty if they do not count). If {dataset}
# names a collection of data sets, each has a folder of its own within that.


rule scores:
    input:
        data=collect(f"{RESULTS}/data/{{dataset}}.npz", dataset=datasets),
        trials=f"{RESULTS}/trials/{{study}}/{{experiment}}/{{dataset}}",
        fits=collect(
            f"{RESULTS}/fits/{{study}}/{{experiment}}/{{dataset}}/{{batch}}",
            batch=batches,
            allow_missing=True,  # the other wildcards are those of the job
        ),
    output:
        directory(f"{RESULTS}/scores/{{study}}/{{experiment}}/{{dataset}}"),
    log:
        f"{RESULTS}/logs/scores/{{study}}/{{experiment}}/{{dataset}}.log",
    benchmark:
        f"{RESULTS}/logs/scores/{{study}}/{{experiment}}/{{dataset}}.tsv"
    priority: longest_first
    group:
        "scores"
    resources:
        mem_mb=resource("mem_mb"),
        runtime=resource("runtime"),
    params:
        code=code(dependencies.code_of_scores),
        settings=settings("scores"),
    message:
        "scores: {wildcards.study}/{wildcards.experiment} on {wildcards.dataset}"
    script:
        "../scripts/scores.py"
