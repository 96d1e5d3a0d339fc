"""The command line: options, and printing of results; commands are imported when they run."""

import ast
import json
import re
import shlex
import sys
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field, is_dataclass, replace
from functools import wraps
from inspect import Signature, getdoc, signature
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from closerthan_lab.commands.again import recipe_of, with_recipe

FAILED = 2  # exit code for bad input and bad options
INTERRUPTED = 130  # exit code for Ctrl-C, as in shells

# Errors name arguments of functions; the user knows the options. These have other names:
_RENAMED = {"source": "from", "cv": "folds", "n_answers": "questions", "n_components": "dimension"}
_RENAMED |= {"n_jobs": "jobs", "n_refits": "refits"}
_SAME = "by columns errs form level model rule practice questions repeats where without sheet"
_SAME += " skip_lines questions_from send_to complete_url order"
_OPTIONS = {
    "give `participant` to Answers": "name their column with --columns participant=NAME",
    "responses=": "--responses",
    "at least one answer must count": "ignore the column with --columns weight=",
    "skip_bad_rows=True": "--skip-bad-rows",
    "overwrite=True": "--overwrite",
    **{f"{name}=": f"--{name.replace('_', '-')} " for name in _SAME.split()},
    **{f"{name}=": f"--{option} " for name, option in _RENAMED.items()},
    **{f"{name}:": f"--{name}: " for name in ("attributes", "features", "groups", "order")},
}
# Matches arguments, not names of files or contents of cells, which are quoted.
_ARGUMENT = re.compile(rf"(?<![\w'\"/.])({'|'.join(map(re.escape, _OPTIONS))}) ?(?![A-Za-z_/=])")

_PAIRS = re.compile(r"(?<![\w'\"/.])(columns|responses)=(\{[^{}]*\})")
# What the help calls the types of options.
_WORDS = {"<str>": "<text>", "<list[str]>": "<text>", "<int>": "<number>"}
_WORDS |= {"<int range>": "<number>", "<float range>": "<number>"}

app = typer.Typer(
    name="closerthan",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _say_version(asked: bool):
    if asked:
        from importlib.metadata import version

        typer.echo(f"closerthan {version('closerthan')}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version."),
    ] = False,
):
    """Make maps from relative comparisons: answers such as 'i is closer to j than to k'."""


def _home(path: Path | None):
    """Expand ~ to the home folder: shells do not do so in ``--out=~/map`` or in quotes."""
    return None if path is None else path.expanduser()


def _there(path: Path | None):
    """Expand ~, and raise an error if nothing is there."""
    path = _home(path)
    if path is not None and not path.exists():
        raise FileNotFoundError(f"{path}: this file does not exist; check the path")
    return path


def _one_of(*words):
    """Return an option that takes one of some words."""

    def check(param: typer.CallbackParam, value: str):
        if value not in words:
            raise ValueError(f"{param.opts[0]} {value!r}; it must be one of {', '.join(words)}")
        return value

    shown = {"metavar": f"<{'|'.join(words)}>", "autocompletion": lambda: list(words)}
    return typer.Option(callback=check, **shown)


def _below_half(param: typer.CallbackParam, value: float):
    if value >= 0.5:
        raise ValueError(f"{param.opts[0]} {value}; it must be less than 0.5, pure guessing")
    return value


