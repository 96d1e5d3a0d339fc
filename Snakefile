# `snakemake` in this folder runs workflow/Snakefile, which the catalog of workflows can deploy elsewhere.
include: "workflow/Snakefile"


workflow.default_target = "all"  # an included file cannot set it
