"""`closerthan experiment`: write an experiment that runs in a browser."""

import hashlib
import re
import shutil
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from closerthan._core.typing import StrPath
from closerthan._core.validation import check_count, check_word
from closerthan.datasets.fetch import DataUnavailable, locate
from closerthan.datasets.registry import import_extra
from closerthan_lab.commands.folder import filling
from closerthan_lab.commands.stimuli import read_stimuli, read_utf8
from closerthan_lab.commands.trials import FORMS, KINDS, draw_lists, read_questions
from closerthan_lab.commands.writing import number_of
from closerthan_lab.page.templates import page_templates, to_script
from closerthan_lab.sampling import count_questions

_FILES = Path(__file__).parent / "experiment_files"
_SECONDS = 3  # for a trial
_QUESTIONS, _REPEATS = 100, 10  # of a participant
_DATAPIPE = "https://pipe.jspsych.org/api/data/"
_ADDRESS = r"(?i:https?)://[^\s/?#]\S*"
_RECEIVERS = (
    "write datapipe: and the ID that pipe.jspsych.org shows for your experiment, or an address "
    "with https://"
)


def experiment(
    stimuli: StrPath,
    *,
    form: str = "triplets",
    questions: int | None = None,
    repeats: int | None = None,
    checks: int = 4,
    practice: int = 2,
    breaks: int = 50,
    lists: int = 20,
    questions_from: StrPath | None = None,
    instructions: StrPath | None = None,
    send_to: str | None = None,
    complete_url: str | None = None,
    contact: str = "the researchers",
    random_state: int = 0,
) -> "BrowserExperiment":
    """Plan an experiment that asks people to compare pictures or words.

    Raise a ValueError if a stimulus, a question or a number can't be used. The message names the
    file and line.

    Parameters
    ----------
    stimuli : str or path-like
        A folder of pictures, whose names are the names of the objects. Or a text file with a word
        or phrase in each line.
    form : {"triplets", "odd-one-out"}, default "triplets"
        Which of two objects is more similar to a third? Or which of three is the odd one out?
    questions : int, optional
        Number of different random questions for each participant: 100, or all if there are fewer.
    repeats : int, optional
        Number of questions that are asked again later, with the alternatives in another order: 10,
        or all if there are fewer. The noise ceiling is estimated from them.
    checks : int, default 4
        Number of questions whose right answer is known, because two of the objects are the same.
    practice : int, default 2
        Number of practice questions at the start.
    breaks : int, default 50
        Number of trials between two breaks; 0 for no breaks.
    lists : int, default 20
        Number of lists of questions. A participant gets one of them.
    questions_from : str or path-like, optional
        A table of questions that `closerthan_lab.commands.propose` wrote, in place of random ones.
        Each list has all of them, in its own order.
    instructions : str or path-like, optional
        A text file that participants read first. Blank lines separate its pages.
    send_to : str, optional
        Where the answers are sent: ``datapipe:EXPERIMENT_ID`` with the ID that DataPipe
        (https://pipe.jspsych.org) shows, or an address that takes a POST request. The browser also
        saves them as a file if they cannot be sent, and always without `send_to`.
    complete_url : str, optional
        The address that opens at the end, as Prolific or SONA shows it.
    contact : str, default "the researchers"
        Whom participants send the file to, such as a name and an e-mail address.
    random_state : int, default 0
        The same number gives the same result on the same machine.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     words = Path(folder, "words.txt")
    ...     _ = words.write_text("ape\\nbee\\ncat\\ndog\\nelk\\n")
    ...     planned = experiment(words, questions=20, repeats=2)
    >>> planned.names, planned.facts()["trials"]
    (['ape', 'bee', 'cat', 'dog', 'elk'], 28)
    """
    check_word("form", form, FORMS)
    _check_address("send_to", send_to, f"datapipe:[A-Za-z0-9]+|{_ADDRESS}", _RECEIVERS)
    _check_address("complete_url", complete_url, _ADDRESS, "write an address with https://")
    names, pictures = read_stimuli(stimuli)
    given = None
    if questions_from is not None:
        if form != "triplets":
            raise ValueError(
                f"questions_from={str(questions_from)!r}; with it, take form='triplets'"
            )
        given = read_questions(questions_from, names)
        questions = len(given)
    available = count_questions(len(names), form), f"there are no more {form} of these stimuli"
    questions = min(_QUESTIONS, available[0]) if questions is None else questions
    repeats = min(_REPEATS, questions) if repeats is None else repeats
    check_count("questions", questions, *available)
    check_count("lists", lists)
    for name, number, *most in (
        ("practice", practice, *available),
        ("repeats", repeats, questions, "the number of questions"),
        ("checks", checks),
        ("breaks", breaks),
    ):
        if number:
            check_count(name, number, *most)
    counts = questions, repeats, checks, practice
    drawn = draw_lists(len(names), form, lists, counts, given, random_state)
    pages = None if instructions is None else _pages(instructions)
    return BrowserExperiment(
        form, names, pictures, drawn, breaks, pages, send_to, complete_url, contact
    )


def _check_address(name, given, allowed, way_out):
    if given is not None and not re.fullmatch(allowed, given):
        raise ValueError(f"{name}={given!r}; {way_out}")


def _pages(path):
    pages = [page.strip() for page in re.split(r"\n\s*\n", read_utf8(path)) if page.strip()]
    if not pages:
        raise ValueError(f"{path}: no text; write the instructions, or leave the option out")
    return pages


