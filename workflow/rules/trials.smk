# trials: from results/data/ what each trial is given: the objects drawn, and comparisons sampled or
# given by people, split, with noise in the training part. Makes, under results/trials/{study}/
# {experiment}/{dataset}/, objects.parquet, comparisons.parquet (where a task learns from them) and
# drawn.json (how many of both). Noise and dissimilarities of maps are drawn where they are needed.


rule trials:
    input:
        lambda w: data_of(TRIALS[w.part]),
    output:
        directory(f"{RESULTS}/trials/{{part}}"),
        touch(f"{RESULTS}/trials/{{part}}.made"),
    log:
        f"{RESULTS}/logs/trials/{{part}}.log",
    benchmark:
        f"{RESULTS}/logs/trials/{{part}}.tsv"
    group:
        "prepare"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=lambda w, attempt: 3000 * attempt,
        runtime=lambda w, attempt: 3 * len(TRIALS[w.part]) * attempt,
    params:
        cells=lambda w: TRIALS[w.part],
        code=lambda w: code_of(dependencies.code_of_trials, TRIALS[w.part]),
        settings=lambda w: settings_of("trials", TRIALS[w.part]),
    script:
        "../scripts/trials.py"
