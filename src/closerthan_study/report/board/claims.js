// Claims: one card for each, with its verdicts, its parts as marks, and its effects.

const MARKS = { met: "✓", level: "=", "not met": "✗", open: "?", void: "–" };
const SETTINGS = {
  paper: "the paper's",
  code: "the released code's",
  inferred: "inferred from printed numbers",
  ours: "ours",
};
const BASELINES = { paper: "the paper's baselines", fair: "fair baselines" };
const claims = rowsOf("scoreboard");
const readingsOf = {};
for (const row of rowsOf("readings")) (readingsOf[`${row.study}/${row.claim}`] ??= []).push(row);
const partsOf = {};
for (const part of rowsOf("parts")) (partsOf[`${part.study}/${part.claim}`] ??= []).push(part);

function claimsView(holder) {
  const overview = make("div", { class: "overview" });
  const controls = make("div", { class: "controls" });
  const count = make("p", { class: "count", role: "status" });
  const cards = make("div", { class: "cards" });
  const cardOf = new Map();
  holder.append(overview, keyOf(), controls, count, cards);

  const papers = unique(claims.map((claim) => claim.study));
  const verdicts = Object.keys(content.verdicts).filter((verdict) =>
    claims.some((claim) => claim.verdict === verdict),
  );
  const typed = search("Search", "q");
  const top = make("div", { class: "fields" });
  controls.append(top, typed.element);

  return () => {
    const [paper, verdict, words] = ["paper", "verdict", "q"].map((key) => state.get(key));
    overview.replaceChildren(...overviewOf(papers, paper, verdict));
    typed.update();
    const options = (list, label) => [["", "all"], ...list.map((each) => [each, label(each)])];
    const fields = [
      choose("Paper", options(papers, shortName), paper, state.setter("paper")),
      choose("Verdict", options(verdicts, String), verdict, state.setter("verdict")),
    ];
    const clear = press("Show all", () => state.set({ paper: "", verdict: "", q: "" }));
    const filtered = paper || verdict || words;
    top.replaceChildren(...fields, ...(filtered ? [clear] : []));

    const wanted = wordsIn(words);
    const shown = claims.filter((claim) => {
      const all = textOf(claim);
      return (
        (!paper || claim.study === paper) &&
        (!verdict || claim.verdict === verdict) &&
        wanted.every((word) => all.includes(word))
      );
    });
    count.textContent = claims.length
      ? `${shown.length} of ${many(claims.length, "claim")}`
      : "This run has judged no claims.";
    cards.replaceChildren(
      ...shown.map((claim) => {
        if (!cardOf.has(claim)) cardOf.set(claim, card(claim));
        return cardOf.get(claim);
      }),
    );
  };
}

function textOf(claim) {
  const parts = partsOf[`${claim.study}/${claim.claim}`] ?? [];
  const words = [claim.claim, claim.statement, claim.where, claim.verdict, claim.verdict_fair];
  const readings = readingsOf[`${claim.study}/${claim.claim}`] ?? [];
  words.push(...readings.flatMap((row) => [row.setting, row.reading]));
  words.push(claim.sentence, shortName(claim.study), ...parts.map((part) => part.part));
  return words.join(" ").toLowerCase();
}

// A bar for each paper, with a piece for each verdict, and a hatched one for stand-in data. It counts
// the claims; a click filters them by verdict.
function overviewOf(papers, paper, verdict) {
  return papers.map((study) => {
    const ours = claims.filter((claim) => claim.study === study);
    const pieces = Object.keys(content.verdicts)
      .flatMap((each) => [
        [each, ours.filter((claim) => claim.verdict === each && !isStandIn(claim)).length, ""],
        [each, ours.filter((claim) => claim.verdict === each && isStandIn(claim)).length, STAND_IN],
      ])
      .filter(([, n]) => n);
    return make(
      "div",
      { class: "bar" },
      make("span", { class: "name" }, shortName(study)),
      make(
        "div",
        { class: "pieces", role: "group", "aria-label": shortName(study) },
        pieces.map(([each, n, data]) =>
          make(
            "button",
            {
              type: "button",
              class: data ? "hatched" : "",
              style: `--color: ${content.verdicts[each]}; flex-grow: ${n}`,
              "aria-pressed": String(paper === study && verdict === each),
              "aria-label": `${shortName(study)}: ${n} ${each}${data}`,
              title: `${n} ${each}${data}`,
              onclick: () =>
                state.set(
                  paper === study && verdict === each
                    ? { paper: "", verdict: "" }
                    : { paper: study, verdict: each },
                ),
            },
            String(n),
          ),
        ),
      ),
    );
  });
}

