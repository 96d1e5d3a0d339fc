"""A page of the toy study, whose results lie in a temporary folder."""

import json

import matplotlib.pyplot as plt
import pytest
import yaml

from closerthan_study.figures import Page
from toy_page import SHAPES, TOY, tidy


@pytest.fixture
def toy(tmp_path):
    """Make the page of the toy study with the given scores: by experiment and method, tidy rows."""

    def make(scores, drawn=None, scale="smoke"):
        folder = tmp_path / "config" / "studies" / "toy"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "study.yaml").write_text(yaml.safe_dump(TOY, allow_unicode=True, sort_keys=False))
        data = {"mirror": None, "cache": None, "strict": False}
        config = {"scale": scale, "studies": ["toy"], "seed": 1, "data": data}
        config |= {"results": str(tmp_path / "results"), "words": {"vectors": None}}
        page = Page("toy", config, root=tmp_path)
        for name, methods in scores.items():
            experiment = page.experiments[name]
            (dataset,) = experiment.datasets
            out = page.spec.folder("scores", experiment, dataset)
            out.mkdir(parents=True)
            nothing = tidy([{"measure": "", "value": 0.0}]).iloc[:0]
            for method in [*experiment.methods, "seconds"]:
                words = {"experiment": name, "dataset": dataset}
                words |= {"method": method} if method != "seconds" else {}
                table = tidy(methods[method]) if method in methods else nothing
                table.assign(**words).to_parquet(out / f"{method}.parquet")
            trials = page.spec.folder("trials", experiment, dataset)
            trials.mkdir(parents=True)
            (trials / "drawn.json").write_text(json.dumps(drawn or {}))
            record = {"name": dataset, "title": dataset, "shape": SHAPES[dataset]}
            (tmp_path / "results" / "data").mkdir(exist_ok=True)
            (tmp_path / "results" / "data" / f"{dataset}.json").write_text(json.dumps(record))
        return page

    yield make
    plt.close("all")
