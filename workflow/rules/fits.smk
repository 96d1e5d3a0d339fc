# fits: from results/data/ and results/comparisons/ what each method learns. A job fits a shard of
# a method's trials (or, at scales that say so, all methods) for all variants, losses, mini-batch
# sizes and noise levels; where its seconds count, nothing runs beside it, though it computes with
# one thread. Makes results/fits/{study}/{experiment}/{dataset}/{job}/ with {method}.parquet
# (learning curves), .embedding.parquet (of similarities their matrices, of kernels nothing) and
# .seconds.parquet (apart, because seconds never repeat).


# Jobs that compile the same functions at once would get in each other's way: for each kind of
# learning one does it first, with nothing beside it.
rule compile:
    output:
        touch(f"{RESULTS}/fits/{{kind}}.compiled"),
    log:
        f"{RESULTS}/logs/fits/{{kind}}.compiled.log",
    group:
        "prepare"
    conda:
        "../../environment.yml"
    threads: workflow.cores
    resources:
        runtime=lambda w, attempt: 5 * attempt,
    params:
        code=lambda w: FITS_CODE[w.kind],
    script:
        "../scripts/compile.py"


rule fits:
    input:
        data=f"{RESULTS}/data/{{dataset}}.npz",
        comparisons=f"{RESULTS}/comparisons/{{study}}/{{experiment}}/{{dataset}}.parquet",
        objects=f"{RESULTS}/comparisons/{{study}}/{{experiment}}/{{dataset}}.objects.parquet",
        compiled=lambda w: f"{RESULTS}/fits/{kind_of(w)}.compiled",
    output:
        directory(f"{RESULTS}/fits/{{study}}/{{experiment}}/{{dataset}}/{{job}}"),
    log:
        f"{RESULTS}/logs/fits/{{study}}/{{experiment}}/{{dataset}}/{{job}}.log",
    benchmark:
        f"{RESULTS}/logs/fits/{{study}}/{{experiment}}/{{dataset}}/{{job}}.tsv"
    group:
        group_of_fits
    conda:
        "../../environment.yml"
    threads: lambda w: workflow.cores if is_timed(w) else 1
    resources:
        mem_mb=lambda w, attempt: request_of_fits(w, attempt)[0],
        runtime=lambda w, attempt: request_of_fits(w, attempt)[1],
        slurm_extra=lambda w: "--exclusive" if is_timed(w) else "",
    params:
        code=lambda w: FITS_CODE[kind_of(w)],
        settings=lambda w: job_settings(w.study, w.experiment, w.job),
    script:
        "../scripts/fits.py"
