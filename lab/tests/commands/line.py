"""Run command lines as a user does."""

from typer.testing import CliRunner

from closerthan_lab.cli import app


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def said(*arguments):
    """Return what a command prints that must succeed."""
    done = run(*arguments)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def refused(*arguments):
    """Return the message of a command that must fail, in one sentence, and print nothing else."""
    done = run(*arguments)
    assert done.exit_code == 2 and done.stdout == "", arguments
    assert done.stderr.startswith("closerthan: ") and done.stderr.count("\n") == 1, done.stderr
    return done.stderr
