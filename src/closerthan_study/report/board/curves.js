// Learning curves: one chart, and the controls that choose its lines.

// Return the chosen chart or map, and the selects for paper, experiment and data set.
function chosen(list) {
  const study =
    state.get("paper") && list.some((one) => one.study === state.get("paper"))
      ? state.get("paper")
      : list[0].study;
  const ofStudy = list.filter((one) => one.study === study);
  const keys = unique(ofStudy.map((one) => one.experiment));
  const experiment = keys.includes(state.get("experiment")) ? state.get("experiment") : keys[0];
  const ofExperiment = ofStudy.filter((one) => one.experiment === experiment);
  const one = ofExperiment.find((each) => each.dataset === state.get("dataset")) ?? ofExperiment[0];
  const shows = (key) => ofStudy.find((each) => each.experiment === key).shows;
  const papers = unique(list.map((each) => each.study)).map((key) => [key, shortName(key)]);
  const experiments = keys.map((key) => [key, `${key} (${shows(key)})`]);
  const sets = ofExperiment.map((each) => [each.dataset, each.label]);
  const also = { off: "" }; // another experiment has other methods
  const fields = [
    choose("Paper", papers, study, state.setter("paper", also)),
    choose("Experiment", experiments, experiment, state.setter("experiment", also)),
    choose("Data", sets, one.dataset, state.setter("dataset")),
  ];
  return { one, fields };
}

// The value that the state has for a key; the first value if it has none.
function oneOf(key, values) {
  const found = values.find((value) => String(value) === state.get(key));
  return found ?? values[0];
}

// A select for the noise level, if there is more than one.
function noiseFields(noises, noise) {
  const options = noises.map((level) => [level, say(level)]);
  return noises.length > 1 ? [choose("Noise", options, noise, state.setter("noise"))] : [];
}

function curvesView(holder) {
  const controls = make("div", { class: "controls" });
  const switches = make("div", { class: "controls" });
  const picture = make("div", { class: "picture chart" });
  const legend = make("div", { class: "legend", role: "group", "aria-label": "Methods" });
  const caption = make("p", { class: "caption" });
  holder.append(controls, switches, make("figure", {}, picture, legend, caption));
  let redraw = null;
  new ResizeObserver(() => redraw?.()).observe(holder);

  return () => {
    if (!content.curves.length) {
      caption.textContent = "This run has no learning curves.";
      return;
    }
    const { one, fields } = chosen(content.curves);
    const losses = Object.keys(one.losses).filter((loss) => loss !== "none");
    const loss = oneOf("loss", losses);
    const noises = unique(one.lines.map((line) => line.noise)).sort((a, b) => a - b);
    const noise = oneOf("noise", noises);
    const measures = Object.keys(one.measures);
    const measure = oneOf("measure", measures);
    const axes = Object.keys(one.axes);
    const axis = oneOf("x", axes);
    const options = losses.map((key) => [key, one.losses[key]]);
    if (losses.length > 1) fields.push(choose("Loss", options, loss, state.setter("loss")));
    fields.push(...noiseFields(noises, noise));
    const named = measures.map((key) => [key, key.replaceAll("_", " ")]);
    fields.push(choose("Measure", named, measure, state.setter("measure")));
    controls.replaceChildren(...fields);

    const here = one.lines
      .filter(
        (line) =>
          line.measure === measure &&
          line.noise === noise &&
          (line.loss === loss || line.loss === "none" || loss === undefined),
      )
      .map((line) => lineFrom(one, line, axis));
    const others = notFirst(here).map((line) => line.label);
    const off = new Set(state.get("off", others.join("|")).split("|"));
    const drawn = here.filter((line) => line.x && !off.has(line.label));
    const log = logAxes(drawn);
    const setLog = (which, on) => {
      const next = { x: log.x, y: log.y, [which]: on };
      state.set({ log: ["x", "y"].filter((key) => next[key]).join("") || "none" });
    };
    switches.replaceChildren(
      switcher(
        "Horizontal axis",
        axes.map((key) => [key, one.axes[key]]),
        axis,
        state.setter("x"),
      ),
      check("log x", log.x, (on) => setLog("x", on)),
      check("log y", log.y, (on) => setLog("y", on)),
    );

    const stress = (label) => {
      for (const part of picture.querySelectorAll("[data-label]")) {
        part.classList.toggle("dim", label !== "" && part.dataset.label !== label);
      }
    };
    const words = captionOf(one, measure, axis, here);
    redraw = () => {
      lineChart(picture, drawn, {
        xlabel: one.axes[axis],
        ylabel: measure.replaceAll("_", " "),
        logx: log.x,
        logy: log.y,
        describe: words,
        heightOf: (width) => Math.min(480, Math.max(280, width * 0.55)),
      });
    };
    redraw();
    const labels = here.map((line) => line.label);
    const setOff = (list) => state.set({ off: list.join("|") || "none" });
    const toggle = (label, alone) => {
      const rest = labels.filter((each) => each !== label);
      const isAlone = rest.every((each) => off.has(each)) && !off.has(label);
      if (alone) return isAlone ? [] : rest;
      const still = labels.filter((each) => each !== label && off.has(each));
      return off.has(label) ? still : [...still, label];
    };
    legend.replaceChildren(
      ...here.map((line) =>
        make(
          "button",
          {
            type: "button",
            "aria-pressed": String(!off.has(line.label)),
            disabled: !line.x,
            title: line.x
              ? "Click: on or off. With Shift: this one alone."
              : `no values for ${one.axes[axis]}`,
            onmouseenter: () => stress(line.label),
            onmouseleave: () => stress(""),
            onfocus: () => stress(line.label),
            onblur: () => stress(""),
            onclick: (event) => setOff(toggle(line.label, event.shiftKey)),
          },
          swatch(line),
          line.label,
        ),
      ),
      ...(labels.some((label) => off.has(label))
        ? [press("Show all", () => setOff([]))]
        : others.length
          ? [press("Show fewer", () => state.set({ off: "" }))]
          : []),
    );
    const none = log.y && drawn.some((line) => line.mid.some((v) => v !== null && v <= 0));
    caption.textContent = words + (none ? " Zero cannot be shown on a logarithmic axis." : "");
  };
}

