// A map as a list of marks in pixels.

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";
const SIZE = 12; // of names, in pixels
const LONGEST = 30; // characters of a name on the map
const LEGEND = 190; // pixels for what colors mean, beside a map that is saved
const LINE = 17; // pixels from one row of names to the next, on a line

const labels = names.map((name) => shortened(name.replace(/\s+/g, " "), LONGEST));
const widths = new Map();

function widthOf(i) {
  if (!widths.has(i)) {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `${SIZE}px ${FONT}`;
    names.forEach((_, k) => widths.set(k, pen.measureText(labels[k]).width));
  }
  return widths.get(i);
}

// Where places of the map lie in a picture. `view` is its center and its zoom, 1 to see everything.
function projection({ width, height }, view, [a, b]) {
  const [xs, ys] = [a, b].map((k) => (k === null ? [0, 0] : widest(k)));
  // Names on a line go to the right.
  const flags = p === 1 ? Math.min(0.4 * width, Math.max(...names.map((_, i) => widthOf(i)))) : 0;
  const room = { x: width - 72 - flags, y: height - 56 };
  const spans = [room.x / (xs[1] - xs[0]), room.y / (ys[1] - ys[0])].filter(Number.isFinite);
  const unit = Math.max(1e-300, Math.min(...(spans.length ? spans : [1]))) * view.zoom;
  const center = [view.x ?? (xs[0] + xs[1]) / 2, view.y ?? (ys[0] + ys[1]) / 2];
  const middle = (width - flags) / 2;
  return {
    unit,
    center,
    at: (x, y) => [middle + (x - center[0]) * unit, height / 2 - (y - center[1]) * unit],
    back: (px, py) => [center[0] + (px - middle) / unit, center[1] - (py - height / 2) / unit],
  };
}

// The range of an axis, with ellipses unless they are huge.
function widest(k) {
  if (ranges.has(k)) return ranges.get(k);
  const [low, high] = extentOf(points.map((point) => point[k]));
  const most = 0.12 * (high - low);
  const reach = (i) => (content.ellipses ? Math.min(most, ellipseOf(i, [k, null]).radii[0]) : 0);
  const ends = names.flatMap((_, i) => [points[i][k] - reach(i), points[i][k] + reach(i)]);
  ranges.set(k, extentOf(ends));
  return ranges.get(k);
}
const ranges = new Map();

function extentOf(values) {
  let [low, high] = [values[0], values[0]];
  for (const v of values) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return [low, high];
}

// The room of an object in pixels, if all had as much.
const roomOf = ({ width, height }) => Math.sqrt((width * height) / n);

const radiusOf = (size, zoom) =>
  Math.min(6.5, Math.max(2.3, 0.105 * roomOf(size))) * Math.min(1.7, Math.sqrt(zoom));

// The ellipse of an object in two dimensions: its half axes and its angle, counterclockwise.
function ellipseOf(i, [a, b]) {
  const shape = content.ellipses.shapes[i];
  const entry = (j, k) =>
    shape[Math.min(j, k) * p - (Math.min(j, k) * (Math.min(j, k) - 1)) / 2 + Math.abs(k - j)];
  if (b === null) return { radii: [Math.sqrt(Math.max(0, entry(a, a))), 0], angle: 0 };
  const [xx, xy, yy] = [entry(a, a), entry(a, b), entry(b, b)];
  const [middle, half] = [(xx + yy) / 2, Math.hypot((xx - yy) / 2, xy)];
  const radii = [middle + half, middle - half].map((v) => Math.sqrt(Math.max(0, v)));
  return { radii, angle: Math.atan2(2 * xy, xx - yy) / 2 };
}

