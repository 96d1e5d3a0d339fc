# scores: one tidy row a value: test error, norm, MAP, Precision@K and the like.
# Reads results/data/, results/trials/ and all batches of results/fits/. Makes a folder with
# {method}.parquet, and seconds.parquet where seconds count; of a collection, such a folder for each
# data set.


rule scores:
    input:
        data=collect(f"{RESULTS}/data/{{member}}.npz", member=datasets),
        trials=f"{RESULTS}/trials/{{study}}/{{experiment}}/{{dataset}}",
        fits=collect(
            f"{RESULTS}/fits/{{study}}/{{experiment}}/{{dataset}}/{{batch}}",
            batch=batches,
            allow_missing=True,
        ),
    output:
        directory(f"{RESULTS}/scores/{{study}}/{{experiment}}/{{dataset}}"),
    log:
        f"{RESULTS}/logs/scores/{{study}}/{{experiment}}/{{dataset}}.log",
    benchmark:
        f"{RESULTS}/logs/scores/{{study}}/{{experiment}}/{{dataset}}.tsv"
    priority: runtime
    group:
        "scores"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=resource("mem_mb"),
        runtime=resource("runtime"),
    params:
        code=code("scores"),
        settings=settings("scores"),
    script:
        "../scripts/scores.py"
