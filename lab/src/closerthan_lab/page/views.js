// The page: the map with its controls, the diagnostics, the table of all objects.

const COLORED = colorings.find(({ levels }) => levels)?.name ?? "-"; // plain without words, as map.png
const FEW = 60; // with more objects, ellipses are off at first
const LEVEL = content.ellipses
  ? `${tell(Number((100 * content.ellipses.level).toPrecision(3)))}\u00a0%`
  : "";
const WAYS =
  "Drag or pinch the map, or use the buttons. After a click on the map, the mouse wheel zooms, and keys work: +, − and 0 zoom, " +
  "arrows move, n and p select the next and previous object by name, and Escape deselects it. The address of this page stores the view, so you can share it.";
const NEAR = 6; // number of neighbors named

// Read the state from the address; missing or wrong values get the default.
function stateNow() {
  const axis = (key, otherwise) => {
    const k = Number(state.get(key)) - 1;
    return Number.isInteger(k) && k >= 0 && k < p ? k : otherwise;
  };
  const x = axis("x", 0);
  const y = axis("y", x === 1 ? 0 : 1);
  const color = state.get("color", COLORED);
  const column = colorings.find((one) => one.name === color);
  const typed = state.get("find").trim().toLowerCase();
  const level = column?.levels ? column.levels.indexOf(state.get("only")) : -1;
  const hits = (i) =>
    names[i].toLowerCase().includes(typed) && (level < 0 || column.values[i] === level);
  const filtered = Boolean(typed) || level >= 0;
  const faint = (i) => filtered && !hits(i);
  const chosen = placeOf.get(state.get("object")) ?? -1;
  const show = {
    names: state.get("names") !== "off",
    images: state.get("images") === "on",
    ellipses: (state.get("ellipses") || (n <= FEW ? "on" : "off")) === "on",
  };
  return {
    axes: p === 1 ? [0, null] : [x, y === x ? (x === 0 ? 1 : 0) : y],
    column,
    looks: looksOf(column),
    level,
    typed,
    chosen,
    filtered,
    hits,
    faint,
    strong: (i) => i === chosen,
    named: (i) => i === chosen || (show.names && !faint(i)),
    show,
  };
}

let now = stateNow();

// The map and what is around it.

const quiet = make("span", { class: "unseen", role: "status" }); // announces selections by keyboard
const canvas = make("canvas", { tabindex: 0, role: "img", "aria-describedby": "help" });
const view = viewOf(1, (values) => {
  if ("zoom" in values) keepView();
  map.redraw();
});
const map = mapOn(canvas, objects, view, {
  options: () => now,
  choose: choosing,
  drawn: sayHidden,
  describe: (i) => [make("strong", { class: "name" }, names[i]), imageOf(i, ""), listOf(i)],
  heightOf(width) {
    const tall = p === 1 ? Math.max(260, Math.min(420, 0.5 * width)) : 0.78 * width;
    return Math.max(280, Math.min(tall, 0.8 * Math.max(innerHeight, 500)));
  },
});

// Say how many names in sight have no room.
function sayHidden(marks) {
  const inSight = marks.filter((mark) => mark.kind === "point" || mark.kind === "image");
  const wanted = inSight.filter(({ i }) => now.named(i)).length;
  const missing = wanted - marks.filter((mark) => mark.kind === "name").length;
  hidden.textContent =
    missing > 0
      ? `${tell(missing)} of ${many(wanted, "name")} ${missing === 1 ? "is" : "are"} hidden, because they would cover others. Zoom in to see them.`
      : "";
}

const imageOf = (i, alt) => (content.images[i] ? make("img", { src: content.images[i], alt }) : "");

let timer = 0;
function keepView() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const round = (v) => Number(v.toPrecision(5));
    const { x, y, zoom } = view;
    state.keep({ view: x === null ? "" : [x, y, zoom].map(round).join(",") });
  }, 250);
}

