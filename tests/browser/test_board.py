"""The board works in a browser without errors: it draws, filters, sorts and switches."""

from urllib.parse import quote

import pytest

import planted_board

PRINTED, PARTS = "view=tables&table=printed", "view=tables&table=parts"


@pytest.mark.parametrize("width", [1400, 320])
def test_every_view_draws_itself_within_the_window_and_no_text_becomes_an_element(browser, width):
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
      const evil = all("[onmouseover]").length || document.title !== "board";
      found.push([view, shown.className, filled, innerWidth, beyond, words, evil]);
    }
    return found;
    """
    for view, shown, filled, inner, beyond, *none in browser.ask("", script, size=(width, 900)):
        assert shown == f"view {view}" and filled and inner == width
        assert beyond <= 0, f"{view} scrolls sideways"
        assert none == [[], False]
    assert browser.said == []


def test_filters_hide_cards_and_a_view_that_is_not_there_is_that_of_claims(browser):
    states = {
        "paper=svrg_sbb": ["svrg_sbb/faster", "svrg_sbb/settles"],
        "verdict=partly": ["svrg_sbb/faster", "erkle/error"],
        "q=step+settles": ["svrg_sbb/settles"],
        "q=as+in+the+code": ["svrg_sbb/faster"],
        "paper=erkle&verdict=reproduced": ["erkle/holds"],
        "paper=svrg_sbb&verdict=not": [],
    }
    whole = ["", "view=constructor", "view=__proto__", "view=nothing"]
    script = f"""
    const found = {{}};
    for (const state of {whole + list(states)}) {{
      await go(state);
      const cards = all(".card").filter((card) => card.checkVisibility());
      found[state] = cards.map((card) => card.dataset.claim);
    }}
    return found;
    """
    found = browser.ask("q=nothing", script)
    assert [len(found.pop(state)) for state in whole] == [len(planted_board.scoreboard())] * 4
    assert found == states and browser.said == []


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
      pills: of(".verdicts .pill").map((pill) => pill.textContent),
      readings: of(".readings *:not(.pill, i)").map((row) => row.textContent),
    };
    """
    found = browser.ask("", script)
    assert found["words"][0] == "met: it is faster: STE" and len(found["words"]) == 5
    assert "nobody reaches the target" in found["tip"], "which shows on focus"
    assert found["strips"] == 4, "one part has no effect"
    assert found["arrows"] == ["▶", "◀"]
    assert found["links"] == ["figures/svrg_sbb/faster.png"]
    assert found["pills"] == ["partly", "open"]
    assert found["readings"] == [
        "By the step:",
        *("partly as printed", "not as in the code"),
    ]


def test_stand_ins_are_hatched_and_others_are_not(browser):
    script = """
    const hatched = all(".marks button.hatched");
    return hatched.map((mark) => mark.closest(".card").dataset.claim);
    """
    assert browser.ask("", script) == ["erkle/error", "erkle/error"]


def test_effects_lie_where_their_axis_says(browser):
    """The axis of factors is logarithmic; an effect that is met lies beyond the threshold."""
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
    """Such effects are infinity, and 0 on a logarithmic axis."""
    script = """
    return all(".forest .strip[role]").map((strip) => {
      const found = [".dot", ".arrow", ".interval"].map((kind) => strip.querySelector(kind));
      return [found[0].style.left, found[1].style.left, found[1].textContent, found[2].style.left];
    });
    """
    assert browser.ask("q=fails", script) == [["0%", "0%", "◀", "0%"]] * 2


def test_a_part_says_how_many_trials_it_has(browser):
    told = {
        "it is faster: STE": "10 trials",
        "the step settles: STE": "1 trial, resampled pairs",
        "it never fails: STE": "counted in 50 trials",
    }
    script = f"""
    return Object.fromEntries({list(told)}.map((part) => {{
      all(".marks button").find((mark) => mark.ariaLabel.endsWith(part)).click();
      const name = all("#tip dt").find((dt) => dt.textContent === "from");
      return [part, name.nextSibling.textContent];
    }}));
    """
    assert browser.ask("", script) == told


def test_tables_are_sorted_and_filtered_by_words_and_by_numbers(browser):
    """Missing values come last in both orders; infinity counts as a number."""
    wanted = {
        (PRINTED, "ours"): ["9.25", "", "1e-07"],
        (f"{PRINTED}&sort=ours:asc", "ours"): ["1e-07", "9.25", ""],
        (f"{PRINTED}&sort=ours:desc", "ours"): ["9.25", "1e-07", ""],
        (f"{PARTS}&sort=high:desc", "high"): [
            *("inf", "3.1", "1.6", "0.6", "0.5", "0.1", "0.1", "0.06", "0.03", "-0.8", "", "")
        ],
        (f"{PRINTED}&col.status=compared", "method"): ["svrg-sbb", "svrg"],
        (f"{PRINTED}&rows=not+reached", "method"): ["batch"],
        (f"{PARTS}&col.censored={quote('>=')}", "part"): ["it is faster: t-STE"],
    }
    compared = {
        ">5": ["svrg-sbb", "batch"],
        "> 10.5": ["batch"],
        ">= 10.5": ["svrg-sbb", "batch"],
        "<=10.5": ["svrg-sbb", "svrg"],
        "< 10.5": ["svrg"],
        ">=": ["svrg-sbb", "batch", "svrg"],
        "0.5": ["svrg-sbb"],
    }
    for limit, methods in compared.items():
        wanted[f"{PRINTED}&col.printed={quote(limit)}", "method"] = methods
    script = f"""
    const found = [];
    for (const [state, column] of {[list(key) for key in wanted]}) {{
      await go(state);
      const names = all("thead th").map((th) => th.textContent);
      const cells = all("tbody tr").map((row) => row.children[names.indexOf(column)]);
      found.push(cells.map((cell) => cell.textContent.trim()));
    }}
    return found;
    """
    assert dict(zip(wanted, browser.ask("", script), strict=True)) == wanted


def test_cells_are_shown_as_numbers_marks_and_pills(browser):
    """Numbers agree with the file, except for rounding."""
    script = f"""
    const cells = [...document.querySelector("tbody tr").children];
    const names = all("thead th").map((th) => th.textContent);
    const numbers = ["low", "high", "difference"].map((name) => {{
      const cell = cells[names.indexOf(name)];
      return [cell.textContent, cell.firstElementChild?.title ?? ""];
    }});
    const kinds = () => all("tbody :is(.mark, .pill)").map((mark) => mark.className.trim());
    await go("{PARTS}&col.outcome=open");
    const outcomes = kinds();
    await go("view=tables&table=scoreboard&col.verdict=open");
    return [numbers, outcomes, kinds()];
    """
    numbers, outcomes, verdicts = browser.ask(PRINTED, script)
    assert numbers == [["0.36971", ""], ["0.123457", "0.12345678901"], ["-1.25", ""]]
    assert {*outcomes} == {"mark"} and {*verdicts} == {"pill"}


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
    script = """
    const found = [];
    for (const state of ["", "&off=batch", "&log=y", "&loss=ckl"]) {
      await go(`view=curves${state}`);
      found.push(all(".picture path.line").map((path) => path.getAttribute("d")));
    }
    return found;
    """
    whole, fewer, logarithmic, of_ckl = browser.ask("", script)
    assert len(fewer) == 4, "of five"
    assert logarithmic != whole
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
