# reports: from all that the stations before have made the judged claims (scoreboard.csv, parts.csv), the
# printed numbers beside ours (printed.csv), the executed notebooks with their figures and tables,
# results/reports/board.html to look around in, and results/reports/index.html, which links them all.


# They take seconds, and on a cluster run where Snakemake does.
localrules:
    scoreboard,
    printed,
    notebooks,
    board,
    index,


rule scoreboard:
    input:
        scores=made("scores", SCORES),
        claims=CLAIMS,
    output:
        claims=f"{RESULTS}/reports/scoreboard.csv",
        parts=f"{RESULTS}/reports/parts.csv",
    log:
        f"{RESULTS}/logs/reports/scoreboard.log",
    benchmark:
        f"{RESULTS}/logs/reports/claims.tsv"
    conda:
        "../../environment.yml"
    params:
        cells=[cell for cells in SCORES.values() for cell in cells],
        code=dependencies.digest("closerthan_study.claims"),
        settings=str(
            [spec.scale, spec.whole.experiments]
            + [study.labels for study in spec.studies.values()]
        ),
    script:
        "../scripts/scoreboard.py"


rule printed:
    input:
        scores=made("scores", SCORES),
        data=expand(f"{RESULTS}/data/{{dataset}}.json", dataset=DATASETS),
        reported=REPORTED,
    output:
        f"{RESULTS}/reports/printed.csv",
    log:
        f"{RESULTS}/logs/reports/printed.log",
    benchmark:
        f"{RESULTS}/logs/reports/printed.tsv"
    conda:
        "../../environment.yml"
    params:
        cells=[cell for cells in SCORES.values() for cell in cells],
        code=dependencies.digest("closerthan_study.printed"),
        settings=str(
            [
                *(spec.scale, spec.experiments, spec.whole.experiments),
                *(spec.study(name).printed for name in spec.known_studies),
            ]
        ),
    script:
        "../scripts/printed.py"


rule notebooks:
    input:
        notebook="notebooks/{page}.ipynb",
        results=results_of_page,
        reported=lambda w: papers_with("reported.csv", [w.page]),
    output:
        notebook=f"{RESULTS}/reports/notebooks/{{page}}.ipynb",
        page=f"{RESULTS}/reports/notebooks/{{page}}.html",
        figures=directory(f"{RESULTS}/reports/figures/{{page}}"),
        tables=directory(f"{RESULTS}/reports/tables/{{page}}"),
    log:
        f"{RESULTS}/logs/reports/{{page}}.ipynb",
    benchmark:
        f"{RESULTS}/logs/reports/{{page}}.tsv"
    # It sees the results that are declared above, and no other.
    shadow:
        "minimal"
    conda:
        "../../environment.yml"
    params:
        code=dependencies.digest("closerthan_study.figures", "closerthan_study.report"),
        settings=lambda w: settings_of_page(w.page),
    script:
        "../scripts/notebooks.py"


rule board:
    input:
        tables=[*rules.scoreboard.output, *rules.printed.output],
        # Of figures and tables it links those that lie there.
        notebooks=expand(f"{RESULTS}/reports/notebooks/{{page}}.html", page=PAGES),
        data=expand(f"{RESULTS}/data/{{dataset}}.npz", dataset=DATASETS),
        records=expand(f"{RESULTS}/data/{{dataset}}.json", dataset=DATASETS),
        trials=made("trials", TRIALS),
        fits=made("fits", FITS),
        scores=made("scores", SCORES),
    output:
        f"{RESULTS}/reports/board.html",
    log:
        f"{RESULTS}/logs/reports/board.log",
    benchmark:
        f"{RESULTS}/logs/reports/board.tsv"
    conda:
        "../../environment.yml"
    params:
        code=dependencies.digest("closerthan_study.report"),
        settings=[settings_of_page(page) for page in PAGES],
    script:
        "../scripts/board.py"


rule index:
    input:
        board=rules.board.output,
        notebooks=expand(f"{RESULTS}/reports/notebooks/{{page}}.html", page=PAGES),
        printed=f"{RESULTS}/reports/printed.csv",
        data=expand(f"{RESULTS}/data/{{dataset}}.json", dataset=DATASETS),
        trials=made("trials", TRIALS),
    output:
        page=f"{RESULTS}/reports/index.html",
        provenance=f"{RESULTS}/reports/provenance.json",
    log:
        f"{RESULTS}/logs/reports/index.log",
    conda:
        "../../environment.yml"
    params:
        code=dependencies.digest("closerthan_study.report"),
        missing=MISSING,
    script:
        "../scripts/index.py"
