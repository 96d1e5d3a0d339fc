// Code that all pages share: content, state in the address, elements, numbers and tooltip. A page
// defines `show`, which draws the state.

const content = JSON.parse(document.getElementById("content").textContent);

// The state of the page is in the fragment of its address, so that every view has a link.
const state = {
  all: () => new URLSearchParams(location.hash.slice(1)),
  get: (key, otherwise = "") => state.all().get(key) ?? otherwise,
  // Set keys without drawing again.
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
  // Return a function that sets `key`, and the keys in `also`, and draws again.
  setter: (key, also = {}) => (value) => state.set({ ...also, [key]: value }),
};

// Make an element. Text is never parsed as HTML.
function make(tag, attributes = {}, ...children) {
  const svg = "svg g path line circle ellipse rect image text polygon title".split(" ").includes(tag);
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

// Return an own property; keys from files and addresses must not reach `constructor`.
const entryOf = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);

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

// Format a number. Whole numbers are not rounded, and small ones have no commas, because they may be
// years.
function tell(value) {
  if (value === null) return "–";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e4) return String(value).replace("-", "−");
  if (size < 1000 || size >= 1e15) return say(value);
  return value.toLocaleString("en-US", { maximumFractionDigits: 1 }).replace("-", "−");
}

const isNumber = (cell) => typeof cell === "number";
const many = (n, noun) => `${n.toLocaleString("en-US")} ${noun}${n === 1 ? "" : "s"}`;
const unique = (values) => [...new Set(values)];

// Count characters, not code units: some characters have two units.
function shortened(text, most) {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
}

const press = (label, action, help) =>
  make("button", { type: "button", onclick: action, "aria-label": help, title: help }, label);

const field = (label, ...controls) =>
  make("label", { class: "field" }, make("span", {}, label), controls);

// Make a select; `options` are pairs of value and label.
function choose(label, options, value, change) {
  const isChosen = (each) => String(each) === String(value);
  const choices = options.map(([each, text]) =>
    make("option", { value: each, selected: isChosen(each) }, String(text)),
  );
  return field(label, make("select", { onchange: (event) => change(event.target.value) }, choices));
}

function check(label, on, change) {
  const box = make("input", { type: "checkbox", checked: on, onchange: () => change(box.checked) });
  return make("label", { class: "check" }, box, make("span", {}, label));
}

// Make a search field for a key of the state, with `names` to choose from. It is made only once:
// drawing it again while the user types would lose the cursor.
function search(label, key, { names = [], on = "oninput", change = () => ({}) } = {}) {
  const said = () => state.set({ [key]: input.value, ...change(input.value) });
  const about = { type: "search", list: `${key}-names`, autocomplete: "off", spellcheck: "false" };
  const input = make("input", { ...about, [on]: said });
  const list = make("datalist", { id: `${key}-names` });
  const offer = (some) =>
    list.replaceChildren(...unique(some).map((name) => make("option", { value: name })));
  offer(names);
  const update = () => {
    if (input !== document.activeElement) input.value = state.get(key);
  };
  return { element: field(label, input, list), input, offer, update };
}

// Draw again, and return the focus to the element with the same label.
function keepFocus(update) {
  const was = document.activeElement;
  const labelOf = (element) =>
    element.getAttribute("aria-label") ??
    (element.closest("label")?.firstChild.textContent || element.textContent);
  const label = was === document.body ? "" : labelOf(was);
  update();
  if (was.isConnected) return;
  const again = [...document.querySelectorAll(`main ${was.tagName}`)];
  again.find((element) => labelOf(element) === label)?.focus();
}

// The tooltip: details of the element under the pointer or with the focus.
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
  again: null, // shows the tooltip again at the current place of the focused element
  // Show a tooltip when an element is pointed at, focused or tapped.
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

// Make a list of terms and descriptions; empty descriptions are left out.
function definitions(pairs) {
  return make(
    "dl",
    {},
    pairs
      .filter(([, said]) => said !== "" && said !== undefined)
      .map(([term, said]) => [make("dt", {}, term), make("dd", {}, said)]),
  );
}
