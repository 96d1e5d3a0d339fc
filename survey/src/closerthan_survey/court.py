"""The court: others' methods on the trials of the survey, `python -m closerthan_survey.court`.

Scores lie in a folder of their own, results/court, because seconds, limits and others' random
numbers do not repeat to the byte. A table is kept if what it is made of has not changed.
"""

import argparse
import hashlib
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from closerthan.comparisons.sample import split
from closerthan.datasets.fetch import DataUnavailable, locate
from closerthan_study.configuration import Spec
from closerthan_study.figures.save import save_figure
from closerthan_study.figures.style import style
from closerthan_study.files import write_csv, write_json
from closerthan_study.spec.scales import SCALES
from closerthan_study.spec.validation import ConfigError, read_yaml
from closerthan_study.tasks.setup import Setup
from closerthan_survey import programs
from closerthan_survey.court_settings import HERE, read_court
from closerthan_survey.figures.court import draw_court, summarize_contenders, tabulate_errors
from closerthan_survey.tasks.answers.fits import TRAINED, Fitting, error_of, scores_of
from closerthan_survey.tasks.answers.split import is_simulated, read_split, tabulate_answers

PEERS = HERE / "benchmarks" / "peers"
ENVIRONMENTS = HERE / "benchmarks" / ".peers"
CONTROLS = {"random": "random points", "ceiling": "least possible"}
OPEN = "open"  # why a contender could not run at all; the next run tries again


class Given:
    """What a program gave, scored like the package's models: points, probabilities or both."""

    def __init__(self, points, probabilities):
        if points is None:
            self.score = lambda test: np.average(probabilities > 0.5, weights=test.sample_weight)
        else:
            self.embedding_ = points
        if probabilities is not None:
            self.predict_proba = lambda test: np.column_stack([1 - probabilities, probabilities])


class Entry:
    """A contender on a data set. `command` starts its program; None if its packages are missing."""

    def __init__(self, court, name, setup, folder, command):
        self.court, self.name, self.setup = court, name, setup
        self.contender = court.contenders[name]
        self.folder, self.command = folder, command

    def rows(self):
        """Return the result of each trial."""
        return pd.DataFrame([self._try(trial) for trial in range(self.court.trials)])

    def digest(self):
        """Return the digest of what the rows are made of."""
        files = [*sorted(self.folder.glob("contend*")), self.folder / "requirements.lock"]
        files.append(self.setup.folder("trials") / "comparisons.parquet")
        found = hashlib.sha256()
        limits = self.court.trials, self.court.seconds, self.court.megabytes
        found.update(repr((limits, self.contender, self.setup.spec.seed)).encode())
        for path in files:
            found.update(path.read_bytes() if path.exists() else b"")
        return found.hexdigest()[:16]

    def _try(self, trial):
        """Choose a setting on a part of the training answers, fit all of them, and score."""
        row = {"dataset": self.setup.dataset, "contender": self.name, "trial": trial}
        train, test = read_split(self.setup.folder("trials"), trial)
        if self.contender.takes == "triplets" and train.comparisons.shape[1] == 4:
            return row | {"outcome": "takes only triplets"}
        parts = split(train, TRAINED, random_state=self._seed("tuning", trial))
        candidates, errors, used = self.contender.candidates, {}, []
        if len(candidates) > 1:
            for number, candidate in enumerate(candidates):
                ended, model = self._fit(*parts, candidate, trial)
                used.append(ended)
                if model is not None:
                    errors[number] = error_of(model, parts[1])
                elif ended.outcome == programs.LATE:
                    break  # the others would be as late
            if not errors:
                return row | _cost(used)
        best = candidates[min(errors, key=errors.get) if errors else 0]
        ended, model = self._fit(train, test, best, trial)
        row |= _cost([*used, ended]) | {"setting": json.dumps(best)}
        return row if model is None else row | scores_of(model, test)

    def _fit(self, train, test, candidate, trial):
        """Run the program; return how it ended, and what it gave or None."""
        n_objects = len(self.setup.objects_of(trial))
        placed = np.isin(np.arange(n_objects), train.comparisons)
        n_components = min(self.setup.experiment.n_components, n_objects - 1)
        seeds = self._seed(trial)
        sizes = {"n_objects": n_objects, "n_components": n_components}
        seed = int(seeds.generate_state(1)[0])
        fixed = {"method": self.contender.method, "seed": seed, "seconds": self.court.seconds}
        settings = {**fixed, **sizes, **candidate}
        questions, turned = hide(test, np.random.default_rng(seeds.spawn(1)[0]))
        with TemporaryDirectory() as made:
            folder = Path(made)
            programs.give(folder, _table(train), questions, settings)
            missing = self._fetch_code(folder / "code")
            if missing:
                return programs.Ended(f"{OPEN}: {missing}", 0.0), None
            limits = {"seconds": self.court.seconds, "megabytes": self.court.megabytes}
            ended = programs.run_program(self.command, folder, **limits)
            if ended.outcome != programs.OK:
                return ended, None
            try:
                points, shares = programs.take(folder, placed, n_components, len(test))
            except programs.Unusable as error:
                return programs.Ended(programs.crash(error), ended.seconds), None
        if shares is not None:
            shares = np.where(turned, 1 - shares, shares)
            shares[~placed[test.comparisons].all(axis=1)] = 0.5
        return ended, Given(points, shares)

    def _fetch_code(self, folder):
        """Write the verified files of code that no package has; return what is missing, if any."""
        if self.command is None:
            return "its packages could not be had"
        data = self.setup.spec.config.data
        code = self.court.code[self.contender.code].entries() if self.contender.code else {}
        for file, entry in code.items():
            place = f"court/{self.contender.code}/{file}"
            try:
                _, content = locate(place, entry, mirror=data.mirror, cache=data.cache)
            except DataUnavailable:
                return "its code could not be had"
            except ValueError:
                return "its code is not the registered one"
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_bytes(content)
        return None

    def _seed(self, *words):
        """Return the seeds that a method of the survey with this name would have."""
        return self.setup.seed_of_study(self.name, "default", "none", *words)


