"""The command line: output, exit codes and files."""

import json
import os
import shlex
import signal
import subprocess
import sys

import numpy as np
import pytest

from closerthan import __version__
from closerthan_lab.__main__ import NEEDS
from closerthan_lab.datasets import load
from closerthan_lab.files import read_answers
from commands.line import refused, run, said
from commands.planted import write_answers


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    return write_answers(tmp_path_factory.mktemp("answers") / "answers.csv")


@pytest.mark.parametrize(
    ("command", "options", "fact"),
    [
        ("check", [], "agreement"),
        ("embed", ["--refits", "0"], "error_held_out"),
        ("dimensions", ["--most", "2", "--folds", "3"], "chosen"),
        ("next", ["-n", "3"], "questions"),
    ],
)
def test_json_is_all_that_is_printed(answers, command, options, fact):
    done = run(command, answers, *options, "--json")
    assert done.exit_code == 0
    assert fact in json.loads(done.stdout)
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--columns", "anchor"], "--columns 'anchor': write name=value"),
        (["--where", ""], "an argument is empty; give a path or a value"),
        (["--where", "near=a", "--where", "near=b"], "--where: 'near' has two values; give one"),
        (["--skip-lines", "2", "--sheet", "x"], "--sheet has no effect on a file of this kind"),
        (["--columns", "time=a,time="], "time is both ignored and given"),
        (["--columns", "near=near,near=far"], "--columns names 2 columns for 'near'; name one"),
        (["--columns", "house=a"], "--columns names 'house'; it must be one of anchor"),
        (["--form", "sudoku"], "--form 'sudoku'; it must be one of triplets"),
        (["--where", "near=a,near=b"], "'near' has two values; give one"),
        (["--responses", "0=up"], "responses: '0' means 'up'; it must be one of first"),
    ],
)
def test_an_option_that_does_not_fit_is_named(answers, arguments, sentence):
    assert sentence in refused("check", answers, *arguments)


def test_a_bad_row_is_told_with_the_option_that_leaves_it_out(tmp_path):
    path = tmp_path / "form=" / "answers.csv"
    path.parent.mkdir()
    path.write_text("anchor,near,far,user\na,b,c,u\nb,c,a,u\nb,a,c,\n")
    message = f"closerthan: {path}, line 4: participant: '' is not a name; --columns participant= "
    message += "ignores this column; --skip-bad-rows leaves it out\n"
    assert refused("check", path) == message
    said("check", path, "--columns", "participant=")
    said("check", path, "--skip-bad-rows")


