# reports: from results/scores/ and results/fits/ the judged claims (scoreboard.csv), the executed
# notebooks with their figures and tables, and results/reports/index.html, which links them all.


# They take seconds, and on a cluster run where Snakemake does.
localrules:
    scoreboard,
    notebook,
    index,


rule scoreboard:
    input:
        scores=scores_of_study,
        claims=CLAIMS,
    output:
        f"{RESULTS}/reports/scoreboard.csv",
    log:
        f"{RESULTS}/logs/reports/scoreboard.log",
    conda:
        "../../environment.yml"
    params:
        code=fingerprint("relsim/study/claim_spec", "relsim/study/claims"),
    script:
        "../scripts/scoreboard.py"


rule notebook:
    input:
        notebook="notebooks/{page}.ipynb",
        results=results_of_page,
        reported=REPORTED,
        templates=TEMPLATES,
    output:
        notebook=f"{RESULTS}/reports/notebooks/{{page}}.ipynb",
        page=f"{RESULTS}/reports/notebooks/{{page}}.html",
        figures=directory(f"{RESULTS}/reports/figures/{{page}}"),
        tables=directory(f"{RESULTS}/reports/tables/{{page}}"),
    log:
        f"{RESULTS}/logs/reports/{{page}}.ipynb",
    conda:
        "../../environment.yml"
    params:
        code=REPORTS_CODE,
        settings=REPORT_SETTINGS,
    script:
        "../scripts/notebook.py"


rule index:
    input:
        notebooks=expand(f"{RESULTS}/reports/notebooks/{{page}}.html", page=PAGES),
        records=expand(f"{RESULTS}/data/{{dataset}}.json", dataset=DATASETS),
        templates=TEMPLATES,
    output:
        page=f"{RESULTS}/reports/index.html",
        provenance=f"{RESULTS}/reports/provenance.json",
    log:
        f"{RESULTS}/logs/reports/index.log",
    conda:
        "../../environment.yml"
    params:
        code=REPORTS_CODE,
        missing=MISSING,
    script:
        "../scripts/index.py"
