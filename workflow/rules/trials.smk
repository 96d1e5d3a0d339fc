# trials: what each trial of an experiment is given on a data set, or on each of a collection.
# Reads results/data/. Makes a folder with objects.parquet (the objects drawn), comparisons.parquet
# (sampled or given by people, split, with noise in the training part; of tasks that learn from them)
# and drawn.json (how many of both); of a collection, such a folder for each data set. Noise and
# dissimilarities of maps are drawn where they are needed.


rule trials:
    input:
        data=collect(f"{RESULTS}/data/{{member}}.npz", member=datasets),
    output:
        directory(f"{RESULTS}/trials/{{study}}/{{experiment}}/{{dataset}}"),
    log:
        f"{RESULTS}/logs/trials/{{study}}/{{experiment}}/{{dataset}}.log",
    benchmark:
        f"{RESULTS}/logs/trials/{{study}}/{{experiment}}/{{dataset}}.tsv"
    priority: runtime
    group:
        "prepare"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=resource("mem_mb"),
        runtime=resource("runtime"),
    params:
        code=code("trials"),
        settings=settings("trials"),
    script:
        "../scripts/trials.py"