// The lines that are off at first. Controls stay on, and the first variant of each method with its
// first mini-batch size.
function notFirst(lines) {
  const first = new Map();
  return lines.filter((line) => {
    if (line.control) return false;
    const { method, variant, batch_size } = line;
    const setting = `${variant} ${batch_size}`;
    if (!first.has(method)) first.set(method, setting);
    return first.get(method) !== setting;
  });
}

// A line with its look and its places on an axis, if it has any. A control with the same value at
// all places is drawn as a horizontal line.
function lineFrom(chart, line, axis) {
  const look = chart.curves[line.curve];
  const { mid, low, high, trials } = line;
  const at = line.x[axis];
  const x = at === undefined ? null : chart.places[at];
  if (look.control && mid.every((value) => value === mid[0])) {
    return { ...look, x: [0], mid: [mid[0]], low: low?.slice(-1), high: high?.slice(-1), trials };
  }
  return { ...look, x, mid, low, high, trials };
}

// Logarithmic axes, as chosen. By default y is logarithmic if it spans more than two decades.
function logAxes(lines) {
  const set = state.get("log");
  if (set) return { x: set.includes("x"), y: set.includes("y") };
  const wide = (values) => {
    const kept = values.filter((v) => Number.isFinite(v) && v > 0);
    return kept.length > 0 && Math.max(...kept) > 100 * Math.min(...kept);
  };
  const mids = lines.flatMap((line) => line.mid);
  return {
    x: false,
    y: mids.every((v) => v === null || v > 0) && wide(mids),
  };
}

function captionOf(one, measure, axis, lines) {
  const counts = unique(lines.map((line) => line.trials)).sort((a, b) => a - b);
  const trials =
    counts.length > 1
      ? `${counts[0]} to ${many(counts.at(-1), "trial")}`
      : many(counts[0] ?? 0, "trial");
  const most = counts.at(-1) ?? 0;
  const what = one.measures[measure] ? `: ${one.measures[measure]}` : "";
  const band =
    most > 1
      ? `Lines: medians over ${trials}. Bands: first to third quartile`
      : "Lines: the only trial";
  const clock = axis === "seconds" ? ` ${one.timing}. Seconds are medians over trials.` : "";
  return `${one.shows}. ${measure.replaceAll("_", " ")}${what}. ${one.data}. ${band}.${clock}`;
}
