# reports: from results/scores/ and results/fits/ the executed notebooks with their figures and
# tables, and results/reports/index.html, which links them all.


rule notebook:
    input:
        notebook="notebooks/{study}.ipynb",
        scores=scores_of_study,
    output:
        notebook=f"{RESULTS}/reports/notebooks/{{study}}.ipynb",
        page=f"{RESULTS}/reports/notebooks/{{study}}.html",
        figures=directory(f"{RESULTS}/reports/figures/{{study}}"),
        tables=directory(f"{RESULTS}/reports/tables/{{study}}"),
    log:
        f"{RESULTS}/logs/reports/{{study}}.ipynb",
    conda:
        "../../environment.yml"
    params:
        code=REPORTS_CODE,
        settings=study_settings,
    script:
        "../scripts/notebook.py"


rule index:
    input:
        notebooks=expand(
            f"{RESULTS}/reports/notebooks/{{study}}.html", study=spec.studies
        ),
        records=expand(f"{RESULTS}/data/{{dataset}}.json", dataset=DATASETS),
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
