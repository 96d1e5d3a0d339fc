"""The board in a browser: it draws itself, filters, sorts and switches, and says no error."""

from urllib.parse import quote

import pytest

import planted_board

CELLS = """
const names = all("thead th").map((th) => th.textContent);
return all("tbody tr").map((row) => row.children[names.indexOf("%s")].textContent.trim());
"""
LINES = 'return all(".picture path.line").map((path) => path.getAttribute("d"));'


@pytest.mark.parametrize("width", [1400, 320])
def test_every_view_draws_itself_within_the_window(browser, width):
    script = """
    const found = [];
    for (const view of ["claims", "tables", "curves", "maps"]) {
      await go(`view=${view}`);
      const shown = document.querySelector("section.view:not([hidden])");
      const whole = document.documentElement;
      const clipped = all("main svg text").filter((text) => {
        const [inner, outer] = [text, text.closest("svg")].map((e) => e.getBoundingClientRect());
        return inner.width && (inner.left < outer.left || inner.right > outer.right);
      });
      const words = clipped.map((text) => text.textContent);
      const filled = shown.textContent.length > 50;
      const beyond = whole.scrollWidth - whole.clientWidth;
      found.push([view, shown.className, filled, innerWidth, beyond, words]);
    }
    return found;
    """
    for view, shown, filled, inner, beyond, clipped in browser.ask("", script, size=(width, 900)):
        assert shown == f"view {view}" and filled and inner == width
        assert beyond <= 0, f"{view} scrolls sideways"
        assert clipped == []
    assert browser.said == []


@pytest.mark.parametrize("name", ["constructor", "__proto__", "nothing"])
def test_a_view_that_is_not_there_is_that_of_claims(browser, name):
    script = 'return all(".card").length;'
    assert browser.ask(f"view={name}", script) == len(planted_board.scoreboard())
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


def test_an_effect_without_a_place_on_its_axis_lies_at_its_end(browser):
    """What is endless, and 0 on a logarithmic axis."""
    script = """
    return all(".forest .strip[role]").map((strip) => {
      const found = [".dot", ".arrow", ".interval"].map((kind) => strip.querySelector(kind));
      return [found[0].style.left, found[1].style.left, found[1].textContent, found[2].style.left];
    });
    """
    assert browser.ask("q=fails", script) == [["0%", "0%", "◀", "0%"]] * 2


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("it is faster: STE", "10 trials"),
        ("the step settles: STE", "1 trial, resampled pairs"),
        ("it never fails: STE", "counted in 50 trials"),
    ],
)
def test_a_part_says_how_many_trials_it_has(browser, part, words):
    script = f"""
    all(".marks button").find((mark) => mark.ariaLabel.endsWith("{part}")).click();
    const name = all("#tip dt").find((dt) => dt.textContent === "of");
    return name.nextSibling.textContent;
    """
    assert browser.ask("", script) == words


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("", ["9.25", "", "1e-07"]),
        ("ours:asc", ["1e-07", "9.25", ""]),
        ("ours:desc", ["9.25", "1e-07", ""]),
    ],
)
def test_sorting_sorts_numbers_with_what_is_missing_last(browser, order, expected):
    assert browser.ask(f"view=tables&table=printed&sort={order}", CELLS % "ours") == expected


def test_what_is_endless_is_a_number(browser):
    highs = browser.ask("view=tables&table=parts&sort=high:desc", CELLS % "high")
    assert highs[:2] == ["inf", "3.1"] and highs[-1] == ""


def test_a_number_is_shown_as_its_file_has_it_but_for_digits_that_nobody_reads(browser):
    script = """
    const cells = [...document.querySelector("tbody tr").children];
    const names = all("thead th").map((th) => th.textContent);
    return ["low", "high", "difference"].map((name) => {
      const cell = cells[names.indexOf(name)];
      return [cell.textContent, cell.firstElementChild?.title ?? ""];
    });
    """
    assert browser.ask("view=tables&table=printed", script) == [
        ["0.36971", ""],
        ["0.123457", "0.12345678901"],
        ["-1.25", ""],
    ]


def test_columns_filter_by_words_and_by_numbers(browser):
    methods = CELLS % "method"
    assert browser.ask("view=tables&table=printed&col.status=compared", methods) == [
        "svrg-sbb",
        "svrg",
    ]
    assert browser.ask("view=tables&table=printed&rows=not+reached", methods) == ["batch"]


