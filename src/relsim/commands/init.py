"""`relsim init`: a folder for a study of one's own, which Snakemake runs."""

import shutil
from pathlib import Path

import numpy as np

from relsim.commands.folder import check_free
from relsim.comparisons.files import write_csv
from relsim.comparisons.noise import swap_answers
from relsim.comparisons.sample import sample_from_points

_STUDY = Path(__file__).parent / "study"
_EXAMPLE = "answers/example.csv"


def init(folder):
    """Write the folder of a study: a workflow, its settings, and an example of answers.

    The example is simulated: 600 answers about twelve hours of a clock, of which a tenth is wrong.

    Parameters
    ----------
    folder : str or path-like
        New, or empty.

    Returns
    -------
    pathlib.Path

    Raises
    ------
    ValueError
        If the folder holds something.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as here:
    ...     folder = init(Path(here, "mine"))
    ...     sorted(path.name for path in folder.iterdir())
    ['.snakemake-workflow-catalog.yml', 'answers', 'config', 'workflow']
    """
    folder = Path(folder)
    check_free(folder)
    shutil.copytree(
        _STUDY, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
    )
    Path(folder, _EXAMPLE).parent.mkdir(exist_ok=True)
    angle = np.arange(12) * np.pi / 6
    answers = sample_from_points(
        np.column_stack([np.sin(angle), np.cos(angle)]), 600, random_state=0
    )
    answers, _ = swap_answers(answers, 0.1, random_state=0)
    hours = [f"{hour} o'clock" for hour in (12, *range(1, 12))]
    write_csv(folder / _EXAMPLE, answers, hours)
    return folder
