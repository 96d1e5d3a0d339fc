"""Check the values derived from the settings of a multidimensional scaling experiment."""


def test_models_of_scikit_learn_are_found_by_their_names(of_shape):
    names = "MDS", "Isomap", "LocallyLinearEmbedding", "TruncatedSVD", "SMACOF"
    methods = {name.lower(): {"model": name, "variants": {"paper": {}}} for name in names}
    found = of_shape(methods=methods).experiment.methods.values()
    assert tuple(method.learner.__name__ for method in found) == names


def test_neighbors_may_be_those_of_a_method_whether_its_class_has_them(of_shape):
    sweep = {"model": "PatternSearchMDS", "variants": {"paper": {}}}
    sweep["sweep"] = {"n_neighbors": [5, 8]}
    method = of_shape(methods={"search": sweep}).experiment.methods["search"]
    assert method.sweeps == [("n_neighbors", 5), ("n_neighbors", 8)]
