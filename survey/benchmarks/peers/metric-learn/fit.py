"""metric-learn's contenders: RCA, ITML and LMNN."""

import metric_learn


def rca(data, seed, watch):
    return metric_learn.RCA().fit(data["X"], data["y"]).components_


def itml(data, seed, watch):
    model = metric_learn.ITML(preprocessor=data["X"], random_state=seed)
    return model.fit(data["pairs"], data["sides"]).components_


def lmnn(data, seed, watch):
    return metric_learn.LMNN(n_neighbors=3, init="identity").fit(data["X"], data["y"]).components_


TASKS = {"RCA": {"RCA": rca}, "ITML": {"ITML": itml}, "LMNN": {"LMNN": lmnn}}
