# scores: from results/fits/ one tidy row a value: test error, norm, MAP, Precision@K and the like.
# Makes results/scores/{study}/{experiment}/{dataset}/{method}.parquet, and seconds.parquet where
# seconds count.


rule scores:
    input:
        data=lambda w: data_of(SCORES[w.part]),
        trials=lambda w: parts_with("trials", TRIALS, SCORES[w.part]),
        fits=lambda w: parts_with("fits", FITS, SCORES[w.part]),
    output:
        directory(f"{RESULTS}/scores/{{part}}"),
        touch(f"{RESULTS}/scores/{{part}}.made"),
    log:
        f"{RESULTS}/logs/scores/{{part}}.log",
    benchmark:
        f"{RESULTS}/logs/scores/{{part}}.tsv"
    group:
        "scores"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, attempt: scores_request(spec, SCORES[w.part], attempt)[0],
        runtime=lambda w, attempt: scores_request(spec, SCORES[w.part], attempt)[1],
    params:
        cells=lambda w: SCORES[w.part],
        code=lambda w: code_of(dependencies.code_of_scores, SCORES[w.part]),
        settings=lambda w: settings_of("scores", SCORES[w.part]),
    script:
        "../scripts/scores.py"
