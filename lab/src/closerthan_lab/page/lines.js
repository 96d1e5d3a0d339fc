// A line chart in SVG. The pointer or the arrow keys show values.

// Make a picture with a label for screen readers.
function pictureOf(width, height, label, ...children) {
  const box = { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label };
  return make("svg", box, ...children);
}

// Make horizontal and vertical lines across a box.
const across = (box, y, kind) =>
  make("line", { class: kind, x1: box.left, x2: box.right, y1: y, y2: y });
const upright = (box, x, kind) =>
  make("line", { class: kind, x1: x, x2: x, y1: box.top, y2: box.bottom });

const textBelow = (box, x, text) =>
  make("text", { x, y: box.bottom + 16, "text-anchor": "middle" }, text);

// Make the grid of the y axis, with numbers and name.
function uprightAxis(box, y, count, label, number = tell) {
  const half = (box.top + box.bottom) / 2;
  const title = { class: "title", x: 12, y: half, "text-anchor": "middle" };
  return [
    y.ticks(count).map((tick) => [
      across(box, y(tick), "grid"),
      make("text", { x: box.left - 6, y: y(tick) + 4, "text-anchor": "end" }, number(tick)),
    ]),
    make("text", { ...title, transform: `rotate(-90 12 ${half})` }, label),
  ];
}

// Return a path through points, with gaps at missing points.
const pathOf = (places) =>
  places
    .map((p, i) => (p ? `${places[i - 1] ? "L" : "M"}${p[0].toFixed(1)} ${p[1].toFixed(1)}` : ""))
    .join("");

// A line with one point is a dot, except a control, which is a horizontal line across the chart.
const isLevel = (line) => line.control && line.x.length === 1;

const styleOf = (line) => ({
  style: `--color: ${line.color || "var(--quiet)"}`,
  "stroke-dasharray": line.dashes.map((d) => 1.8 * d).join(" ") || null,
});