def hide(test, rng):
    """Return questions whose rows no longer tell the answers, and which rows were turned."""
    table = _table(test)
    near, far = (["j"], ["k"]) if "l" not in table else (["i", "j"], ["l", "k"])
    turned = rng.random(len(table)) < 0.5
    swapped = table.loc[turned, near + far].to_numpy()
    table.loc[turned, far + near] = swapped
    return table, turned


def _table(answers):
    return tabulate_answers(answers).drop(columns="participant", errors="ignore")


def _cost(used):
    """Return the outcome of the last fit, and what all of them took."""
    return {
        "outcome": used[-1].outcome,
        "fits": len(used),
        "seconds": round(sum(ended.seconds for ended in used), 2),
    }


def control_rows(court, setup):
    """Return the errors of random points, and the least possible ones."""
    fitting, rows = Fitting(setup), []
    for trial in range(court.trials):
        _, test = read_split(setup.folder("trials"), trial)
        for name in CONTROLS:
            curve, _ = fitting.control(name, test, trial)
            row = {"dataset": setup.dataset, "contender": name, "trial": trial}
            rows.append({**row, "outcome": programs.OK, "test_error": curve.test_error[0]})
    return pd.DataFrame(rows)


def hold(court, spec, cores=1, peers=PEERS, environments=ENVIRONMENTS):
    """Run all contenders that have no results yet; write and return the table of all results."""
    folder = Path(spec.results, "court", spec.scale)
    experiment = spec.experiment(court.study, court.experiment)
    names = [dataset for e, dataset in spec.pairs() if e is experiment]
    people = [dataset for dataset in names if not is_simulated(dataset)]
    setups = [Setup(spec, experiment, dataset) for dataset in people or names]
    commands = {}
    for peer in dict.fromkeys(contender.peer for contender in court.chosen().values()):
        try:
            commands[peer] = programs.command_of(peers / peer, environments)
        except subprocess.CalledProcessError as error:
            commands[peer] = None
            print(f"{peer}: its packages could not be had: {error}", file=sys.stderr)
    entries = [
        Entry(court, name, setup, peers / contender.peer, commands[contender.peer])
        for setup in setups
        for name, contender in court.chosen().items()
    ]
    Parallel(cores, prefer="threads")(delayed(_keep)(entry, folder) for entry in entries)
    tables = [control_rows(court, setup) for setup in setups]
    tables += [
        pd.read_csv(path)
        for name in court.contenders
        for setup in setups
        if (path := folder / name / f"{setup.dataset}.csv").exists()
    ]
    table = pd.concat(tables, ignore_index=True).drop(columns="made_of", errors="ignore")
    write_csv(folder / "court.csv", table)
    write_csv(folder / "needs.csv", needs(court, table, environments))
    return table


