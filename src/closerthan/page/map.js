// The map on a canvas: what moves it, and what is pointed at.

const MOST_ZOOM = 80;
const CLICK = 5; // pixels that a click may move
const pictures = new Map(); // images by object, as the canvas draws them
const quiet = make("span", { class: "unseen", role: "status" }); // says what the keyboard chooses

// Colors of the style sheet as the browser resolves them, light or dark.
const probe = make("span", { hidden: true });
function colorsNow() {
  document.body.append(probe);
  const resolve = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  return Object.fromEntries(
    ["ink", "quiet", "line", "card", "accent"].map((name) => [name, resolve(name)]),
  );
}

// `options` returns what the state says of a scene; `choose` is called with an object, or -1.
function mapOn(canvas, options, choose) {
  const view = { x: null, y: null, zoom: 1 };
  let size = { width: 0, height: 0 };
  let pointed = -1;
  let waiting = false;

  const scene = (extent, strong) =>
    sceneOf(extent, {
      view,
      colors: colorsNow(),
      ...options(),
      strong: new Set(strong.filter((i) => i >= 0)),
    });

  function draw() {
    waiting = false;
    const width = canvas.clientWidth;
    if (!width) return;
    const tall = p === 1 ? Math.max(260, Math.min(420, 0.5 * width)) : 0.78 * width;
    const height = Math.round(Math.max(280, Math.min(tall, 0.8 * Math.max(innerHeight, 500))));
    size = { width, height };
    const ratio = devicePixelRatio || 1;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(pen, scene(size, [options().chosen, pointed]));
    canvas.style.touchAction = view.zoom > 1 ? "none" : "pan-y"; // all of it seen, a finger scrolls the page
  }

  function redraw() {
    if (!waiting) requestAnimationFrame(draw);
    waiting = true;
  }

  const projected = () => projection(size, view, options().axes);

  let timer = 0;
  function keepView() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const whole = view.x === null;
      const round = (v) => Number(v.toPrecision(5));
      state.keep({ view: whole ? "" : [view.x, view.y, view.zoom].map(round).join(",") });
    }, 250);
  }

  function readView() {
    const [x, y, zoom] = state.get("view").split(",").map(Number);
    const fine = state.get("view") && [x, y, zoom].every(Number.isFinite) && zoom > 0;
    Object.assign(
      view,
      fine ? { x, y, zoom: Math.min(MOST_ZOOM, zoom) } : { x: null, y: null, zoom: 1 },
    );
  }

  function moveTo(x, y, zoom = view.zoom) {
    Object.assign(view, { x, y: p === 1 ? 0 : y, zoom });
    keepView();
    redraw();
  }

  // Zoom such that a place of the picture stays where it is.
  function zoomBy(factor, px = size.width / 2, py = size.height / 2) {
    const before = projected();
    const next = Math.min(MOST_ZOOM, Math.max(0.5, view.zoom * factor));
    const [x, y] = before.back(px, py);
    const share = view.zoom / next;
    moveTo(x + (before.center[0] - x) * share, y + (before.center[1] - y) * share, next);
  }

  function pan(dx, dy) {
    const { unit, center } = projected();
    moveTo(center[0] - dx / unit, center[1] + dy / unit);
  }

  function reset() {
    Object.assign(view, { x: null, y: null, zoom: 1 });
    keepView();
    redraw();
  }

  const placeNow = (i) => {
    const [a, b] = options().axes;
    return projected().at(points[i][a], b === null ? 0 : points[i][b]);
  };

  // Bring an object into the picture if it is not there.
  function bring(i) {
    if (!size.width) return;
    const [x, y] = placeNow(i);
    const inside = x > 10 && y > 10 && x < size.width - 10 && y < size.height - 10;
    const [a, b] = options().axes;
    if (!inside) moveTo(points[i][a], b === null ? 0 : points[i][b]);
  }

  function nearestTo(px, py, reach) {
    const { at } = projected();
    const { axes, faint } = options();
    let [found, least] = [-1, reach];
    points.forEach((point, i) => {
      const [x, y] = at(point[axes[0]], axes[1] === null ? 0 : point[axes[1]]);
      const distance =
        axes[1] === null ? Math.hypot(x - px, (y - py) / 4) : Math.hypot(x - px, y - py);
      const far = distance + (faint(i) ? 8 : 0); // what is faded gives way
      if (far < least) [found, least] = [i, far];
    });
    return found;
  }

  function point(i) {
    if (i !== pointed) redraw();
    pointed = i;
    canvas.classList.toggle("pointing", i >= 0);
    if (i < 0) return tip.hide();
    const frame = canvas.getBoundingClientRect();
    const [x, y] = placeNow(i);
    const box = {
      left: frame.left + x + 14,
      top: frame.top + y - 6,
      bottom: frame.top + y + 6,
    };
    tip.show(box, ...describe(i));
  }

  const spot = (event) => {
    const frame = canvas.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  const reachOf = (event) => (event.pointerType === "touch" ? 26 : 16);

  // Fingers, or the one pointer, that are down.
  const down = new Map();
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    if (!down.size) moved = 0;
    down.set(event.pointerId, spot(event));
    try {
      canvas.setPointerCapture(event.pointerId);
    } catch {
      // a pointer that is up again, or that a script made up
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    const now = spot(event);
    const before = down.get(event.pointerId);
    if (!before) return point(nearestTo(...now, reachOf(event)));
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    down.set(event.pointerId, now);
    if (moved < CLICK) return;
    point(-1);
    if (!other) return pan(now[0] - before[0], now[1] - before[1]);
    const apart = (place) => Math.hypot(place[0] - other[0], place[1] - other[1]) || 1;
    zoomBy(apart(now) / apart(before), ...other);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (down.size === 1 && moved < CLICK) choose(nearestTo(...spot(event), reachOf(event)));
    down.delete(event.pointerId);
  });
  canvas.addEventListener("pointercancel", (event) => down.delete(event.pointerId));
  canvas.addEventListener("pointerleave", () => point(-1));
  canvas.addEventListener("dblclick", (event) => zoomBy(2, ...spot(event)));

  const hint = make(
    "p",
    { class: "hint", hidden: true },
    "Click the map first, or hold Ctrl, to zoom with the wheel",
  );
  let fading = 0;
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (document.activeElement !== canvas && !event.ctrlKey && !event.metaKey) {
        hint.hidden = false; // for without this the page could not be scrolled
        clearTimeout(fading);
        fading = setTimeout(() => (hint.hidden = true), 1500);
        return;
      }
      event.preventDefault();
      zoomBy(
        Math.exp(-Math.sign(event.deltaY) * Math.min(0.35, Math.abs(event.deltaY) / 400)),
        ...spot(event),
      );
    },
    { passive: false },
  );

  const alphabet = names
    .map((_, i) => i)
    .sort((i, j) => names[i].localeCompare(names[j], "en", { numeric: true }));
  function step(by) {
    const { chosen, faint } = options();
    const order = alphabet.filter((i) => !faint(i) || i === chosen);
    if (!order.length) return;
    const at = order.indexOf(chosen);
    const next =
      order[at < 0 ? (by > 0 ? 0 : order.length - 1) : (at + by + order.length) % order.length];
    choose(next);
  }

  const keys = {
    "+": () => zoomBy(1.4),
    "=": () => zoomBy(1.4),
    "-": () => zoomBy(1 / 1.4),
    0: reset,
    ArrowLeft: () => pan(60, 0),
    ArrowRight: () => pan(-60, 0),
    ArrowUp: () => pan(0, 60),
    ArrowDown: () => pan(0, -60),
    n: () => step(1),
    p: () => step(-1),
    Escape: () => choose(-1),
  };
  canvas.addEventListener("keydown", (event) => {
    const action = entryOf(keys, event.key);
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });

  new ResizeObserver(redraw).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  const all = (words) => {
    document.documentElement.style.colorScheme = words;
    draw();
  };
  addEventListener("beforeprint", () => all("light"));
  addEventListener("afterprint", () => all(state.get("theme")));
  for (const [i, address] of Object.entries(content.images)) {
    const image = new Image();
    image.onload = redraw;
    image.src = address;
    pictures.set(Number(i), image);
  }

  // The map as it is seen, with what its colors mean to the right.
  function exported() {
    const { column } = options();
    const legend = column ? legendOf(column, colorsNow(), size.width + 8) : [];
    const map = scene(size, [options().chosen]);
    return { width: size.width + (column ? LEGEND : 0), height: size.height, map, legend };
  }

  // As SVG, and as a canvas of thrice as many pixels.
  function svg() {
    const { width, height, map, legend } = exported();
    const back = make("rect", { width, height, fill: colorsNow().card });
    const box = {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
    };
    const parts = [
      make("g", { class: "map" }, toElements(map)),
      make("g", { class: "legend" }, toElements(legend)),
    ];
    return new XMLSerializer().serializeToString(
      make("svg", { ...box, "font-family": FONT }, back, parts),
    );
  }

  function png(done) {
    const { width, height, map, legend } = exported();
    const copy = make("canvas", { width: 3 * width, height: 3 * height });
    const pen = copy.getContext("2d");
    pen.scale(3, 3);
    pen.fillStyle = colorsNow().card;
    pen.fillRect(0, 0, width, height);
    paint(pen, [...map, ...legend]);
    copy.toBlob(done, "image/png");
  }

  return { redraw, readView, zoomBy, reset, bring, placeNow, svg, png, hint };
}

// What is known of an object, for the tip.
function describe(i) {
  const image = content.images[i];
  return [
    make("strong", { class: "name" }, names[i]),
    image ? make("img", { src: image, alt: "" }) : "",
    facts(factsOf(i)),
  ];
}
