"""The command line: what each command is told, and how its result is shown.

The commands themselves are functions of `closerthan.commands`, imported when one is run, so that
``closerthan --help`` waits for nothing.
"""

import json
import re
import sys
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import Annotated

import typer

FAILED = 2  # the exit code of bad input, as of a bad option
INTERRUPTED = 130  # of Ctrl-C, as shells have it

# Errors speak of the functions' arguments, which are called so here.
_OPTIONS = {
    "columns={'participant': None}": "--columns participant=",
    "responses={'0': 'first', '1': 'second'}": "--responses 0=first,1=second",
    "responses=": "--responses",
    "skip_bad_rows=True": "--skip-bad-rows",
    **{f"{name}=": f"--{name} " for name in ("by", "columns", "errs", "form", "rule", "strategy")},
    "where=": "--where ",
    "cv=": "--folds ",
    "n_components=": "--dimension ",
    "n_jobs=": "--jobs ",
    "n_refits=": "--refits ",
}
# An argument's word, not the name of a file or the content of a cell, which are in quotes.
_ARGUMENT = re.compile(rf"(?<![\w'\"/.])({'|'.join(map(re.escape, _OPTIONS))}) ?(?![A-Za-z_/=])")

app = typer.Typer(
    name="closerthan",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    add_completion=False,
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
        typer.Option("--version", callback=_say_version, is_eager=True, help="Say which it is."),
    ] = False,
):
    """From people's answers, 'i is closer to j than to k', to a map that can be trusted."""


def _home(path: Path | None):
    """Let ~ be the home folder: a shell leaves it as it is in ``--out=~/map`` and in quotes."""
    return None if path is None else path.expanduser()


Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@dataclass(kw_only=True)
class Form:
    """How tables of answers are read."""

    form: Annotated[
        str | None,
        typer.Option(
            help="What was asked, where several fit the header: triplets, quadruplets, "
            "odd-one-out, most-central, choices, rankings, best-worst, responses or votes."
        ),
    ] = None
    columns: Annotated[
        str | None,
        typer.Option(
            help="Columns of other names: anchor=stimulus,near=choice,far=other. One that is "
            "several columns is named several times, objects=a,objects=b,objects=c, and time= "
            "leaves one out."
        ),
    ] = None
    where: Annotated[
        str | None, typer.Option(help="The rows that count, by any column: group=expert.")
    ] = None
    responses: Annotated[
        str | None, typer.Option(help="What responses mean: 0=first,1=second,2=neither.")
    ] = None
    skip_bad_rows: Annotated[
        bool, typer.Option("--skip-bad-rows", help="Leave out rows that hold no answer.")
    ] = False

    def read(self, path):
        """Return the table of answers in a file."""
        from closerthan.files.answers import read_answers

        return read_answers(
            path,
            form=self.form,
            columns=_columns(self.columns),
            where=_single("--where", self.where, "would have to hold two values"),
            responses=_single("--responses", self.responses, "has two meanings"),
            skip_bad_rows=self.skip_bad_rows,
        )


@dataclass(kw_only=True)
class Output:
    """Where the result of a command goes."""

    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            callback=_home,
            help="The folder to write to; without it nothing is written.",
        ),
    ] = None
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace what an earlier command wrote there.")
    ] = False
    as_json: Json = False

    def __post_init__(self):
        if self.out is not None:  # a folder that is taken is refused before any work
            from closerthan.commands.folder import check_free

            check_free(self.out, self.overwrite)

    def show(self, result):
        """Write the files of a result, and print what it says."""
        if self.out is not None:
            for note in result.write(self.out, overwrite=self.overwrite) or ():
                _warn(note)
        if self.as_json:
            print(json.dumps(result.facts(), indent=2, ensure_ascii=False, allow_nan=False))
            return
        print(result.text())
        if self.out is not None:
            print(f"\nAll of it is in {self.out}.")


Answers = Annotated[
    Path,
    typer.Argument(
        callback=_home,
        help="A table of answers: .csv, .tsv, .txt, .jsonl, .parquet, or a .gz of text.",
    ),
]
Dimension = Annotated[
    int, typer.Option("-d", "--dimension", min=1, help="How many dimensions the map has.")
]
Seed = Annotated[int, typer.Option(min=0, help="The same seed, the same result.")]
Jobs = Annotated[
    int, typer.Option("-j", "--jobs", help="Threads, which change no result; -1 is all cores.")
]
By = Annotated[
    str,
    typer.Option(
        help="Whether ellipses show how the map would be with other answers, or with answers of "
        "other people: answers or participant."
    ),
]


