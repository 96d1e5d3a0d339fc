"""Plant tables for the board's curves and maps, with a row of every kind and no data."""

from pathlib import Path

import numpy as np
import pandas as pd

from closerthan_study.claims.scoreboard import COLUMNS as SCOREBOARD
from closerthan_study.claims.scoreboard import PART_COLUMNS as PARTS
from closerthan_study.claims.scoreboard import READING_COLUMNS as READINGS
from closerthan_study.printed import BESIDE as PRINTED
from planted_page import EVIL
from toy_page import tidy
from toy_study import make_page, write_scores

STUDIES = {
    name: {
        "title": f"{short}: a paper",
        "short": short,
        "reference": "Somebody, 2019",
        "settings": [f"config/studies/{name}/claims.yaml", f"config/studies/{name}/study.yaml"],
    }
    for name, short in (("erkle", "ERKLE"), ("svrg_sbb", "SVRG-SBB"))
}


def part(claim, words, outcome, study="svrg_sbb", **columns):
    """Return a part of a claim, by default a factor between two methods in 10 trials."""
    row = {"study": study, "claim": claim, "part": words, "outcome": outcome, "data": "same"}
    row |= {"subject": "svrg-sbb (paper, b = 20)", "baselines": "paper", "against": "sgd (paper)"}
    row |= {"loss": "ste", "dataset": "synthetic", "measure": "epochs_to_error", "cases": 1}
    row |= {"coverage": 0.98, "trials": 10, "unit": "trials", "scale": "factor", "turns": ""}
    row |= {"threshold": 1.2, "side": "at least", "threshold_by": "ours, before the run"}
    return {**dict.fromkeys(PARTS, ""), **row, **columns}


def parts():
    """Return parts of every outcome, scale and kind."""
    nothing = dict.fromkeys(("coverage", "trials", "unit", "measure", "scale", "threshold"), "")
    slope = {"scale": "value", "measure": "slope of step_size", "against": "", "threshold": -0.25}
    rows = [
        part("faster", "it is faster: STE", "met", effect=2.4, low=1.9, high=3.1),
        part("faster", "it is faster: t-STE", "met", effect=6, censored=">=", low=4, high="inf"),
        part("faster", "it is faster: CKL", "void", **nothing, why="nobody reaches the target"),
        part("faster", "it is faster: GNMDS", "not met", effect=0.4, censored="<=", high=0.6),
        part("faster", "it is faster: STE", "open", effect=1.3, low=0.9, high=1.6)
        | {"baselines": "fair", "why": "the interval holds the threshold", "turns": "at half"},
        part("settles", "the step settles: STE", "met", effect=0.02, low=-0.1, high=0.1, **slope)
        | {"trials": 1, "unit": "pairs"},
        part(
            "settles", "the step settles: CKL", "not met", effect=-0.9, low=-1, high=-0.8, **slope
        ),
        part("error", "a lower error: GNMDS", "level", "erkle", effect=0.01, low=-0.02, high=0.03)
        | {"scale": "difference", "threshold": 0.005, "data": "stand-in", "trials": 5},
        part("error", "a lower error: STE", "met", "erkle", effect=0.05, low=0.03, high=0.06)
        | {"scale": "difference", "threshold": 0.005, "data": "partial", "cases": 6},
        part(
            "fails", "it never fails: STE", "not met", "erkle", effect="-inf", low="-inf", high=0.1
        )
        | {"scale": "difference", "threshold": 0, "trials": 50, "unit": "count"},
        part("fails", "it is as fast: STE", "not met", "erkle", effect=0, low=0, high=0.5),
        part("fails", "it is parallel: STE", "void", "erkle", **nothing, why="cores" * 40),
    ]
    return pd.DataFrame(rows, columns=PARTS)


def scoreboard():
    """Return claims of every verdict."""
    kinds = [
        ("svrg_sbb", "faster", "partly", "open", "same", "2 of 3 parts are met."),
        ("svrg_sbb", "settles", "reproduced", "", "same", "Its step settles for every loss."),
        ("erkle", "error", "partly", "", "stand-in", "It is lower for one of two losses."),
        ("erkle", "holds", "reproduced", "not", "stand-in", "It holds."),
        ("erkle", "fails", "not", "", "stand-in", EVIL),
        ("erkle", "worse", "not", "", "partial", "No part is met."),
        ("erkle", "untold", "open", "", "same", "No part is decided."),
        ("erkle", "machine", "open", "", "same", "Two cores cannot test it."),
        ("erkle", "later", "not yet judged", "", "", ""),
    ]
    rows = [
        {
            **dict.fromkeys(SCOREBOARD, ""),
            **{"study": study, "claim": claim, "where": f"Fig. {n}", "data": data},
            **{"statement": f"The paper says {claim} {EVIL if claim == 'fails' else ''}"},
            **{"verdict": verdict, "verdict_fair": fair, "sentence": sentence},
            **{"met": n, "level": 0, "not_met": 1, "open": 0, "void": 1},
            **{"artefact": f"figures/{study}/{claim}", "settings": "code"},
        }
        for n, (study, claim, verdict, fair, data, sentence) in enumerate(kinds)
    ]
    return pd.DataFrame(rows, columns=SCOREBOARD)


