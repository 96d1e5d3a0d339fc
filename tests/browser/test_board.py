"""The board in a browser: it draws itself, filters, sorts and switches, and says no error."""

import pytest

import planted_board

CELLS = """
const names = all("thead th").map((th) => th.textContent);
return all("tbody tr").map((row) => row.children[names.indexOf("%s")].textContent.trim());
"""
LINES = 'return all(".picture path.line").map((path) => path.getAttribute("d"));'


@pytest.mark.parametrize("width", [1400, 400])
def test_every_view_draws_itself_within_the_window(browser, width):
    script = """
    const found = [];
    for (const view of ["claims", "tables", "curves", "maps"]) {
      await go(`view=${view}`);
      const shown = document.querySelector("section.view:not([hidden])");
      const beyond = document.documentElement.scrollWidth - innerWidth;
      found.push([view, shown.className, shown.textContent.length > 50, beyond <= 0]);
    }
    return found;
    """
    for view, shown, filled, fits in browser.ask("", script, size=(width, 900)):
        assert shown == f"view {view}" and filled
        assert fits, f"{view} scrolls sideways"
    assert browser.said == []


def test_filters_hide_cards(browser):
    states = {
        "paper=svrg_sbb": ["svrg_sbb/faster", "svrg_sbb/settles"],
        "verdict=holds": ["erkle/holds"],
        "q=step+settles": ["svrg_sbb/settles"],
        "paper=erkle&verdict=undecided": ["erkle/open"],
        "paper=svrg_sbb&verdict=holds": [],
    }
    script = f"""
    const found = {{}};
    for (const state of ["", ...{list(states)}]) {{
      await go(state);
      const cards = all(".card").filter((card) => card.checkVisibility());
      found[state] = cards.map((card) => card.dataset.claim);
    }}
    return found;
    """
    found = browser.ask("q=nothing", script)
    assert len(found.pop("")) == len(planted_board.scoreboard())
    assert found == states


def test_a_card_shows_its_parts_its_effects_and_its_links(browser):
    script = """
    const card = document.querySelector('[data-claim="svrg_sbb/faster"]');
    const of = (selector) => [...card.querySelectorAll(selector)];
    const words = of(".marks button").map((mark) => mark.getAttribute("aria-label"));
    of(".marks button")[2].focus();
    await go("#view=claims"); // by when the focus has been scrolled to
    return {
      words,
      tip: document.getElementById("tip").textContent,
      strips: of(".forest .strip[role]").length,
      arrows: of(".arrow").map((arrow) => arrow.textContent),
      links: of("a").map((link) => link.getAttribute("href")),
      pills: of(".pill").map((pill) => pill.textContent),
    };
    """
    found = browser.ask("", script)
    assert found["words"][0] == "met: it is faster: STE" and len(found["words"]) == 5
    assert "nobody reaches the target" in found["tip"], "which shows on focus"
    assert found["strips"] == 4, "one part has no effect"
    assert found["arrows"] == ["▶", "◀"]
    assert found["links"] == ["figures/svrg_sbb/faster.png"]
    assert found["pills"] == ["partly reproduced", "undecided"]


def test_stand_ins_are_hatched_and_others_are_not(browser):
    script = """
    const hatched = all(".marks button.hatched");
    return hatched.map((mark) => mark.closest(".card").dataset.claim);
    """
    assert browser.ask("", script) == ["erkle/error", "erkle/error"]


def test_effects_lie_where_their_axis_says(browser):
    """On a logarithmic axis of factors, and beyond the threshold what is met."""
    script = """
    const place = (part, kind) => {
      const rows = all(".effect");
      const row = rows.find((one) => one.querySelector(".label").textContent.includes(part));
      return parseFloat(row.querySelector(kind).style.left);
    };
    return ["GNMDS", "t-STE"].map((loss) =>
      [".dot", ".threshold", ".equal"].map((kind) => place(`it is faster: ${loss}`, kind)));
    """
    worse, better = browser.ask("q=faster&paper=svrg_sbb", script)
    assert worse[0] < worse[2] < worse[1] == better[1] < better[0]
    log_of_6, log_of_its_inverse = better[0] - better[2], worse[2] - worse[0]
    assert log_of_6 / log_of_its_inverse == pytest.approx(1.791759 / 0.916291, rel=0.02)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("", ["9.25", "", "1e−7"]),
        ("ours:asc", ["1e−7", "9.25", ""]),
        ("ours:desc", ["9.25", "1e−7", ""]),
    ],
)
def test_sorting_sorts_numbers_with_what_is_missing_last(browser, order, expected):
    assert browser.ask(f"view=tables&table=printed&sort={order}", CELLS % "ours") == expected


def test_what_is_endless_is_a_number(browser):
    highs = browser.ask("view=tables&table=parts&sort=high:desc", CELLS % "high")
    assert highs[:2] == ["∞", "3.1"] and highs[-1] == ""


