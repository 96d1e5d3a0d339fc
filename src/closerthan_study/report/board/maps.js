// Maps: a panel each, which move together, with names wherever there is room for them.

const SIDE = content.side; // coordinates are whole numbers from 0 to this one
const MOST_PANELS = 12; // that are drawn before somebody asks for more

function mapsView(holder) {
  const controls = make("div", { class: "controls" });
  const tools = make("div", { class: "controls" });
  const caption = make("p", { class: "caption" });
  const legend = make("div", { class: "legend" });
  const panels = make("div", { class: "panels" });
  holder.append(controls, tools, legend, panels, caption);
  const view = { x: SIDE / 2, y: SIDE / 2, zoom: 1, name: "" };
  let drawn = [];
  let marked = -1; // the object that is pointed at
  let all = false;

  const reset = () => Object.assign(view, { x: SIDE / 2, y: SIDE / 2, zoom: 1.15 });
  const redraw = () => drawn.forEach((panel) => panel.draw());
  const zoom = (factor, x = view.x, y = view.y) => {
    const next = Math.min(60, Math.max(0.8, view.zoom * factor));
    view.x = x + ((view.x - x) * view.zoom) / next;
    view.y = y + ((view.y - y) * view.zoom) / next;
    view.zoom = next;
    redraw();
  };
  new ResizeObserver(redraw).observe(holder);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);

  return () => {
    if (!content.maps.length) {
      caption.textContent = "This run keeps no maps of objects with names.";
      return;
    }
    const { one, fields } = chosen(content.maps);
    const losses = Object.keys(one.losses).filter((loss) => loss !== "none");
    const loss = losses.includes(state.get("loss")) ? state.get("loss") : "";
    const noises = unique(one.maps.map((map) => map.noise)).sort((a, b) => a - b);
    const noise = oneOf("noise", noises);
    if (losses.length > 1) {
      const options = [["", "all"], ...losses.map((key) => [key, one.losses[key]])];
      fields.push(choose("Loss", "loss", options, loss));
    }
    fields.push(...noiseFields(noises, noise));
    controls.replaceChildren(...fields);
    if (view.name !== nameOf(one)) {
      reset();
      all = false;
      view.name = nameOf(one);
    }
    const names = namesOf(one);
    const find = make("input", { type: "search", list: "objects", value: state.get("find") });
    find.addEventListener("change", () => state.set({ find: find.value }));
    const list = make(
      "datalist",
      { id: "objects" },
      unique(names).map((name) => make("option", { value: name })),
    );
    const press = (words, label, action) =>
      make("button", { type: "button", "aria-label": label, onclick: action }, words);
    const start = () => {
      reset();
      redraw();
    };
    tools.replaceChildren(
      press("+", "Zoom in", () => zoom(1.5)),
      press("−", "Zoom out", () => zoom(1 / 1.5)),
      press("Reset", "Reset the view", start),
      ...(names.some(Boolean)
        ? [
            make(
              "label",
              { class: "field" },
              make("span", {}, one.names ? "Find a name" : "Find a class"),
              find,
              list,
            ),
          ]
        : []),
    );
    const maps = one.maps.filter(
      (map) => map.noise === noise && (!loss || map.loss === loss || map.loss === "none"),
    );
    const shown = all ? maps : maps.slice(0, MOST_PANELS);
    const looks = looksOf(one);
    legend.replaceChildren(...legendOf(one, looks));
    const wanted = state.get("find").toLowerCase();
    const point = (next) => {
      marked = next;
      redraw();
    };
    drawn = shown.map((map) =>
      panelOf(map, {
        one,
        names,
        looks,
        view,
        zoom,
        start,
        point,
        wanted,
        marked: () => marked,
        redraw,
      }),
    );
    panels.replaceChildren(...drawn.map((panel) => panel.element));
    if (shown.length < maps.length) {
      const more = () => {
        all = true;
        show();
      };
      panels.append(
        make("button", { type: "button", onclick: more }, `Draw all ${maps.length} maps`),
      );
    }
    redraw();
    caption.textContent = mapCaption(one);
  };
}

function namesOf(one) {
  const n = one.maps[0].xy.length / 2;
  const words = (i) => {
    const own = one.names?.[i];
    const type = one.classes && one.classes[i] >= 0 ? one.class_names[one.classes[i]] : "";
    return own ?? type;
  };
  return Array.from({ length: n }, (_, i) => words(i));
}

