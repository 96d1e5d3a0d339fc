# fits: from results/data/ and results/comparisons/ what each method learns. A job fits a shard of
# the trials for all variants, losses, mini-batch sizes and noise levels; where its seconds count,
# nothing runs beside it, though it computes with one thread. Makes
# results/fits/{study}/{experiment}/{dataset}/{method}.{shard}.parquet (learning curves),
# .embedding.parquet and .seconds.parquet (apart, because seconds never repeat).
FITS = f"{RESULTS}/fits/{{study}}/{{experiment}}/{{dataset}}/{{method}}.{{shard}}"


# Jobs that compile the same functions at once would get in each other's way: one does it first.
rule compile:
    output:
        touch(f"{RESULTS}/fits/compiled"),
    log:
        f"{RESULTS}/logs/fits/compiled.log",
    conda:
        "../../environment.yml"
    params:
        code=FITS_CODE,
    script:
        "../scripts/compile.py"


rule fits:
    input:
        data=f"{RESULTS}/data/{{dataset}}.npz",
        comparisons=f"{RESULTS}/comparisons/{{study}}/{{experiment}}/{{dataset}}.parquet",
        objects=f"{RESULTS}/comparisons/{{study}}/{{experiment}}/{{dataset}}.objects.parquet",
        compiled=f"{RESULTS}/fits/compiled",
    output:
        curves=f"{FITS}.parquet",
        embeddings=f"{FITS}.embedding.parquet",
        seconds=f"{FITS}.seconds.parquet",
    log:
        f"{RESULTS}/logs/fits/{{study}}/{{experiment}}/{{dataset}}/{{method}}.{{shard}}.log",
    conda:
        "../../environment.yml"
    threads: threads_of_fits
    params:
        code=FITS_CODE,
        settings=lambda w: method_settings(w.study, w.experiment, w.method, w.shard),
    script:
        "../scripts/fits.py"
