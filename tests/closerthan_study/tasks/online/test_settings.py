"""Check the values derived from the sizes of an online learning experiment."""


def test_streams_are_scored_at_even_steps_up_to_all_of_it(stream):
    experiment = stream(sizes={"checkpoints": 4}).experiment
    assert experiment.marks("online") == [22, 45, 68, 90]
    listed = {"refit": {"checkpoints": [10, 90]}}
    experiment = stream(sizes={"checkpoints": 200, "methods": listed}).experiment
    assert experiment.marks("online") == list(range(1, 91)), "each once, from the first on"
    assert experiment.marks("refit") == [10, 90]