function readView() {
  const [x, y, zoom] = state.get("view").split(",").map(Number);
  const fine = state.get("view") && [x, y, zoom].every(Number.isFinite) && zoom > 0;
  if (fine) view.change({ x, y, zoom: Math.min(MOST_ZOOM, zoom) });
  else view.reset();
}

function choosing(i) {
  state.set({ object: i < 0 ? "" : names[i] });
  quiet.textContent = i < 0 ? "" : sentenceOf(i);
}

const find = search("Find a name", "find", {
  names,
  change: (name) => (placeOf.has(name) ? { object: name } : {}),
});
find.input.addEventListener("keydown", (event) => {
  const first = names.findIndex((_, i) => now.hits(i));
  if (event.key === "Enter" && now.typed && first >= 0) choosing(first);
});

const controls = make("div", { class: "controls" });
const legend = make("div", { class: "legend" });
const chosen = make("div");
const help = make("p", { class: "caption", id: "help" });
const hidden = make("p", { class: "caption" });
const copied = make("span", { class: "found", role: "status" });

function mapCard() {
  const tools = make(
    "div",
    { class: "tools" },
    press("Map as SVG", () => download("map.svg", mapSvg(map, now.column), "image/svg+xml")),
    press("Map as PNG", () => mapPng(map, now.column, (image) => download("map.png", image))),
    press("Table as CSV", () =>
      download("objects.csv", tableText(toCsv), "text/csv;charset=utf-8"),
    ),
    press("Copy the table", copyTable),
    copied,
  );
  const notes = content.notes.map((note) => make("li", {}, note));
  return make(
    "section",
    { class: "card", "aria-label": "Map" },
    controls,
    make(
      "div",
      { class: "stage" },
      make("figure", { class: "plot" }, canvas, map.hint, quiet, hidden),
      make("div", { class: "side" }, chosen, legend),
    ),
    help,
    make(
      "details",
      {},
      make("summary", {}, "How to move around"),
      make("p", { class: "caption" }, WAYS),
    ),
    notes.length ? make("ul", { class: "notes" }, notes) : "",
    tools,
  );
}

function tableText(write) {
  const { columns, rows } = allObjects();
  return write(columns, rows);
}

async function copyTable() {
  const done = await copy(tableText(toTsv));
  copied.textContent = done ? `${many(n, "row")} copied` : "The browser does not allow copying";
  setTimeout(() => (copied.textContent = ""), 4000);
}

const found = make("span", { class: "found", role: "status" });

function drawControls() {
  find.update();
  const columns = [["-", "nothing"], ...colorings.map(({ name }) => [name, name])];
  const axes = content.shares.map((share, k) => [
    k + 1,
    `axis ${k + 1} (${Math.round(100 * share)} % of the spread)`,
  ]);
  const turn = (key) => (axis) => {
    view.reset();
    state.set({ [key]: axis });
  };
  const toggle = (label, key) =>
    check(label, now.show[key], (on) => state.set({ [key]: on ? "on" : "off" }));
  const fields = [
    colorings.length
      ? choose("Color by", columns, now.column?.name ?? "-", state.setter("color", { only: "" }))
      : "",
    p > 2 ? choose("To the right", axes, now.axes[0] + 1, turn("x")) : "",
    p > 2 ? choose("Upward", axes, now.axes[1] + 1, turn("y")) : "",
    toggle("Names", "names"),
    Object.keys(content.images).length ? toggle("Images", "images") : "",
    content.ellipses
      ? toggle(`${LEVEL} ${p === 1 ? "intervals" : "ellipses"}`, "ellipses")
      : "",
  ];
  const others = make("div", { class: "fields" }, fields);
  if (controls.firstChild) controls.children[1].replaceWith(others);
  else controls.append(find.element, others, found, zoomButtons(map.zoomBy, view));
  const hits = names.filter((_, i) => now.hits(i)).length;
  const count = hits ? `${tell(hits)} of ${many(n, "object")}` : "no object";
  found.textContent = now.filtered ? count : "";
}

const quietly = (text) =>
  make("p", { class: "caption" }, markOf({ color: null, shape: 0 }), ` ${text}`);