def test_columns_filter_by_words_and_by_numbers(browser):
    methods = CELLS % "method"
    assert browser.ask("view=tables&table=printed&col.status=compared", methods) == [
        "svrg-sbb",
        "svrg",
    ]
    assert browser.ask("view=tables&table=printed&col.printed=%3E5", methods) == [
        "svrg-sbb",
        "batch",
    ]
    assert browser.ask("view=tables&table=printed&rows=not+reached", methods) == ["batch"]


def test_a_click_on_a_head_sorts_and_keeps_the_focus(browser):
    script = """
    const head = () => one("thead button", "printed");
    head().focus();
    head().click();
    const order = head().parentNode.getAttribute("aria-sort");
    return [location.hash, order, document.activeElement === head()];
    """
    state, order, focus = browser.ask("view=tables&table=printed", script)
    assert "sort=printed%3Aasc" in state and order == "ascending" and focus


def test_curves_switch_to_seconds_and_keep_the_focus(browser):
    script = """
    const lines = () => all(".picture path.line").map((path) => path.getAttribute("d"));
    const before = lines();
    one(".switcher button", "seconds").focus();
    one(".switcher button", "seconds").click();
    const words = all(".picture text").map((text) => text.textContent);
    const caption = document.querySelector(".curves .caption").textContent;
    return [before, lines(), words, document.activeElement.textContent, caption];
    """
    before, after, words, focus, caption = browser.ask("view=curves", script)
    assert len(before) == len(after) == 3, "two methods and the control"
    assert before[0] != after[0] and before[1] != after[1]
    assert before[2] == after[2], "a level is the same over any axis"
    assert "seconds" in words and focus == "seconds"
    assert "5 trials" in caption and "quartile" in caption and "one thread" in caption


def test_methods_losses_and_axes_are_chosen(browser):
    whole = browser.ask("view=curves", LINES)
    assert len(browser.ask("view=curves&off=batch", LINES)) == len(whole) - 1
    assert browser.ask("view=curves&log=y", LINES) != whole
    assert browser.ask("view=curves&loss=ckl", LINES) == whole, "planted alike"
    click = """
    one(".legend button", "SVRG-SBB").click();
    return [document.querySelectorAll(".picture path.line").length, location.hash];
    """
    assert browser.ask("view=curves", click) == [2, "#view=curves&off=SVRG-SBB"]


def test_a_chart_can_be_read_off_by_keys(browser):
    script = """
    const chart = document.querySelector(".picture svg");
    chart.focus();
    const right = () => new KeyboardEvent("keydown", { key: "ArrowRight" });
    for (let i = 0; i < 2; i++) chart.dispatchEvent(right());
    return document.getElementById("tip").innerText;
    """
    said = browser.ask("view=curves", script)
    assert "gradient evaluations: 1" in said and "0.3" in said and "0.5" in said


def test_maps_have_a_panel_each_and_names_to_find(browser):
    script = """
    const options = all("#objects option").map((o) => o.value);
    const words = all(".panel figcaption").map((c) => c.textContent);
    const pen = document.querySelector("canvas").getContext("2d");
    const { width, height } = document.querySelector("canvas");
    const drawn = pen.getImageData(0, 0, width, height).data.some((v) => v > 0);
    return [options.slice(0, 2), words, drawn];
    """
    names, words, drawn = browser.ask("view=maps", script)
    assert names == ["Athens", "Lisbon"] and drawn
    assert words == ["SVRG-SBB, STE", "SVRG-SBB, CKL"]
    assert browser.ask("view=maps&loss=ckl", script)[1] == ["SVRG-SBB, CKL"]


def test_pointing_at_a_place_names_it_and_zoom_moves_all_maps(browser):
    script = """
    const canvas = document.querySelector("canvas");
    const frame = canvas.getBoundingClientRect();
    const size = frame.width, zoom = 1.15;
    const at = (x, y) => ({
      clientX: frame.left + size / 2 + (x - 4999.5) * size / 9999 * zoom,
      clientY: frame.top + size / 2 - (y - 4999.5) * size / 9999 * zoom,
    });
    canvas.dispatchEvent(new PointerEvent("pointermove", at(6000, 5000)));
    const named = document.getElementById("tip").textContent;
    const pixels = () => all("canvas").map((c) => c.toDataURL());
    const before = pixels();
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "+" }));
    const after = pixels();
    return [named, before.map((one, i) => one !== after[i])];
    """
    assert browser.ask("view=maps", script) == ["Lisbon", [True, True]]


def test_no_text_of_a_file_becomes_an_element(browser):
    script = """
    const found = [];
    for (const view of ["claims", "tables", "curves", "maps"]) {
      await go(`view=${view}`);
      found.push(all("[onmouseover]").length);
    }
    return [...found, document.title];
    """
    assert browser.ask("", script) == [0, 0, 0, 0, "board"]
    assert browser.said == []