@pytest.mark.parametrize(
    ("text", "option"),
    [
        (
            "ref,left image,right image,key\na,b,c,left\nb,c,a,right\nc,a,b,left\n",
            "--columns 'anchor=ref,first=left image,second=right image,response=key'",
        ),
        (
            "anchor,ranking,one,two\na,one|two,b,c\nb,two|one,c,a\n",
            "--columns candidates=one,candidates=two",
        ),
        ("\nno,answers\nanchor,near,far\na,b,c\n", "--skip-lines 2"),
    ],
)
def test_an_offered_option_works(text, option, tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text(text)
    assert option in refused("check", path)
    said("check", path, *shlex.split(option))


def test_a_tilde_is_the_home_folder(answers, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    said("next", answers, "-n", 1, "--out=~/next")
    assert f"closerthan: {tmp_path}/nothing" in refused("compare", answers, "~/nothing.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["next"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
def test_a_full_disk_is_a_sentence(answers):
    command = [sys.executable, "-m", "closerthan_lab", "check", str(answers)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode != 0 and "Traceback" not in done.stderr


def test_an_interrupt_leaves_nothing_half_written(answers, tmp_path):
    out = tmp_path / "out"
    code = """if True:
        from closerthan_lab import __main__, uncertainty

        fit_many = uncertainty.fit_many
        uncertainty.fit_many = lambda *a: print("begun", flush=True) or fit_many(*a)
        __main__.main()
    """
    command = [sys.executable, "-c", code, "embed", str(answers), "--refits", "1000000"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen([*command, "-o", str(out)], **pipes)
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130, said
    assert said == "closerthan: interrupted; nothing was written\n"
    assert list(tmp_path.iterdir()) == []


def test_help_imports_nothing_heavy():
    code = "import sys; from closerthan_lab.cli import app; print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.strip("[]\n").replace("'", "").split(", "))
    assert not loaded & {"numpy", "pandas", "numba", "sklearn", "matplotlib", "rich"}


HEAVY = {"pandas", "numba", "scipy", "sklearn", "matplotlib"}
READING = ["check", "embed", "scale", "dimensions", "compare {a}", "people", "next"]


def test_what_is_wrong_is_said_before_anything_heavy_is_imported(answers):
    """All wrong lines run in one process, which has then imported nothing heavy."""
    wrong = [f"{command} nowhere.csv" for command in [*READING, "experiment -o x"]]
    wrong += ["convert nowhere.csv x.csv", "convert {a} x.doc"]
    wrong += [f"{command} {{a}} -o {{a}}/x" for command in READING[1:]]
    wrong += [f"{command} {{a}} -o {{a}}/x" for command in ["experiment"]]
    wrong += ["simulate 9 -o {a}/x", "convert {a} {a}/x.csv"]
    wrong += ["embed {a} --refits 3", "embed {a} --by luck", "embed {a} --model spose -d 3"]
    wrong += ["scale {a} --link x", "scale {a} --order x"]
    wrong += ["simulate 9 -n x", "simulate 9 --noise 0.5", "check {a} --form sudoku"]
    code = f"""if True:
        import sys
        from typer.testing import CliRunner
        from closerthan_lab.cli import app

        for line in {[line.format(a=answers) for line in wrong]}:
            done = CliRunner().invoke(app, line.split())
            assert done.exit_code == 2 and done.stdout == "", line
            print(done.stderr)
        assert not {HEAVY} & sys.modules.keys(), {HEAVY} & sys.modules.keys()
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("this file does not exist") == len(READING) + 2
    assert "there is no such file, and no data set of this name" in done.stdout
    assert done.stdout.count("nothing can be written here") == len(READING) + 2


@pytest.mark.parametrize(
    ("line", "bars"),
    [
        ("check {a}", ["folds", "participants"]),
        ("embed {a} --refits 10", ["folds", "refits"]),
        ("compare {a} {a}", ["epoch"]),
        ("next {a}", []),
    ],
)
def test_on_a_terminal_a_command_says_at_once_that_it_works(line, bars, tmp_path, monkeypatch):
    monkeypatch.setattr("closerthan_lab.cli._progress", lambda: True)
    path = write_answers(tmp_path / "answers.csv", people="01")
    done = run(*line.format(a=path).split())
    assert done.exit_code == 0 and done.stderr.startswith("closerthan: working"), done.stderr
    assert all(bar in done.stderr for bar in bars)


def test_it_says_its_version():
    assert said("--version") == f"closerthan {__version__}\n"


def test_without_its_packages_it_says_so_in_one_line(tmp_path):
    (tmp_path / "typer.py").write_text("raise ModuleNotFoundError('No module named typer')")
    command = [sys.executable, "-m", "closerthan_lab", "--help"]
    paths = {"PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"}
    done = subprocess.run(command, env=os.environ | paths, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, f"{NEEDS}\n")


def test_what_cannot_be_shown_is_said_before_any_work(answers, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("name,kind\na,x\na,y\n")
    for option, file, why in [
        ("--images", tmp_path / "none", ": this file does not exist; check the path"),
        ("--attributes", table, ", line 3: 'a' has a second row"),
    ]:
        message = refused("embed", answers, "--refits", "1000000", option, file)
        assert message.startswith(f"closerthan: {file}{why}")


def test_a_map_that_is_not_written_says_so(answers):
    assert "Nothing was saved. Add -o map" in said("embed", answers, "--refits", "0")


@pytest.mark.usefixtures("mirror")
def test_a_data_set_is_written_as_a_file_that_reads_back_as_its_answers(tmp_path):
    """Quadruplets too, whose objects have no names."""
    for name in ("animals37", "mlds_kk1"):
        assert "Nothing is lost" in said("convert", name, tmp_path / f"{name}.csv")
        written, data = read_answers(tmp_path / f"{name}.csv"), load(name)
        names = np.arange(data.info["n_objects"]).astype(str)
        names = names if data.object_names is None else data.object_names
        assert (written.names[written.answers.comparisons] == names[data.comparisons]).all()
        assert (written.answers.screen == data.answers.screen).all()
    assert "this data set has no answers" in refused("convert", "vehicle", tmp_path / "no.csv")


def test_options_that_are_given_again_add_up(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("anchor,near,far,g,s\na,b,c,x,1\nb,c,a,x,2\nc,a,b,y,1\n")
    text = said("check", path, "--where", "g=x", "--where", "s=1")
    assert "2 rows left out by --where or --without." in text and ": 1 answer (triplets)" in text
    text = said("check", path, "--columns", "near=far", "--columns", "far=near")
    assert "Line 2: a is more like c than like b (anchor=anchor, near=far, far=near)." in text
