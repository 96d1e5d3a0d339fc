"""Looks: each curve its own, and the same in all figures."""

from closerthan_study.figures.style import DASHES, looks_of, palette


def test_looks_are_distinct_and_do_not_depend_on_what_is_drawn():
    names = [f"method {i}" for i in range(48)]
    looks = palette(names)
    assert len(set(looks.values())) == 48
    assert palette(names[:3]) == {name: looks[name] for name in names[:3]}
    assert palette(["a", "b", "a", "c"])["c"] == palette(["a", "b", "c"])["c"]


def test_curves_of_one_color_have_dashes_of_their_own():
    colors = palette(["svrg", "sgd"])
    wanted = [("a", "svrg", 0), ("b", "svrg", 0), ("c", "svrg", 2), ("d", "sgd", 0)]
    looks = looks_of(wanted, colors)
    assert [look.dashes for look in looks.values()] == [DASHES[place] for place in (0, 1, 2, 0)]
    assert looks["a"].color == looks["b"].color == looks["c"].color != looks["d"].color
    assert len({looks[label].marker for label in "abc"}) == 3


def test_a_number_is_a_color_too():
    looks = looks_of([("one", 0, 0), ("two", 1, 0)], {})
    assert looks["one"].color != looks["two"].color
