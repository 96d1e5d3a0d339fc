// What every page shares: the content, the state in the address, elements, numbers, the tip. A page
// defines `show`, which draws the state.

const content = JSON.parse(document.getElementById("content").textContent);

// The state of the page is what stands behind # in its address, so that any view can be linked.
const state = {
  all: () => new URLSearchParams(location.hash.slice(1)),
  get: (key, otherwise = "") => state.all().get(key) ?? otherwise,
  // Keep what is drawn already.
  keep(changes) {
    const all = state.all();
    for (const [key, value] of Object.entries(changes)) {
      if (value === "" || value === null || value === undefined) all.delete(key);
      else all.set(key, value);
    }
    history.replaceState(null, "", `#${all}`);
  },
  set(changes) {
    state.keep(changes);
    show();
  },
};

// Make an element: text is never read as HTML.
function make(tag, attributes = {}, ...children) {
  const svg = "svg g path line circle ellipse rect image text polygon clipPath title".split(" ").includes(tag);
  const element = svg
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== ""));
  return element;
}

// What an object has under a key that a file or an address names; under `constructor` it has nothing.
const entryOf = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);

const ENDLESS = { inf: Infinity, "-inf": -Infinity };

// A cell as a number; NaN where it is none.
function number(text) {
  if (text === "" || text === undefined) return NaN;
  return entryOf(ENDLESS, text) ?? Number(text);
}

function say(value) {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "–";
  const size = Math.abs(value);
  let text;
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
    text = value
      .toExponential(2)
      .replace(/\.?0+e/, "e")
      .replace("e+", "e");
  } else {
    text = Number(value.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 6 });
  }
  return text.replace("-", "−");
}

const many = (n, noun) => `${n.toLocaleString("en-US")} ${noun}${n === 1 ? "" : "s"}`;
const unique = (values) => [...new Set(values)];

// A select that holds a key of the state; `options` are pairs of value and words, `also` is what
// else changes with it.
function choose(words, key, options, value, also = {}) {
  const select = make(
    "select",
    { onchange: (event) => state.set({ ...also, [key]: event.target.value }) },
    options.map(([each, label]) =>
      make("option", { value: each, selected: String(each) === String(value) }, String(label)),
    ),
  );
  return make("label", { class: "field" }, make("span", {}, words), select);
}

function check(words, on, change) {
  const box = make("input", { type: "checkbox", checked: on, onchange: () => change(box.checked) });
  return make("label", { class: "check" }, box, make("span", {}, words));
}

// Some buttons of which one is pressed.
function switcher(words, options, value, change) {
  const buttons = options.map(([each, label]) =>
    make(
      "button",
      { type: "button", "aria-pressed": String(each === value), onclick: () => change(each) },
      label,
    ),
  );
  return make("div", { class: "switcher", role: "group", "aria-label": words }, buttons);
}

// What typing changes must not be drawn anew, or it would lose the cursor.
function search(words, key) {
  const input = make("input", {
    type: "search",
    value: state.get(key),
    oninput: () => state.set({ [key]: input.value }),
  });
  return make("label", { class: "field wide" }, make("span", {}, words), input);
}

// The tip: what the pointer is over, or what has the focus, in more words.
const tip = {
  element: document.getElementById("tip"),
  show(box, ...children) {
    const { element } = tip;
    element.replaceChildren(...children);
    element.hidden = false;
    const { width, height } = element.getBoundingClientRect();
    const below = box.bottom + 8 + height < innerHeight;
    const left = Math.min(Math.max(8, box.left), innerWidth - width - 8);
    element.style.left = `${Math.max(8, left)}px`;
    element.style.top = `${Math.max(8, below ? box.bottom + 8 : box.top - height - 8)}px`;
  },
  hide() {
    tip.element.hidden = true;
    tip.again = null;
  },
  again: null, // shows the tip of what has the focus where this is now
  // Let an element show a tip when it is pointed at, focused or tapped.
  on(element, children) {
    const open = () => {
      tip.show(element.getBoundingClientRect(), ...children());
      tip.again = document.activeElement === element ? open : null;
    };
    element.setAttribute("aria-describedby", "tip");
    for (const kind of ["mouseenter", "focus", "click"]) element.addEventListener(kind, open);
    for (const kind of ["mouseleave", "blur"]) element.addEventListener(kind, tip.hide);
    return element;
  },
};
addEventListener("keydown", (event) => event.key === "Escape" && tip.hide());
addEventListener("scroll", () => (tip.again ?? tip.hide)(), { passive: true });

// Pairs of words as a list; what is empty is left out.
function facts(pairs) {
  return make(
    "dl",
    {},
    pairs
      .filter(([, words]) => words !== "" && words !== undefined)
      .map(([name, words]) => [make("dt", {}, name), make("dd", {}, words)]),
  );
}