@dataclass(frozen=True, eq=False)
class BrowserExperiment:
    """The result of `experiment`: stimuli and lists of questions.

    `pictures` has the path of the picture of each of the objects `names`, None for words. `lists`
    has the shape (n_lists, n_trials, 4): each trial is a kind (0 question, 1 repeat, 2 check, 3
    practice) and three objects: the anchor, the left and the right one, or all three in the order
    on the screen. `instructions` has pages of text, or is None for the default text.
    """

    form: str
    names: list[str]
    pictures: list[Path] | None = field(repr=False)
    lists: np.ndarray = field(repr=False)
    breaks: int
    instructions: list[str] | None = field(repr=False)
    send_to: str | None = None
    complete_url: str | None = None
    contact: str = "the researchers"

    def facts(self) -> dict[str, Any]:
        counts = np.bincount(self.lists[0, :, 0], minlength=len(KINDS)).tolist()
        return {
            "form": self.form,
            "stimuli": len(self.names),
            "lists": len(self.lists),
            "trials": sum(counts),
            **dict(zip(("questions", "repeats", "checks", "practice"), counts, strict=True)),
            "different_questions": self._count_different(),
            "possible_questions": count_questions(len(self.names), self.form),
            "questions_per_object": 3 * counts[0] / len(self.names),
            "minutes": ceil(sum(counts) * _SECONDS / 60),
            "send_to": self.send_to,
            "complete_url": self.complete_url,
        }

    def _count_different(self):
        rows = self.lists[self.lists[:, :, 0] == KINDS.index("question")][:, 1:]
        start = 1 if self.form == "triplets" else 0
        rows[:, start:] = np.sort(rows[:, start:], axis=1)
        return len(np.unique(rows, axis=0))

    def text(self) -> str:
        facts = self.facts()
        kind = "words" if self.pictures is None else "pictures"
        return "\n".join(
            [
                f"{facts['stimuli']:,} stimuli ({kind}), {number_of(facts['lists'], 'list')} of "
                f"{number_of(facts['questions'], 'question')} "
                f"({self.form}): {facts['different_questions']:,} different questions of "
                f"{facts['possible_questions']:,}.",
                f"Each participant has {facts['trials']:,} trials, about "
                f"{number_of(facts['minutes'], 'minute')}: {facts['practice']} practice, "
                f"{number_of(facts['questions'], 'question')}, "
                f"{number_of(facts['repeats'], 'repeat')}, {number_of(facts['checks'], 'check')}.",
                f"Each object occurs in {facts['questions_per_object']:.1f} questions of a "
                "participant on average.",
                *self._about_sending(),
            ]
        )

    def _about_sending(self):
        if self.send_to:
            yield f"Answers are sent to {self.send_to}. Take part once to see whether they arrive."
            if self.send_to.startswith("datapipe:"):
                yield (
                    "In the settings of DataPipe, delete trial_type from the required fields. "
                    "Otherwise it refuses the answers."
                )

    def write(self, folder: StrPath, *, overwrite: bool = False) -> None:
        """Write ``index.html`` and all files that it needs into a folder.

        The files of jsPsych are found as those of data sets, and verified: a ValueError if they
        cannot be found, and an ImportError without the extra ``data``.
        """
        scripts = _read_jspsych()
        pages = page_templates(_FILES)
        with filling(folder, overwrite=overwrite) as here:
            for name, content in scripts.items():
                (here / name).write_bytes(content)
            for path, name in zip(self.pictures or (), self._pictures() or (), strict=True):
                shutil.copyfile(path, here / name)
            for name in ("experiment.js", "experiment.css"):
                shutil.copyfile(_FILES / name, here / name)
            _write(here / "data.js", f"const EXPERIMENT = {to_script(self._data())};\n")
            for name in ("index.html", "README.txt"):
                text = pages.get_template(f"{name}.j2").render(
                    scripts=list(scripts), sending=list(self._about_sending()), contact=self.contact
                )
                _write(here / name, text)

    def _data(self):
        data = {
            "form": self.form,
            "names": self.names,
            "pictures": self._pictures(),
            "kinds": KINDS,
            "lists": self.lists.tolist(),
            "breaks": self.breaks,
            "instructions": self.instructions,
        }
        # Browsers keep the answers to different experiments apart by the id.
        return {
            "id": hashlib.sha256(to_script(data).encode()).hexdigest()[:12],
            **data,
            "send_to": self._receiver(),
            "complete_url": self.complete_url,
            "contact": self.contact,
        }

    def _receiver(self):
        """Return the address that answers are sent to, and what is sent with them."""
        service, _, experiment_id = (self.send_to or "").partition(":")
        if service == "datapipe":
            return {"address": _DATAPIPE, "experimentID": experiment_id}
        return self.send_to and {"address": self.send_to}

    def _pictures(self):
        """Return names for the pictures that are safe in addresses and on all file systems."""
        if self.pictures is None:
            return None
        width = len(str(len(self.names)))
        return [
            f"stimulus-{number:0{width}}{path.suffix.lower()}"
            for number, path in enumerate(self.pictures, 1)
        ]


def _read_jspsych():
    """Return the verified files of jsPsych by name."""
    entries = import_extra("yaml").safe_load((_FILES / "jspsych.yaml").read_text(encoding="utf-8"))
    try:
        return {name: locate(f"jspsych/{name}", entry)[1] for name, entry in entries.items()}
    except DataUnavailable as error:
        raise ValueError(
            "jsPsych is not on this machine, and its site cannot be reached; connect to the "
            f"internet once, or copy {', '.join(entries)} from another experiment's folder to "
            f"{error.path.parent}"
        ) from error


def _write(path, text):
    path.write_text(text, encoding="utf-8", newline="\n")
