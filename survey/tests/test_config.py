"""Check that the shipped files of the survey load at every scale, with what they say of others."""

from collections import Counter
from itertools import product
from pathlib import Path

import pytest
import yaml

from closerthan_study import tasks
from closerthan_study.claims.cases import read_claims
from closerthan_study.configuration import Spec, load_spec
from closerthan_study.facts import facts
from closerthan_study.reported import read_reported
from closerthan_study.scores import measures
from closerthan_study.spec import ROOT
from closerthan_study.spec.scales import SCALES
from closerthan_study.tasks.losses import build_loss
from printed_numbers import check_printed_numbers

SURVEY = Path(__file__).resolve().parents[1]
STUDIES = sorted(path.name for path in (SURVEY / "config" / "studies").iterdir())
CLAIMS = sorted(SURVEY.glob("config/studies/*/claims.yaml"))
REPORTED = sorted(SURVEY.glob("config/studies/*/reported.csv"))


def config_of(scale, **changes):
    """Return the shipped configuration at a scale, with all studies."""
    config = yaml.safe_load((SURVEY / "config" / "config.yaml").read_text())
    return config | {"scale": scale, "studies": STUDIES, **changes}


@pytest.fixture(scope="module")
def shipped():
    """Return every study by scale, in the run or not."""
    return {scale: load_spec(config_of(scale)) for scale in SCALES}


def test_the_studies_are_those_of_the_survey(shipped):
    for spec in shipped.values():
        assert (spec.root, spec.clone) == (SURVEY, ROOT)
        assert spec.known_studies == STUDIES == ["cblearn", "survey", "things"]
    assert set(Spec(config_of("smoke", studies=["survey"])).studies) == {"survey"}


@pytest.mark.parametrize("scale", SCALES)
def test_the_shipped_files_load_and_every_class_takes_its_parameters(shipped, scale):
    spec = shipped[scale]
    assert {experiment.task for experiment in spec.experiments.values()} == {"answers", "odd_ones"}
    for (study, name), experiment in spec.experiments.items():
        assert (experiment.study, experiment.name) == (study, name)
        for key, method in experiment.methods.items():
            assert method.name == key
            assert bool(method.variants) != bool(method.control)
            losses = method.losses_of(list(spec.losses(study)))
            for variant, loss in product(method.variants, losses):
                settings = method.variant(variant).settings(loss)
                for sweep in method.sweeps or [()]:
                    chosen = {**settings, **dict([sweep] if sweep else [])}
                    for also in method.also:  # the task itself takes these
                        chosen.pop(also, None)
                    assert hasattr(method.learner(**chosen), "get_params")
        for loss in spec.losses(study).values():
            assert build_loss(loss, 2).get_params() is not None


@pytest.mark.parametrize("scale", SCALES)
def test_every_trial_of_a_method_is_in_exactly_one_batch(shipped, scale):
    for experiment in shipped[scale].experiments.values():
        batches = [experiment.batch(n) for n in range(experiment.batches)]
        assert all(batches)
        found = Counter((m, t) for batch in batches for m, trials in batch.items() for t in trials)
        methods = experiment.methods.values()
        assert found == Counter((m.name, t) for m in methods for t in range(m.trials))
        assert scale == "paper" or experiment.batches == 1


def test_a_trusted_spec_is_the_same(shipped):
    spec = shipped["default"]
    trusted = Spec(spec.config.model_dump(), trusted=True)
    assert trusted.root == spec.root and trusted.experiments == spec.experiments
    assert spec.whole.experiments == shipped["paper"].experiments


def test_every_data_set_of_answers_is_in_the_survey(shipped):
    named = {name for e in shipped["paper"].experiments.values() for name in e.all_datasets}
    named |= {name for e in shipped["paper"].experiments.values() for name in e.also_reads}
    assert named <= set(facts()), "of both packages"
    assert {"music", "zappos", "cars60", "things_ooo", "simulated"} <= named


def test_pages_are_of_the_survey_and_the_scoreboard_of_the_study(shipped):
    spec = shipped["smoke"]
    for study in STUDIES:
        assert spec.notebook(study) == SURVEY / "notebooks" / f"{study}.ipynb"
    assert spec.notebook("scoreboard") == ROOT / "notebooks" / "scoreboard.ipynb"


def test_measures_have_one_meaning_in_all_tasks():
    found = {}
    for task in tasks.names():
        for name, description in tasks.module(task, "scores").MEASURES.items():
            assert description == found.setdefault(name, description) == measures()[name]


@pytest.mark.parametrize("path", CLAIMS, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("scale", SCALES)
def test_the_shipped_claims_fit_the_shipped_studies(shipped, path, scale):
    claims = read_claims(path, shipped[scale])
    assert claims and all(claim.cases for claim in claims)


@pytest.mark.parametrize("path", REPORTED, ids=lambda path: path.parent.name)
def test_the_shipped_numbers_are_read(shipped, path):
    table = read_reported(path, shipped["paper"])
    names = ["experiment", "our_loss", "our_method", "batch_size", "noise", "measure", "statistic"]
    assert len(table) and set(table.study) == {path.parent.name}
    assert {*names} <= {*table}


@pytest.mark.parametrize(
    ("scale", "studies"), [("smoke", ["survey"]), ("smoke", STUDIES), ("paper", STUDIES)]
)
def test_every_printed_number_has_a_row_whatever_was_run(tmp_path, scale, studies):
    spec = Spec(config_of(scale, results=str(tmp_path), studies=studies))
    check_printed_numbers(spec, REPORTED, tmp_path)
