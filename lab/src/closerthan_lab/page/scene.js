// A map as a list of marks in pixels.
//
// `objects` has `names`, `points` (null for an object without a position) and `p`, the number of
// dimensions. It may have `ellipses`, `images` and `pictures` by object, `ranges` of the axes, and `dot`,
// the radius of a point relative to its room. A page without ellipses does not need ellipses.js. A page
// without maps of one dimension does not need flags.js.

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";
const SIZE = 12; // font size of names, in pixels
const LONGEST = 30; // characters of a name on the map

const inOneLine = (name, most) => shortened(name.replace(/\s+/g, " "), most);
const written = new WeakMap();
const measure = document.createElement("canvas").getContext("2d");
measure.font = `${SIZE}px ${FONT}`;
const widthOf = (text) => measure.measureText(text).width;

// Names as they are shown, with their widths.
function labelsOf({ names }) {
  if (!written.has(names)) {
    const labels = names.map((name) => inOneLine(name, LONGEST));
    const measured = labels.map((text) => ({ text, width: widthOf(text) }));
    written.set(names, measured);
  }
  return written.get(names);
}

// Map points to pixels. `view` has the center and the zoom; zoom 1 shows everything.
function projection(objects, { width, height }, view, [a, b]) {
  const [xs, ys] = [a, b].map((k) => (k === null ? [0, 0] : widest(objects, k)));
  // Names on a line extend to the right.
  const widths = objects.p === 1 ? labelsOf(objects).map((label) => label.width) : [0];
  const flags = Math.min(0.4 * width, Math.max(...widths));
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

// Return the position of an object on two axes. On a line the second axis is null, and y is 0.
const placeOn = (point, [a, b]) => [point[a], b === null ? 0 : point[b]];

// Return the range of an axis, including ellipses unless they are huge.
function widest(objects, k) {
  const ranges = (objects.ranges ??= []);
  if (!ranges[k]) {
    const [low, high] = rangeOf(objects.points.map((point) => point[k]));
    const most = 0.12 * (high - low);
    const reach = (i) =>
      objects.ellipses ? Math.min(most, ellipseOf(objects, i, [k, null]).radii[0]) : 0;
    ranges[k] = rangeOf(
      objects.points.flatMap((point, i) => [point[k] - reach(i), point[k] + reach(i)]),
    );
  }
  return ranges[k];
}

// Return all marks of a map. `looks` are colors and shapes. `strong` objects are highlighted, `faint`
// objects faded, and `named` objects named if there is room. `show` switches images and ellipses on.
function sceneOf(objects, size, { view, axes, looks, colors, show, strong, faint, named }) {
  const { points, ellipses, images, dot = 0.105 } = objects;
  const { at, unit } = projection(objects, size, view, axes);
  const room = Math.sqrt((size.width * size.height) / points.length); // for each object, if they were evenly spread
  const zoom = view.zoom / view.home;
  const radius = Math.min(6.5, Math.max(2.3, dot * room)) * Math.min(1.7, Math.sqrt(zoom));
  const side = Math.min(120, Math.max(18, 0.42 * room) * Math.min(2.5, zoom));
  const flat = axes[1] === null;
  const colorOf = (i) =>
    looks[i].color === undefined ? colors.accent : (looks[i].color ?? colors.quiet);
  const spot = (point) => at(...placeOn(point, axes));
  const marks = [];
  const places = [];
  points.forEach((point, i) => {
    if (!point) return;
    const [x, y] = spot(point);
    const reach = show.images ? side : 12;
    if (x > -reach && y > -reach && x < size.width + reach && y < size.height + reach)
      places.push({ i, x, y, reach: radius, strong: strong(i), faint: faint(i) });
  });
  // Later marks are drawn on top.
  places.sort((one, two) => one.strong - two.strong || two.faint - one.faint || one.i - two.i);

  if (flat) {
    const y = size.height / 2;
    marks.push({ kind: "line", x1: 0, x2: size.width, y1: y, y2: y, color: colors.line, width: 1.5 });
  }
  points.forEach((point, i) => {
    if (!ellipses || (!(show.ellipses && !faint(i)) && !strong(i))) return;
    const { radii, angle } = ellipseOf(objects, i, axes);
    const [x, y] = spot(point);
    const [rx, ry] = flat ? [radii[0] * unit, Math.max(4, radius)] : radii.map((r) => r * unit);
    if (x + rx < 0 || x - rx > size.width || y + rx < 0 || y - rx > size.height) return;
    const look = { color: colorOf(i), strong: strong(i) };
    marks.push({ kind: "ellipse", i, x, y, rx, ry, angle: -angle, ...look });
  });
  for (const place of places) {
    const { i, x, y } = place;
    const picture = show.images && objects.pictures[i];
    const alpha = place.faint && !place.strong ? 0.16 : 1;
    const common = { i, name: objects.names[i], x, y, alpha, color: colorOf(i) };
    const ring = place.strong ? colors.ink : null;
    if (picture) {
      const box = imageBox(picture, place.strong ? side * 1.25 : side);
      place.reach = Math.max(box.w, box.h) / 2 + 2;
      marks.push({ kind: "image", ...common, ...box, picture, address: images[i], ring });
    } else {
      const r = place.strong ? radius * 1.5 : radius;
      marks.push({ kind: "point", ...common, r, shape: looks[i].shape, ring, edge: colors.card });
    }
  }
  const labels = labelsOf(objects);
  const wanted = places.filter((place) => named(place.i)).reverse();
  wanted.forEach((place) => Object.assign(place, labels[place.i]));
  const write = flat ? namesOnLine : namesInPlane;
  return [...marks, ...write(wanted, places, { size, colors })];
}

function imageBox(picture, side) {
  const ratio = picture.naturalWidth ? picture.naturalWidth / picture.naturalHeight : 1;
  return ratio > 1 ? { w: side, h: side / ratio } : { w: side * ratio, h: side };
}

// Occupied boxes, in a grid, so that only near boxes are compared.
function boxes() {
  const taken = new Map();
  const near = ([left, top, right, bottom]) => {
    const keys = [];
    for (let x = Math.floor(left / 48); x <= Math.floor(right / 48); x++)
      for (let y = Math.floor(top / 48); y <= Math.floor(bottom / 48); y++)
        keys.push(x * 100_003 + y);
    return keys;
  };
  const apart = (a, b) => a[2] <= b[0] || a[0] >= b[2] || a[3] <= b[1] || a[1] >= b[3];
  return {
    take: (box) => near(box).forEach((key) => taken.set(key, [...(taken.get(key) ?? []), box])),
    free: (box) =>
      near(box).every((key) => (taken.get(key) ?? []).every((other) => apart(box, other))),
  };
}

const nameMark = (place, x, y, colors) => ({
  kind: "name",
  i: place.i,
  x,
  y,
  text: place.text,
  strong: place.strong,
  color: colors.ink,
  halo: colors.card,
});

// Place names: always those of strong objects, and others that do not overlap.
function namesInPlane(named, places, { size, colors }) {
  const taken = boxes();
  for (const { x, y, reach, faint } of places)
    if (!faint) taken.take([x - reach, y - reach, x + reach, y + reach]);
  const marks = [];
  for (const place of named) {
    const width = place.width * (place.strong ? 1.08 : 1);
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
