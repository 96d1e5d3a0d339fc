// Draw a section: key figures, tables, bar charts and curves with their numbers.

const LONG = 8; // characters of a label; with longer labels, bars are horizontal
const LETTER = 6.6; // pixels, about

// Draw a block of a section. The layout of a chart depends on its width, so the chart is drawn when
// the width is known.
function blockOf(block) {
  if (block.kind === "figures") return figuresOf(block);
  const captionIn = (tag) =>
    block.caption ? make(tag, { class: "caption" }, block.caption) : "";
  if (block.kind === "table") {
    const draw = (cell, k) => (k === block.objects ? linkTo(cell) : plainCell(cell));
    return make("div", {}, tableOf({ ...block, draw }).element, captionIn("p"));
  }
  const curved = block.kind === "curve";
  const chart = {
    ...block,
    curved,
    at: curved ? block.x : block.labels,
    y: curved ? block.y : block.values,
    dots: curved,
  };
  if (!chart.at.length) return make("p", { class: "caption" }, "No data.");
  const draw = curved ? curve : isLong(block) ? lyingBars : standingBars;
  const picture = make("div");
  const columns = [chart.xlabel || "x", chart.ylabel || "y", ...(chart.low ? ["from", "to"] : [])];
  const ends = chart.low ? [chart.low, chart.high] : [];
  const rows = chart.at.map((place, i) => [place, chart.y[i], ...ends.map((end) => end[i])]);
  const numbers = tableOf({ columns, rows, caption: labelOf(chart) }).element;
  let drawn = 0;
  const drawAnew = () => {
    const width = Math.floor(picture.clientWidth);
    if (width && width !== drawn) draw(picture, chart, width);
    drawn = width;
  };
  new ResizeObserver(() => requestAnimationFrame(drawAnew)).observe(picture);
  return make(
    "figure",
    { class: `chart ${block.kind}` },
    picture,
    captionIn("figcaption"),
    make("details", {}, make("summary", {}, "The numbers"), numbers),
  );
}

function figuresOf({ values }) {
  const inFull = (value) =>
    Number.isInteger(value) ? value.toLocaleString("en-US").replace("-", "−") : tell(value);
  const pairs = values.map(([name, value]) =>
    make(
      "div",
      {},
      make("dt", {}, name),
      make("dd", {}, isNumber(value) ? inFull(value) : (value ?? "–")),
    ),
  );
  return make("dl", { class: "figures" }, pairs);
}

// Ranges of numbers, as in a histogram, count as numbers, not as words.
const isLong = ({ labels }) =>
  labels.some(
    (label) => typeof label === "string" && label.length > LONG && /[^-\d.,e+–]/.test(label),
  );

// Description of the chart for screen readers.
function labelOf({ xlabel, ylabel, y, marked = null }) {
  const [low, high] = rangeOf(y);
  const range = low <= high ? `, from ${tell(low)} to ${tell(high)}` : "";
  return `${ylabel} by ${xlabel}${range}${marked === null ? "" : `; marked at ${tell(marked)}`}.`;
}

const wordOf = (label) => (isNumber(label) ? tell(label) : label);

// Draw a bar with its tooltip.
function barOf({ xlabel, ylabel, at, y, low, high }, i, box) {
  const ends = low && low[i] !== null ? ` (${tell(low[i])} to ${tell(high[i])})` : "";
  return tip.on(make("rect", { class: "bar", ...box }), () => [
    make("strong", {}, `${xlabel ? `${xlabel}: ` : ""}${wordOf(at[i])}`),
    make("div", {}, `${ylabel}: ${tell(y[i])}${ends}`),
  ]);
}

// Bars must start at 0.
const lengths = (chart, ends) => {
  const [, most] = rangeOf([...chart.y, ...(chart.high ?? []), 1e-9]);
  return scale([0, most], ends);
};

function standingBars(holder, chart, width) {
  const height = Math.round(Math.min(282, Math.max(182, width * 0.45 - 18)));
  const box = { left: 46, right: width - 4, top: 14, bottom: height - 24 };
  const y = lengths(chart, [box.bottom, box.top]);
  const step = (box.right - box.left) / chart.y.length;
  const thick = Math.max(1, step - Math.min(4, step * 0.2));
  const labels = chart.at.map((label) => String(wordOf(label)));
  const room = 12 + Math.max(...labels.map(widthOf));
  const every = Math.ceil(room / step);
  const inside = (at, half) => Math.max(half, Math.min(at, width - half));
  const drawn = chart.y.map((value, i) => {
    const at = box.left + (i + 0.5) * step;
    const tall = { x: at - thick / 2, width: thick, rx: Math.min(3, thick / 3) };
    const top = y(value ?? 0);
    return [
      barOf(chart, i, { ...tall, y: top, height: box.bottom - top }),
      whiskerOf(chart, i, (end) => [at, y(end)]),
      i % every === 0 ? textBelow(box, inside(at, widthOf(labels[i]) / 2), labels[i]) : "",
    ];
  });
  const axes = [uprightAxis(box, y, 4, chart.ylabel), across(box, box.bottom, "grid")];
  const picture = pictureOf(width, height, labelOf(chart), axes, drawn);
  holder.replaceChildren(picture, make("p", { class: "xlabel" }, chart.xlabel));
}

const whiskerOf = ({ low, high }, i, place) =>
  low && low[i] !== null
    ? make("path", { class: "whisker", d: pathOf([low[i], high[i]].map(place)) })
    : "";

const ROW = 24; // height of a horizontal bar in pixels

function lyingBars(holder, chart, width) {
  const short = chart.at.map((label) => shortened(String(label), Math.floor((width * 0.42) / LETTER)));
  const left = Math.min(width * 0.45, 12 + Math.max(...short.map(widthOf)));
  const height = ROW * chart.y.length + 24;
  const x = lengths(chart, [left, width - 52]);
  const drawn = chart.y.map((value, i) => {
    const [top, middle] = [i * ROW, (i + 0.5) * ROW];
    const long = { x: left, y: top + 4, width: x(value ?? 0) - left, height: ROW - 8, rx: 3 };
    const end = x(Math.max(value ?? 0, chart.high?.[i] ?? 0));
    return [
      make("text", { x: left - 8, y: middle + 4, "text-anchor": "end" }, short[i]),
      barOf(chart, i, long),
      whiskerOf(chart, i, (at) => [x(at), middle]),
      make("text", { class: "value", x: end + 6, y: middle + 4 }, tell(value)),
    ];
  });
  const title = make("text", { class: "title", x: left, y: height - 4 }, chart.ylabel);
  holder.replaceChildren(pictureOf(width, height, labelOf(chart), drawn, title));
}

function curve(holder, chart) {
  const { diagonal: square, at: x, y: mid, low, high } = chart;
  const line = { label: chart.ylabel, color: "var(--accent)", dashes: [], x, mid, low, high };
  const heightOf = (width) =>
    Math.min(square ? 362 : 282, Math.max(202, width * (square ? 0.8 : 0.5) - 18));
  lineChart(holder, [line], { ...chart, square, describe: labelOf(chart), number: tell, heightOf });
}
