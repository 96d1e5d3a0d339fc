"""`closerthan` on the command line, or one line that says what it needs."""

import sys

NEEDS = (
    "closerthan: the command line needs a few more packages; "
    "in a clone of closerthan run: pip install '.[cli]'"
)


def main():
    """Run the command that was asked for."""
    try:
        import typer  # noqa: F401
    except ModuleNotFoundError:
        print(NEEDS, file=sys.stderr)
        sys.exit(2)
    from closerthan.cli import run

    run()


if __name__ == "__main__":
    main()