// All marks of a map. `strong` are objects to stress, `faint` those to fade.
function sceneOf(size, { view, axes, looks, colors, show, strong, faint }) {
  const { at, unit } = projection(size, view, axes);
  const radius = radiusOf(size, view.zoom);
  const flat = axes[1] === null;
  const colorOf = (i) =>
    looks[i].color === undefined ? colors.accent : (looks[i].color ?? colors.quiet);
  const side = Math.min(120, Math.max(18, 0.42 * roomOf(size)) * Math.min(2.5, view.zoom));
  const spot = (point) => at(point[axes[0]], flat ? 0 : point[axes[1]]);
  const marks = [];
  const places = [];
  names.forEach((_, i) => {
    const [x, y] = spot(points[i]);
    const reach = show.images ? side : 12;
    if (x > -reach && y > -reach && x < size.width + reach && y < size.height + reach)
      places.push({ i, x, y, reach: radius, strong: strong.has(i), faint: faint(i) });
  });
  // What comes last lies on top.
  places.sort((one, two) => one.strong - two.strong || two.faint - one.faint || one.i - two.i);

  if (flat) {
    const y = size.height / 2;
    marks.push({
      kind: "line",
      x1: 0,
      x2: size.width,
      y1: y,
      y2: y,
      color: colors.line,
      width: 1.5,
    });
  }
  if (content.ellipses) {
    names.forEach((_, i) => {
      if (!(show.ellipses && !faint(i)) && !strong.has(i)) return;
      const { radii, angle } = ellipseOf(i, axes);
      const [x, y] = spot(content.ellipses.centers?.[i] ?? points[i]);
      const [rx, ry] = flat ? [radii[0] * unit, Math.max(4, radius)] : radii.map((r) => r * unit);
      if (x + rx < 0 || x - rx > size.width || y + rx < 0 || y - rx > size.height) return;
      marks.push({
        kind: "ellipse",
        i,
        x,
        y,
        rx,
        ry,
        angle: -angle,
        color: colorOf(i),
        strong: strong.has(i),
      });
    });
  }
  for (const place of places) {
    const alpha = place.faint && !place.strong ? 0.16 : 1;
    const image = show.images && content.images[place.i];
    const common = { i: place.i, x: place.x, y: place.y, alpha, color: colorOf(place.i) };
    const ring = place.strong ? colors.ink : null;
    if (image) {
      const box = imageBox(place.i, place.strong ? side * 1.25 : side);
      place.reach = Math.max(box.w, box.h) / 2 + 2;
      marks.push({ kind: "image", ...common, ...box, address: image, ring });
    } else {
      const r = place.strong ? radius * 1.5 : radius;
      marks.push({
        kind: "point",
        ...common,
        r,
        shape: looks[place.i].shape,
        ring,
        edge: colors.card,
      });
    }
  }
  const named = places.filter((place) => place.strong || (show.names && !place.faint)).reverse();
  const write = flat ? namesOnLine : namesInPlane;
  return [...marks, ...write(named, places, { size, colors })];
}

function imageBox(i, side) {
  const image = pictures.get(i);
  const ratio = image?.naturalWidth ? image.naturalWidth / image.naturalHeight : 1;
  return ratio > 1 ? { w: side, h: side / ratio } : { w: side * ratio, h: side };
}

// Boxes that are taken, in a grid, so that few have to be looked at.
function boxes() {
  const cells = new Map();
  const near = ([left, top, right, bottom]) => {
    const keys = [];
    for (let x = Math.floor(left / 48); x <= Math.floor(right / 48); x++)
      for (let y = Math.floor(top / 48); y <= Math.floor(bottom / 48); y++)
        keys.push(x * 100_003 + y);
    return keys;
  };
  const apart = (a, b) => a[2] <= b[0] || a[0] >= b[2] || a[3] <= b[1] || a[1] >= b[3];
  return {
    take: (box) => near(box).forEach((key) => cells.set(key, [...(cells.get(key) ?? []), box])),
    free: (box) =>
      near(box).every((key) => (cells.get(key) ?? []).every((other) => apart(box, other))),
  };
}

const nameMark = (place, x, y, colors) => ({
  kind: "name",
  i: place.i,
  x,
  y,
  text: labels[place.i],
  strong: place.strong,
  color: colors.ink,
  halo: colors.card,
});

