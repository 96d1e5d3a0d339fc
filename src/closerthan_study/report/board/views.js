// The views; one is shown at a time.

const VIEWS = {
  claims: ["Claims", claimsView],
  tables: ["Tables", tablesView],
  curves: ["Curves", curvesView],
  maps: ["Maps", mapsView],
};
const built = new Map();

function show() {
  const name = entryOf(VIEWS, state.get("view")) ? state.get("view") : "claims";
  const nav = document.querySelector("nav");
  nav.replaceChildren(
    ...Object.entries(VIEWS).map(([key, [words]]) =>
      make(
        "a",
        {
          href: `#view=${key}${state.get("paper") ? `&paper=${encodeURIComponent(state.get("paper"))}` : ""}`,
          "aria-current": key === name ? "page" : null,
        },
        words,
      ),
    ),
  );
  if (!built.has(name)) {
    const holder = make("section", { class: `view ${name}`, "aria-label": VIEWS[name][0] });
    document.querySelector("main").append(holder);
    built.set(name, { holder, update: VIEWS[name][1](holder) });
  }
  for (const [key, { holder }] of built) holder.hidden = key !== name;
  keepFocus(built.get(name).update);
}

addEventListener("hashchange", show);
show();
