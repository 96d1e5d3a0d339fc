"""Write the JSON schemas of the files under config/: `python -m closerthan_study.schema`.

workflow/schemas/ gets one for each kind of file. An editor checks and completes a file if its first
line is `# yaml-language-server: $schema=` and the path of the schema.
"""

import json
from functools import reduce
from operator import or_
from typing import Annotated

from pydantic import Field, create_model
from pydantic.json_schema import models_json_schema

from closerthan_study import tasks
from closerthan_study.files import write_text
from closerthan_study.spec import ROOT
from closerthan_study.spec.claims import Claims, Defaults
from closerthan_study.spec.config import Config
from closerthan_study.spec.court import Court
from closerthan_study.spec.scales import SCALES
from closerthan_study.spec.study import Study

_Scales = Annotated[dict[str, dict], Field(description=f"of {', '.join(SCALES)}")]


def schemas():
    """Return the JSON schema of each kind of file, by name.

    >>> sorted(schemas()["study"]["properties"])[:3]
    ['datasets', 'defaults', 'experiments']
    """
    court = create_model("court", __base__=Court, scales=(_Scales, {}))
    return {
        "config": Config.model_json_schema(),
        "court": _lenient(court.model_json_schema() | {"required": ["contenders"]}),
        "study": _study(),
        "claims": _claims(),
    }


def _study():
    settings = [tasks.module(name, "settings") for name in tasks.names()]
    kinds = [
        create_model(f"{name}_experiment", __base__=of.Experiment, scales=(_Scales, {}))
        for name, of in zip(tasks.names(), settings, strict=True)
    ]
    experiment, method = reduce(or_, kinds), reduce(or_, [of.Method for of in settings])
    parts = {"defaults": (experiment, {}), "methods": (dict[str, method], {})}
    parts["experiments"] = (dict[str, experiment], ...)
    content = create_model("study", __base__=Study, **parts).model_json_schema()
    return _lenient(content, Study.model_json_schema()["$defs"])


def _claims():
    _, content = models_json_schema([(Claims, "validation"), (Defaults, "validation")])
    settings = content["$defs"]["SideEntry"]["properties"]
    for key, value in settings.items():
        settings[key] = {"anyOf": [value, {"type": "array", "items": value}]}
    content["type"] = "object"
    content["properties"] = {"defaults": {"$ref": "#/$defs/Defaults"}}
    content["additionalProperties"] = {"$ref": "#/$defs/ClaimEntry"}
    return _lenient(content)


def _lenient(content, whole=()):
    """Require nothing in a part of a file, because another part may say it, except in some."""
    for name, definition in content["$defs"].items():
        if name not in whole:
            definition.pop("required", None)
    return content


def main():
    """Run the command."""
    for name, content in schemas().items():
        path = ROOT / "workflow" / "schemas" / f"{name}.schema.json"
        write_text(path, json.dumps(content) + "\n")


if __name__ == "__main__":
    main()
