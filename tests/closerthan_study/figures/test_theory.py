"""Check the curves that are drawn beside steps."""

import copy

import numpy as np
import pytest

from closerthan_study.figures import Curve
from closerthan_study.figures.theory import step_rows
from toy_page import TOY, make_page


def test_steps_get_their_limit_and_the_inverse_curvature(tmp_path):
    study = copy.deepcopy(TOY)
    method = study["experiments"]["points"]["methods"]["svrg"]
    method["variants"]["paper"] = {"parameters": {"epsilon": {"ste": 0.5, "ckl": 2.0}}}
    curvature, n = 0.25, 60
    rows = [
        {"variant": "paper", "batch_size": 1, "measure": "step_size", "loss": loss, "epoch": epoch}
        | {"value": 1 / (n * (curvature + epsilon))}
        for loss, epsilon in (("ste", 0.5), ("ckl", 2.0))
        for epoch in (1.0, 5.0)
    ]
    page = make_page(tmp_path, {"points": {"svrg": rows}}, study=study)
    found = step_rows(page, "points", Curve("svrg")).set_index(["variant", "loss"]).value
    assert len(found) == 8, "the first step is given, so it says nothing of the curvature"
    np.testing.assert_allclose(found["inverse curvature"], 1 / (n * curvature))
    assert found["limit", "ste"].item() == pytest.approx(1 / (n * 0.5))