// The legend of colors and marks, for verdicts and for parts.
function keyOf() {
  const marks = Object.keys(content.outcomes).map((outcome) =>
    make("span", {}, mark({ outcome, part: "", data: "same" }, "span"), ` ${outcome}`),
  );
  const hatched = [
    make("span", {}, make("i", { class: "swatch hatched" }), " stand-in data"),
    make("span", {}, make("i", { class: "swatch hatched wide" }), " part of the paper's data"),
  ];
  return make(
    "div",
    { class: "key" },
    make("div", {}, "Claims: ", Object.keys(content.verdicts).map((each) => pill(each))),
    make("div", {}, "Parts: ", marks, hatched),
  );
}

const STAND_IN = " on stand-in data";
const isStandIn = (claim) => claim.data === "stand-in";
const hatch = (data) =>
  data === "stand-in" ? "hatched" : data === "partial" ? "hatched wide" : "";

function pill(verdict, data = "") {
  const style = `--color: ${entryOf(content.verdicts, verdict) ?? "var(--quiet)"}`;
  const kind = `swatch ${hatch(data)}`;
  return make("span", { class: "pill" }, make("i", { class: kind, style }), verdict);
}

function card(claim) {
  const parts = partsOf[`${claim.study}/${claim.claim}`] ?? [];
  const fair = parts.filter((part) => part.baselines === "fair");
  const own = parts.filter((part) => part.baselines !== "fair");
  const verdicts = [make("span", { class: "verdict" }, pill(claim.verdict, claim.data))];
  if (claim.verdict_fair) {
    verdicts.push(
      make("span", { class: "against" }, "against fair baselines: "),
      make("span", { class: "verdict" }, pill(claim.verdict_fair, claim.data)),
    );
  }
  if (claim.published) {
    verdicts.push(
      make("span", { class: "against" }, "published, at the paper's sizes: "),
      make("span", { class: "verdict" }, pill(claim.published, claim.data)),
    );
  }
  return make(
    "article",
    { class: "card", "data-claim": `${claim.study}/${claim.claim}` },
    make(
      "header",
      {},
      make("span", { class: "paper" }, shortName(claim.study)),
      make("span", {}, claim.where),
      make("code", {}, claim.claim),
      badgesOf(claim),
    ),
    make("blockquote", {}, claim.statement),
    make("p", { class: "verdicts" }, verdicts),
    claim.sentence ? make("p", { class: "sentence" }, claim.sentence) : null,
    claim.changes ? make("p", { class: "sentence" }, `What would change it: ${claim.changes}`) : null,
    readingsList(readingsOf[`${claim.study}/${claim.claim}`] ?? [], claim),
    marksOf(own, fair.length || own.some((part) => part.baselines) ? BASELINES.paper : "parts"),
    marksOf(fair, BASELINES.fair),
    parts.length ? effectsOf(parts) : null,
    linksOf(claim),
  );
}

// The verdict under each reading of the setting that the paper leaves open.
function readingsList(readings, claim) {
  if (!readings.length) return null;
  return make(
    "dl",
    { class: "readings" },
    make("dt", {}, `By ${readings[0].setting}:`),
    readings.map((row) => make("dd", {}, pill(row.verdict, claim.data), ` ${row.reading}`)),
  );
}

// What data a claim was judged on, and whose its settings are.
function badgesOf(claim) {
  const data = { same: "the paper's", partial: "in part the paper's", "stand-in": "stand-in" };
  const words = [
    ["data", entryOf(data, claim.data)],
    ["settings", entryOf(SETTINGS, claim.settings)],
  ];
  return words
    .filter(([, word]) => word)
    .map(([name, word]) => make("span", { class: "badge" }, `${name}: ${word}`));
}

