"""salmon's contender: its offline embedding with the noise model of STE, epoch by epoch."""

from salmon.triplets.offline import OfflineEmbedding


def ste(data, seed, watch):
    """Return points from comparisons; salmon has no stopping rule, only a number of epochs."""
    model = OfflineEmbedding(
        n=int(data["n"]), d=int(data["p"]), noise_model="STE", random_state=seed
    )
    model.initialize(data["train"], embedding=data.get("start"))
    for _ in range(model.max_epochs):
        model.partial_fit(data["train"])
        if watch and watch(model.embedding_):
            break
    return model.embedding_


TASKS = {"ordinal": {"STE": ste}}
