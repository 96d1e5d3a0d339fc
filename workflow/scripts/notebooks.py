"""Adapts the rule `notebooks` to `closerthan_study.reports`."""

import sys

from closerthan_study.configuration import Spec
from closerthan_study.files import log_to
from closerthan_study.report.notebooks import NotebookError
from closerthan_study.reports import make_page

log_to(snakemake.log[0])
try:
    make_page(Spec(snakemake.config, trusted=True), snakemake.wildcards.page)
except NotebookError as error:
    sys.exit(str(error))
