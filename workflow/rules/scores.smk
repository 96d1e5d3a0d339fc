# scores: from results/fits/ one tidy row a value: test error, norm, MAP, Precision@K and the like.
# Makes results/scores/{study}/{experiment}/{dataset}/{method}.parquet, and seconds.parquet for
# streams and where a target error is set.


rule scores:
    input:
        data=f"{RESULTS}/data/{{dataset}}.npz",
        objects=f"{RESULTS}/comparisons/{{study}}/{{experiment}}/{{dataset}}.objects.parquet",
        fits=fits_of_dataset,
    output:
        directory(f"{RESULTS}/scores/{{study}}/{{experiment}}/{{dataset}}"),
    log:
        f"{RESULTS}/logs/scores/{{study}}/{{experiment}}/{{dataset}}.log",
    benchmark:
        f"{RESULTS}/logs/scores/{{study}}/{{experiment}}/{{dataset}}.tsv"
    group:
        "scores"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, attempt: request_of_scores(w, attempt)[0],
        runtime=lambda w, attempt: request_of_scores(w, attempt)[1],
    params:
        code=lambda w: SCORES_CODE[kind_of(w)],
        settings=lambda w: score_settings(w.study, w.experiment),
    script:
        "../scripts/scores.py"
