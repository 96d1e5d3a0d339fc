// Charts of the diagnostics: bars and curves in SVG, each with its numbers as a table.

const LONG = 8; // characters of a label, from which on bars lie

// A part of a section; what it draws depends on its width, so it is drawn when that is known.
function partOf(part) {
  if (part.kind === "figures") return figuresOf(part);
  if (part.kind === "table") {
    const rows = tableOf({ ...part, link: part.objects });
    return make("div", {}, rows, part.caption ? make("p", { class: "caption" }, part.caption) : "");
  }
  if (!(part.x ?? part.values).length)
    return make("p", { class: "caption" }, "There is nothing to show.");
  const draw = part.kind === "curve" ? curve : isLong(part) ? lyingBars : standingBars;
  const picture = make("div");
  const { columns, rows } = numbersOf(part);
  const figure = make(
    "figure",
    { class: `chart ${part.kind}` },
    picture,
    part.caption ? make("figcaption", { class: "caption" }, part.caption) : "",
    make(
      "details",
      {},
      make("summary", {}, "The numbers"),
      tableOf({ columns, rows, caption: labelOf(part) }),
    ),
  );
  let drawn = 0;
  const drawAnew = () => {
    const width = Math.floor(picture.clientWidth);
    if (!width || width === drawn) return;
    drawn = width;
    picture.replaceChildren(draw(part, width));
  };
  new ResizeObserver(() => requestAnimationFrame(drawAnew)).observe(picture);
  return figure;
}

function figuresOf({ values }) {
  const pairs = values.map(([name, value]) =>
    make(
      "div",
      {},
      make("dt", {}, name),
      make("dd", {}, isNumber(value) ? withCommas(value) : (value ?? "–")),
    ),
  );
  return make("dl", { class: "figures" }, pairs);
}

const withCommas = (value) =>
  Number.isInteger(value) ? value.toLocaleString("en-US").replace("-", "−") : tell(value);

// Ranges of numbers, as of a histogram, are no words.
const isLong = ({ labels }) =>
  labels.some(
    (label) => typeof label === "string" && label.length > LONG && /[^-\d.,e+–]/.test(label),
  );

function numbersOf(part) {
  const ends = part.low ? [part.low, part.high] : [];
  const places = part.kind === "curve" ? part.x : part.labels;
  const values = part.kind === "curve" ? part.y : part.values;
  return {
    columns: [part.xlabel || "x", part.ylabel || "y", ...(part.low ? ["from", "to"] : [])],
    rows: places.map((place, i) => [place, values[i], ...ends.map((end) => end[i])]),
  };
}

// What somebody hears who doesn't see the chart.
function labelOf(part) {
  const values = (part.kind === "curve" ? part.y : part.values).filter((v) => v !== null);
  const range = values.length
    ? `, from ${tell(Math.min(...values))} to ${tell(Math.max(...values))}`
    : "";
  const chosen =
    part.kind === "curve" && part.marked !== null ? `; marked at ${tell(part.marked)}` : "";
  return `${part.ylabel} by ${part.xlabel}${range}${chosen}.`;
}

function svgOf(part, width, height, ...children) {
  const box = {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": labelOf(part),
  };
  return make("svg", box, ...children);
}

function tipOn(element, ...lines) {
  const open = () =>
    tip.show(element.getBoundingClientRect(), ...lines.map((line) => make("div", {}, line)));
  for (const kind of ["mouseenter", "click"]) element.addEventListener(kind, open);
  element.addEventListener("mouseleave", tip.hide);
  return element;
}

function linesOf(part, i) {
  const curved = part.kind === "curve";
  const place = curved ? part.x[i] : part.labels[i];
  const value = curved ? part.y[i] : part.values[i];
  const ends =
    part.low && part.low[i] !== null ? ` (${tell(part.low[i])} to ${tell(part.high[i])})` : "";
  const first = isNumber(place) ? tell(place) : place;
  return [
    make("strong", {}, `${part.xlabel ? `${part.xlabel}: ` : ""}${first}`),
    `${part.ylabel}: ${tell(value)}${ends}`,
  ];
}

const known = (...lists) => lists.flatMap((list) => list ?? []).filter((v) => v !== null);

function standingBars(part, width) {
  const height = Math.round(Math.min(300, Math.max(200, width * 0.45)));
  const box = { left: 46, right: width - 4, top: 14, bottom: height - 42 };
  const y = scale([0, Math.max(...known(part.values, part.high), 1e-9)], [box.bottom, box.top]);
  const step = (box.right - box.left) / part.values.length;
  const room =
    9 +
    6.6 *
      Math.max(...part.labels.map((label) => String(isNumber(label) ? tell(label) : label).length));
  const every = Math.ceil(room / step);
  const drawn = y
    .ticks(4)
    .map((tick) => [
      make("line", { class: "grid", x1: box.left, x2: box.right, y1: y(tick), y2: y(tick) }),
      make("text", { x: box.left - 6, y: y(tick) + 4, "text-anchor": "end" }, tell(tick)),
    ]);
  part.values.forEach((value, i) => {
    const left = box.left + i * step;
    const thick = Math.max(1, step - Math.min(4, step * 0.2));
    const at = left + step / 2;
    const tall = { x: at - thick / 2, width: thick, rx: Math.min(3, thick / 3) };
    const bar = make("rect", {
      class: "bar",
      ...tall,
      y: y(value ?? 0),
      height: box.bottom - y(value ?? 0),
    });
    drawn.push(tipOn(bar, ...linesOf(part, i)));
    drawn.push(whiskerOf(part, i, at, y));
    const label = isNumber(part.labels[i]) ? tell(part.labels[i]) : part.labels[i];
    if (i % every === 0)
      drawn.push(make("text", { x: at, y: box.bottom + 16, "text-anchor": "middle" }, label));
  });
  drawn.push(
    make("line", {
      class: "grid",
      x1: box.left,
      x2: box.right,
      y1: box.bottom,
      y2: box.bottom,
    }),
  );
  drawn.push(titlesOf(part, box, height));
  return svgOf(part, width, height, drawn);
}

