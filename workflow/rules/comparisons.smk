# comparisons: from results/data/ the triplets of every trial, sampled or given by people, split,
# with noise in the training part. Makes results/comparisons/{study}/{experiment}/{dataset}.parquet
# and .objects.parquet (which objects of the data set take part).


rule comparisons:
    input:
        f"{RESULTS}/data/{{dataset}}.npz",
    output:
        comparisons=f"{RESULTS}/comparisons/{{study}}/{{experiment}}/{{dataset}}.parquet",
        objects=f"{RESULTS}/comparisons/{{study}}/{{experiment}}/{{dataset}}.objects.parquet",
    log:
        f"{RESULTS}/logs/comparisons/{{study}}/{{experiment}}/{{dataset}}.log",
    group:
        "prepare"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, attempt: 3000 * attempt,
        runtime=lambda w, attempt: 3 * attempt,
    params:
        code=lambda w: COMPARISONS_CODE[kind_of(w)],
        settings=lambda w: comparison_settings(w.study, w.experiment),
    script:
        "../scripts/comparisons.py"
