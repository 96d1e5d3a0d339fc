// Save the map as it is shown, and the table of all objects.

const LEGEND = 190; // pixels for the legend next to a saved map

// Return the map as SVG, with the legend to the right.
function mapSvg(map, column) {
  const { width, height, marks, legend } = exported(map, column);
  const box = { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}` };
  const picture = make(
    "svg",
    { ...box, width, height, "font-family": FONT },
    make("rect", { width, height, fill: colorsNow().card }),
    make("g", { class: "map" }, toElements(marks)),
    make("g", { class: "legend" }, toElements(legend)),
  );
  return new XMLSerializer().serializeToString(picture);
}

// Save the map as PNG at three times the resolution.
function mapPng(map, column, done) {
  const { width, height, marks, legend } = exported(map, column);
  const copy = make("canvas", { width: 3 * width, height: 3 * height });
  const pen = copy.getContext("2d");
  pen.scale(3, 3);
  pen.fillStyle = colorsNow().card;
  pen.fillRect(0, 0, width, height);
  paint(pen, [...marks, ...legend]);
  copy.toBlob(done, "image/png");
}

function exported(map, column) {
  const { width, height } = map.size();
  const legend = column ? legendOf(column, colorsNow(), width + 8) : [];
  return { width: width + (column ? LEGEND : 0), height, marks: map.scene(-1), legend };
}

// Return the legend of a column: a list of words, or a ramp of numbers.
function legendOf(column, colors, left) {
  const write = (text, y, more = {}) => ({
    kind: "name",
    x: left + 16,
    y,
    text: inOneLine(text, 24),
    color: colors.ink,
    halo: colors.card,
    ...more,
  });
  const title = write(column.name, 24, { x: left, strong: true });
  if (column.levels) {
    const rows = column.levels.slice(0, MOST_LOOKS).map((level, k) => {
      const y = 46 + 18 * k;
      const mark = { kind: "point", x: left + 5, y, r: 5, alpha: 1, edge: colors.card };
      return [{ ...mark, ...lookOf(palette, k) }, write(level, y)];
    });
    return [title, ...rows.flat()];
  }
  const steps = 48;
  const ramp = Array.from({ length: steps }, (_, k) => {
    const y = 46 + 3 * k;
    const color = viridis(1 - k / (steps - 1));
    return { kind: "line", x1: left, x2: left + 12, y1: y, y2: y, width: 3.2, color };
  });
  const [low, high] = rangeOf(column.values);
  const middle = column.logarithmic ? [write("logarithmic", 46 + (3 * steps) / 2)] : [];
  return [title, ...ramp, write(tell(high), 46), ...middle, write(tell(low), 46 + 3 * (steps - 1))];
}

// Return the marks of a map as SVG elements.
function toElements(marks) {
  const short = (v) => Number(v.toFixed(2));
  const place = (mark) => ({ cx: short(mark.x), cy: short(mark.y) });
  return marks.map((mark) => {
    if (mark.kind === "line") {
      const ends = Object.fromEntries(
        ["x1", "x2", "y1", "y2"].map((key) => [key, short(mark[key])]),
      );
      return make("line", { ...ends, stroke: mark.color, "stroke-width": mark.width });
    }
    if (mark.kind === "ellipse") {
      const turn = `rotate(${short((mark.angle * 180) / Math.PI)} ${short(mark.x)} ${short(mark.y)})`;
      const paints = {
        fill: mark.color,
        "fill-opacity": mark.strong ? 0.22 : 0.1,
        stroke: mark.color,
      };
      const line = {
        "stroke-opacity": mark.strong ? 1 : 0.55,
        "stroke-width": mark.strong ? 1.8 : 1,
      };
      return make("ellipse", {
        ...place(mark),
        rx: short(mark.rx),
        ry: short(mark.ry),
        transform: turn,
        ...paints,
        ...line,
      });
    }
    if (mark.kind === "point") {
      const line = { stroke: mark.ring ?? mark.edge, "stroke-width": mark.ring ? 2 : 0.8 };
      const look = { fill: mark.color, opacity: mark.alpha, ...line };
      const title = mark.name === undefined ? "" : make("title", {}, mark.name);
      if (mark.shape === 0)
        return make("circle", { ...place(mark), r: short(mark.r), ...look }, title);
      const corners = cornersOf(mark).map((corner) => corner.map(short).join(","));
      return make("polygon", { points: corners.join(" "), ...look }, title);
    }
    if (mark.kind === "image") {
      const box = {
        x: short(mark.x - mark.w / 2),
        y: short(mark.y - mark.h / 2),
        width: short(mark.w),
        height: short(mark.h),
      };
      const frame = {
        fill: "none",
        stroke: mark.ring ?? mark.color,
        "stroke-width": mark.ring ? 3 : 1.5,
      };
      const image = make("image", { ...box, href: mark.address }, make("title", {}, mark.name));
      return make("g", { opacity: mark.alpha }, image, make("rect", { ...box, ...frame }));
    }
    const halo = {
      stroke: mark.halo,
      "stroke-width": 3.5,
      "stroke-linejoin": "round",
      "paint-order": "stroke",
    };
    const font = {
      "font-size": SIZE,
      "font-weight": mark.strong ? 600 : null,
      "dominant-baseline": "central",
    };
    return make(
      "text",
      { x: short(mark.x), y: short(mark.y), fill: mark.color, ...halo, ...font },
      mark.text,
    );
  });
}

// Put an apostrophe before text that a spreadsheet would run as a formula, as closerthan_lab.files.spreadsheets does.
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

function guarded(cell) {
  if (cell === null) return "";
  if (isNumber(cell)) return String(cell);
  return FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
}

const quoted = (text) => `"${text.replaceAll('"', '""')}"`;

// All text is quoted, and lines end as the CSV standard says. The mark in front (U+FEFF) tells
// spreadsheets that the file is UTF-8.
function toCsv(columns, rows) {
  const line = (row) => row.map((c) => (isNumber(c) ? String(c) : quoted(guarded(c)))).join(",");
  return `\ufeff${[columns, ...rows].map(line).join("\r\n")}\r\n`;
}

// For the clipboard, tabs separate cells, so tabs within cells are replaced.
function toTsv(columns, rows) {
  const line = (row) => row.map((cell) => guarded(cell).replace(/[\t\r\n]+/g, " ")).join("\t");
  return [columns, ...rows].map(line).join("\n") + "\n";
}

function download(name, content, type) {
  const url = URL.createObjectURL(
    content instanceof Blob ? content : new Blob([content], { type }),
  );
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// If the clipboard is not available, copy from a selected field.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = make("textarea", { class: "unseen" });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