def readings():
    """Return one claim under two readings."""
    words = {"study": "svrg_sbb", "claim": "faster", "setting": "the step"}
    found = [("as printed", "words", "partly"), ("as in the code", "code", "not")]
    rows = [
        {**words, "reading": reading, "source": source, "verdict": verdict}
        for reading, source, verdict in found
    ]
    return pd.DataFrame(rows, columns=READINGS)


def printed():
    """Return printed numbers: compared, not reached and not run."""
    words = {"study": "svrg_sbb", "artefact": "Table 1", "dataset": "synthetic", "loss": "ste"}
    rows = [
        {**words, "method": "svrg-sbb", "printed": 10.5, "ours": 9.25, "status": "compared"}
        | {"low": 0.36971, "high": 0.12345678901, "difference": -1.25},
        {**words, "method": "batch", "printed": 112, "ours": "", "status": "not reached here"},
        {**words, "method": "svrg", "printed": 2, "ours": 1e-7, "status": "compared"},
    ]
    return pd.DataFrame(rows, columns=PRINTED)


def curves():
    """Return one experiment: two losses, one with three variants, a control, and seconds."""
    names = ["batch", "SVRG-SBB", "SVRG-SBB, b = 20", "SVRG-SBB, tuned", "random points"]
    colors = ["#0173b2", *["#de8f05"] * 3, ""]
    settings = [
        ("batch", "paper", -1),
        *(("sbb", "paper", b) for b in (1, 20)),
        ("sbb", "tuned", 1),
    ]
    settings.append(("random", "control", -1))
    looks = [
        {"label": label, "color": color, "dashes": [], "control": not color}
        | dict(zip(("method", "variant", "batch_size"), setting, strict=True))
        for label, color, setting in zip(names, colors, settings, strict=True)
    ]
    lines = []
    for loss in ("ste", "ckl"):
        for curve in range(4):
            first = 0.3 if loss == "ste" else 0.4
            mid = [0.5, first - 0.05 * curve, 0.2 - 0.02 * curve]
            line = {"curve": curve, "measure": "test_error", "loss": loss, "noise": 0.0}
            line |= {"x": {"epoch": 0, "seconds": 1 + curve}, "mid": mid, "trials": 5}
            lines.append({**line, "low": [v - 0.05 for v in mid], "high": [v + 0.05 for v in mid]})
    level = {"curve": 4, "measure": "test_error", "loss": "none", "noise": 0.0}
    lines.append({**level, "x": {"epoch": 0}, "mid": [0.5, 0.5, 0.5], "trials": 5})
    chart = {"study": "svrg_sbb", "experiment": "toy", "shows": "Fig. 2", "dataset": "synthetic"}
    chart |= {"label": "synthetic", "data": "100 objects", "timing": "Seconds: of one thread"}
    chart |= {
        "axes": {"epoch": "gradient evaluations / training comparisons", "seconds": "seconds"}
    }
    chart |= {"measures": {"test_error": "share of test comparisons that do not hold"}}
    chart |= {"losses": {"ste": "STE", "ckl": "CKL", "none": "none"}, "curves": looks}
    return [{**chart, "places": [[0, 1, 2], [0, 7.5, 9], [0, 5, 40]], "lines": lines}]


def maps():
    """Return one experiment: a map of three cities by each of two losses."""
    group = {"study": "svrg_sbb", "experiment": "cities", "shows": "Fig. 3", "dataset": "eurodist"}
    group |= {"label": "eurodist", "data": "eurodist", "objects": 3}
    group |= {"losses": {"ste": "STE", "ckl": "CKL"}, "names": ["Athens", "Lisbon", EVIL]}
    some = [
        {"label": "SVRG-SBB", "loss": loss, "noise": 0.0, "xy": [4000, 4000, 6000, 5000, 5000, n]}
        for n, loss in ((6000, "ste"), (-1, "ckl"))
    ]
    return [{**group, "maps": some}]


