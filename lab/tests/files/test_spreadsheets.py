"""Check that cells which spreadsheets take for formulas come back unchanged."""

import csv
import io

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from closerthan_lab.files.spreadsheets import escape_formula, escape_table, unescape_formula

TEXTS = st.text(st.one_of(st.sampled_from("'=+-@＝＋－＠\t\r\n1.e "), st.characters(codec="utf-8")))


@given(TEXTS)
def test_no_text_but_a_number_is_a_formula_and_each_comes_back(text):
    escaped = escape_formula(text)
    assert unescape_formula(escaped) == text
    if escaped[:1] and escaped[0] in "=+-@＝＋－＠\t\r\n":
        assert escaped == text and isinstance(float(text), float)


@pytest.mark.parametrize("text", ["-5", "+1.5e3", "-.5", "", "a=1", "'quoted'", "–1"])
def test_what_is_no_formula_stays(text):
    assert escape_formula(text) == text


@pytest.mark.parametrize(
    "text", ["=1", "-inf", "-1-1", "+a", "@x", "\t=1", "\r=1", "\n=1", "-١", "--5", "＝1"]
)
def test_formulas_get_an_apostrophe(text):
    assert escape_formula(text) == f"'{text}"


def test_a_table_is_guarded_in_every_place_and_its_numbers_stay():
    frame = pd.DataFrame(
        {"=name": ["=1+1", None, "b"], "x": [-1.0, 2.0, 3.0], "@k": pd.Categorical(list("+-c"))},
        index=["-a", "b", "'=c"],
    )
    frame["@k"] = frame["@k"].cat.rename_categories({"+": "+1+1", "-": "-a"})
    text = escape_table(frame).to_csv(quoting=csv.QUOTE_NONNUMERIC)
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["", "'=name", "x", "'@k"]
    assert rows[1] == ["'-a", "'=1+1", "-1.0", "'+1+1"] and rows[3][0] == "''=c"
    assert frame.columns[0] == "=name" and frame.iloc[0, 0] == "=1+1", "the table stays"


def test_two_columns_of_one_name_are_guarded_both():
    frame = pd.DataFrame([["=1", "=2"]], columns=["a", "a"])
    assert escape_table(frame).to_numpy().tolist() == [["'=1", "'=2"]]
