# fits: from results/data/ and results/trials/ what each method learns. A job fits a part for all its
# variants, losses, mini-batch sizes, noise levels and trials; where its seconds count, nothing runs
# beside it, though it computes with one thread. Makes results/fits/{study}/{experiment}/{dataset}/
# {job}/ with {method}.parquet (learning curves), .embedding.parquet (what was learned, where it can
# be kept) and .seconds.parquet (apart, because seconds never repeat).


# Jobs that compile the same functions at once would get in each other's way: for each task one does
# it first, and never two of these at once (profiles/ say so).
rule compile:
    output:
        touch(f"{RESULTS}/fits/{{task}}.compiled"),
    log:
        f"{RESULTS}/logs/fits/{{task}}.compiled.log",
    benchmark:
        f"{RESULTS}/logs/compile/{{task}}.tsv"
    priority: 10_000  # all fits of the task wait for it
    group:
        "prepare"
    conda:
        "../../environment.yml"
    resources:
        compiling=1,
        runtime=lambda w, attempt: 5 * attempt,
    params:
        code=lambda w: dependencies.code_of_fits(w.task),
    script:
        "../scripts/compile.py"


rule fits:
    input:
        data=lambda w: data_of(FITS[w.part]),
        trials=lambda w: parts_with("trials", TRIALS, FITS[w.part]),
        compiled=lambda w: [
            f"{RESULTS}/fits/{task}.compiled" for task in tasks_in(FITS[w.part])
        ],
    output:
        directory(f"{RESULTS}/fits/{{part}}"),
        touch(f"{RESULTS}/fits/{{part}}.made"),
    log:
        f"{RESULTS}/logs/fits/{{part}}.log",
    benchmark:
        f"{RESULTS}/logs/fits/{{part}}.tsv"
    # The longest first: at the end none shall be left to run alone.
    priority: lambda w: round(seconds_of_fits(spec, FITS[w.part]))
    group:
        group_of_fits
    conda:
        "../../environment.yml"
    threads: lambda w: workflow.cores if is_timed(w.part) else 1
    resources:
        mem_mb=lambda w, attempt: fits_request(spec, FITS[w.part], attempt)[0],
        runtime=lambda w, attempt: fits_request(spec, FITS[w.part], attempt)[1],
        slurm_extra=lambda w: "--exclusive" if is_timed(w.part) else "",
    params:
        cells=lambda w: FITS[w.part],
        code=lambda w: code_of(dependencies.code_of_fits, FITS[w.part]),
        settings=lambda w: settings_of("fits", FITS[w.part]),
    script:
        "../scripts/fits.py"