// Draw lines. Each line has label, color, dashes, control, x, mid, and optionally low and high, the ends
// of a band. With `dots`, these are whiskers of dots, and the dot at `marked` is larger. `square` draws
// y = x. `whole` puts only whole numbers on the x axis.
function lineChart(holder, lines, { xlabel, ylabel, describe, heightOf, number = say, ...more }) {
  const { logx, logy, dots, square, whole, marked = null } = more;
  const width = Math.max(dots ? 0 : 280, holder.clientWidth || 720);
  const height = Math.round(heightOf(width));
  const box = { left: dots ? 54 : 62, right: width - 14, top: 12, bottom: height - 24 };
  const fit = (v, log) => Number.isFinite(v) && (!log || v > 0);
  const xs = lines.filter((line) => !isLevel(line)).flatMap((line) => line.x);
  const ys = lines.flatMap((line) => [...line.mid, ...(line.low ?? []), ...(line.high ?? [])]);
  const both = square ? extent([...xs, ...ys], false, 0.06) : null;
  const xends = both ?? extent(xs, logx, dots ? 0.05 : 0.02, !dots);
  const x = scale(xends, [box.left, box.right], logx);
  const y = scale(both ?? extent(ys, logy), [box.bottom, box.top], logy);
  const ticks = x.ticks(width / (dots ? 60 : 90)).filter((v) => !whole || Number.isInteger(v));
  const axes = [
    ticks.map((v) => [dots ? "" : upright(box, x(v), "grid"), textBelow(box, x(v), number(v))]),
    uprightAxis(box, y, (box.bottom - box.top) / 50, ylabel, number),
    both ? make("path", { class: "diagonal", d: pathOf(both.map((v) => [x(v), y(v)])) }) : "",
    marked === null ? "" : upright(box, x(marked), "marked"),
  ];

  function drawnOf(line) {
    const about = { ...styleOf(line), "data-label": line.label };
    const level = isLevel(line);
    const places = level ? [box.left, box.right] : line.x.map((v) => (fit(v, logx) ? x(v) : null));
    const of = (values) => {
      const all = level ? [values[0], values[0]] : values;
      return all.map((v, i) => (fit(v, logy) && places[i] !== null ? [places[i], y(v)] : null));
    };
    const [middle, low, high] = [of(line.mid), of(line.low ?? []), of(line.high ?? [])];
    const ranges = low.map((p, i) => (p && high[i] ? [p, high[i]] : null));
    const spread = dots
      ? ranges.filter(Boolean).map((ends) => make("path", { class: "whisker", d: pathOf(ends) }))
      : runsOf(ranges).map((run) => {
          const around = [...run.map(([p]) => p), ...run.map(([, p]) => p).reverse()];
          return make("polygon", { points: around.join(" "), class: "band", ...about });
        });
    const radius = (i) => (dots ? (marked !== null && line.x[i] === marked ? 7 : 5) : 4);
    const spots = middle.map((p, i) =>
      p && (dots || middle.length === 1)
        ? make("circle", { cx: p[0], cy: p[1], r: radius(i), class: "dot", ...about })
        : "",
    );
    return [spread, make("path", { d: pathOf(middle), class: "line", ...about }), spots];
  }

  const cursor = upright(box, 0, "cursor");
  cursor.setAttribute("visibility", "hidden");
  const label = `${describe} Arrow keys show the values.`;
  const svg = pictureOf(width, height, label, axes, lines.map(drawnOf), cursor);
  svg.setAttribute("tabindex", 0);

  // Show the values of the lines next to the pointer.
  const places = unique(xs.filter((v) => fit(v, logx))).sort((a, b) => a - b);
  let at = -1;
  function readOff(next) {
    at = Math.min(Math.max(next, 0), places.length - 1);
    const there = x(places[at]);
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, there);
    cursor.setAttribute("visibility", "visible");
    const found = lines
      .map((line) => [line, placeUpTo(line, places[at])])
      .filter(([line, i]) => i >= 0 && line.mid[i] !== null)
      .sort(([one, i], [other, j]) => other.mid[j] - one.mid[i]);
    const told = (line, i) => {
      const ends = dots && fit(line.low?.[i]) ? [line.low[i], line.high[i]].map(number) : [];
      return number(line.mid[i]) + (ends.length ? ` (${ends.join(" to ")})` : "");
    };
    const frame = svg.getBoundingClientRect();
    const spot = frame.left + (there * frame.width) / width;
    const values = found.map(([line, i]) =>
      make("li", {}, swatch(line), make("span", {}, line.label), make("b", {}, told(line, i))),
    );
    tip.show(
      { left: spot + 14, top: frame.top + 30, bottom: frame.top + 8 },
      make("strong", {}, `${xlabel}: ${number(places[at])}`),
      make("ul", { class: "values" }, values),
    );
  }
  const leave = () => {
    cursor.setAttribute("visibility", "hidden");
    tip.hide();
  };
  svg.addEventListener("mousemove", (event) => {
    const frame = svg.getBoundingClientRect();
    const wanted = ((event.clientX - frame.left) / frame.width) * width;
    const gaps = places.map((v) => Math.abs(x(v) - wanted));
    if (gaps.length) readOff(gaps.indexOf(Math.min(...gaps)));
  });
  for (const kind of ["mouseleave", "blur"]) svg.addEventListener(kind, leave);
  svg.addEventListener("keydown", (event) => {
    const step = entryOf({ ArrowLeft: -1, ArrowRight: 1 }, event.key);
    if (!step || !places.length) return;
    event.preventDefault();
    readOff(at < 0 ? 0 : at + step);
  });
  // The name of the x axis is below the picture, because a long name would be cut off inside it.
  holder.replaceChildren(svg, make("p", { class: "xlabel" }, xlabel));
}

// Split a list at missing values.
function runsOf(values) {
  const runs = [[]];
  for (const value of values) {
    if (value) runs.at(-1).push(value);
    else if (runs.at(-1).length) runs.push([]);
  }
  return runs.filter((run) => run.length);
}

// Return the index of a line's last value up to x; none before its first or after its last value.
function placeUpTo(line, place) {
  if (isLevel(line)) return 0;
  return place > line.x.at(-1) ? -1 : line.x.findLastIndex((v) => v !== null && v <= place);
}

// Draw a short piece of a line for a legend.
const swatch = (line) =>
  make(
    "svg",
    { width: 26, height: 10, viewBox: "0 0 26 10", "aria-hidden": "true" },
    make("path", { d: "M1 5H25", class: "line", ...styleOf(line) }),
  );
