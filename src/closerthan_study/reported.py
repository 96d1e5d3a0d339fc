"""The numbers that a paper prints: config/studies/{study}/reported.csv, read and checked."""

import re
from pathlib import Path

import numpy as np
import pandas as pd

from closerthan_study.scores import measures
from closerthan_study.spec import ConfigError
from closerthan_study.spec.experiment import NONE
from closerthan_study.spec.printed import DATA
from closerthan_study.spec.validation import check_name, check_names

KEYS = ["paper", "artefact", "dataset", "loss", "method", "metric", "unit"]
STATISTICS = {
    "min": np.min,
    "mean": np.mean,
    "max": np.max,
    "std": lambda x, axis: np.std(x, axis=axis, ddof=1),
}
_STATUSES = ["not-reached", "failed"]  # instead of a number


def read_reported(path, spec):
    """Read and check the numbers that a paper prints; return a row for each cell, with our names.

    After the columns `KEYS`, each column is a setting: a statistic over trials (min, mean, max,
    std), a noise level (noise=5%), or the dimensions of a map and its noise (dimensions=10;
    sigma=0.5). A cell has a number, or not-reached, or failed; it is empty if the paper prints
    nothing.
    """
    path = Path(path)
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such file")
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False, skip_blank_lines=False)
    except (pd.errors.EmptyDataError, pd.errors.ParserError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not CSV: {error}") from None
    if list(table.columns[: len(KEYS)]) != KEYS:
        raise ConfigError(
            f"{path}: line 1: the columns are {', '.join(table.columns)}; "
            f"the first must be {', '.join(KEYS)}"
        )
    settings = {text: _setting(text, f"{path}: line 1") for text in table.columns[len(KEYS) :]}
    studies = [spec.study(name) for name in spec.known_studies]
    studies = {study.printed.paper: study for study in studies if study.printed}
    names = table[["artefact", "dataset", "loss"]]
    table["block"] = names.ne(names.shift()).any(axis=1).cumsum()
    table["line"] = table.index + 2
    cells = table.melt([*KEYS, "block", "line"], var_name="setting", value_name="printed")
    cells = cells[cells.printed != ""].sort_values("block", kind="stable").drop(columns="block")
    for line in sorted({*table.line} - {*cells.line}):
        raise ConfigError(f"{path}: line {line}: there is no number")
    rows = []
    for row in cells.to_dict("records"):
        where = f"{path}: line {row.pop('line')}"
        printed = _cell(row.pop("printed"), where)
        rows.append(
            {**row, **printed, **settings[row["setting"]], **_ours(row, spec, studies, where)}
        )
    if not rows:
        raise ConfigError(f"{path}: there are no rows")
    return pd.DataFrame(rows)


def _cell(text, where):
    if text in _STATUSES:
        return {"value": np.nan, "status": text}
    value = pd.to_numeric(text, errors="coerce")
    if not np.isfinite(value):
        raise ConfigError(f"{where}: {text!r} is not a number; allowed too: {', '.join(_STATUSES)}")
    return {"value": value, "status": "value"}


def _ours(row, spec, studies, where):
    """Return our names for a printed row."""
    check_name(row["paper"], studies, f"{where}: unknown paper")
    study = studies[row["paper"]]
    printed = study.printed
    experiments = [spec.whole.experiment(study.name, name) for name in study.experiments]
    datasets = {name: None for e in experiments for name in e.all_datasets}
    methods = {name for e in experiments for name in e.methods}
    check_name(row["artefact"], printed.experiments, f"{where}: unknown table or figure")
    check_name(row["dataset"], [*printed.datasets, *datasets], f"{where}: unknown data set")
    file, kinds = spec.folder_of(study.name) / "study.yaml", printed.kinds(row["dataset"])
    check_names(kinds, datasets, f"{file}: printed.datasets.{row['dataset']}: unknown data set")
    loss = printed.loss(row["artefact"], row["loss"])
    check_name(loss, [*study.losses, NONE], f"{where}: unknown loss")
    experiment = printed.experiment(row["artefact"], row["dataset"], row["loss"])
    if experiment is None:
        names = printed.experiments[row["artefact"]]
        check_name(row["dataset"], names, f"{where}: {row['artefact']}: unknown data set")
    method, batch_size = printed.method(row["method"])
    check_name(method, [""] if experiment == DATA else sorted(methods), f"{where}: unknown method")
    check_name(row["metric"], [*printed.measures, *measures()], f"{where}: unknown measure")
    return {
        "study": study.name,
        "experiment": experiment,
        "our_loss": loss,
        "our_method": method,
        "batch_size": batch_size,
        "measure": printed.measures.get(row["metric"], row["metric"]),
    }


def _setting(text, where):
    """Read a statistic over trials, or the noise level and dimensions of a printed mean."""
    if text in STATISTICS:
        return {"statistic": text, "noise": np.nan, "n_components": np.nan}
    of_map = re.fullmatch(r"dimensions=(\d+)(?:; sigma=(0\.\d+))?", text)
    if of_map:
        noise, n_components = float(of_map[2] or 0.0), int(of_map[1])
        return {"statistic": "mean", "noise": noise, "n_components": n_components}
    percent = re.fullmatch(r"noise=(\d+|\d*\.\d+)%", text)
    if not percent or float(percent[1]) > 50:
        allowed = f"{', '.join(STATISTICS)}, noise=N% with N from 0 to 50, dimensions=N"
        allowed += " or dimensions=N; sigma=S with S below 1"
        raise ConfigError(f"{where}: unknown setting {text}; allowed: {allowed}")
    return {"statistic": "mean", "noise": float(percent[1]) / 100, "n_components": np.nan}
