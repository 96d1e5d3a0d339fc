"""The study of the papers: its protocols as data, run by Snakemake, judged against the papers."""

import sys
from pathlib import Path

# An environment of another clone would run that clone's code and studies here, in silence.
_CLONE, _HERE = Path(__file__).parents[2], Path.cwd()
if (_HERE / "src" / "closerthan_study").is_dir() and not _HERE.samefile(_CLONE):
    sys.exit(
        f"closerthan: this folder is {_HERE}, and the environment has the study of {_CLONE}. "
        "Make an environment here (rm -rf .venv && make set-up), and run .venv/bin/snakemake."
    )
