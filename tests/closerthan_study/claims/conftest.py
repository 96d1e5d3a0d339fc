"""Make a paper with three small experiments, and read claims through its file."""

import pytest
import yaml

from closerthan_study.claims.cases import read_claims
from planted import Method, Spec, experiment

METHODS = [
    Method("sbb", ["paper"], sizes=[1, 5]),
    Method("sgd", ["paper", "tuned"]),
    Method("random", control="random"),
]
STREAM = [
    Method("pa", ["paper"], losses=["gnmds"], sweep={"revisits": [0, 9]}),
    Method("refit", ["paper"]),
]


@pytest.fixture
def spec(tmp_path):
    """Return the names that claims of the paper may use."""
    experiments = [
        experiment("toy", ["synthetic"], ["digits"], METHODS),
        experiment("search", ["scenes"], ["digits"], METHODS, noises=[0.05, 0.1], k=[5, 10]),
        experiment("stream", ["synthetic"], ["digits"], STREAM),
    ]
    return Spec(experiments, root=tmp_path, results=tmp_path / "results")


@pytest.fixture
def read(tmp_path):
    """Read a claim through the file of a paper."""

    def through_file(spec, content, **defaults):
        path = tmp_path / "config" / "studies" / "papers" / "claims.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump({"defaults": defaults, "it": content}, sort_keys=False))
        return read_claims(path, spec)[0]

    return through_file


@pytest.fixture
def claim(read, spec):
    """Read a claim of the paper with some parts; keywords replace other keys."""

    def with_parts(*parts, **changes):
        content = {"statement": "It is so.", "where": "Fig. 1", "artefact": "figures/papers/a"}
        content |= {
            "experiment": "toy",
            "settings": "code",
            "data": {"synthetic": "same"},
            "parts": list(parts),
        }
        return read(spec, content | changes)

    return with_parts
