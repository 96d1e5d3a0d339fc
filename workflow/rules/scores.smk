# scores: how good what was learned is: test errors, retrieval scores, stress and other measures.
# Reads the data set in results/data/, its trials in results/trials/ and all batches of its fits in
# results/fits/.
# Makes a folder with {method}.parquet (a row for each value) and, if seconds are reported,
# seconds.parquet. If {dataset} names a collection, each of its data sets has a folder within the
# folder.


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