function marksOf(parts, words) {
  if (!parts.length) return null;
  return make(
    "div",
    { class: "marks", role: "group", "aria-label": words },
    make("span", { class: "against" }, `${words}:`),
    parts.map((part) => tip.on(mark(part, "button"), () => tellPart(part))),
  );
}

function mark(part, tag) {
  return make(
    tag,
    {
      type: tag === "button" ? "button" : null,
      class: `mark ${hatch(part.data)}`,
      style: colorOf(part),
      "aria-label": `${part.outcome}: ${part.part}`,
    },
    make("span", {}, entryOf(MARKS, part.outcome) ?? "·"),
  );
}

const colorOf = (part) => `--color: ${entryOf(content.outcomes, part.outcome) ?? "var(--quiet)"}`;

// A part in words.
function tellPart(part) {
  const against = part.against ? `${part.subject}, against ${part.against}` : part.subject;
  const data = part.data === "same" ? "" : ` (${part.data})`;
  const cases =
    number(part.cases) > 1 ? `the least favorable of ${many(number(part.cases), "case")}` : "";
  return [
    make("strong", {}, part.part),
    definitions([
      ["outcome", part.outcome],
      ["why", part.why],
      ["who", against],
      ["baselines", entryOf(BASELINES, part.baselines) ?? ""],
      ["data", `${part.dataset}${data}`],
      ["measure", part.measure],
      ["effect", effectWords(part)],
      ["threshold", thresholdWords(part)],
      ["from", [trialsWords(part), cases].filter(Boolean).join("; ")],
      ["would change", part.turns],
    ]),
  ];
}

// What the interval resamples: trials, or pairs of words in each trial. Counts have no interval.
function trialsWords(part) {
  if (part.trials === "") return "";
  const trials = many(number(part.trials), "trial");
  if (part.unit === "count") return `counted in ${trials}`;
  return part.unit === "pairs" ? `${trials}, resampled pairs` : trials;
}

const CENSORED = { ">=": "at least ", "<=": "at most " };

function effectWords(part) {
  const effect = number(part.effect);
  if (Number.isNaN(effect)) return "";
  const unit = part.scale === "factor" ? " times" : "";
  const sign = part.scale === "difference" && effect > 0 ? "+" : "";
  const [low, high] = [number(part.low), number(part.high)];
  const interval = Number.isNaN(low) && Number.isNaN(high) ? "" : ` [${say(low)}, ${say(high)}]`;
  const coverage = number(part.coverage);
  const share = interval && !Number.isNaN(coverage) ? `, covers ${say(100 * coverage)} %` : "";
  return `${entryOf(CENSORED, part.censored) ?? ""}${sign}${say(effect)}${unit}${interval}${share}`;
}

function thresholdWords(part) {
  const threshold = number(part.threshold);
  if (Number.isNaN(threshold)) return "";
  return `${part.side} ${say(threshold)}${part.threshold_by ? ` (${part.threshold_by})` : ""}`;
}

// The effects of a claim's parts against their thresholds: one axis for each scale, and one for each
// measure that has no scale.
function effectsOf(parts) {
  const measured = parts.filter((part) => !Number.isNaN(number(part.effect)));
  const others = parts.filter((part) => Number.isNaN(number(part.effect)) && part.why);
  const axes = new Map();
  for (const part of measured) {
    const key = part.scale === "value" ? part.measure.replaceAll("_", " ") : part.scale;
    if (!axes.has(key)) axes.set(key, []);
    axes.get(key).push(part);
  }
  const rows = [...axes].map(([key, ofAxis]) => forest(key, ofAxis));
  for (const part of others) {
    rows.push(
      make("div", { class: "effect" }, effectLabel(part), make("p", { class: "why" }, part.why)),
    );
  }
  if (!rows.length) return null;
  const words = measured.length
    ? `Effects against their thresholds (${measured.length})`
    : "Reasons";
  const open = parts.length <= 8;
  return make("details", { class: "effects", open }, make("summary", {}, words), rows);
}

const AXES = {
  factor: "times better (logarithmic; 1: equal)",
  difference: "difference (0: equal; larger: better)",
};

const EQUAL = { factor: 1, difference: 0 };

