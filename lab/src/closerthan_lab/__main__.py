"""Start the command line, or say in one line which packages are missing."""

import sys

NEEDS = (
    "closerthan: packages for the command line are missing; "
    "in a clone of closerthan run: pip install . ./lab"
)


def main():
    """Run the command line."""
    try:
        import typer  # noqa: F401
    except ModuleNotFoundError:
        print(NEEDS, file=sys.stderr)
        sys.exit(2)
    from closerthan_lab.cli import run

    run()


if __name__ == "__main__":
    main()