def write_tables(folder):
    """Write the four tables, and a figure that one of the claims names."""
    folder = Path(folder)
    for name, make in (
        *(("scoreboard", scoreboard), ("parts", parts)),
        *(("readings", readings), ("printed", printed)),
    ):
        make().to_csv(folder / f"{name}.csv", index=False)
    figure = folder / "figures" / "svrg_sbb" / "faster.png"
    figure.parent.mkdir(parents=True, exist_ok=True)
    figure.write_bytes(b"")


def plant_run(folder):
    """Make the page of a study of one experiment, as the stations would make it.

    The test error of `batch` is 0.5 in trials 0 to 2. At epoch 2 it is 0.4 and 0.2, and still 0.5
    in trial 2, which stops early. Fits of `batch` take one second an epoch, and three in trial 1.
    The map of `svrg` is a copy of the map of `batch`, turned by a right angle and twice as large.
    Two of its six objects have no place.
    """
    variants = {"variants": {"default": {}}}
    svrg = {"label": "SVRG", "solver": "SVRG", "batch_sizes": [5]}
    methods = {
        "batch": {"label": "batch", "solver": "Batch", **variants},
        "svrg": {**svrg, **variants},
        "random": {"label": "random points", "control": "random"},
    }
    experiment = {"task": "ordinal", "shows": "Fig. 3", "datasets": ["eurodist"], "n_components": 2}
    experiment |= {"comparisons": {"source": "distances", "n_train": 9}, "methods": methods}
    experiment["scales"] = {"smoke": {"trials": 3, "epochs": 2}}
    study = {"experiments": {"cities": experiment}, "losses": {"ste": {"class": "STE"}}}
    page = make_page(folder, **study)
    looks = {"batch": ("default", "ste", 0), "svrg": ("default", "ste", 5)}
    looks["random"] = ("control", "none", 0)
    points = np.array([[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [0.0, 2.0], [1.0, 1.0], [2.0, 2.0]])
    turned = 2 * points @ [[0.0, 1.0], [-1.0, 0.0]] + 7
    turned[4:] = np.nan
    maps = {"batch": points, "svrg": turned, "random": points[::-1]}
    tables, fits = {}, {}
    for name, look in looks.items():
        keys = dict(zip(("variant", "loss", "batch_size"), look, strict=True))
        rows = []
        for trial in range(3):
            for epoch in (0.0, 1.0, 2.0)[: 2 if trial == 2 else 3]:
                error = (0.4, 0.2)[trial] if epoch == 2 and name != "random" else 0.5
                seconds = epoch * (3 if trial == 1 else 1)
                row = {**keys, "trial": trial, "epoch": epoch, "seconds": seconds}
                rows.append({**row, "measure": "test_error", "value": error})
            last = {**keys, "trial": trial, "epoch": 2.0}
            rows.append({**last, "measure": "final_error", "value": 0.5})
        words = {"study": "papers", "experiment": "cities", "dataset": "eurodist", "method": name}
        table = tidy(rows).assign(**words)
        tables[name] = table.drop(columns="seconds")
        at = [*keys, "noise", "sweep", "trial", "epoch", "seconds"]
        fits[f"{name}.seconds"] = table.loc[table.measure == "test_error", at]
        places = [
            pd.DataFrame({"x0": xy[:, 0], "x1": xy[:, 1], "object": range(6), "epoch": epoch})
            for epoch, xy in ((1.0, 0 * maps[name]), (2.0, maps[name]))
        ]
        at = {**keys, "noise": 0.0, "sweep": np.nan, "trial": 0}
        fits[f"{name}.embedding"] = pd.concat(places).assign(**at)
    drawn = {"trials": 3, "objects": {"item": 6}, "comparisons": {"train": 9, "test": 9}}
    record = {"title": "Cities", "description": "Six cities.", "shape": {"distances": [6, 6]}}
    cities = page.experiments["cities"]
    folders = write_scores(page, cities, "eurodist", tables, drawn, record)
    names = np.array(["Athens", "Bern", "Cork", "Dover", "Essen", "Faro"])
    data = Path(page.spec.results, "data", "eurodist.npz")
    np.savez(data, distances=np.ones((6, 6)), object_names=names)
    objects = {"part": "item", "object": range(6), "row": range(6), "label": -1, "trial": 0}
    pd.DataFrame(objects).to_parquet(folders["trials"] / "objects.parquet")
    (folders["fits"] / "0").mkdir()
    for name, table in fits.items():
        table.to_parquet(folders["fits"] / "0" / f"{name}.parquet")
    return page
