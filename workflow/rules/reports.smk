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
        scores=lambda _: folders(
            f"{RESULTS}/scores/{{study}}/{{experiment}}/{{dataset}}"
        ),
        records=lambda _: expand(
            f"{RESULTS}/data/{{dataset}}.json", dataset=datasets_of()
        ),
        claims=papers_with("claims.yaml"),
        reported=papers_with("reported.csv"),
        published=branch(exists(PUBLISHED), then=PUBLISHED, otherwise=[]),
    output:
        scoreboard=f"{RESULTS}/reports/scoreboard.csv",
        parts=f"{RESULTS}/reports/parts.csv",
        readings=f"{RESULTS}/reports/readings.csv",
        printed=f"{RESULTS}/reports/printed.csv",
    log:
        f"{RESULTS}/logs/reports/claims.log",
    params:
        code=dependencies.digest("closerthan_study.claims", "closerthan_study.printed"),
        settings=lambda wildcards: settings_of_claims(),
    message:
        "claims: the verdicts and the printed numbers"
    script:
        "../scripts/claims.py"


# {page} is a study, or the scoreboard, which has no results of its own but the judged claims. The notebook
# runs in a shadow folder, so that it sees no results except those that are declared here. The log is the
# notebook as far as it was executed.
rule notebooks:
    input:
        notebook=notebook_of,
        data=lambda wildcards: expand(
            f"{RESULTS}/data/{{dataset}}.{{kind}}",
            dataset=datasets_of(wildcards.page),
            kind=["npz", "json"],
        ),
        trials=lambda wildcards: folders(
            f"{RESULTS}/trials/{{study}}/{{experiment}}/{{dataset}}", wildcards.page
        ),
        fits=lambda wildcards: folders(
            f"{RESULTS}/fits/{{study}}/{{experiment}}/{{dataset}}/{{batch}}",
            wildcards.page,
        ),
        scores=lambda wildcards: folders(
            f"{RESULTS}/scores/{{study}}/{{experiment}}/{{dataset}}", wildcards.page
        ),
        reported=lambda wildcards: papers_with("reported.csv", wildcards.page),
        claims=lambda wildcards: (
            [
                f"{RESULTS}/reports/{name}.csv"
                for name in ("scoreboard", "parts", "readings")
            ]
            if wildcards.page == "scoreboard"
            else []
        ),
    output:
        notebook=f"{RESULTS}/reports/notebooks/{{page}}.ipynb",
        page=f"{RESULTS}/reports/notebooks/{{page}}.html",
        figures=report(
            directory(f"{RESULTS}/reports/figures/{{page}}"),
            patterns=["{name}.png"],
            category="Figures",
            subcategory="{page}",
            labels={"figure": "{name}"},
        ),
        tables=report(
            directory(f"{RESULTS}/reports/tables/{{page}}"),
            patterns=["{name}.html"],
            category="Tables",
            subcategory="{page}",
            labels={"table": "{name}"},
        ),
    log:
        f"{RESULTS}/logs/reports/{{page}}.ipynb",
    priority: 1_000  # as soon as a study is scored, so that few pages are left at the end
    shadow:
        "minimal"
    params:
        code=dependencies.digest("closerthan_study.figures", "closerthan_study.report"),
        settings=lambda wildcards: settings_of_page(wildcards.page),
    message:
        "notebooks: {wildcards.page}"
    script:
        "../scripts/notebooks.py"


# The index also reads what trials drew and what made the fits. They are no inputs here, because they are
# inputs of the notebooks and thus made before. A new missing.json alone is no reason to make it again.
rule index:
    input:
        claims=rules.claims.output,
        notebooks=expand(f"{RESULTS}/reports/notebooks/{{page}}.html", page=PAGES),
        missing=ancient(MISSING),
    output:
        page=f"{RESULTS}/reports/index.html",
        provenance=f"{RESULTS}/reports/provenance.json",
    log:
        f"{RESULTS}/logs/reports/index.log",
    params:
        code=dependencies.digest("closerthan_study.report"),
        settings=lambda wildcards: [settings_of_page(page) for page in PAGES],
    message:
        "index: the first page"
    script:
        "../scripts/index.py"
