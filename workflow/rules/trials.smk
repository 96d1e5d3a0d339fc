# trials: what each trial of an experiment on a data set is given.
# Reads the data set in results/data/. If {dataset} names a collection, it reads all its data sets, and
# makes for each a folder within the folder.
# Makes a folder with objects.parquet (the objects that take part), comparisons.parquet (the
# comparisons, sampled or given by people, split into parts, with noise in the training part; only if
# the task learns from comparisons) and drawn.json (how many objects and comparisons there are).


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
