"""Paint the verdicts on the claims of all papers, part by part: tables of texts, and figures."""

from itertools import product
from pathlib import Path
from textwrap import fill, shorten

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from closerthan_study import colors
from closerthan_study.claims import outcomes
from closerthan_study.claims.cases import FAIR
from closerthan_study.figures.panels import label_ticks
from closerthan_study.figures.style import PAGE
from closerthan_study.spec.printed import STAND_IN

# Told apart by shape as well as by color.
SHAPES = dict(zip(outcomes.OUTCOMES, "oDXPs", strict=True))
_IN_FULL = {"not": "not reproduced"}
HATCH = {"hatch": "////", "edgecolor": "0.3", "linewidth": 0}
_SIGNS = {"at least": "≥", "at most": "≤"}
_PART_COLUMNS = ("paper", "name", "part", "required → ours", "outcome", "turns", "required by")
_SOURCES = {"words": "the paper's words", "code": "the released code", "printed": "printed numbers"}
_SOURCES |= {"judged": "the judged number alone", "ours": "ours"}
_SCALES = {"factor": "ratio of ", "difference": "difference of ", "value": ""}
_TITLE = 300  # letters of a claim's title
_WRAP = 78  # letters of a name in a line
_SMALL = 6.0  # font size of names
_EDGE = 30  # larger factors, and those below its inverse, are arrows at the edge


def read(page):
    """Return the judged claims, with the short name of each paper, in the order of the studies."""
    claims = pd.read_csv(Path(page.reports, "scoreboard.csv"), keep_default_na=False)
    return _by_paper(page, claims.assign(title=claims.statement.map(_title_of)))


def read_parts(page):
    """Return the parts of the claims, with the short name of each paper and the claims' titles."""
    parts = pd.read_csv(Path(page.reports, "parts.csv"))
    words = dict.fromkeys(["baselines", "loss", "dataset"], object)
    columns = [*parts.select_dtypes(["object", "string"]), *words]
    parts = parts.astype(words).fillna(dict.fromkeys(columns, ""))
    for column in ("loss", "dataset"):
        pairs = zip(parts.study, parts[column], strict=True)
        parts[column] = [page.spec.study(study).label(name) for study, name in pairs]
    return _titled(page, parts)


def read_readings(page):
    """Return the claims under each reading of their hinges, as `read_parts` does."""
    return _titled(page, pd.read_csv(Path(page.reports, "readings.csv"), keep_default_na=False))


def tell_claims(claims, parts, readings):
    """Return the table of claims, each with its verdict and the part that decides it."""
    of_claim = ["study", "claim"]
    told = parts[parts.outcome.isin(outcomes.RANKS) & parts.baselines.ne(FAIR)]
    data = told.merge(claims, "left", of_claim, suffixes=("", "_of_claim")).data_of_claim
    told = told[told.data.ne(STAND_IN) | data.eq(STAND_IN).to_numpy()]
    decisive = told.sort_values(
        "outcome", key=lambda outcome: outcome.map(outcomes.RANKS.index), kind="stable"
    ).drop_duplicates(of_claim)
    decides = [f"{part.part}: {_asked(part)}" for part in decisive.itertuples()]
    decisive = decisive.assign(decides=decides)
    hinges = readings[[*of_claim, "setting"]].drop_duplicates(of_claim)
    table = claims.merge(decisive[[*of_claim, "decides"]], "left", of_claim)
    table = table.merge(hinges, "left", of_claim)
    table = table.astype({"decides": object, "setting": object}).fillna("")
    differ = table.readings.where(table.readings.eq(""), ", readings " + table.readings)
    columns = {
        "paper": table.paper,
        "claim": table.statement + " (" + table["where"] + ")",
        "verdict": _with_counts(table) + differ,
        "against fair baselines": table.verdict_fair,
        "the part that decides: required → ours": table.decides,
        "why": table.why,
        "what to know": table.note,
        "data": table.data,
        "settings": table.settings,
        "the setting with several readings": table.setting,
        "figure or table": table.artefact,
        "name": table.claim,
    }
    return pd.DataFrame(columns)


def tell_readings(readings):
    """Return the table of readings, with one verdict a row; the first makes that of the claim."""
    columns = {
        "paper": readings.paper,
        "what is claimed": readings.title,
        "setting": readings.setting,
        "reading": readings.reading,
        "supported by": readings.source.map(_SOURCES),
        "verdict": _with_counts(readings),
        "against fair baselines": readings.verdict_fair,
        "name": readings.claim,
    }
    return pd.DataFrame(columns)


def tell_parts(parts):
    """Return the table of the parts that were measured."""
    rows = [_tell_part(part) for part in parts.itertuples() if part.outcome in outcomes.RANKS]
    return pd.DataFrame(rows, columns=_PART_COLUMNS)


