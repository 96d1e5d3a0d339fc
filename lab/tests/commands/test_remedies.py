"""Follow the remedies: what a message tells the user to do works."""

import re
import shlex
import shutil
import sys

import pytest
from typer.testing import CliRunner

from closerthan.datasets import DataUnavailable
from closerthan_lab.cli import app
from commands.line import refused, said
from commands.planted import write_answers

ODD = "a,b,c,c a,b,d,d a,c,d,d b,c,d,d a,b,e,e a,c,e,e b,c,e,e c,d,e,c a,d,e,a b,d,e,b"
FILES = {
    "one.csv": "anchor,near,far\na,b,c\n",
    "few.csv": "anchor,near,far\na,b,c\nb,c,d\nc,d,a\nd,a,b\na,c,d\nb,d,a\n",
    "named.csv": "anchor,near,far,who\n" + "a,b,c,ann\nb,c,d,bo\nc,d,a,ann\nd,a,b,bo\n" * 9,
    "zero.csv": "anchor,near,far,weight\na,b,c,0\nb,c,a,0\n",
    "odd.csv": "object_1,object_2,object_3,odd,weight\n"
    + "\n".join(f"{row},{1 + n % 2}" for n, row in enumerate(6 * ODD.split())),
    "table.csv": "name,kind\nape,x\n",
    "words.txt": "ape\nbee\ncat\ndog\nelk\nfox\ngnu\nhen\n",
    "full/thesis.txt": "mine",
    "questions.csv": "head,first,second\nape,bee,cat\nbee,ape,cat\n",
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    write_answers(tmp_path / "answers.csv")
    write_answers(tmp_path / "two.csv", people=["bo", "ann"])
    return tmp_path


def run(line):
    return said(*shlex.split(line))


def refusal(line):
    return refused(*shlex.split(line))


@pytest.mark.parametrize(
    ("line", "says", "remedy"),
    [
        # {0} is what the message names. The remedy is a command, or what to add to the line.
        (
            "embed answers.csv --model spose",
            r"answers.csv, line 2: triplets have no odd one out; (--model '\w+') takes",
            "embed answers.csv --refits 0 {0}",
        ),
        ("embed odd.csv --model spose --refits 1", r"weights differ.* (--column.*=)", "+ {0}"),
        ("people named.csv --permutations 9", r"with (--columns participant=)NAME", "+ {0}who"),
        ("next answers.csv -n 1 -o full", r"of an earlier command with (--overwrite)", "+ {0}"),
        ("convert answers.csv two.csv", r"the file exists; .* with (--overwrite)", "+ {0}"),
        ("convert answers.csv ./answers.csv", r"the file of the answers; name another", None),
        ("convert answers.csv x.doc", r"must end in (\.csv),", "convert answers.csv x{0}"),
        ("convert few.csv x.txt", r"write triplets to a .csv or (.npy)", "convert few.csv x{0}"),
        ("dimensions few.csv", r"--folds 10, but .* only 6 .*; take (--folds 6)", "+ {0} --most 2"),
        ("dimensions one.csv", r"ask 2 or more (different)", "dimensions few.csv --folds 2"),
        ("embed one.csv", r"1 different question; .* ask more", "embed few.csv --refits 0"),
        ("embed few.csv -d 9", r"--dimension 9; .* 1 to (4)", "embed few.csv --refits 0 -d {0}"),
        ("embed answers.csv --refits 3", r"or more, or (0)", "embed answers.csv --refits {0}"),
        (
            "embed answers.csv --by participant",
            r"have no participants; take (--by 'answers')",
            "embed answers.csv --refits 10 {0}",
        ),
        (
            "embed two.csv --by participant",
            r"2 participants; give three or more, or take (--by 'answers')",
            "embed two.csv --refits 10 {0}",
        ),
        ("simulate 9 --noise 0.5", r"must be less than", "simulate 9 --noise 0.4 -n 9"),
        ("simulate 9 -n 9,x", r"--questions '9,x': write whole numbers", "simulate 9 -n 9,10"),
        ("simulate 9 -n 0", r"--questions 0; .* whole number from (1)", "simulate 9 -n {0}"),
        ("check few.csv --where x=1", r"the columns are '(\w+)'", "check few.csv --where {0}=a"),
        ("check zero.csv", r"all are 0; ignore .* (--columns weight=)", "+ {0}"),
        ("embed few.csv -j 0", r"--jobs 0; it must be (1),", "embed few.csv --refits 0 -j {0}"),
        ("embed few.csv --attributes table.csv", r"--attributes: no row has the name of an", None),
        ("embed few.csv --images full", r"name the files like 'a', with one of the suffixes", None),
        ("embed few.csv --features table.csv", r"--features: no row for 'a' and 3 other", None),
    ],
)  # fmt: skip
def test_a_remedy_works_when_followed(line, says, remedy, here):
    message = refusal(line)
    found = re.search(says, message)
    assert found, message
    if remedy is not None:
        run(remedy.replace("+", line).format(*found.groups()))


@pytest.mark.usefixtures("here")
def test_without_the_internet_an_experiment_says_where_its_files_belong(
    mirror, tmp_path, monkeypatch
):
    def fails(*_):
        raise OSError("ProxyError('Unable to connect to proxy')")

    monkeypatch.delenv("CLOSERTHAN_DATA_MIRROR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys.modules[DataUnavailable.__module__], "_download", fails)
    line = "experiment words.txt -n 5 --repeats 2 -o online"
    message = refusal(line)
    copies = re.search("copy (.*) from another experiment's folder to (.*)", message)
    names, folder = copies.groups()
    assert "Error" not in message and folder.startswith(str(tmp_path))
    (tmp_path / "cache" / "closerthan" / "jspsych").mkdir(parents=True)
    for name in names.split(", "):
        shutil.copyfile(f"{mirror}/jspsych/{name}", f"{folder}/{name}")
    run(line)
    form = "odd-one-out --questions-from questions.csv --repeats 1 --practice 0"
    form = re.search(r"take (--form '\w+')", refusal(f"{line}2 --form {form}"))[1]
    run(f"{line}2 {form} --questions-from questions.csv --repeats 1")


@pytest.mark.usefixtures("mirror")
@pytest.mark.parametrize(
    "command", [command.name or command.callback.__name__ for command in app.registered_commands]
)
def test_every_command_shows_an_example_that_runs(command, here):
    help_text = run(f"{command} --help")
    assert "list[" not in help_text and "range>" not in help_text
    computes = command not in ("convert", "experiment", "scale")
    assert ("-j, --jobs" in help_text) == computes
    asks = command in ("next", "simulate", "experiment")
    assert ("-n, --questions" in help_text) == asks
    [example] = re.findall(r"Example: closerthan (.*)", help_text)
    shutil.copyfile("two.csv", "answers.csv")
    if command == "scale":  # of stimuli whose order is known
        rows = ["middle,low,high", "middle,high,low", "low,middle,high", "high,middle,low"]
        (here / "answers.csv").write_text("\n".join(["anchor,near,far", *rows * 3]))
    for name in ("map", "other") if command == "compare" else ():
        run(f"embed few.csv --refits 0 -o {name}")
    run(example)


def test_a_shell_completes_commands_and_words(monkeypatch):
    for words, found in [("closerthan emb", "embed"), ("closerthan embed --model ", "spose")]:
        environment = {"_CLOSERTHAN_COMPLETE": "complete_bash", "COMP_WORDS": words}
        environment["COMP_CWORD"] = str(words.count(" "))
        done = CliRunner().invoke(app, [], prog_name="closerthan", env=environment)
        assert found in done.stdout.split()


def test_a_reason_in_a_report_names_the_option_too(here):
    (here / "words.csv").write_text("anchor,first,second,response\na,b,c,links\nb,c,a,linsk\n")
    line = "check words.csv --columns anchor=anchor --responses links=left,rechts=right"
    report = run(f"{line} --skip-bad-rows")
    assert "'linsk' is not in --responses; add its meaning" in report