// The color and the shape of each object.
function looksOf(one) {
  const n = content.palette.length;
  if (one.shades) return one.shades.map((shade) => ({ color: viridis(shade), shape: 0 }));
  if (!one.classes) return null;
  return one.classes.map((type) =>
    type < 0
      ? { color: null, shape: 0 }
      : { color: content.palette[type % n], shape: Math.floor(type / n) % 3 },
  );
}

function legendOf(one, looks) {
  if (!one.classes || one.class_names.length > 24) return [];
  return unique(one.classes)
    .filter((type) => type >= 0)
    .map((type) => {
      const i = one.classes.indexOf(type);
      const name = one.class_names[type];
      return make(
        "button",
        {
          type: "button",
          "aria-pressed": String(state.get("find").toLowerCase() === name.toLowerCase()),
          onclick: () => state.set({ find: state.get("find") === name ? "" : name }),
        },
        make("i", { class: `spot shape${looks[i].shape}`, style: `--color: ${looks[i].color}` }),
        name,
      );
    });
}

function mapCaption(one) {
  const n = one.maps[0].xy.length / 2;
  const some =
    n < one.objects
      ? ` (${n.toLocaleString("en-US")} of ${one.objects.toLocaleString("en-US")} objects are shown)`
      : "";
  const color = one.shades ? " Colors are places on the shape." : "";
  return (
    `${one.shows}. ${one.data}: the first trial, every map turned, mirrored and scaled onto the first${some}; ` +
    "of more than two dimensions the two principal axes." +
    color +
    " Drag to move; +, −, 0 and arrow keys where a panel has the focus, and there also the wheel, zoom and move all panels."
  );
}

