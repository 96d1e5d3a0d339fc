# closerthan's study: data -> trials -> fits -> scores -> reports, a rule file a station.
#
#   snakemake --cores 4                        everything at the default scale
#   snakemake --cores 4 --config scale=smoke   a quick look
configfile: "config/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/trials.smk"
include: "workflow/rules/fits.smk"
include: "workflow/rules/scores.smk"
include: "workflow/rules/reports.smk"


rule all:
    default_target: True
    input:
        f"{RESULTS}/reports/index.html",
