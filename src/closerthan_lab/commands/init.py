"""`closerthan init`: write the folder of a new project, which Snakemake runs."""

import shutil
from pathlib import Path

import numpy as np

from closerthan._core.typing import StrPath
from closerthan.comparisons.noise import swap_answers
from closerthan.comparisons.sample import sample_from_points
from closerthan_lab.commands.folder import check_free, partial
from closerthan_lab.files.comparisons import write_comparisons

_PROJECT = Path(__file__).parent / "project"
_EXAMPLE = "answers/example.csv"


def init(folder: StrPath) -> Path:
    """Write a project into a new or empty folder: a workflow, its settings and example answers.

    The example has 600 simulated answers about the hours of a clock, a tenth of them wrong.
    """
    folder = Path(folder)
    check_free(folder)
    with partial(folder) as here:
        _write(here)
        folder.mkdir(exist_ok=True)
        for path in here.iterdir():
            path.replace(folder / path.name)
    return folder


def _write(folder):
    for path in sorted(_PROJECT.rglob("*")):
        copy = folder / path.relative_to(_PROJECT)
        if path.is_file() and path.parent.name != "__pycache__":
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    Path(folder, _EXAMPLE).parent.mkdir(exist_ok=True)
    angle = np.arange(12) * np.pi / 6
    answers = sample_from_points(
        np.column_stack([np.sin(angle), np.cos(angle)]), 600, random_state=0
    )
    answers, _ = swap_answers(answers, 0.1, random_state=0)
    hours = [f"{hour} o'clock" for hour in (12, *range(1, 12))]
    write_comparisons(folder / _EXAMPLE, answers, hours)
