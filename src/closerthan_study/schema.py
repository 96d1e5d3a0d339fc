"""Print a JSON schema of study.yaml for editors.

    python -m closerthan_study.schema > study.schema.json

An editor checks and completes a study if its first line is `# yaml-language-server: $schema=...`.
"""

import json
from functools import reduce
from operator import or_
from typing import Annotated

from pydantic import Field, create_model

from closerthan_study import tasks
from closerthan_study.spec.scales import SCALES
from closerthan_study.spec.study import Study

_SIZED = {"trials", "epochs"}  # optional in an experiment, because its scales set them


def schema():
    """Return the JSON schema of config/studies/*/study.yaml.

    Examples
    --------
    >>> sorted(schema()["properties"])[:3]
    ['experiments', 'labels', 'losses']
    """
    kinds = []
    for name in tasks.names():
        model = tasks.module(name, "settings").Experiment
        scales = Annotated[dict[str, dict], Field(description=f"of {', '.join(SCALES)}")]
        kinds.append(create_model(f"{name}_experiment", __base__=model, scales=(scales, ...)))
    experiment = Annotated[reduce(or_, kinds), Field(discriminator="task")]
    study = create_model("study", __base__=Study, experiments=(dict[str, experiment], ...))
    content = study.model_json_schema()
    for kind in kinds:
        definition = content["$defs"][kind.__name__]
        definition["required"] = [n for n in definition["required"] if n not in _SIZED]
    return content


if __name__ == "__main__":
    print(json.dumps(schema(), indent=2))