@pytest.mark.parametrize(
    ("wanted", "methods"),
    [
        (">5", ["svrg-sbb", "batch"]),
        ("> 10.5", ["batch"]),
        (">= 10.5", ["svrg-sbb", "batch"]),
        ("<=10.5", ["svrg-sbb", "svrg"]),
        ("< 10.5", ["svrg"]),
        (">=", ["svrg-sbb", "batch", "svrg"]),
        ("0.5", ["svrg-sbb"]),
    ],
)
def test_columns_of_numbers_are_compared(browser, wanted, methods):
    found = browser.ask(f"view=tables&table=printed&col.printed={quote(wanted)}", CELLS % "method")
    assert found == methods


def test_an_outcome_has_its_mark_and_a_verdict_its_pill(browser):
    script = 'return all("tbody :is(.mark, .pill)").map((mark) => mark.className.trim());'
    assert set(browser.ask("view=tables&table=parts&col.outcome=undecided", script)) == {"mark"}
    state = "view=tables&table=scoreboard&col.verdict=undecided"
    assert set(browser.ask(state, script)) == {"pill"}


def test_a_column_of_words_is_searched_for_signs(browser):
    state = f"view=tables&table=parts&col.censored={quote('>=')}"
    assert browser.ask(state, CELLS % "part") == ["it is faster: t-STE"]


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
    const words = document.querySelector(".picture .xlabel").textContent;
    const caption = document.querySelector(".curves .caption").textContent;
    return [before, lines(), words, document.activeElement.textContent, caption];
    """
    before, after, words, focus, caption = browser.ask("view=curves", script)
    assert len(before) == len(after) == 3, "two methods and the control"
    assert before[0] != after[0] and before[1] != after[1]
    assert before[2] == after[2], "a level is the same over any axis"
    assert words == focus == "seconds"
    assert "5 trials" in caption and "quartile" in caption and "one thread" in caption


def test_methods_losses_and_axes_are_chosen(browser):
    whole = browser.ask("view=curves", LINES)
    assert len(browser.ask("view=curves&off=batch", LINES)) == 4, "of five"
    assert browser.ask("view=curves&log=y", LINES) != whole
    of_ckl = browser.ask("view=curves&loss=ckl", LINES)
    assert len(of_ckl) == len(whole) and of_ckl[0] != whole[0]


def test_at_first_each_method_is_shown_in_one_way(browser):
    script = """
    const pressed = () => all('.legend [aria-pressed="true"]').map((button) => button.textContent);
    const found = [pressed()];
    for (const words of ["SVRG-SBB, b = 20", "SVRG-SBB", "Show all", "Show fewer"]) {
      one(".legend button", words).click();
      const off = new URLSearchParams(location.hash.slice(1)).get("off");
      found.push([pressed().length, off, all(".picture path.line").length]);
    }
    return found;
    """
    first, more, fewer, whole, again = browser.ask("view=curves", script)
    assert first == ["batch", "SVRG-SBB", "random points"]
    assert more == [4, "SVRG-SBB, tuned", 4]
    assert fewer == [3, "SVRG-SBB, tuned|SVRG-SBB", 3]
    assert whole == [5, "none", 5]
    assert again == [3, None, 3]


def test_a_chart_can_be_read_off_by_keys(browser):
    script = """
    const chart = document.querySelector(".picture svg");
    chart.focus();
    const right = () => new KeyboardEvent("keydown", { key: "ArrowRight" });
    for (let i = 0; i < 2; i++) chart.dispatchEvent(right());
    return document.getElementById("tip").innerText;
    """
    said = browser.ask("view=curves", script)
    assert "training comparisons: 1" in said and "0.3" in said and "0.5" in said


def test_maps_have_a_panel_each_and_names_to_find(browser):
    script = """
    const options = all("#find-names option").map((o) => o.value);
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
    const size = frame.width, unit = 1.5 * (size - 72) / 9999;
    const at = (x, y) => ({
      clientX: frame.left + size / 2 + (x - 4999.5) * unit,
      clientY: frame.top + size / 2 - (y - 4999.5) * unit,
    });
    canvas.dispatchEvent(new PointerEvent("pointermove", at(6000, 5000)));
    const named = document.getElementById("tip").textContent;
    const pixels = () => all("canvas").map((c) => c.toDataURL());
    const drawn = () => new Promise((done) => setTimeout(done, 50));
    await drawn();
    const before = pixels();
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "+" }));
    await drawn();
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