// What both axes are.
function titlesOf(part, box, height) {
  const [middle, half] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const title = { class: "title", "text-anchor": "middle" };
  return [
    make("text", { ...title, x: middle, y: height - 6 }, part.xlabel),
    make("text", { ...title, x: 11, y: half, transform: `rotate(-90 11 ${half})` }, part.ylabel),
  ];
}

function whiskerOf(part, i, at, y) {
  if (!part.low || part.low[i] === null) return [];
  return make("line", {
    class: "whisker",
    x1: at,
    x2: at,
    y1: y(part.low[i]),
    y2: y(part.high[i]),
  });
}

const ROW = 24; // pixels of a bar that lies

function lyingBars(part, width) {
  const most = Math.floor((width * 0.42) / 6.6);
  const short = part.labels.map((label) => shortened(String(label), most));
  const left = Math.min(width * 0.45, 12 + 6.6 * Math.max(...short.map((label) => label.length)));
  const height = ROW * part.values.length + 24;
  const x = scale([0, Math.max(...known(part.values, part.high), 1e-9)], [left, width - 52]);
  const drawn = part.values.map((value, i) => {
    const top = i * ROW;
    const wide = {
      x: left,
      y: top + 4,
      width: Math.max(0, x(value ?? 0) - left),
      height: ROW - 8,
      rx: 3,
    };
    const end = Math.max(x(value ?? 0), part.high && part.high[i] !== null ? x(part.high[i]) : 0);
    const middle = top + ROW / 2;
    return [
      make("text", { x: left - 8, y: middle + 4, "text-anchor": "end" }, short[i]),
      tipOn(make("rect", { class: "bar", ...wide }), ...linesOf(part, i)),
      part.low && part.low[i] !== null
        ? make("line", {
            class: "whisker",
            x1: x(part.low[i]),
            x2: x(part.high[i]),
            y1: middle,
            y2: middle,
          })
        : "",
      make("text", { class: "value", x: end + 6, y: middle + 4 }, tell(value)),
    ];
  });
  drawn.push(make("text", { class: "title", x: left, y: height - 4 }, part.ylabel));
  return svgOf(part, width, height, drawn);
}

// A range with some room; unlike that of values it does not go on to 0.
function widened(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = 0.05 * (high - low) || 1;
  return [low - room, high + room];
}

function curve(part, width) {
  const square = part.diagonal;
  const height = Math.round(
    Math.min(square ? 380 : 300, Math.max(220, width * (square ? 0.8 : 0.5))),
  );
  const box = { left: 54, right: width - 10, top: 12, bottom: height - 42 };
  const all = { x: known(part.x), y: known(part.y, part.low, part.high) };
  if (square) all.x = all.y = [...all.x, ...all.y];
  const x = scale(square ? extent(all.x, false, 0.06) : widened(all.x), [box.left, box.right]);
  const y = scale(extent(all.y, false, 0.06), [box.bottom, box.top]);
  const whole = (ticks) => (part.whole ? ticks.filter(Number.isInteger) : ticks);
  const drawn = [
    y.ticks(5).map((tick) => [
      make("line", {
        class: "grid",
        x1: box.left,
        x2: box.right,
        y1: y(tick),
        y2: y(tick),
      }),
      make("text", { x: box.left - 6, y: y(tick) + 4, "text-anchor": "end" }, tell(tick)),
    ]),
    whole(x.ticks(width / 60)).map((tick) =>
      make("text", { x: x(tick), y: box.bottom + 16, "text-anchor": "middle" }, tell(tick)),
    ),
  ];
  if (square) {
    const [low, high] = [Math.min(...all.x), Math.max(...all.x)];
    drawn.push(
      make("line", { class: "diagonal", x1: x(low), x2: x(high), y1: y(low), y2: y(high) }),
    );
  }
  if (part.marked !== null)
    drawn.push(
      make("line", {
        class: "marked",
        x1: x(part.marked),
        x2: x(part.marked),
        y1: box.top,
        y2: box.bottom,
      }),
    );
  const places = part.x.map((v, i) =>
    v === null || part.y[i] === null ? null : [x(v), y(part.y[i])],
  );
  const path = places.map((p, i) =>
    p ? `${i && places[i - 1] ? "L" : "M"}${p[0].toFixed(1)} ${p[1].toFixed(1)}` : "",
  );
  drawn.push(make("path", { class: "curve", d: path.join("") }));
  places.forEach((p, i) => {
    if (!p) return;
    drawn.push(whiskerOf(part, i, p[0], y));
    const chosen = part.marked !== null && part.x[i] === part.marked;
    drawn.push(
      tipOn(
        make("circle", { class: "dot", cx: p[0], cy: p[1], r: chosen ? 7 : 5 }),
        ...linesOf(part, i),
      ),
    );
  });
  drawn.push(titlesOf(part, box, height));
  return svgOf(part, width, height, drawn);
}

// By characters, of which some are two units of a string.
function shortened(text, most) {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
}
