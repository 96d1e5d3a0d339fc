// A chart of lines with bands in SVG.

// Draw lines. Each has: label, color, dashes, control, x, mid, low, high. A control of a single place
// is a level across the chart, anything else of one place a dot.
const isLevel = (line) => line.control && line.x.length === 1;

function lineChart(holder, lines, { xlabel, ylabel, logx, logy, describe }) {
  const width = Math.max(280, holder.clientWidth || 720);
  const height = Math.round(Math.min(480, Math.max(280, width * 0.55)));
  const box = { left: 62, right: width - 14, top: 12, bottom: height - 24 };
  const fit = (v, log) => Number.isFinite(v) && v !== null && (!log || v > 0);
  const curves = lines.filter((line) => !isLevel(line));
  const xs = curves.flatMap((line) => line.x);
  const ys = lines.flatMap((line) => [...line.mid, ...(line.low ?? []), ...(line.high ?? [])]);
  const x = scale(extent(xs.map(Number), logx, 0.02), [box.left, box.right], logx);
  const y = scale(
    extent(
      ys.map((v) => (v === null ? NaN : v)),
      logy,
    ),
    [box.bottom, box.top],
    logy,
  );

  const axes = make("g", { class: "axes" });
  for (const tick of x.ticks(width / 90)) {
    const at = x(tick);
    axes.append(
      make("line", { x1: at, x2: at, y1: box.top, y2: box.bottom, class: "grid" }),
      make("text", { x: at, y: box.bottom + 16, "text-anchor": "middle" }, say(tick)),
    );
  }
  for (const tick of y.ticks(height / 55)) {
    const at = y(tick);
    axes.append(
      make("line", { x1: box.left, x2: box.right, y1: at, y2: at, class: "grid" }),
      make("text", { x: box.left - 6, y: at + 4, "text-anchor": "end" }, say(tick)),
    );
  }
  const half = (box.top + box.bottom) / 2;
  axes.append(
    make(
      "text",
      { x: 14, y: half, "text-anchor": "middle", transform: `rotate(-90 14 ${half})` },
      ylabel,
    ),
  );

  const drawn = make("g", { "clip-path": "url(#inside)" });
  for (const line of lines) {
    const style = line.color ? `--color: ${line.color}` : "--color: var(--quiet)";
    const level = isLevel(line);
    const places = level ? [box.left, box.right] : line.x.map((v) => (fit(v, logx) ? x(v) : null));
    const of = (values) => {
      const all = level ? [values[0], values[0]] : values;
      return all.map((v, i) => (fit(v, logy) && places[i] !== null ? [places[i], y(v)] : null));
    };
    if (line.low) {
      const [low, high] = [of(line.low), of(line.high)];
      for (const both of runsOf(low.map((p, i) => (p && high[i] ? [p, high[i]] : null)))) {
        const around = [...both.map(([p]) => p), ...both.map(([, p]) => p).reverse()];
        const band = { points: around.join(" "), class: "band", style, "data-label": line.label };
        drawn.append(make("polygon", band));
      }
    }
    const middle = of(line.mid);
    if (middle.length === 1 && middle[0]) {
      const [cx, cy] = middle[0];
      drawn.append(
        make("circle", { cx, cy, r: 4, class: "spot", style, "data-label": line.label }),
      );
    }
    const path = middle
      .map((p, i, all) =>
        p ? `${i && all[i - 1] ? "L" : "M"}${p[0].toFixed(1)} ${p[1].toFixed(1)}` : "",
      )
      .join("");
    const dashes = line.dashes.map((d) => 1.8 * d).join(" ");
    const shown = { d: path, class: "line", style, "stroke-dasharray": dashes || null };
    drawn.append(make("path", { ...shown, "data-label": line.label }));
  }
  const cursor = make("line", {
    y1: box.top,
    y2: box.bottom,
    class: "cursor",
    visibility: "hidden",
  });
  const svg = make(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      tabindex: 0,
      role: "img",
      "aria-label": `${describe} Arrow keys read off the values.`,
    },
    make(
      "clipPath",
      { id: "inside" },
      make("rect", {
        x: box.left,
        y: box.top,
        width: box.right - box.left,
        height: box.bottom - box.top,
      }),
    ),
    axes,
    drawn,
    cursor,
  );

  // Read the lines off at the place that is next to the pointer.
  const places = unique(xs.filter((v) => fit(v, logx))).sort((a, b) => a - b);
  let at = -1;
  function readOff(next) {
    at = Math.min(Math.max(next, 0), places.length - 1);
    const place = places[at];
    const there = x(place);
    cursor.setAttribute("x1", there);
    cursor.setAttribute("x2", there);
    cursor.setAttribute("visibility", "visible");
    const found = lines
      .map((line) => [line, valueAt(line, place)])
      .filter(([, value]) => value !== null)
      .sort((a, b) => b[1] - a[1]);
    const frame = svg.getBoundingClientRect();
    const ratio = frame.width / width;
    const spot = frame.left + there * ratio;
    tip.show(
      { left: spot + 14, right: spot, top: frame.top + 30, bottom: frame.top + 8 },
      make("strong", {}, `${xlabel}: ${say(place)}`),
      make(
        "ul",
        { class: "values" },
        found.map(([line, value]) =>
          make("li", {}, swatch(line), make("span", {}, line.label), make("b", {}, say(value))),
        ),
      ),
    );
  }
  svg.addEventListener("mousemove", (event) => {
    if (!places.length) return;
    const frame = svg.getBoundingClientRect();
    const wanted = ((event.clientX - frame.left) / frame.width) * width;
    let nearest = 0;
    places.forEach((p, i) => {
      if (Math.abs(x(p) - wanted) < Math.abs(x(places[nearest]) - wanted)) nearest = i;
    });
    readOff(nearest);
  });
  const leave = () => {
    cursor.setAttribute("visibility", "hidden");
    tip.hide();
  };
  svg.addEventListener("mouseleave", leave);
  svg.addEventListener("blur", leave);
  svg.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!steps || !places.length) return;
    event.preventDefault();
    readOff(at < 0 ? 0 : at + steps);
  });
  // Below the picture a long label has lines enough; in it, it would be cut off.
  holder.replaceChildren(svg, make("p", { class: "xlabel" }, xlabel));
}

// The pieces of a list between what is missing.
function runsOf(values) {
  const runs = [[]];
  for (const value of values) {
    if (value) runs.at(-1).push(value);
    else if (runs.at(-1).length) runs.push([]);
  }
  return runs.filter((run) => run.length);
}

// The last value of a line up to a place; none before its first and after its last.
function valueAt(line, place) {
  if (isLevel(line)) return line.mid[0];
  if (place < line.x[0] || place > line.x[line.x.length - 1]) return null;
  let found = null;
  line.x.forEach((v, i) => {
    if (v !== null && v <= place) found = line.mid[i];
  });
  return found;
}

// A short piece of a line, for a legend.
function swatch(line) {
  const style = line.color ? `--color: ${line.color}` : "--color: var(--quiet)";
  const dashes = line.dashes.map((d) => 1.8 * d).join(" ");
  return make(
    "svg",
    { width: 26, height: 10, viewBox: "0 0 26 10", "aria-hidden": "true" },
    make("path", { d: "M1 5H25", class: "line", style, "stroke-dasharray": dashes || null }),
  );
}
