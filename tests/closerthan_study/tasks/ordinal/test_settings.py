"""Check the values derived from the sizes of an ordinal embedding experiment."""

import numpy as np
import pytest

from closerthan_study.spec import ConfigError
from closerthan_study.spec.experiment import NONE

SVRG = {"solver": "SVRG", "batch_sizes": [1, 20], "variants": {"paper": {}, "default": {}}}


def test_points_are_kept_at_epochs_that_rise_by_a_factor(study):
    toy = study(sizes={"epochs": 150, "checkpoints": 5})
    budgets = toy.experiment.budgets("batch", "ste")
    assert len(budgets) == 5 and (budgets[0], budgets[-1]) == (5, 150)
    ratios = np.divide(budgets[1:], budgets[:-1])
    assert ratios == pytest.approx(np.full(4, 30**0.25), rel=0.1)
    assert study(sizes={"epochs": 150}).experiment.budgets("batch", "ste") == [150]
    few = study(sizes={"epochs": 2, "checkpoints": 5}).experiment.budgets("batch", "ste")
    assert few == [1, 2], "each once"


def test_a_method_has_budgets_of_its_own_where_its_scale_says_so(study):
    own = {"convex": {"epochs": 6, "checkpoints": 1}}
    experiment = study(sizes={"epochs": 60, "checkpoints": 2, "methods": own}).experiment
    assert experiment.budgets("convex", "ste") == [6]
    assert experiment.budgets("batch", "ste") == [2, 60]


def test_each_loss_may_have_epochs_of_its_own(study):
    own = {"ste": 300, "t-ste": 30}
    experiment = study(sizes={"epochs": own}).experiment
    assert experiment.budgets("batch", "ste") == [300]
    assert experiment.budgets("batch", "t-ste") == [30]
    assert experiment.methods["random"].epochs_of(NONE) == 300, "a control has no loss"
    with pytest.raises(ConfigError, match="epochs: give one number, or one for each of ste, t-ste"):
        study(sizes={"epochs": {"ste": 300}})


def test_a_variant_may_have_mini_batches_of_its_own(study):
    variants = {"paper": {}, "released-code": {"batch_sizes": [1]}}
    methods = {"svrg": {**SVRG, "variants": variants}, "random": {"control": "random"}}
    methods["batch"] = {"solver": "Batch", "variants": {"paper": {}}}
    found = study(methods=methods).experiment.methods
    assert found["svrg"].batch_sizes_of("paper") == [1, 20]
    assert found["svrg"].batch_sizes_of("released-code") == [1]
    assert found["batch"].batch_sizes_of("paper") == [0], "there are none"
    assert found["random"].batch_sizes_of("control") == [0]


def test_trials_to_tune_on_serve_nothing_else(study):
    assert list(study(tuning_trials=3).experiment.tuned_on) == [-3, -2, -1]
    assert list(study().experiment.tuned_on) == []
