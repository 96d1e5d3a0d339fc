// The page: the map with its controls, the diagnostics, the table of all objects.

const COLORED = colorings.length ? colorings[0].name : "";
const FEW = 60; // objects, up to which ellipses are drawn from the start
const LEVEL = content.ellipses
  ? `${tell(Number((100 * content.ellipses.level).toPrecision(3)))}\u00a0%`
  : "";
const WAYS =
  "Drag the map, pinch it, or use the buttons. After a click on it the wheel zooms too, and keys work: +, − and 0 zoom, " +
  "arrows move, n and p go to the next and the previous object by name, and Escape lets go of it. The address of this page keeps what you see, so you can share it.";
const NEAR = 6; // neighbors that are named

// What the address says; what it doesn't say, or says wrongly, is the default.
function stateNow() {
  const axis = (key, otherwise) => {
    const k = Number(state.get(key)) - 1;
    return Number.isInteger(k) && k >= 0 && k < p ? k : otherwise;
  };
  const x = axis("x", 0);
  const y = axis("y", x === 1 ? 0 : 1);
  const color = state.get("color", COLORED);
  const column = colorings.find((one) => one.name === color);
  const words = state.get("find").trim().toLowerCase();
  const level = column?.levels ? column.levels.indexOf(state.get("only")) : -1;
  const hits = (i) =>
    names[i].toLowerCase().includes(words) && (level < 0 || column.values[i] === level);
  const filtered = Boolean(words) || level >= 0;
  return {
    axes: p === 1 ? [0, null] : [x, y === x ? (x === 0 ? 1 : 0) : y],
    column,
    looks: looksOf(column),
    level,
    words,
    chosen: placeOf.get(state.get("object")) ?? -1,
    filtered,
    hits,
    faint: (i) => filtered && !hits(i),
    show: {
      names: state.get("names") !== "off",
      images: state.get("images") === "on",
      ellipses: (state.get("ellipses") || (n <= FEW ? "on" : "off")) === "on",
    },
  };
}

let now = stateNow();

// The map and what is around it. Controls are made once, so that none loses the focus.

const canvas = make("canvas", { tabindex: 0, role: "img", "aria-describedby": "help" });
const map = mapOn(canvas, () => now, choosing);

function choosing(i) {
  state.set({ object: i < 0 ? "" : names[i] });
  quiet.textContent = i < 0 ? "" : sentenceOf(i);
}

function sentenceOf(i) {
  const facts = content.columns
    .map((column) => [column.name, cellOf(column, i)])
    .filter(([, cell]) => cell !== null);
  const known = facts.map(([name, cell]) => `${name}: ${isNumber(cell) ? tell(cell) : cell}`);
  const near = nearest(i, 3).map((j) => names[j]);
  return [names[i], ...known, near.length ? `nearest: ${near.join(", ")}` : ""]
    .filter(Boolean)
    .join("; ");
}

const field = (words, control) =>
  make("label", { class: "field" }, make("span", {}, words), control);

const find = make("input", {
  type: "search",
  list: "names",
  autocomplete: "off",
  spellcheck: "false",
});
find.addEventListener("input", () => {
  const i = placeOf.get(find.value);
  state.set({ find: find.value, object: i === undefined ? state.get("object") : names[i] });
});
find.addEventListener("keydown", (event) => {
  const first = names.findIndex((_, i) => now.hits(i));
  if (event.key === "Enter" && now.words && first >= 0) choosing(first);
});
const found = make("span", { class: "found", role: "status" });
const datalist = make(
  "datalist",
  { id: "names" },
  names.map((name) => make("option", { value: name })),
);

function select(words, options, change) {
  const choices = options.map(([value, label]) => make("option", { value }, label));
  const control = make("select", { onchange: () => change(control.value) }, choices);
  return { control, field: field(words, control) };
}

const columns = [["-", "nothing"], ...colorings.map(({ name }) => [name, name])];
const colorChoice = select("Color by", columns, (color) => state.set({ color, only: "" }));
const axes = content.shares.map((share, k) => [
  String(k + 1),
  `axis ${k + 1} (${Math.round(100 * share)} % of the spread)`,
]);
const turn = (key) => (value) => {
  map.reset();
  state.set({ [key]: value });
};
const xChoice = select("To the right", axes, turn("x"));
const yChoice = select("Upward", axes, turn("y"));