function panelOf(map, { one, names, looks, view, zoom, start, point, wanted, marked, redraw }) {
  const canvas = make("canvas", { tabindex: 0, role: "img" });
  const title = [
    map.label,
    one.losses[map.loss] && map.loss !== "none" ? one.losses[map.loss] : "",
  ];
  const words = title.filter(Boolean).join(", ");
  canvas.setAttribute("aria-label", `Map: ${words}`);
  const element = make("figure", { class: "panel" }, canvas, make("figcaption", {}, words));
  const n = map.xy.length / 2;
  const hits = (i) =>
    wanted && (names[i].toLowerCase() === wanted || classOf(one, i).toLowerCase() === wanted);
  const some = wanted ? Array.from({ length: n }, (_, i) => i).some(hits) : false;

  let size = 0;
  const unit = () => (size / SIDE) * view.zoom;
  const toScreen = (i) => [
    size / 2 + (map.xy[2 * i] - view.x) * unit(),
    size / 2 - (map.xy[2 * i + 1] - view.y) * unit(),
  ];
  const toMap = (x, y) => [view.x + (x - size / 2) / unit(), view.y - (y - size / 2) / unit()];

  function draw() {
    size = element.clientWidth || 280;
    const ratio = devicePixelRatio || 1;
    canvas.width = canvas.height = Math.round(size * ratio);
    canvas.style.height = `${size}px`;
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const css = getComputedStyle(document.documentElement);
    const [ink, accent, paper] = ["--ink", "--accent", "--paper"].map((key) =>
      css.getPropertyValue(key),
    );
    const radius =
      Math.min(5, Math.max(2, 60 / Math.sqrt(n))) * Math.min(1.6, Math.sqrt(view.zoom));
    const places = [];
    for (let i = 0; i < n; i++) {
      if (map.xy[2 * i] < 0) continue;
      const [x, y] = toScreen(i);
      if (x < -9 || y < -9 || x > size + 9 || y > size + 9) continue;
      const strong = i === marked() || hits(i);
      places.push([i, x, y, strong]);
    }
    places.sort((a, b) => a[3] - b[3]);
    for (const [i, x, y, strong] of places) {
      pen.globalAlpha = some && !strong ? 0.2 : 1;
      pen.fillStyle = looks?.[i].color ?? accent;
      shape(pen, looks?.[i].shape ?? 0, x, y, strong ? radius * 1.7 : radius);
      if (strong) {
        pen.lineWidth = 2;
        pen.strokeStyle = ink;
        pen.stroke();
      }
    }
    pen.globalAlpha = 1;
    writeNames(pen, places.reverse(), radius, ink, paper);
  }

  // Those that are pointed at come first; after them as many as do not overlap.
  function writeNames(pen, places, radius, ink, paper) {
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    const taken = one.names
      ? places.map(([, x, y]) => [x - radius, y - radius, x + radius, y + radius])
      : [];
    for (const [i, x, y, strong] of places) {
      if (!(strong && i === marked()) && (!one.names || (some && !strong))) continue;
      const width = pen.measureText(names[i]).width;
      const beside = radius + 3;
      const spots = [
        [x + beside, y],
        [x - beside - width, y],
        [x - width / 2, y - beside - 5],
        [x - width / 2, y + beside + 5],
      ].filter(([left]) => left > 0 && left + width < size);
      const boxes = spots.map(([left, top]) => [left - 1, top - 6, left + width + 1, top + 6]);
      const apart = (a, b) => a[2] < b[0] || a[0] > b[2] || a[3] < b[1] || a[1] > b[3];
      let place = boxes.findIndex((box) => taken.every((other) => apart(box, other)));
      if (place < 0 && !strong) continue;
      if (place < 0) place = 0;
      if (!spots.length) continue;
      taken.push(boxes[place]);
      const [left, top] = spots[place];
      pen.lineWidth = 3;
      pen.strokeStyle = paper;
      pen.strokeText(names[i], left, top);
      pen.fillStyle = ink;
      pen.fillText(names[i], left, top);
    }
  }

  const spot = (event) => {
    const frame = canvas.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  let from = null;
  canvas.addEventListener("pointerdown", (event) => {
    from = { at: spot(event), x: view.x, y: view.y };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointerup", () => (from = null));
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = spot(event);
    if (from) {
      view.x = from.x - (x - from.at[0]) / unit();
      view.y = from.y + (y - from.at[1]) / unit();
      redraw();
      return;
    }
    let [nearest, least] = [-1, 14];
    for (let i = 0; i < n; i++) {
      if (map.xy[2 * i] < 0) continue;
      const [px, py] = toScreen(i);
      const distance = Math.hypot(px - x, py - y);
      if (distance < least) [nearest, least] = [i, distance];
    }
    if (nearest === marked()) return;
    point(nearest);
    if (nearest < 0) return tip.hide();
    const frame = canvas.getBoundingClientRect();
    const [px, py] = toScreen(nearest);
    const box = { left: frame.left + px + 10, bottom: frame.top + py + 4, top: frame.top + py };
    const type = classOf(one, nearest);
    const own = one.names ? names[nearest] : "";
    if (own || type) tip.show(box, [own, type].filter(Boolean).join(", "));
  });
  canvas.addEventListener("pointerleave", () => {
    if (marked() >= 0) point(-1);
    tip.hide();
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (document.activeElement !== canvas && !event.ctrlKey) return; // or the page could not be scrolled
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, ...toMap(...spot(event)));
    },
    { passive: false },
  );
  canvas.addEventListener("dblclick", start);
  canvas.addEventListener("keydown", (event) => {
    const step = 60 / unit();
    const moves = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, step],
      ArrowDown: [0, -step],
    };
    if (event.key === "+" || event.key === "=") zoom(1.3);
    else if (event.key === "-") zoom(1 / 1.3);
    else if (event.key === "0") start();
    else if (moves[event.key]) {
      view.x += moves[event.key][0];
      view.y += moves[event.key][1];
      redraw();
    } else return;
    event.preventDefault();
  });
  return { element, draw };
}

function classOf(one, i) {
  return one.classes && one.classes[i] >= 0 ? one.class_names[one.classes[i]] : "";
}

function shape(pen, kind, x, y, radius) {
  pen.beginPath();
  if (kind === 1) pen.rect(x - radius * 0.9, y - radius * 0.9, radius * 1.8, radius * 1.8);
  else if (kind === 2) {
    pen.moveTo(x, y - radius * 1.2);
    pen.lineTo(x + radius * 1.15, y + radius * 0.9);
    pen.lineTo(x - radius * 1.15, y + radius * 0.9);
    pen.closePath();
  } else pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}