def _keep(entry, folder):
    """Write the rows of a contender on a data set, unless they are there."""
    path, made_of = folder / entry.name / f"{entry.setup.dataset}.csv", entry.digest()
    if path.exists():
        before = pd.read_csv(path)
        if (before.made_of == made_of).all() and not before.outcome.str.startswith(OPEN).any():
            return
    rows = entry.rows()
    write_csv(path, rows.assign(made_of=made_of))
    said = ", ".join(dict.fromkeys(rows.outcome))
    print(f"{entry.name} on {entry.setup.dataset}: {said}", flush=True)


def report(court, spec, table):
    """Write the tables and the figure of the results, and return their folder."""
    folder = Path(spec.results, "court", spec.scale)
    labels = CONTROLS | {name: contender.label for name, contender in court.contenders.items()}
    limits = court.model_dump(include={"trials", "seconds", "megabytes"})
    others = sum(not c.ours for name, c in court.contenders.items() if name in set(table.contender))
    n_datasets = table.dataset.nunique()
    record = {"scale": spec.scale, **limits, "others": others, "datasets": n_datasets}
    write_json(folder / "run.json", record)
    if "default" in set(table.contender):
        names = {dataset: spec.study(court.study).label(dataset) for dataset in set(table.dataset)}
        write_csv(folder / "summary.csv", summarize_contenders(table, labels))
        write_csv(folder / "errors.csv", tabulate_errors(table, labels, names))
        style()
        caption = f"{n_datasets} data sets, trials: {court.trials}."
        save_figure(draw_court(table, labels), folder / "court", title="The court", caption=caption)
    return folder


def needs(court, table, environments):
    """Return what each program that ran needed: the number of its packages, and its megabytes."""
    peers = {court.contenders[name].peer for name in table.contender if name in court.contenders}
    rows = []
    for made in (environments / peer for peer in sorted(peers)):
        if not made.exists():  # it needs none of its own
            continue
        sizes = [path.stat().st_size for path in made.rglob("*") if path.is_file()]
        packages = {
            path.name.split("-")[0] for path in made.glob("lib/*/site-packages/*.dist-info")
        }
        n_packages = len(packages - {"pip", "setuptools"})
        rows.append({"peer": made.name, "packages": n_packages, "disk_mb": round(sum(sizes) / 1e6)})
    return pd.DataFrame(rows, columns=["peer", "packages", "disk_mb"])


def main(arguments=None):
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("contenders", nargs="*", help="their names, or those of programs")
    parser.add_argument("--scale", choices=SCALES, default="default")
    parser.add_argument("--results", default="survey/results", help="the folder of the run")
    parser.add_argument("--cores", type=int, default=1)
    asked = parser.parse_args(arguments)
    try:
        court = read_court(asked.scale, only=asked.contenders)
        changed = {"scale": asked.scale, "results": asked.results, "studies": [court.study]}
        config = {**read_yaml(HERE / "config" / "config.yaml"), **changed}
        spec = Spec(config, trusted=True)
        table = hold(court, spec, asked.cores)
    except ConfigError as error:
        sys.exit(f"closerthan: {error}.")
    print(report(court, spec, table))


if __name__ == "__main__":
    main()
