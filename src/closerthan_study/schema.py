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


def schema():
    """Return the JSON schema of config/studies/*/study.yaml.

    >>> sorted(schema()["properties"])[:3]
    ['datasets', 'defaults', 'experiments']
    """
    settings = [tasks.module(name, "settings") for name in tasks.names()]
    scales = Annotated[dict[str, dict], Field(description=f"of {', '.join(SCALES)}")]
    kinds = [
        create_model(f"{name}_experiment", __base__=of.Experiment, scales=(scales, {}))
        for name, of in zip(tasks.names(), settings, strict=True)
    ]
    experiment, method = reduce(or_, kinds), reduce(or_, [of.Method for of in settings])
    parts = {"defaults": (experiment, {}), "methods": (dict[str, method], {})}
    parts["experiments"] = (dict[str, experiment], ...)
    content = create_model("study", __base__=Study, **parts).model_json_schema()
    whole = Study.model_json_schema()["$defs"]
    for name, definition in content["$defs"].items():
        if name not in whole:  # what is missing may be elsewhere in the file
            definition.pop("required", None)
    return content


if __name__ == "__main__":
    print(json.dumps(schema(), indent=2))