function drawLegend() {
  const { column } = now;
  legend.hidden = !column;
  if (!column) return;
  const missing = column.values.filter((v) => v === null).length;
  const last = missing ? [quietly(`${tell(missing)} not known`)] : [];
  const head = make("h3", {}, column.name);
  if (!column.levels) {
    const [low, high] = rangeOf(column.values);
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
      markOf(lookOf(palette, k)),
      make("span", { class: "name" }, name),
      make("small", {}, tell(counts[k])),
    );
  const rest = column.levels.length - MOST_LOOKS;
  const more = rest > 0 ? [quietly(`${tell(rest)} more words`)] : [];
  legend.replaceChildren(
    head,
    make("div", { class: "levels" }, column.levels.slice(0, MOST_LOOKS).map(level)),
    ...more,
    ...last,
  );
}

function drawChosen() {
  const i = now.chosen;
  if (i < 0) {
    const invitation = "Click an object to see its attributes and nearest neighbors.";
    chosen.replaceChildren(make("p", { class: "caption invitation" }, invitation));
    return;
  }
  const near = nearest(i, NEAR).map((j) =>
    press(make("span", { class: "name" }, names[j]), () => choosing(j)),
  );
  chosen.replaceChildren(
    make(
      "div",
      { class: "chosen" },
      make("p", { class: "name" }, names[i]),
      imageOf(i, `Image of ${names[i]}`),
      listOf(i),
      near.length ? [make("h3", {}, "Nearest"), make("div", { class: "near" }, near)] : "",
    ),
  );
}

function drawHelp() {
  const scale =
    p === 1
      ? "Objects that people find similar lie near each other on the line. Its origin, direction and unit have no meaning."
      : "Objects that people find similar are near each other. Only distances between objects matter: directions and units have no meaning.";
  const principal =
    p > 2
      ? ` The map has ${p} dimensions, rotated onto their principal axes; two of them are shown.`
      : "";
  const level = content.ellipses
    ? ` ${p === 1 ? "An interval" : "An ellipse"} is the ${LEVEL} confidence region for the position of its object.`
    : "";
  help.textContent = scale + principal + level;
  const colors = now.column ? `, colored by ${now.column.name}` : "";
  canvas.setAttribute(
    "aria-label",
    `Map of ${many(n, "object")}${colors}. The table of all objects below has the same information.`,
  );
}

let before = null;

// Draw the state in the address.
function show() {
  now = stateNow();
  const theme = state.get("theme");
  document.documentElement.style.colorScheme = theme === "light" || theme === "dark" ? theme : "";
  keepFocus(() => {
    drawControls();
    drawLegend();
    if (before !== now.chosen) drawChosen();
  });
  drawHelp();
  if (now.chosen >= 0 && before !== now.chosen) map.bring(now.chosen);
  before = now.chosen;
  map.redraw();
}

function sectionCard({ title, meaning, blocks }) {
  return make(
    "section",
    { class: blocks.length > 1 ? "card wide" : "card" },
    make("h2", {}, title),
    meaning ? make("p", { class: "meaning" }, meaning) : "",
    make("div", { class: "blocks" }, blocks.map(blockOf)),
  );
}

function objectsCard() {
  const { columns, rows } = allObjects();
  const draw = (cell, k) => (k ? plainCell(cell) : linkTo(cell));
  return make(
    "section",
    { class: "card objects" },
    make("h2", {}, "All objects"),
    make(
      "p",
      { class: "meaning" },
      `${many(n, "object")} and their positions. Click a name to show it on the map.`,
    ),
    tableOf({ columns, rows, draw, caption: "All objects" }).element,
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
const dress = (theme) => {
  document.documentElement.style.colorScheme = theme;
  map.draw();
};
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", map.redraw);
addEventListener("beforeprint", () => dress("light"));
addEventListener("afterprint", () => dress(state.get("theme")));
function open() {
  readView();
  show();
}
addEventListener("hashchange", open);
open();
