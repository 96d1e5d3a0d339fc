# reports: judges the papers' claims, executes a notebook for each study, and links it all.
# Reads results/data/, trials/, fits/ and scores/, the claims.yaml and reported.csv of each paper in
# config/studies/, notebooks/, and the published verdicts in results/published/ if there are any.
# Makes in results/reports/:
#   scoreboard.csv, parts.csv, readings.csv claims, their parts, and what the papers leave open
#   printed.csv                             the papers' numbers beside ours
#   notebooks/, figures/, tables/           a page for each study, and one for the scoreboard
#   index.html, provenance.json             the page to start with, and what made the results


# On a cluster these run beside Snakemake: they take seconds.
localrules:
    claims,
    notebooks,
    index,


rule claims:
    input:
        records=collect("results/data/{dataset}.json", dataset=datasets),
        scores=collect("results/scores/{job.study}/{job.experiment}/{job.dataset}", job=places),
        claims=files("config/studies/*/claims.yaml"),
        reported=files("config/studies/*/reported.csv"),
        published=files("results/published/scoreboard.csv"),
    output:
        scoreboard="results/reports/scoreboard.csv",
        parts="results/reports/parts.csv",
        readings="results/reports/readings.csv",
        printed="results/reports/printed.csv",
    log:
        "results/logs/reports/claims.log",
    params:
        code=lambda wildcards: dependencies.digest(
            "closerthan_study.claims", "closerthan_study.printed"
        ),
        settings=lambda wildcards: settings_of_reports(spec.known_studies),
    message:
        "claims: the verdicts and the printed numbers"
    script:
        "../scripts/claims.py"


# {page} is a study, or the scoreboard, which has no results of its own but the judged claims. The notebook
# runs in a shadow folder, so that it sees no results except those that are declared here.
rule notebooks:
    input:
        notebook=lambda wildcards: place_of(spec.notebook(wildcards.page)),
        data=collect("results/data/{dataset}.{kind}", dataset=datasets, kind=["npz", "json"]),
        trials=collect("results/trials/{job.study}/{job.experiment}/{job.dataset}", job=places),
        fits=collect(
            "results/fits/{job.study}/{job.experiment}/{job.dataset}/{job.batch}", job=batches
        ),
        scores=collect("results/scores/{job.study}/{job.experiment}/{job.dataset}", job=places),
        reported=lambda wildcards: files(f"config/studies/{wildcards.page}/reported.csv"),
        claims=branch(
            lambda wildcards: wildcards.page == "scoreboard",
            then=collect("results/reports/{name}.csv", name=["scoreboard", "parts", "readings"]),
        ),
    output:
        notebook="results/reports/notebooks/{page}.ipynb",
        page="results/reports/notebooks/{page}.html",
        figures=report(
            directory("results/reports/figures/{page}"),
            patterns=["{name}.png"],
            category="Figures",
            subcategory="{page}",
            labels={"figure": "{name}"},
        ),
        tables=report(
            directory("results/reports/tables/{page}"),
            patterns=["{name}.html"],
            category="Tables",
            subcategory="{page}",
            labels={"table": "{name}"},
        ),
    log:
        "results/logs/reports/{page}.log",
    priority: 1_000  # as soon as a study is scored, so that few pages are left at the end
    shadow:
        "minimal"
    params:
        code=lambda wildcards: dependencies.digest(
            "closerthan_study.figures", "closerthan_study.report.notebooks"
        ),
        settings=lambda wildcards: settings_of_reports(
            spec.studies if wildcards.page == "scoreboard" else [wildcards.page]
        ),
    message:
        "notebooks: {wildcards.page}"
    script:
        "../scripts/notebooks.py"


# The index also reads what trials drew and what made the fits. They are no inputs here, because they are
# inputs of the notebooks and thus made before. A new missing.json alone is no reason to make it again.
rule index:
    input:
        claims=rules.claims.output,
        notebooks=expand("results/reports/notebooks/{page}.html", page=PAGES),
        missing=ancient("results/data/missing.json"),
    output:
        page="results/reports/index.html",
        provenance="results/reports/provenance.json",
    log:
        "results/logs/reports/index.log",
    params:
        code=lambda wildcards: dependencies.digest("closerthan_study.report"),
        settings=lambda wildcards: settings_of_reports(spec.studies),
    message:
        "index: the first page"
    script:
        "../scripts/index.py"
