"""What changes no result of the lab's estimators."""

from dataclasses import replace

import numpy as np
import pytest

import closerthan_lab
from closerthan import OrdinalEmbedding
from closerthan.comparisons import Answers, from_odd_one_out
from closerthan_lab.dimension import DimensionSearch
from closerthan_lab.people import PeopleEmbedding
from closerthan_lab.scale import DifferenceScale
from closerthan_lab.spose import SPoSE
from metamorphic import Row, check, each_row
from sklearn_checks import estimators_in


def scale(**settings):
    def result(world):
        order = world.objects[np.argsort(world.X[world.objects, 0])]
        model = DifferenceScale(**settings)
        model.fit(world.answers, sample_weight=world.sample_weight, order=order)
        of_fit = model.sigma_, model.lapse_, model.deviance_ / world.weight
        return np.append(model.scale_[world.objects], of_fit)

    return result


def dimension(world):
    search = DimensionSearch(OrdinalEmbedding(loss="ste"), [1, 2], cv=2, n_repeats=1)
    search.set_params(random_state=0).fit(world.answers, sample_weight=world.sample_weight)
    return search.errors_


def people(world):
    participant = np.arange(len(world.answers)) * 3 // 900 % 3
    answers = Answers(world.answers, participant=participant, weight=world.sample_weight)
    model = PeopleEmbedding(2, loss="ste", width=0.3, random_state=0).fit(answers)
    return np.concatenate([world.map(model.embedding_of(person)) for person in range(3)])


def odd_ones(world):
    answers = from_odd_one_out(world.answers, world.answers[:, 2])
    answers = replace(answers, weight=world.weight * answers.weight)
    return SPoSE(3, strength=(1.0, 1.0), max_iter=10, random_state=0).fit(answers).embedding_


EQUAL = "weights twice permuted renumbered"
TABLE = {
    "DifferenceScale": Row(scale(), EQUAL),
    "DifferenceScale: monotone": Row(scale(monotone=True, link="logit"), EQUAL),
    "DifferenceScale: lapses": Row(scale(lapse="auto"), "weights twice permuted", near=1e-4),
    "DimensionSearch": Row(dimension, "twice"),
    "PeopleEmbedding": Row(people, "twice"),
    "SPoSE": Row(odd_ones, "weights"),
}


@pytest.mark.filterwarnings("ignore:no answer contradicts")
@each_row(TABLE)
def test_what_may_change_without_changing_the_result(result, change, tolerance):
    check(result, change, tolerance)


def test_every_estimator_stands_in_the_table():
    names = {name.partition(":")[0] for name in TABLE}
    assert names == {one.__name__ for one in estimators_in(closerthan_lab)}
