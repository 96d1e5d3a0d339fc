"""The shipped files under config/, and copies of them with a change."""

import json
import shutil
from functools import partial

import pytest
import yaml

from closerthan_study.configuration import load_spec
from closerthan_study.spec import ROOT


@pytest.fixture(scope="session")
def contents():
    """What config.yaml and the studies say, by their path under config/, as JSON.

    Without YAML's aliases: a change in one place is none in another.
    """
    paths = [ROOT / "config" / "config.yaml", *sorted(ROOT.glob("config/studies/*/study.yaml"))]
    return {
        str(path.relative_to(ROOT / "config")): json.dumps(yaml.safe_load(path.read_text()))
        for path in paths
    }


@pytest.fixture
def dump():
    """Write YAML, in C."""
    return partial(yaml.dump, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), sort_keys=False)


@pytest.fixture
def load(contents, dump, tmp_path):
    """Load a study after a change of its file: the value under a dotted key, or no such key."""
    for file in contents:
        path = tmp_path / "config" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "config" / file, path)

    def change(file, key, *value, scale="smoke", **changes):
        content = json.loads(contents[file])
        *path, last = key.split(".")
        place = content
        for step in path:
            place = place[step]
        if value:
            place[last] = value[0]
        else:
            del place[last]
        if file == "config.yaml":  # which comes from Snakemake as a dictionary
            config = content if key == "scale" else {**content, "scale": scale}
            return load_spec(config, tmp_path)
        (tmp_path / "config" / file).write_text(dump(content))
        study = file.split("/")[1]
        config = {**json.loads(contents["config.yaml"]), "scale": scale, "studies": [study]}
        return load_spec(config | changes, tmp_path)

    return change
