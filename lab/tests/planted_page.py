"""Plant pages of maps with hostile names, in one to three dimensions.

`write_example` also shows how a command that embeds answers calls `write_page`.
"""

import json
import re

import numpy as np
import pandas as pd

from closerthan_lab.page import Bars, Ellipses, Figures, Line, Section, Table, write_page

EVIL = "</script><script>document.title = 'evil'</script><b onmouseover=alert(1)>"
NAMES = ["Athens", "Bern", "Cork", EVIL, "<!-- <script>", "=1+1", "\u2028\u202eline", "'-x", "-5"]


def read_content(path):
    """Return the data of a page, from the one element that holds them."""
    text = path.read_text(encoding="utf-8")
    (found,) = re.findall(r'<script type="application/json" id="content">(.*?)</script>', text)
    return json.loads(found)


def points(p):
    """Return places of the objects; the first dimension has the largest spread."""
    rng = np.random.default_rng(p)
    return rng.normal(size=(len(NAMES), p)) * np.arange(p, 0, -1)


def shapes(p):
    """Return a positive definite matrix for each object."""
    roots = 0.2 * np.random.default_rng(10 + p).normal(size=(len(NAMES), p, p))
    return roots @ roots.transpose(0, 2, 1) + 0.01 * np.eye(p)


def attributes():
    """Return properties: words with one missing, numbers, skew counts, a second name."""
    n = len(NAMES)
    return pd.DataFrame(
        {
            "country": ["Greece", "Swiss", "Ireland", None, *["Greece"] * (n - 4)],
            "size": np.arange(n) / 4 - 1.0,
            "answers": [1, 2, 3, 4, 5, 6, 7, 8, 900],
            EVIL: [f"@{name}" for name in NAMES],
        },
        index=NAMES,
    )


def sections():
    """Return a section of every kind of content."""
    table = pd.DataFrame({"object": NAMES, "fit": np.linspace(0.5, 0.9, len(NAMES))})
    return [
        Section("Fit", "It is good. " + EVIL, [Figures({"error": 0.21, "answers": 9090})]),
        Section(
            "Calibration",
            "Points on the dashed line keep what they promise.",
            [Line([0.55, 0.95], [0.5, 0.9], "said", "given")],
        ),
        Section("Answers", "By object.", [Bars.of_counts([3, 3, 4, 8], xlabel="answers")]),
        Section(
            "Worst",
            "Objects that fit badly.",
            [
                Bars(["<b>", "Bern"], [0.5, 0.6], EVIL, "fit"),
                Table(table, "Fit by object", objects="object"),
            ],
        ),
    ]


def write_example(path, p=2, **options):
    """Write a page of p dimensions with everything except images."""
    return write_page(
        path,
        title="map",
        summary="Nine answers by three people.",
        names=NAMES,
        points=points(p),
        figures={"objects": len(NAMES), "dimensions": p},
        ellipses=Ellipses(shapes(p), level=0.9),
        attributes=attributes(),
        sections=sections(),
        **options,
    )