def run():
    """Run the command of this process."""
    warnings.showwarning = _warn
    app()


def _command(name=None):
    """Add a command, which takes groups of options as objects; its errors end in a sentence."""

    def add(command):
        taken = signature(command).parameters.values()
        groups = {one.name: one.annotation for one in taken if is_dataclass(one.annotation)}
        options = {name: signature(group).parameters for name, group in groups.items()}

        @wraps(command)
        def safely(**given):
            with _sentences():
                for name, group in groups.items():
                    given[name] = group(**{option: given.pop(option) for option in options[name]})
                command(**given)

        safely.__signature__ = Signature(
            [of_it for one in taken for of_it in options.get(one.name, {one.name: one}).values()]
        )
        return app.command(name)(safely)

    return add


@contextmanager
def _sentences():
    """Make an error end in one sentence."""
    try:
        yield
    except BrokenPipeError:  # of `closerthan check answers.csv | head`, which typer sees to
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename is not None else ""
        _end(f"{where}{error.strerror or error}", FAILED)
    except (ValueError, ImportError) as error:
        _end(str(error), FAILED)
    except MemoryError:
        _end("there is too little memory for this", FAILED)
    except KeyboardInterrupt:
        _end("interrupted; nothing was written", INTERRUPTED)


def _end(message, code):
    message = _ARGUMENT.sub(lambda found: _OPTIONS[found[1]], " ".join(message.split()))
    print(f"closerthan: {message.replace('  ', ' ')}", file=sys.stderr)
    sys.exit(code)


def _warn(message, *_args, **_kwargs):
    print(f"closerthan: {message}", file=sys.stderr)


@_command()
def check(answers: Answers, *, form: Form, as_json: Json = False):
    """Say what a file of answers holds, and what is wrong with it."""
    from closerthan.commands.check import check as command

    Output(as_json=as_json).show(command(form.read(answers)))


@_command()
def embed(
    answers: Answers,
    dimension: Dimension = 2,
    refits: Annotated[
        int, typer.Option(min=0, help="For the ellipses of uncertainty: 10 or more, or 0 for none.")
    ] = 200,
    by: Annotated[
        str,
        typer.Option(
            help="Whether ellipses show how the map would be with other answers, or with answers "
            "of other people: answers or participant."
        ),
    ] = "answers",
    attributes: Annotated[
        Path | None,
        typer.Option(
            callback=_home, help="A table with a column `name`; the page colors by the others."
        ),
    ] = None,
    images: Annotated[
        Path | None,
        typer.Option(callback=_home, help="A folder of images, each named like its object."),
    ] = None,
    *,
    form: Form,
    seed: Seed = 0,
    jobs: Jobs = -1,
    output: Output,
):
    """Make a map: a page to look around in, a figure and tables."""
    from closerthan.commands.embed import embed as command
    from closerthan.commands.reading import read_attributes

    result = command(
        form.read(answers),
        dimension,
        n_refits=refits,
        by=by,
        attributes=None if attributes is None else read_attributes(attributes),
        images=images,
        n_jobs=jobs,
        random_state=seed,
        progress=_progress(),
    )
    output.show(result)
    if output.out is None and not output.as_json:
        print("\nNothing is written; -o map writes page, figures and tables into the folder map.")


@_command()
def dimensions(
    answers: Answers,
    most: Annotated[int, typer.Option("--most", min=2, help="The highest dimension to try.")] = 10,
    folds: Annotated[
        int, typer.Option(min=2, help="Parts of the questions, each held out once.")
    ] = 10,
    repeats: Annotated[int, typer.Option(min=1, help="How often folds are drawn anew.")] = 1,
    rule: Annotated[
        str,
        typer.Option(
            help="one-standard-error: the lowest dimension that predicts as well as any; test: the "
            "last that predicts significantly better than the one before."
        ),
    ] = "one-standard-error",
    *,
    form: Form,
    seed: Seed = 0,
    jobs: Jobs = -1,
    output: Output,
):
    """Say how many dimensions the answers support."""
    from closerthan.commands.dimensions import dimensions as command

    result = command(
        form.read(answers),
        range(1, most + 1),
        rule=rule,
        cv=folds,
        n_repeats=repeats,
        n_jobs=jobs,
        random_state=seed,
        progress=_progress(),
    )
    output.show(result)