# Options of several commands. Their help is in the docstring of the command or of its group of
# options; an option that says the same everywhere has its help here.
Answers = Annotated[
    Path,
    typer.Argument(
        callback=_there,
        help="A file of answers: .csv, .tsv, .txt, .json, .jsonl, .xlsx, .parquet, .npy or "
        "gzipped text (.gz); or a folder or a .zip with a file for each participant.",
    ),
]
By = Annotated[str, _one_of("answers", "participant")]
Dimension = Annotated[
    int, typer.Option("-d", "--dimension", min=1, help="Number of dimensions of the map.")
]
File = Annotated[Path | None, typer.Option(callback=_there)]
Jobs = Annotated[
    int,
    typer.Option(
        "-j", "--jobs", help="Number of threads; -1 uses all cores. Results do not change."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same result on a machine.")]


@dataclass(kw_only=True)
class Form:
    """How to read a table of answers.

    Options:
        source: The program that wrote the file, if it is not recognized: {sources} or table (of any
            program).
        form: The kind of question, if the header fits several: triplets, quadruplets, odd-one-out,
            most-central, choices, rankings, best-worst, responses or votes.
        columns: Names of columns: anchor=stimulus,near=choice,far=other. Repeat a name for several
            columns: objects=a,objects=b,objects=c. An empty name, as in time=, ignores that column.
            Options that are given again add up.
        where: Use only rows with this value in a column: group=expert. All of several must hold.
        without: Leave out this participant. Give it again for each further one.
        responses: Meaning of responses: 0=first,1=second,2=neither,9=unanswered.
        skip_bad_rows: Leave out rows without a valid answer.
        skip_lines: Number of lines above the names of the columns.
        sheet: The sheet of a workbook.
    """

    source: Annotated[str | None, typer.Option("--from")] = None
    form: Annotated[str | None, typer.Option()] = None  # commands have a `form` of another type
    columns: list[str] | None = None
    where: list[str] | None = None
    without: list[str] | None = None
    responses: list[str] | None = None
    skip_bad_rows: Annotated[bool, typer.Option("--skip-bad-rows")] = False
    skip_lines: Annotated[int, typer.Option(min=0)] = 0
    sheet: str | None = None

    def __post_init__(self):
        self.columns, self.without = _columns(self.columns), self.without or ()
        self.where = _single("--where", self.where, "has two values; give one")
        self.responses = _single("--responses", self.responses, "has two meanings; give one")
        if self.form is not None:
            from closerthan._core.validation import check_word
            from closerthan_lab.files.columns import FORMS

            check_word("form", self.form, FORMS)

    def read(self, path):
        """Read a table of answers from a file."""
        from closerthan_lab.files.answers import read_answers

        return read_answers(path, **vars(self))


@dataclass(kw_only=True)
class Output:
    """What to do with the result of a command.

    Options:
        out: The folder to write to. Without it, nothing is written.
        overwrite: Replace the files that an earlier command wrote to this folder.
    """

    out: Annotated[Path | None, typer.Option("-o", "--out", callback=_home)] = None
    overwrite: Annotated[bool, typer.Option("--overwrite")] = False
    as_json: Json = False

    def __post_init__(self):
        if self.out is not None:  # refuse an occupied folder before the long work
            from closerthan_lab.commands.folder import check_free

            check_free(self.out, self.overwrite)

    def show(self, result):
        """Write the files of a result and print its text."""
        if self.out is not None:
            for note in result.write(self.out, overwrite=self.overwrite) or ():
                _warn(note)
        if self.as_json:
            print(json.dumps(result.facts(), indent=2, ensure_ascii=False, allow_nan=False))
            return
        text = _PAIRS.sub(_as_option, result.text())  # of rows left out
        print(text.replace(" responses=;", " --responses;"))
        if self.out is not None:
            page = self.out / "index.html"
            there = f" Open {page} in a browser." if page.is_file() else ""
            print(f"\nSaved in {self.out}.{there}")


@dataclass(kw_only=True)
class Folder(Output):
    """The same for a command that is only there to write.

    Options:
        out: The folder to write to.
        overwrite: Replace the files that an earlier command wrote to this folder.
    """

    out: Annotated[Path, typer.Option("-o", "--out", callback=_home)] = field()  # no default


@dataclass(kw_only=True)
class Computing:
    """Options of a command that computes."""

    seed: Seed = 0
    jobs: Jobs = -1

    def given(self, *, progress=True) -> dict[str, Any]:
        """Return the arguments of the function of the command."""
        shown = {"progress": _progress()} if progress else {}
        return {"n_jobs": self.jobs, "random_state": self.seed, **shown}


def run():
    """Run the command line."""
    warnings.showwarning = _warn
    warnings.filterwarnings("ignore", "No comparison links")  # commands say it with names
    app()


class _Command(TyperCommand):
    """A command whose options are explained by docstrings."""

    def __init__(self, *arguments, **given):
        super().__init__(*arguments, **given)
        for option in self.params:
            option.help = option.help or self.callback.helps.get(option.name)

    def parse_args(self, ctx, args):
        with _sentences():  # errors of callbacks
            if "" in args:  # which is the current folder for a path
                raise ValueError("an argument is empty; give a path or a value")
            if any(option.name == "again" for option in self.params):
                args = with_recipe(args)
            return super().parse_args(ctx, args)

    def format_options(self, ctx, formatter):
        from closerthan_lab.files.sources.find import source_names

        names = ", ".join(source_names()[:-1])  # slow to import; the last is "table"
        for option in self.params:
            option.help = (option.help or "").replace("{sources}", names)
            if hasattr(option, "display_type"):  # older versions of typer show words
                kind = option.display_type(ctx)
                word = _WORDS.get(kind, kind)
                option.display_type = lambda _, word=word: word
        super().format_options(ctx, formatter)


def _command(name=None):
    """Add a command that takes groups of options as objects and reports errors in one line."""

    def add(command):
        taken = signature(command).parameters.values()
        groups = {one.name: one.annotation for one in taken if is_dataclass(one.annotation)}
        options = {name: signature(group).parameters for name, group in groups.items()}

        @wraps(command)
        def safely(**given):
            with _sentences():
                for name, group in groups.items():
                    given[name] = group(**{option: given.pop(option) for option in options[name]})
                if _progress():  # before the slow imports
                    _warn("working; the first run also compiles, which takes some seconds")
                command(**given)

        safely.__signature__ = Signature(
            [of_it for one in taken for of_it in options.get(one.name, {one.name: one}).values()]
        )
        about, safely.helps = _explained(command)
        for group in groups.values():
            safely.helps |= _explained(group)[1]
        return app.command(name, cls=_Command, help=about)(safely)

    return add


def _explained(documented):
    """Return the text of a docstring, and the help of each option in its section "Options"."""
    about, _, options = (getdoc(documented) or "").partition("\nOptions:\n")
    entries = re.findall(r"^    (\w+): (.+(?:\n {8}.+)*)", options, re.MULTILINE)
    return about, {name: " ".join(text.split()) for name, text in entries}


@contextmanager
def _sentences():
    """Report an error as one line and exit."""
    try:
        yield
    except BrokenPipeError:  # as in `closerthan check answers.csv | head`; typer handles it
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename is not None else ""
        _end(f"{where}{error.strerror or error}", FAILED)
    except (ValueError, ImportError) as error:
        _end(str(error), FAILED)
    except MemoryError:
        _end("not enough memory; use fewer objects or answers", FAILED)
    except KeyboardInterrupt:
        _end("interrupted; nothing was written", INTERRUPTED)


def _as_option(found):
    """Return a dict in an error, such as columns={'anchor': 'head'}, as the user types it."""
    try:
        pairs = ast.literal_eval(found[2]).items()
    except (ValueError, SyntaxError):  # such as "...", or a name with a brace
        return found[0]
    text = ",".join(
        f"{name}={value or ''}"
        for name, values in pairs
        for value in (values if isinstance(values, list) else [values])
    )
    return f"--{found[1]} {shlex.quote(text)}"


def _end(message, code):
    message = _PAIRS.sub(_as_option, message)
    message = _ARGUMENT.sub(lambda found: _OPTIONS[found[1]], " ".join(message.split()))
    print(f"closerthan: {message.replace('  ', ' ')}", file=sys.stderr)
    sys.exit(code)


def _warn(message, *_args, **_kwargs):
    print(f"closerthan: {message}", file=sys.stderr)


@_command()
def check(answers: Answers, *, form: Form, jobs: Jobs = -1, as_json: Json = False):
    """Describe a file of answers and its problems.

    Example: closerthan check answers.csv
    """
    from closerthan_lab.commands.check import check as command

    result = command(form.read(answers), n_jobs=jobs, progress=_progress())
    Output(as_json=as_json).show(result)


def _file_or_data_set(path: Path):
    """Return the path of a file, or the name of a data set of closerthan."""
    if path.exists():
        return path
    from closerthan_lab.datasets.registered import modules

    if str(path) in modules():
        return str(path)
    raise FileNotFoundError(
        f"{path}: there is no such file, and no data set of this name; "
        "closerthan_lab.datasets.list_datasets() lists the names"
    )


@_command()
def convert(
    answers: Annotated[Path, typer.Argument(callback=_file_or_data_set)],
    out: Annotated[Path, typer.Argument(callback=_home)],
    *,
    form: Form,
    overwrite: Annotated[bool, typer.Option("--overwrite")] = False,
):
    """Write answers in another form, and say what is lost.

    Example: closerthan convert answers.csv triplets.npy

    Options:
        answers: A file or folder of answers, or the name of a data set of closerthan, such as
            animals37.
        out: The file to write: .csv, .csv.gz or .parquet (a table), .npy (an array of comparisons),
            or .txt (odd ones out, as SPoSE and VICE read them).
        overwrite: Replace the file.
    """
    from closerthan_lab.commands.folder import KINDS, check_new, refuse_same

    refuse_same(out, answers if isinstance(answers, Path) else None)
    check_new(out, overwrite, KINDS)
    from closerthan_lab.commands.convert import convert as command
    from closerthan_lab.commands.reading import table_of_data_set

    table = table_of_data_set(answers) if isinstance(answers, str) else form.read(answers)
    print(command(table, out, overwrite=overwrite).text())


@_command()
def embed(
    context: typer.Context,
    answers: Answers,
    dimension: Dimension = 2,
    model: Annotated[str, _one_of("distances", "spose")] = "distances",
    refits: Annotated[int | None, typer.Option(min=0)] = None,
    by: By = "answers",
    level: Annotated[float, typer.Option()] = 0.9,
    attributes: File = None,
    features: File = None,
    images: File = None,
    again: File = None,
    *,
    form: Form,
    computing: Computing,
    output: Output,
):
    """Fit a map and test it; --out saves page, figures and tables.

    Example: closerthan embed answers.csv -o map

    Options:
        model: distances: a map. spose: dimensions that can be named, for odd ones out.
        refits: Refits. A map has 200 for its confidence ellipses (10 or more; 0 for none); spose
            has 20, to see which dimensions are found again.
        by: What the bootstrap resamples: answers (of whole questions, for these people) or
            participant (ellipses also hold for other people).
        level: Confidence level of the ellipses, such as 0.95.
        attributes: A table with a column `name`. The page can color the map by the others.
        features: A table with a column `name` and columns of numbers, from which a map learns.
        images: A folder of images, each named like its object.
        again: The embed.json of a map: makes it again, from the same files by the same options.
            Options that are given besides replace recorded ones.
    """
    if model == "spose":
        of_maps = {"--dimension": dimension != 2, "--by": by != "answers", "--level": level != 0.9}
        of_maps |= {"--attributes": attributes is not None, "--features": features is not None}
        for name, is_given in of_maps.items():
            if is_given:
                raise ValueError(f"{name}: not for --model spose; leave it out")
    elif refits in range(1, 10):
        raise ValueError(f"--refits {refits}; it must be 10 or more, or 0")
    from closerthan_lab.commands.embed import embed as command
    from closerthan_lab.commands.reading import read_attributes

    options = {"images": images, **computing.given()}
    options |= {} if refits is None else {"n_refits": refits}
    if model == "spose":
        from closerthan_lab.commands.spose import spose

        result = spose(form.read(answers), **options)
    else:
        for name, path in (("attributes", attributes), ("features", features)):
            options[name] = None if path is None else read_attributes(path)
        result = command(form.read(answers), dimension, by=by, level=level, **options)
    recipe = recipe_of(context, answers, attributes, features)
    output.show(replace(result, recipe=recipe))
    if output.out is None and not output.as_json:
        print("\nNothing was saved. Add -o map to save a web page, figures and tables in map.")


def _order(text: str | None):
    """Return the text of an order: names with commas between them, or a file that is there."""
    return text if text is None or "," in text else str(_there(Path(text)))


@_command()
def scale(
    answers: Answers,
    order: Annotated[str | None, typer.Option(callback=_order)] = None,
    link: Annotated[str, _one_of("probit", "logit")] = "probit",
    monotone: Annotated[bool, typer.Option("--monotone")] = False,
    lapses: Annotated[bool, typer.Option("--lapses")] = False,
    by: By = "answers",
    seed: Seed = 0,
    *,
    form: Form,
    output: Output,
):
    """Scale stimuli whose order is known (difference scaling).

    Example: closerthan scale answers.csv --order low,middle,high -o scale

    Options:
        order: The stimuli from the lowest to the highest: low,middle,high, or a table with a column
            `name`. Numbers are sorted without it.
        link: Noise: normal (probit) or logistic (logit).
        monotone: Let no stimulus lie below the one before it.
        lapses: Estimate the share of answers given at random.
        by: What is independent: answers (intervals hold for these participants) or participant
            (intervals also hold for other people).
    """
    from closerthan_lab.commands.reading import read_frame
    from closerthan_lab.commands.scale import scale as command

    names = None if order is None else order.split(",")
    if order is not None and "," not in order:
        names = read_frame(order, "name", dtype=str)["name"].tolist()
    given: dict[str, Any] = {"link": link, "monotone": monotone, "by": by, "random_state": seed}
    output.show(command(form.read(answers), names, lapse="auto" if lapses else 0.0, **given))


@_command()
def dimensions(
    answers: Answers,
    most: Annotated[int, typer.Option("--most", min=2)] = 10,
    folds: Annotated[int, typer.Option(min=2)] = 10,
    repeats: Annotated[int, typer.Option(min=1)] = 1,
    rule: Annotated[str, _one_of("one-standard-error", "test")] = "one-standard-error",
    *,
    form: Form,
    computing: Computing,
    output: Output,
):
    """Find how many dimensions the answers support.

    Example: closerthan dimensions answers.csv --most 4

    Options:
        most: The highest number of dimensions to try.
        folds: Number of folds for cross-validation over questions.
        repeats: Number of repetitions with new folds.
        rule: one-standard-error: the fewest dimensions within one standard error of the lowest
            error; test: add dimensions while they lower the error significantly.
    """
    from closerthan_lab.commands.dimensions import dimensions as command

    given = {"rule": rule, "cv": folds, "n_repeats": repeats, **computing.given()}
    output.show(command(form.read(answers), range(1, most + 1), **given))


@_command()
def compare(
    first: Annotated[Path, typer.Argument(callback=_there)],
    second: Annotated[Path, typer.Argument(callback=_there)],
    dimension: Dimension = 2,
    permutations: Annotated[int, typer.Option(min=1)] = 9999,
    *,
    form: Form,
    computing: Computing,
    output: Output,
):
    """Test how similar two maps are.

    Example: closerthan compare map/embedding.csv other/embedding.csv

    Options:
        first: A table of answers, or embedding.csv from `embed`.
        second: Another one, with at least three of the same objects.
        permutations: Number of permutations for the p-value.
    """
    from closerthan_lab.commands.compare import compare as command
    from closerthan_lab.commands.compare import read_map

    maps = [read_map(path) or form.read(path) for path in (first, second)]
    given = {"n_permutations": permutations, **computing.given()}
    output.show(command(maps[0], maps[1], dimension, **given))


@_command()
def people(
    answers: Answers,
    dimension: Dimension = 2,
    groups: File = None,
    permutations: Annotated[int, typer.Option(min=1)] = 999,
    *,
    form: Form,
    computing: Computing,
    output: Output,
):
    """Find how people differ, and test whether they do.

    Example: closerthan people answers.csv -o people

    Options:
        groups: A table with the columns `participant` and `group`. Two groups are compared.
        permutations: Number of permutations for each p-value.
    """
    from closerthan_lab.commands.people import people as command
    from closerthan_lab.commands.reading import read_groups

    of_groups = None if groups is None else read_groups(groups)
    given = {"n_permutations": permutations, **computing.given()}
    output.show(command(form.read(answers), dimension, groups=of_groups, **given))


@_command("next")
def propose(
    answers: Answers,
    questions: Annotated[int, typer.Option("-n", "--questions", min=1)] = 100,
    dimension: Dimension = 2,
    *,
    form: Form,
    computing: Computing,
    output: Output,
):
    """Choose the most informative questions to ask next.

    Example: closerthan next answers.csv -n 20 -o round-2

    Options:
        questions: Number of questions.
    """
    from closerthan_lab.commands.propose import propose as command

    given = computing.given(progress=False)
    output.show(command(form.read(answers), questions, dimension, **given))


@_command()
def simulate(
    objects: Annotated[int, typer.Argument(min=4)],
    dimension: Dimension = 2,
    noise: Annotated[float, typer.Option(min=0, callback=_below_half)] = 0.1,
    errs: Annotated[str, _one_of("on-hard-questions", "at-random")] = "on-hard-questions",
    questions: Annotated[str | None, typer.Option("-n", "--questions")] = None,
    repeats: Annotated[int, typer.Option(min=1)] = 10,
    *,
    computing: Computing,
    output: Output,
):
    """Estimate by simulation how many answers are enough.

    Example: closerthan simulate 20 -n 300,600,1200

    Options:
        objects: Number of objects.
        noise: Share of wrong answers, less than 0.5.
        errs: Which answers are wrong.
        questions: Numbers of questions to try, drawn at random: 200,400,800.
        repeats: Number of trials, each with its own true map.
    """
    n_answers = _numbers(questions)
    from closerthan_lab.commands.simulate import simulate as command

    given = {"noise": noise, "errs": errs, "n_answers": n_answers, "repeats": repeats}
    output.show(command(objects, dimension, **given, **computing.given()))


@_command()
def experiment(
    stimuli: Annotated[Path, typer.Argument(callback=_there)],
    form: Annotated[str, _one_of("triplets", "odd-one-out")] = "triplets",
    questions: Annotated[int | None, typer.Option("-n", "--questions", min=1)] = None,
    repeats: Annotated[int | None, typer.Option(min=0)] = None,
    checks: Annotated[int, typer.Option(min=0)] = 4,
    practice: Annotated[int, typer.Option(min=0)] = 2,
    breaks: Annotated[int, typer.Option(min=0)] = 50,
    lists: Annotated[int, typer.Option(min=1)] = 20,
    questions_from: File = None,
    instructions: File = None,
    send_to: str | None = None,
    complete_url: str | None = None,
    contact: str = "the researchers",
    seed: Seed = 0,
    *,
    output: Folder,
):
    """Write an experiment that runs in a browser; needs --out.

    Example: closerthan experiment words.txt -o online

    Options:
        stimuli: A folder of pictures, or a text file with a word a line.
        form: The kind of question.
        questions: Number of random questions for each participant: 100, or all if fewer.
        repeats: Number of questions asked again later, for the noise ceiling: 10, if so many.
        checks: Number of questions whose right answer is known.
        practice: Number of questions for practice.
        breaks: Number of trials between two breaks; 0 for no breaks.
        lists: Number of lists. Each participant gets one of them.
        questions_from: Questions from `next`, in place of random ones.
        instructions: A text to read first. Blank lines separate its pages.
        send_to: Where answers are sent: datapipe:EXPERIMENT_ID, or an address.
        complete_url: The address that opens at the end, as Prolific or SONA shows it.
        contact: Whom participants send the file to, if it is not sent.
    """
    from closerthan_lab.commands.experiment import experiment as command

    given: dict[str, Any] = {"form": form, "questions": questions, "repeats": repeats}
    given |= {"checks": checks, "practice": practice, "breaks": breaks, "lists": lists}
    given |= {"questions_from": questions_from, "instructions": instructions}
    given |= {"send_to": send_to, "complete_url": complete_url, "contact": contact}
    output.show(command(stimuli, random_state=seed, **given))


def _pairs(option, texts):
    """Parse ``anchor=stimulus,near=choice`` into a list of values for each name."""
    text = ",".join(texts or [])
    pairs = [pair.partition("=") for pair in text.split(",")] if texts else []
    if not all(name.strip() and equals for name, equals, _ in pairs):
        raise ValueError(f"{option} {text!r}: write name=value, separated by commas")
    values = {}
    for name, _, value in pairs:
        values.setdefault(name.strip(), []).append(value.strip())
    return values


def _columns(text):
    """Parse the columns of each meaning: one, several, or none (``time=``)."""
    columns = _pairs("--columns", text)
    for meaning, names in columns.items():
        if "" in names and len(names) > 1:
            raise ValueError(f"--columns: {meaning} is both ignored and given; choose one")
    return {m: names if len(names) > 1 else names[0] or None for m, names in columns.items()}


def _single(option, text, fault):
    """Parse pairs with one value for each name."""
    values = _pairs(option, text)
    for name, some in values.items():
        if len(some) > 1:
            raise ValueError(f"{option}: {name!r} {fault}")
    return {name: value for name, [value] in values.items()}


def _numbers(text):
    """Parse ``200,400,800`` into a list."""
    try:
        return None if text is None else [int(number) for number in text.split(",")]
    except ValueError:
        raise ValueError(
            f"--questions {text!r}: write whole numbers, separated by commas"
        ) from None


def _progress():
    return sys.stderr.isatty()
