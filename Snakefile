# `snakemake` in this folder runs workflow/Snakefile, where the catalog of workflows looks for it.
include: "workflow/Snakefile"


workflow.default_target = "all"  # an included file cannot set it
