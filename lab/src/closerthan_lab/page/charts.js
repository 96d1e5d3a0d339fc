// Draw a section: key figures, tables, histograms and curves with their numbers.

// Draw a block of a section. The layout of a chart depends on its width, so the chart is drawn when
// the width is known.
function blockOf(block) {
  if (block.kind === "figures") return figuresOf(block);
  if (block.kind === "table") {
    const draw = (cell, k) => (k === block.objects ? linkTo(cell) : plainCell(cell));
    const caption = block.caption ? make("p", { class: "caption" }, block.caption) : "";
    return make("div", {}, tableOf({ ...block, draw }).element, caption);
  }
  if (!block.y.length) return make("p", { class: "caption" }, "No data.");
  const picture = make("div");
  const columns = [block.xlabel || "x", block.ylabel || "y"];
  const rows = block.x.map((place, i) => [place, block.y[i]]);
  const numbers = tableOf({ columns, rows, caption: labelOf(block) }).element;
  let drawn = 0;
  const drawAnew = () => {
    const width = Math.floor(picture.clientWidth);
    if (width && width !== drawn) {
      const svg = (block.kind === "curve" ? curve : bars)(block, width);
      // The name of the x axis is below the picture, because it would be cut off inside it.
      picture.replaceChildren(svg, make("p", { class: "xlabel" }, block.xlabel));
    }
    drawn = width;
  };
  new ResizeObserver(() => requestAnimationFrame(drawAnew)).observe(picture);
  return make(
    "figure",
    { class: `chart ${block.kind}` },
    picture,
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

// Description of the chart for screen readers.
function labelOf({ xlabel, ylabel, y }) {
  const [low, high] = rangeOf(y);
  const range = low <= high ? `, from ${tell(low)} to ${tell(high)}` : "";
  return `${ylabel} by ${xlabel}${range}.`;
}

const wordOf = (label) => (isNumber(label) ? tell(label) : label);

// Give the mark of a value its tooltip.
const told = (mark, { xlabel, ylabel, x, y }, i) =>
  tip.on(mark, () => [
    make("strong", {}, `${xlabel ? `${xlabel}: ` : ""}${wordOf(x[i])}`),
    make("div", {}, `${ylabel}: ${tell(y[i])}`),
  ]);

// Make a picture with a label for screen readers.
function pictureOf(width, height, label, ...children) {
  const box = { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label };
  return make("svg", box, ...children);
}

const across = (box, y, kind) =>
  make("line", { class: kind, x1: box.left, x2: box.right, y1: y, y2: y });

const textBelow = (box, x, text) =>
  make("text", { x, y: box.bottom + 16, "text-anchor": "middle" }, text);

// Make the grid of the y axis, with numbers and name.
function uprightAxis(box, y, count, label) {
  const half = (box.top + box.bottom) / 2;
  const title = { class: "title", x: 12, y: half, "text-anchor": "middle" };
  return [
    y.ticks(count).map((tick) => [
      across(box, y(tick), "grid"),
      make("text", { x: box.left - 6, y: y(tick) + 4, "text-anchor": "end" }, tell(tick)),
    ]),
    make("text", { ...title, transform: `rotate(-90 12 ${half})` }, label),
  ];
}

// Draw bars, which begin at 0.
function bars(chart, width) {
  const height = Math.round(Math.min(282, Math.max(182, width * 0.45 - 18)));
  const box = { left: 46, right: width - 4, top: 14, bottom: height - 24 };
  const y = scale([0, rangeOf([...chart.y, 1e-9])[1]], [box.bottom, box.top]);
  const step = (box.right - box.left) / chart.y.length;
  const thick = Math.max(1, step - Math.min(4, step * 0.2));
  const labels = chart.x.map((label) => String(wordOf(label)));
  const every = Math.ceil((12 + Math.max(...labels.map(widthOf))) / step);
  const inside = (at, half) => Math.max(half, Math.min(at, width - half));
  const drawn = chart.y.map((value, i) => {
    const at = box.left + (i + 0.5) * step;
    const top = y(value ?? 0);
    const upright = { y: top, height: box.bottom - top, rx: Math.min(3, thick / 3) };
    const bar = make("rect", { class: "bar", x: at - thick / 2, width: thick, ...upright });
    const label = inside(at, widthOf(labels[i]) / 2);
    return [told(bar, chart, i), i % every === 0 ? textBelow(box, label, labels[i]) : ""];
  });
  const axes = [uprightAxis(box, y, 4, chart.ylabel), across(box, box.bottom, "grid")];
  return pictureOf(width, height, labelOf(chart), axes, drawn);
}

// Draw a curve with a dot for each of its points, and the line y = x. Both axes have one scale.
function curve(chart, width) {
  const height = Math.round(Math.min(362, Math.max(202, width * 0.8 - 18)));
  const box = { left: 54, right: width - 14, top: 12, bottom: height - 24 };
  const [low, high] = rangeOf([...chart.x, ...chart.y]);
  const room = 0.06 * (high - low) || 0.1;
  const ends = [low - room, high + room];
  const x = scale(ends, [box.left, box.right]);
  const y = scale(ends, [box.bottom, box.top]);
  const places = chart.x.map((v, i) => [v, chart.y[i]]).map(([a, b]) => b !== null && [x(a), y(b)]);
  const dots = places.map(
    (p, i) => p && told(make("circle", { class: "dot", cx: p[0], cy: p[1], r: 5 }), chart, i),
  );
  return pictureOf(
    width,
    height,
    labelOf(chart),
    x.ticks(width / 60).map((v) => textBelow(box, x(v), tell(v))),
    uprightAxis(box, y, (box.bottom - box.top) / 50, chart.ylabel),
    make("path", { class: "diagonal", d: pathOf(ends.map((v) => [x(v), y(v)])) }),
    make("path", { class: "line", d: pathOf(places.filter(Boolean)) }),
    dots.filter(Boolean),
  );
}

const pathOf = (places) => `M${places.map((p) => p.map((v) => v.toFixed(1)).join(" ")).join("L")}`;