// Names where there is room: strong ones always, of the others as many as don't overlap.
function namesInPlane(named, places, { size, colors }) {
  const taken = boxes();
  for (const { x, y, reach, faint } of places)
    if (!faint) taken.take([x - reach, y - reach, x + reach, y + reach]);
  const marks = [];
  for (const place of named) {
    const width = widthOf(place.i) * (place.strong ? 1.08 : 1);
    const gap = place.reach + 4;
    const corner = place.reach * 0.7;
    const spots = [
      [place.x + gap, place.y],
      [place.x - gap - width, place.y],
      [place.x - width / 2, place.y - gap - 5],
      [place.x - width / 2, place.y + gap + 5],
      [place.x + corner + 2, place.y - corner - 7],
      [place.x + corner + 2, place.y + corner + 7],
    ];
    const inside = spots.filter(
      ([x, y]) => x > 2 && x + width < size.width - 2 && y > 8 && y < size.height - 8,
    );
    const boxOf = ([x, y]) => [x - 1, y - 7, x + width + 1, y + 7];
    const found =
      inside.find((spot) => taken.free(boxOf(spot))) ?? (place.strong ? inside[0] : null);
    if (!found) continue;
    taken.take(boxOf(found));
    marks.unshift(nameMark(place, ...found, colors));
  }
  return marks;
}

// On a line each name is a flag, so high that its pole crosses no other: from right to left, higher
// than every flag whose pole it would hide. Names of which there is no room are left out.
function namesOnLine(named, _, { size, colors }) {
  const highest = Math.floor((size.height / 2 - 30) / LINE);
  const sides = [[], []]; // the poles above and below, the nearest last
  const marks = [];
  for (const place of [...named].sort((a, b) => b.x - a.x)) {
    const end = place.x + widthOf(place.i) + 8;
    const levels = sides.map(
      (poles) => 1 + Math.max(0, ...poles.filter(([x]) => x < end).map(([, level]) => level)),
    );
    const which = levels[1] < levels[0] ? 1 : 0;
    if (levels[which] > highest && !place.strong) continue;
    const level = Math.min(levels[which], highest);
    sides[which].push([place.x, level]);
    const sign = which ? 1 : -1;
    const y = size.height / 2 + sign * (place.reach + 8 + level * LINE);
    const pole = {
      x1: place.x,
      x2: place.x,
      y1: size.height / 2 + sign * place.reach,
      y2: y + sign * 5,
    };
    const strong = place.strong ? colors.ink : colors.quiet;
    marks.push({ kind: "line", ...pole, color: strong, width: place.strong ? 1.2 : 0.6 });
    marks.push(nameMark(place, place.x + 4, y, colors));
  }
  return marks;
}

// What the colors of a column mean: a list of words, or a ramp of numbers.
function legendOf(column, colors, left) {
  const write = (text, y, more = {}) => ({
    kind: "name",
    x: left + 16,
    y,
    text: shortened(text.replace(/\s+/g, " "), 24),
    color: colors.ink,
    halo: colors.card,
    ...more,
  });
  const title = write(column.name, 24, { x: left, strong: true });
  if (column.levels) {
    const rows = column.levels.slice(0, MOST_LOOKS).map((level, k) => {
      const look = { ...lookOf(k), color: lookOf(k).color ?? colors.quiet };
      const y = 46 + 18 * k;
      return [
        { kind: "point", x: left + 5, y, r: 5, alpha: 1, edge: colors.card, ...look },
        write(level, y),
      ];
    });
    return [title, ...rows.flat()];
  }
  const steps = 48;
  const ramp = Array.from({ length: steps }, (_, k) => {
    const y = 46 + 3 * k;
    return {
      kind: "line",
      x1: left,
      x2: left + 12,
      y1: y,
      y2: y,
      width: 3.2,
      color: viridis(1 - k / (steps - 1)),
    };
  });
  const [low, high] = rangeOf(column);
  const middle = column.logarithmic ? [write("logarithmic", 46 + (3 * steps) / 2)] : [];
  return [title, ...ramp, write(tell(high), 46), ...middle, write(tell(low), 46 + 3 * (steps - 1))];
}
