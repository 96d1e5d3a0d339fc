// Objects of the map: names, attributes, looks and neighbors.

const { names, points, palette } = content;
const n = names.length;
const p = content.n_components;
const placeOf = new Map(names.map((name, i) => [name, i]));
const MOST_LOOKS = 3 * palette.length; // three shapes of each color
const objects = { names, points, p, ellipses: content.ellipses, images: content.images };

// Return a cell of a column: a number, a word, or null if it is missing.
function cellOf(column, i) {
  const value = column.values[i];
  return value === null || !column.levels ? value : column.levels[value];
}

// Columns that can color the map: suitable words, and numbers with a known value.
const colorings = content.columns.filter((column) =>
  column.levels ? column.colors && column.levels.length > 0 : column.values.some((v) => v !== null),
);

// Return the color and shape of each object; null is gray, undefined the accent color.
function looksOf(column) {
  if (!column) return names.map(() => ({ color: undefined, shape: 0 }));
  if (column.levels)
    return column.values.map((v) => (v === null ? { color: null, shape: 0 } : lookOf(palette, v)));
  const share = scale(rangeOf(column.values), [0, 1], column.logarithmic);
  return column.values.map((v) => ({ color: v === null ? null : viridis(share(v)), shape: 0 }));
}

// Return the nearest neighbors of an object, in all dimensions.
function nearest(i, count) {
  const distance = (j) => Math.hypot(...points[i].map((v, k) => v - points[j][k]));
  return names
    .map((_, j) => [j, distance(j)])
    .filter(([j]) => j !== i)
    .sort((a, b) => a[1] - b[1] || a[0] - b[0])
    .slice(0, count)
    .map(([j]) => j);
}

// Return all attributes of an object as pairs of column and cell.
const knownOf = (i) =>
  content.columns
    .map((column) => [column.name, cellOf(column, i)])
    .filter(([, cell]) => cell !== null);

const listOf = (i) => definitions(knownOf(i).map(([column, cell]) => [column, plainCell(cell)]));

// Describe an object and its nearest neighbors in words.
function sentenceOf(i) {
  const known = knownOf(i).map(([name, cell]) => `${name}: ${isNumber(cell) ? tell(cell) : cell}`);
  const near = nearest(i, 3).map((j) => names[j]);
  const last = near.length ? [`nearest: ${near.join(", ")}`] : [];
  return [names[i], ...known, ...last].join("; ");
}

// Make a name that shows its object on the map when clicked.
function linkTo(name) {
  if (!placeOf.has(name)) return make("span", { class: "name" }, String(name ?? "–"));
  const open = () => {
    state.set({ object: name });
    document.querySelector(".plot").scrollIntoView({ block: "center" });
  };
  return make("button", { type: "button", class: "name", onclick: open }, name);
}

// Return the table of all objects, for copying and saving.
function allObjects() {
  const axes = points[0].map((_, k) => axisName(k));
  return {
    columns: ["object", ...axes, ...content.columns.map((column) => column.name)],
    rows: names.map((name, i) => [
      name,
      ...points[i],
      ...content.columns.map((column) => cellOf(column, i)),
    ]),
  };
}

const axisName = (k) => (p === 1 ? "place" : `axis ${k + 1}`);
