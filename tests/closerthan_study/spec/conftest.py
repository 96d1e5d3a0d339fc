"""Load the shipped files under config/, and changed copies of them."""

import json
import shutil
from functools import partial

import pytest
import yaml

from closerthan_study.configuration import load_spec
from closerthan_study.spec import ROOT


@pytest.fixture(scope="session")
def contents():
    """Return config.yaml and the study files as JSON, by path under config/.

    JSON has no aliases as YAML has, so a change stays in one place.
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
    """Load a study after a change of its file: set the value of a dotted key, or remove the key."""
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
        (tmp_path / "config" / file).write_text(dump(content))
        if file == "config.yaml":  # Snakemake passes it as a dictionary
            config = content if key == "scale" else {**content, "scale": scale}
            return load_spec(config, tmp_path)
        study = file.split("/")[1]
        config = {**json.loads(contents["config.yaml"]), "scale": scale, "studies": [study]}
        return load_spec(config | changes, tmp_path)

    return change
