// A map on a canvas: moving, zooming and pointing.

const MOST_ZOOM = 80;
const CLICK = 5; // pixels; a pointer that moves farther drags

// Read the colors of the style sheet, light or dark.
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

// The view and the object under the pointer; several maps may share them. The zoom `home` shows the
// whole map. `changed` is called with what has changed.
function viewOf(home, changed) {
  const whole = { x: null, y: null, zoom: home };
  const change = (values) => {
    Object.assign(view, values);
    changed(values);
  };
  const view = { ...whole, home, pointed: -1, change, reset: () => change(whole) };
  return view;
}

// Return the look of the kth level of a palette; further levels are gray.
const lookOf = (palette, k) =>
  k < 3 * palette.length
    ? { color: palette[k % palette.length], shape: Math.floor(k / palette.length) }
    : { color: null, shape: 0 };

// Draw a look as a small picture for a legend.
function markOf({ color, shape }) {
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

const zoomButtons = (zoomBy, view) =>
  make(
    "div",
    { class: "zoom", role: "group", "aria-label": "Zoom" },
    press("+", () => zoomBy(1.5), "Zoom in"),
    press("−", () => zoomBy(1 / 1.5), "Zoom out"),
    press("⌂", view.reset, "Show the whole map"),
  );

// `options` returns `chosen` and the other options of `sceneOf`. `choose` is called with an object, or
// -1. `describe` returns the tooltip. `heightOf` returns the height for a width. `drawn` is called with
// the marks that were drawn.
function mapOn(canvas, objects, view, { options, choose, describe, heightOf, drawn = () => {} }) {
  const { names, points, p, images = {} } = objects;
  let size = { width: 0, height: 0 };
  let waiting = false;

  function scene(pointed = view.pointed) {
    const now = options();
    const isPointed = (i) => i === pointed;
    const strong = (i) => isPointed(i) || now.strong(i);
    const named = (i) => isPointed(i) || now.named(i);
    return sceneOf(objects, size, { view, colors: colorsNow(), ...now, strong, named });
  }

  function draw() {
    waiting = false;
    const width = canvas.clientWidth;
    if (!width) return;
    const height = Math.round(heightOf(width));
    size = { width, height };
    const ratio = devicePixelRatio || 1;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const marks = scene();
    paint(pen, marks);
    drawn(marks);
    // A finger scrolls the page while the whole map is shown.
    canvas.style.touchAction = view.zoom > view.home ? "none" : "pan-y";
  }

  function redraw() {
    if (!waiting) requestAnimationFrame(draw);
    waiting = true;
  }

  const projected = () => projection(objects, size, view, options().axes);

  const moveTo = (x, y, zoom = view.zoom) => view.change({ x, y: p === 1 ? 0 : y, zoom });

  // Zoom, and keep one point of the picture in place.
  function zoomBy(factor, px = size.width / 2, py = size.height / 2) {
    const before = projected();
    const next = Math.min(MOST_ZOOM, Math.max(0.5 * view.home, view.zoom * factor));
    const [x, y] = before.back(px, py);
    const share = view.zoom / next;
    moveTo(x + (before.center[0] - x) * share, y + (before.center[1] - y) * share, next);
  }

  function pan(dx, dy) {
    const { unit, center } = projected();
    moveTo(center[0] - dx / unit, center[1] + dy / unit);
  }

  const placeNow = (i) => projected().at(...placeOn(points[i], options().axes));

  // Move the view so that it contains an object.
  function bring(i) {
    if (!size.width) return;
    const [x, y] = placeNow(i);
    const inside = x > 10 && y > 10 && x < size.width - 10 && y < size.height - 10;
    if (!inside) moveTo(...placeOn(points[i], options().axes));
  }

  function nearestTo(px, py, reach) {
    const { at } = projected();
    const { axes, faint } = options();
    let [found, least] = [-1, reach];
    points.forEach((point, i) => {
      if (!point) return;
      const [x, y] = at(...placeOn(point, axes));
      const distance = Math.hypot(x - px, (y - py) / (axes[1] === null ? 4 : 1));
      const far = distance + (faint(i) ? 8 : 0); // prefer objects that are not faded
      if (far < least) [found, least] = [i, far];
    });
    return found;
  }

  function point(i) {
    if (i !== view.pointed) view.change({ pointed: i });
    canvas.classList.toggle("pointing", i >= 0);
    const said = i < 0 || !points[i] ? [] : describe(i);
    if (!said.length) return tip.hide();
    const frame = canvas.getBoundingClientRect();
    const [x, y] = placeNow(i);
    const [left, top] = [frame.left + x + 14, frame.top + y];
    tip.show({ left, top: top - 6, bottom: top + 6 }, ...said);
  }

  const spot = (event) => {
    const frame = canvas.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  const reachOf = (event) => (event.pointerType === "touch" ? 26 : 16);

  // Fingers that touch the map, or the pressed pointer.
  const down = new Map();
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    if (!down.size) moved = 0;
    down.set(event.pointerId, spot(event));
    try {
      canvas.setPointerCapture(event.pointerId);
    } catch {
      // the pointer is up again, or a script created it
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
        hint.hidden = false; // otherwise the page could not be scrolled
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

  // Go to the next object by name.
  function step(by) {
    const { chosen, faint } = options();
    const order = names
      .map((_, i) => i)
      .filter((i) => points[i] && (!faint(i) || i === chosen))
      .sort((i, j) => compare(names[i], names[j], 1));
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
    0: view.reset,
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
  objects.pictures ??= {};
  for (const [i, address] of Object.entries(images)) {
    const image = new Image();
    image.onload = redraw;
    image.src = address;
    objects.pictures[i] = image;
  }

  return { redraw, draw, zoomBy, bring, point, scene, size: () => size, hint };
}