@_command()
def compare(
    first: Annotated[
        Path,
        typer.Argument(callback=_home, help="A table of answers, or embedding.csv of `embed`."),
    ],
    second: Annotated[
        Path,
        typer.Argument(callback=_home, help="Another, of the same objects or some of them."),
    ],
    dimension: Dimension = 2,
    permutations: Annotated[int, typer.Option(min=1, help="For the p-value.")] = 9999,
    *,
    form: Form,
    seed: Seed = 0,
    output: Output,
):
    """Say how alike two maps are, and whether by chance."""
    from closerthan.commands.compare import compare as command
    from closerthan.commands.compare import read_map

    maps = [read_map(path) or form.read(path) for path in (first, second)]
    result = command(maps[0], maps[1], dimension, n_permutations=permutations, random_state=seed)
    output.show(result)


@_command("next")
def propose(
    answers: Answers,
    n: Annotated[int, typer.Option("-n", "--number", min=1, help="How many questions.")] = 100,
    dimension: Dimension = 2,
    strategy: Annotated[
        str, typer.Option(help="information-gain, crowd-kernel, uncertainty or random.")
    ] = "information-gain",
    *,
    form: Form,
    seed: Seed = 0,
    output: Output,
):
    """Choose what to ask next: what will tell the most."""
    from closerthan.commands.propose import propose as command

    table = form.read(answers)
    output.show(command(table, n, dimension, strategy=strategy, random_state=seed))


@_command()
def simulate(
    objects: Annotated[int, typer.Argument(min=4, help="How many objects.")],
    dimension: Dimension = 2,
    noise: Annotated[float, typer.Option(min=0, max=0.5, help="Share of wrong answers.")] = 0.1,
    errs: Annotated[
        str, typer.Option(help="Where answers are wrong: on-hard-questions or at-random.")
    ] = "on-hard-questions",
    answers: Annotated[
        str | None, typer.Option(help="The numbers of answers to try: 200,400,800.")
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Trials, each with a truth of its own.")] = 10,
    seed: Seed = 0,
    jobs: Jobs = -1,
    *,
    output: Output,
):
    """Say how many answers will be enough, by simulated ones."""
    from closerthan.commands.simulate import simulate as command

    result = command(
        objects,
        dimension,
        noise=noise,
        errs=errs,
        n_answers=_numbers(answers),
        repeats=repeats,
        n_jobs=jobs,
        random_state=seed,
        progress=_progress(),
    )
    output.show(result)


@_command()
def init(folder: Annotated[Path, typer.Argument(callback=_home, help="New, or empty.")]):
    """Write a project of your own, of many files or groups."""
    from closerthan.commands.init import init as command

    command(folder)
    print(f"{folder} is a project of simulated answers. Put yours into {folder}/answers, name them")
    print(f"in {folder}/config/config.yaml, and run in that folder: snakemake --cores 2")


@_command()
def overview(
    folder: Annotated[
        Path, typer.Argument(callback=_home, help="The results of a project of your own.")
    ],
    sets: Annotated[list[str], typer.Argument(help="The names of its sets of answers.")],
    output: Output,
):
    """Lay the maps of a project of your own beside each other."""
    from closerthan.commands.overview import overview as command

    output.show(command(folder, sets))


def _pairs(option, text):
    """Return ``anchor=stimulus,near=choice`` as lists of the values of each name."""
    pairs = [pair.partition("=") for pair in text.split(",")] if text is not None else []
    if not all(name.strip() and equals for name, equals, _ in pairs):
        raise ValueError(f"{option} {text!r}: write name=value, with commas between several")
    values = {}
    for name, _, value in pairs:
        values.setdefault(name.strip(), []).append(value.strip())
    return values


def _columns(text):
    """Return the columns of each meaning: one, several, or none, ``time=``."""
    columns = _pairs("--columns", text)
    for meaning, names in columns.items():
        if "" in names and len(names) > 1:
            raise ValueError(f"--columns {text!r}: {meaning} is left out, and is not")
    single = {meaning: names[0] or None for meaning, names in columns.items() if len(names) == 1}
    return columns | single


def _single(option, text, fault):
    """Return the one value of each name."""
    values = _pairs(option, text)
    for name, some in values.items():
        if len(some) > 1:
            raise ValueError(f"{option} {text!r}: {name!r} {fault}")
    return {name: value for name, [value] in values.items()}


def _numbers(text):
    """Return ``200,400,800`` as a list."""
    try:
        return None if text is None else [int(number) for number in text.split(",")]
    except ValueError:
        raise ValueError(f"--answers {text!r}: write whole numbers with commas between") from None


def _progress():
    return sys.stderr.isatty()