function toggle(words, key) {
  const box = make("input", {
    type: "checkbox",
    onchange: () => state.set({ [key]: box.checked ? "on" : "off" }),
  });
  return { box, label: make("label", { class: "check" }, box, make("span", {}, words)) };
}
const nameBox = toggle("Names", "names");
const pictureBox = toggle("Images", "images");
const ellipseBox = toggle(`${LEVEL} ${p === 1 ? "intervals" : "ellipses"}`, "ellipses");

const press = (words, action, label) =>
  make("button", { type: "button", onclick: action, "aria-label": label, title: label }, words);
const legend = make("div", { class: "legend" });
const chosen = make("div");
const help = make("p", { class: "caption", id: "help" });
const copied = make("span", { class: "found", role: "status" });

function mapCard() {
  const zoom = make(
    "div",
    { class: "zoom", role: "group", "aria-label": "Zoom" },
    press("+", () => map.zoomBy(1.5), "Zoom in"),
    press("−", () => map.zoomBy(1 / 1.5), "Zoom out"),
    press("⌂", map.reset, "See all of the map"),
  );
  const controls = [
    field("Find a name", find),
    datalist,
    colorings.length ? colorChoice.field : "",
    p > 2 ? [xChoice.field, yChoice.field] : "",
    nameBox.label,
    Object.keys(content.images).length ? pictureBox.label : "",
    content.ellipses ? ellipseBox.label : "",
    found,
    zoom,
  ];
  const tools = make(
    "div",
    { class: "tools" },
    press("Map as SVG", () => download("map.svg", map.svg(), "image/svg+xml")),
    press("Map as PNG", () => map.png((content) => download("map.png", content))),
    press("Table as CSV", () =>
      download("objects.csv", tableText(toCsv), "text/csv;charset=utf-8"),
    ),
    press("Copy the table", copyTable),
    copied,
  );
  return make(
    "section",
    { class: "card", "aria-label": "Map" },
    make("div", { class: "controls" }, controls),
    make(
      "div",
      { class: "stage" },
      make("figure", { class: "plot" }, canvas, map.hint, quiet),
      make("div", { class: "side" }, chosen, legend),
    ),
    help,
    make(
      "details",
      {},
      make("summary", {}, "How to move around"),
      make("p", { class: "caption" }, WAYS),
    ),
    content.notes.length
      ? make(
          "ul",
          { class: "notes" },
          content.notes.map((note) => make("li", {}, note)),
        )
      : "",
    tools,
  );
}

function tableText(write) {
  const { columns, rows } = allObjects();
  return write(columns, rows);
}

async function copyTable() {
  const done = await copy(tableText(toTsv));
  copied.textContent = done ? `${many(n, "row")} copied` : "The browser does not allow to copy";
  setTimeout(() => (copied.textContent = ""), 4000);
}

function drawControls() {
  if (find.value.trim().toLowerCase() !== now.words) find.value = state.get("find");
  colorChoice.control.value = now.column?.name ?? "-";
  xChoice.control.value = String(now.axes[0] + 1);
  yChoice.control.value = String(now.axes[1] + 1);
  nameBox.box.checked = now.show.names;
  pictureBox.box.checked = now.show.images;
  ellipseBox.box.checked = now.show.ellipses;
  const hits = now.filtered ? names.filter((_, i) => now.hits(i)).length : 0;
  found.textContent = now.filtered
    ? hits
      ? `${tell(hits)} of ${many(n, "object")}`
      : "no object"
    : "";
}

function mark({ color, shape }) {
  const paints = { fill: color ?? "var(--quiet)" };
  const place = { shape, x: 7, y: 7, r: 5 };
  return make(
    "svg",
    { width: 14, height: 14, viewBox: "0 0 14 14", "aria-hidden": "true" },
    shape === 0
      ? make("circle", { cx: 7, cy: 7, r: 5, ...paints })
      : make("polygon", { points: cornersOf(place).join(" "), ...paints }),
  );
}

const quietly = (words) =>
  make("p", { class: "caption" }, mark({ color: null, shape: 0 }), ` ${words}`);

