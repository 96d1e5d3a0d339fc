"""Write the files of jobs: tables, JSON records, folders and logs."""

import json
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path

from closerthan._core.writing import replacing


def write_json(path, record):
    """Write a record as indented JSON, whole or not at all; NaN and infinities are refused."""
    write_text(path, json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def write_text(path, text):
    """Write a text, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_csv(path, table, **options):
    """Write a table as CSV, whole or not at all."""
    with replacing(path) as temporary:
        table.to_csv(temporary, index=False, lineterminator="\n", **options)


def write_table(path, table):
    """Write a table as Parquet, whole or not at all."""
    with replacing(path) as temporary:
        table.to_parquet(temporary, index=False)


@contextmanager
def replacing_folder(folder):
    """Yield a new folder beside `folder`; rename it to `folder` when the block succeeds."""
    folder = Path(folder)
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)  # a killed job has left it
    partial.mkdir(parents=True)
    try:
        yield partial
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def log_to(path):
    """Send the further output of this process to a log, line by line."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    sys.stdout = sys.stderr = open(path, "w", buffering=1, encoding="utf-8")  # noqa: SIM115
