"""What follows from what an experiment of similarity learning says."""

from closerthan_study.spec.experiment import NONE


def test_rankings_are_scored_unless_the_experiment_is_about_the_way_there(similarity):
    assert similarity().experiment.ranks
    assert not similarity(progress=True).experiment.ranks
    assert not similarity(gap=True).experiment.ranks


def test_each_trial_is_tuned_by_itself_so_none_are_drawn_for_it(similarity):
    experiment = similarity().experiment
    assert experiment.methods["lego"].tuned == ["eta"] and not experiment.tuning_trials
    assert list(experiment.tuned_on) == []


def test_there_is_no_loss_to_choose(similarity):
    methods = similarity().experiment.methods
    assert all(method.losses_of(["ste"]) == [NONE] for method in methods.values())