def _tell_part(part):
    against = f" against {part.against}" if part.against else ""
    fair = ", fair" if part.baselines == FAIR else ""
    stand_in = "; stand-in data" if part.data == STAND_IN else ""
    what = f"{part.part}; {part.subject}{against}{fair}{stand_in}"
    value = f"{_SCALES[part.scale]}{part.measure}: {_asked(part)}"
    outcome = f"{part.outcome}: {part.why}" if part.why else part.outcome
    return part.paper, part.claim, what, value, outcome, part.turns, part.threshold_by


def _with_counts(judged):
    """Return verdicts, each with the number of its parts that are met and open."""
    counted = judged[["met", "level", "not_met", "open"]].sum(axis=1)
    said = [
        verdict + (f" ({met} of {n} met" + f", {is_open} open" * (is_open > 0) + ")" if n else "")
        for verdict, met, n, is_open in zip(
            judged.verdict, judged.met, counted, judged.open, strict=True
        )
    ]
    return pd.Series(said, judged.index, object)


def _asked(part):
    """Return the required value, then ours with its interval and the number of trials."""
    threshold, effect, low, high = map(_number, (part.threshold, part.effect, part.low, part.high))
    bound = "≥ " if part.censored else ""
    trials = f"[{low}, {high}], n = {part.trials:.0f}"
    return f"{_SIGNS[part.side]} {threshold} → {bound}{effect} {trials}"


def _number(value):
    if np.isinf(value):
        return "∞" if value > 0 else "-∞"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}" if 0.97 < value < 1.03 else f"{value:.3g}"  # about equal


def _title_of(statement):
    """Return a claim without its full stop, or the start of a long one."""
    return shorten(statement.removesuffix("."), _TITLE, placeholder=" …")


def _titled(page, table):
    keys = ["study", "claim"]
    return _by_paper(page, table).merge(read(page)[[*keys, "title"]].drop_duplicates(keys), "left")


def _by_paper(page, table):
    studies = dict.fromkeys([*page.spec.studies, *page.spec.known_studies])
    papers = {name: page.spec.study(name).title.partition(":")[0] for name in studies}
    table["paper"] = pd.Categorical(table.study.map(papers), papers.values())
    table = table.sort_values("paper", kind="stable", ignore_index=True)
    return table.astype({"paper": object})


def verdicts(claims):
    """Draw the number of claims by verdict for each paper, a panel for each kind of baselines."""
    kinds = {"verdict": "the paper's own baselines"}
    if claims.verdict_fair.ne("").any():
        kinds["verdict_fair"] = "fair baselines"
    papers = list(dict.fromkeys(claims.paper))
    size = (PAGE, 0.35 * len(papers) + 1.2)
    longest = [max(claims[claims[kind] != ""].paper.value_counts(), default=1) for kind in kinds]
    grid = {"sharey": True, "squeeze": False, "width_ratios": longest}
    figure, axes = plt.subplots(1, len(kinds), figsize=size, **grid)
    for ax, (column, title) in zip(axes[0], kinds.items(), strict=True):
        judged = claims[claims[column] != ""]
        keys = [judged.paper, judged[column], judged.data.eq(STAND_IN)]
        counts = judged.groupby(keys, sort=False).size().unstack([1, 2], fill_value=0)
        counts = counts.reindex(papers, fill_value=0)
        left = pd.Series(0, index=counts.index)
        for key in product(outcomes.VERDICTS, (False, True)):
            if key not in counts:
                continue
            look = {"color": colors.VERDICTS[key[0]]} | (HATCH if key[1] else {})
            bars = ax.barh(papers, counts[key], left=left, **look)
            numbers = [str(n) if n else "" for n in counts[key]]
            box = {"fc": "white", "ec": "none", "alpha": 0.7, "pad": 0.8} if key[1] else None
            labels = ax.bar_label(bars, numbers, label_type="center", fontsize=7)
            plt.setp([label for label in labels if label.get_text()], bbox=box)
            left = left + counts[key]
        ax.set(xlabel="claims", title=title)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes[0, 0].invert_yaxis()
    found = {*claims.verdict, *claims.verdict_fair}
    handles = {
        _IN_FULL.get(verdict, verdict): plt.Rectangle((0, 0), 1, 1, color=colors.VERDICTS[verdict])
        for verdict in outcomes.VERDICTS
        if verdict in found
    }
    if claims.data.eq(STAND_IN).any():
        handles["on stand-in data"] = plt.Rectangle((0, 0), 1, 1, facecolor="white", **HATCH)
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=6)
    return figure


