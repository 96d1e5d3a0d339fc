"""What fits to answers cost grows with what there is to learn from."""

from closerthan_study.tasks.answers import cost
from closerthan_study.tasks.base import runs_of


def test_more_answers_and_tuning_take_longer(shipped):
    spec = shipped["paper"]
    experiment = spec.experiment("survey", "dimensions")
    losses = list(spec.losses("survey"))
    plain, chosen = (
        runs_of(experiment, experiment.methods[name], losses)[0] for name in ("default", "chosen")
    )
    small, large = (cost.seconds(experiment, name, plain) for name in ("mlds_kk1", "things_ooo"))
    assert small < large and cost.megabytes(experiment, "mlds_kk1") < 100
    assert cost.seconds(experiment, "things_ooo", chosen) > 2 * large
    assert cost.objects(experiment) is None