function forest(key, parts) {
  const log = parts[0].scale === "factor";
  const equal = entryOf(EQUAL, parts[0].scale);
  const keys = ["effect", "low", "high", "threshold"];
  const values = parts.flatMap((part) => keys.map((name) => number(part[name])));
  if (equal !== undefined) values.push(equal);
  const x = scale(extent(values, log, 0.08), [0, 100], log);
  const ticks = x.ticks(5);
  return make(
    "div",
    { class: "forest" },
    parts.map((part) =>
      make(
        "div",
        { class: "effect" },
        effectLabel(part),
        strip(part, x, ticks, equal, log),
        make("span", { class: "amount" }, effectWords({ ...part, coverage: "" })),
      ),
    ),
    make(
      "div",
      { class: "effect axis" },
      make("span", {}),
      make(
        "div",
        { class: "strip" },
        ticks.map((tick) => make("span", { class: "tick", style: `left: ${x(tick)}%` }, say(tick))),
        make("span", { class: "scale" }, entryOf(AXES, key) ?? key),
      ),
      make("span", {}),
    ),
  );
}

function effectLabel(part) {
  const fair = part.baselines === "fair" ? " (fair)" : "";
  return make("span", { class: "label" }, mark(part, "span"), `${part.part}${fair}`);
}

const ENDS = { less: 0, more: 100 };
const TOWARDS = { "<=": "less", ">=": "more" };
const ARROWS = { less: "◀", more: "▶" };

function strip(part, x, ticks, equal, log) {
  const beyond = (value) =>
    value === Infinity ? "more" : value === -Infinity || (log && value <= 0) ? "less" : "";
  // A value that the axis cannot show, such as 0 on a logarithmic axis, lies at its end.
  const place = (value) => entryOf(ENDS, beyond(value)) ?? Math.min(100, Math.max(0, x(value)));
  const [effect, low, high, threshold] = ["effect", "low", "high", "threshold"].map((key) =>
    number(part[key]),
  );
  const pieces = ticks.map((tick) => make("i", { class: "grid", style: `left: ${x(tick)}%` }));
  if (equal !== undefined) pieces.push(make("i", { class: "equal", style: `left: ${x(equal)}%` }));
  if (!Number.isNaN(threshold)) {
    const at = place(threshold);
    const [from, to] = part.side === "at most" ? [0, at] : [at, 100];
    pieces.push(
      make("i", { class: "zone", style: `left: ${from}%; width: ${to - from}%` }),
      make("i", { class: "threshold", style: `left: ${at}%` }),
    );
  }
  const color = colorOf(part);
  if (!Number.isNaN(low) && !Number.isNaN(high)) {
    const left = place(low);
    const width = Math.max(place(high) - left, 0.3);
    pieces.push(
      make("i", { class: "interval", style: `${color}; left: ${left}%; width: ${width}%` }),
    );
  }
  const style = `${color}; left: ${place(effect)}%`;
  pieces.push(make("i", { class: "dot", style }));
  const kind = entryOf(TOWARDS, part.censored) ?? beyond(effect);
  if (kind) pieces.push(make("i", { class: `arrow ${kind}`, style }, ARROWS[kind]));
  const words = `${part.part}: ${effectWords(part)}; threshold ${thresholdWords(part)}`;
  const element = make("div", { class: "strip", role: "img", "aria-label": words }, pieces);
  return tip.on(element, () => tellPart(part));
}

function linksOf(claim) {
  const files = entryOf(content.artefacts, claim.artefact) ?? [];
  const links = files.map((file) => {
    const kind = file.split(".").pop().toUpperCase();
    const noun = file.startsWith("figures") ? "Figure" : "Table";
    return make("a", { href: encodeURI(file) }, `${noun} (${kind})`);
  });
  const study = entryOf(content.studies, claim.study);
  const sources = [...(study?.settings ?? []), content.judging].map((path) =>
    content.source
      ? make("a", { href: content.source + path, rel: "noopener" }, path.split("/").pop())
      : make("code", {}, path),
  );
  return make(
    "footer",
    { class: "links" },
    links,
    make("details", {}, make("summary", {}, "Settings and code"), sources),
  );
}
