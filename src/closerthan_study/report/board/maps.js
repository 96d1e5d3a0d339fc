// Maps: one panel for each. Panels move together; names are drawn where there is room.

const SIDE = content.side; // coordinates are whole numbers from 0 to this one
const HOME = 1.5; // the zoom at which the first map fills its panel
const MOST_PANELS = 12; // drawn at first

function mapsView(holder) {
  const controls = make("div", { class: "controls" });
  const tools = make("div", { class: "controls" });
  const caption = make("p", { class: "caption" });
  const legend = make("div", { class: "legend" });
  const panels = make("div", { class: "panels" });
  holder.append(controls, tools, legend, panels, caption);
  let drawn = [];
  const redraw = () => drawn.forEach((map) => map.redraw());
  const view = viewOf(HOME, redraw);
  const find = search("Find", "find", { on: "onchange" });
  tools.append(zoomButtons((factor) => drawn[0].zoomBy(factor), view), find.element);
  let before = null;
  let all = false;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);

  return () => {
    tools.hidden = !content.maps.length;
    if (tools.hidden) {
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
      fields.push(choose("Loss", options, loss, state.setter("loss")));
    }
    fields.push(...noiseFields(noises, noise));
    controls.replaceChildren(...fields);
    const names = namesOf(one);
    if (before !== one) {
      view.reset();
      all = false;
      before = one;
      find.element.firstChild.textContent = one.names ? "Find a name" : "Find a class";
      find.element.hidden = !names.some(Boolean);
      find.offer(names.filter(Boolean));
    }
    find.update();
    const maps = one.maps.filter(
      (map) => map.noise === noise && (!loss || map.loss === loss || map.loss === "none"),
    );
    const shown = all ? maps : maps.slice(0, MOST_PANELS);
    legend.replaceChildren(...legendOf(one));
    const options = optionsOf(one, names);
    drawn = [];
    panels.replaceChildren(...shown.map((map) => panelOf(map)));
    if (shown.length < maps.length) {
      const more = () => {
        all = true;
        show();
      };
      panels.append(press(`Draw all ${maps.length} maps`, more));
    }
    caption.textContent = mapCaption(one);

    function panelOf({ label, loss, xy }) {
      const words = loss === "none" ? label : `${label}, ${one.losses[loss]}`;
      const about = { tabindex: 0, role: "img", "aria-label": `Map: ${words}` };
      const canvas = make("canvas", about);
      const points = names.map((_, i) => (xy[2 * i] < 0 ? null : [xy[2 * i], xy[2 * i + 1]]));
      const ends = [0, SIDE];
      const objects = { names, points, p: 2, ranges: [ends, ends], dot: 0.19 };
      const map = mapOn(canvas, objects, view, {
        options: () => ({ ...options, chosen: view.pointed }),
        choose: (i) => map.point(i),
        describe: (i) => {
          const known = [one.names ? names[i] : "", classOf(one, i)].filter(Boolean);
          return known.length ? [known.join(", ")] : [];
        },
        heightOf: (width) => width,
      });
      drawn.push(map);
      const plot = make("div", { class: "plot" }, canvas, map.hint);
      return make("figure", { class: "panel" }, plot, make("figcaption", {}, words));
    }
  };
}

const namesOf = (one) =>
  Array.from({ length: one.maps[0].xy.length / 2 }, (_, i) => one.names?.[i] ?? classOf(one, i));

const classOf = (one, i) =>
  one.classes && one.classes[i] >= 0 ? one.class_names[one.classes[i]] : "";

// The look of all panels: found names or classes are strong, the others faint.
function optionsOf(one, names) {
  const wanted = state.get("find").toLowerCase();
  const hits = names.map((name, i) =>
    Boolean(wanted) && [name, classOf(one, i)].some((each) => each.toLowerCase() === wanted),
  );
  const some = hits.includes(true);
  const looks = names.map((_, i) => {
    if (one.shades) return { color: viridis(one.shades[i]), shape: 0 };
    if (!one.classes) return { color: undefined, shape: 0 };
    const { classes } = one;
    return classes[i] < 0 ? { color: null, shape: 0 } : lookOf(content.palette, classes[i]);
  });
  return {
    axes: [0, 1],
    looks,
    show: {},
    strong: (i) => hits[i],
    faint: (i) => some && !hits[i],
    named: (i) => Boolean(one.names) && (!some || hits[i]),
  };
}

function legendOf(one) {
  if (!one.classes || one.class_names.length > 24) return [];
  return unique(one.classes)
    .filter((type) => type >= 0)
    .map((type) => {
      const name = one.class_names[type];
      const found = state.get("find").toLowerCase() === name.toLowerCase();
      const mark = markOf(lookOf(content.palette, type));
      const button = press([mark, name], () => state.set({ find: found ? "" : name }));
      button.setAttribute("aria-pressed", String(found));
      return button;
    });
}

function mapCaption(one) {
  const n = one.maps[0].xy.length / 2;
  const some =
    n < one.objects
      ? ` (${n.toLocaleString("en-US")} of ${one.objects.toLocaleString("en-US")} objects are shown)`
      : "";
  const color = one.shades ? " Colors show the position on the shape." : "";
  return (
    `${one.shows}. ${one.data}. Maps of the first trial${some}. Every map is rotated, mirrored and scaled to match the first. ` +
    "A map of more than two dimensions shows its two principal axes." +
    color +
    " Drag to move. Click a panel, then use the wheel, +, −, 0 or the arrow keys to zoom and move all panels."
  );
}