def effects(parts):
    """Draw by what factor contenders are better: the lowest part of each kind, below its claim.

    A part that compares by no factor has a row of words.
    """
    every = _least_favorable(parts[parts.outcome.isin(outcomes.RANKS)])
    ticks, labels, place, every["y"] = [], [], -1.0, np.nan
    for _, of_claim in every.groupby("claim", sort=False):
        place += 0.55
        stand_in = " (stand-in data)" if of_claim.data.eq(STAND_IN).all() else ""
        title = of_claim.title.iloc[0] + stand_in
        for key, text in [(None, title), *of_claim.label.items()]:
            text = fill(text, _WRAP, break_on_hyphens=False)
            n_lines = text.count("\n") + 1
            ticks, labels = [*ticks, place + (n_lines + 1) / 2], [*labels, (text, key is None)]
            every.loc[[] if key is None else [key], "y"] = ticks[-1]
            place += n_lines + 0.25 * (key is None)
    rows = every[every["scale"].eq("factor")]
    figure, ax = plt.subplots(figsize=(PAGE, 0.088 * (place + 1) + 0.9))
    numbers = rows[["effect", "low", "high", "threshold"]]
    near = numbers.where(numbers.gt(1 / _EDGE) & numbers.lt(_EDGE))
    least, most = min(1, near.min().min()) / 1.3, max(1, near.max().max()) * 1.3
    for outcome, of_outcome in rows.groupby("outcome"):
        color = colors.OUTCOMES[outcome]
        ends = of_outcome[["low", "high"]].clip(least, most)
        ax.hlines(of_outcome.y, ends.low, ends.high, color=color, lw=1.3)
        at = of_outcome.effect.clip(least, most)
        beyond = np.sign(of_outcome.effect - at)
        for side, shape in {0: SHAPES[outcome], 1: ">", -1: "<"}.items():
            there = beyond == side
            edge = {"marker": shape, "lw": 0.4, "ec": "white", "zorder": 4, "clip_on": False}
            ax.scatter(at[there], of_outcome.y[there], 22, color, **edge)
        for row in of_outcome[beyond.ne(0) & np.isfinite(of_outcome.effect)].itertuples():
            right = row.effect > most
            text = f"{row.effect:,.0f}  " if right else f"  {row.effect:.2g}"
            look = {"ha": "right" if right else "left", "va": "center", "fontsize": _SMALL}
            ax.text(most if right else least, row.y, text, **look)
    for part in every[every["scale"].ne("factor")].itertuples():
        look = {"color": colors.OUTCOMES[part.outcome], "transform": ax.get_yaxis_transform()}
        ax.plot(0.02, part.y, SHAPES[part.outcome], ms=4, mew=0, **look)
        look |= {"va": "center", "bbox": {"fc": "white", "ec": "none", "pad": 0.5}}
        ax.text(0.05, part.y, _asked(part), fontsize=_SMALL, **look)
    ax.scatter(rows.threshold, rows.y, 64, "black", marker="|", lw=1.2, zorder=3)
    ax.axvline(1, color="0.8", lw=0.8, zorder=0)
    ax.set(
        xscale="log",
        xlim=(least, most),
        ylim=(place + 1, -1),
        xlabel="better, as claimed, by a factor of",
    )
    _label_factors(ax, least, most)
    ax.set_yticks(ticks, [text for text, _ in labels], fontsize=_SMALL)
    for label, (_, is_title) in zip(ax.get_yticklabels(), labels, strict=True):
        label.set(weight="bold" if is_title else "normal", linespacing=1.05)
    ax.tick_params(axis="y", length=0)
    handles = [
        Line2D([], [], color=colors.OUTCOMES[name], marker=shape, ls="", label=name)
        for name, shape in SHAPES.items()
        if name in set(every.outcome)
    ]
    handles.append(Line2D([], [], color="black", marker="|", ls="", label="threshold"))
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    return figure


def _least_favorable(parts):
    """Return the lowest part of each kind (the words before a colon) and baselines, named."""
    kinds = [parts.claim, parts.part.str.partition(":")[0], parts.baselines.eq(FAIR)]
    rows = []
    for (_, _, fair), of_kind in parts.groupby(kinds, sort=False):
        rank = of_kind.outcome.map(outcomes.RANKS.index)
        beyond = of_kind.effect / of_kind.threshold
        if not of_kind["scale"].eq("factor").all():
            sign = of_kind.side.map({"at least": 1, "at most": -1})
            beyond = sign * (of_kind.effect - of_kind.threshold)
        order = [beyond, rank]  # the last decides first
        lowest = of_kind.iloc[[np.lexsort(order)[0]]]
        n_met = of_kind.outcome.eq(outcomes.MET).sum()
        said = f"({n_met} of {len(of_kind)} met)".replace(" ", "\N{NO-BREAK SPACE}")
        words = ", fair baselines" * fair + f" {said}" * (len(of_kind) > 1)
        rows.append(lowest.assign(label=lowest.part + words))
    return pd.concat(rows)


def _label_factors(ax, least, most):
    """Label a logarithmic axis with plain numbers, the more of each decade the fewer there are."""
    steps = (1, 2, 3, 5, 7) if most < 10 * least else (1, 2, 5) if most < 100 * least else (1,)
    decades = 10.0 ** np.arange(np.floor(np.log10(least)), np.ceil(np.log10(most)))
    label_ticks(ax, [tick for tick in np.outer(decades, steps).ravel() if least <= tick <= most])