function drawLegend() {
  const { column } = now;
  legend.hidden = !column;
  if (!column) return;
  const missing = column.values.filter((v) => v === null).length;
  const last = missing ? [quietly(`${tell(missing)} not known`)] : [];
  const head = make("h3", {}, column.name);
  if (!column.levels) {
    const [low, high] = rangeOf(column);
    const ramp = make("div", {
      class: "ramp",
      style: `background: linear-gradient(90deg, ${VIRIDIS.join(", ")})`,
    });
    const ends = make(
      "div",
      { class: "ends" },
      [low, high].map((v) => make("span", {}, tell(v))),
    );
    if (column.logarithmic) ends.firstChild.after(make("span", {}, "logarithmic"));
    legend.replaceChildren(head, ramp, ends, ...last);
    return;
  }
  const counts = column.levels.map(() => 0);
  for (const v of column.values) if (v !== null) counts[v] += 1;
  const level = (name, k) =>
    make(
      "button",
      {
        type: "button",
        "aria-pressed": String(k === now.level),
        onclick: () => state.set({ only: k === now.level ? "" : name }),
      },
      mark(lookOf(k)),
      make("span", { class: "name" }, name),
      make("small", {}, tell(counts[k])),
    );
  const rest = column.levels.length - MOST_LOOKS;
  const more = rest > 0 ? [quietly(`${tell(rest)} more words`)] : [];
  const again = legend.contains(document.activeElement) ? document.activeElement.textContent : null;
  legend.replaceChildren(
    head,
    make("div", { class: "levels" }, column.levels.slice(0, MOST_LOOKS).map(level)),
    ...more,
    ...last,
  );
  if (again)
    [...legend.querySelectorAll("button")].find((one) => one.textContent === again)?.focus();
}

function drawChosen() {
  const i = now.chosen;
  if (i < 0) {
    const words = "Click an object to see what is known of it, and what is near it.";
    chosen.replaceChildren(make("p", { class: "caption invitation" }, words));
    return;
  }
  const image = content.images[i];
  const near = nearest(i, NEAR).map((j) =>
    press(make("span", { class: "name" }, names[j]), () => choosing(j)),
  );
  chosen.replaceChildren(
    make(
      "div",
      { class: "chosen" },
      make("p", { class: "name" }, names[i]),
      image ? make("img", { src: image, alt: `Image of ${names[i]}` }) : "",
      facts(factsOf(i)),
      near.length ? [make("h3", {}, "Nearest"), make("div", { class: "near" }, near)] : "",
    ),
  );
}

function drawHelp() {
  const scale =
    p === 1
      ? "Objects lie on a line: near each other if people find them alike. Where it begins, its direction and its unit mean nothing."
      : "Objects are near each other if people find them alike. Only this nearness counts: directions, and the unit of length, mean nothing.";
  const principal =
    p > 2
      ? ` The map has ${p} dimensions, turned onto its principal axes, of which it shows two.`
      : "";
  const level = content.ellipses
    ? ` ${p === 1 ? "An interval" : "An ellipse"} holds the place of its object with ${LEVEL} confidence.`
    : "";
  help.textContent = scale + principal + level;
  const colors = now.column ? `, colored by ${now.column.name}` : "";
  canvas.setAttribute(
    "aria-label",
    `Map of ${many(n, "object")}${colors}. The table of all objects below says the same in words.`,
  );
}

let before = null;

// Draw the state that the address says.
function show() {
  now = stateNow();
  const theme = state.get("theme");
  document.documentElement.style.colorScheme = theme === "light" || theme === "dark" ? theme : "";
  drawControls();
  drawLegend();
  if (before !== now.chosen) drawChosen();
  drawHelp();
  if (now.chosen >= 0 && before !== now.chosen) map.bring(now.chosen);
  before = now.chosen;
  map.redraw();
}

function sectionCard({ title, meaning, parts }) {
  return make(
    "section",
    { class: "card" },
    make("h2", {}, title),
    meaning ? make("p", { class: "meaning" }, meaning) : "",
    parts.map(partOf),
  );
}

function objectsCard() {
  const { columns, rows } = allObjects();
  return make(
    "section",
    { class: "card objects" },
    make("h2", {}, "All objects"),
    make(
      "p",
      { class: "meaning" },
      `${many(n, "object")} and where they lie. A click on a name shows it on the map.`,
    ),
    tableOf({ columns, rows, link: 0, caption: "All objects" }),
  );
}

function flipTheme() {
  const dark = getComputedStyle(document.documentElement).colorScheme;
  const isDark =
    dark === "dark" || (dark !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  state.set({ theme: isDark ? "light" : "dark" });
}

if (content.figures) document.querySelector(".top").append(figuresOf(content.figures));
document
  .querySelector("main")
  .append(
    mapCard(),
    make("div", { class: "sections" }, content.sections.map(sectionCard)),
    objectsCard(),
  );
document.querySelector("footer").append(press("Light or dark", flipTheme));
function open() {
  map.readView();
  show();
}
addEventListener("hashchange", open);
open();
