// Tables that can be sorted by any column.

// Missing values come last in both orders.
function compare(a, b, sign) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (isNumber(a) && isNumber(b)) return sign * ((a > b) - (a < b));
  return sign * String(a).localeCompare(String(b), "en", { numeric: true });
}

const plainCell = (cell) =>
  cell === null ? "–" : isNumber(cell) ? tell(cell) : make("span", { class: "name" }, cell);

// Make a table. `keyOf` returns the sort key of a cell, `draw` makes its content, and `filters` has an
// element for the header of each column. `most` rows are shown first. A caller that keeps the order
// elsewhere gets it through `sorted`, and calls `fill`.
function tableOf({ columns, rows, caption, draw = plainCell, keyOf = (cell) => cell, ...more }) {
  const { filters, sorted = (by, sign) => fill(rows, by, sign) } = more;
  let { most = 50 } = more;
  const numeric = columns.map((_, k) =>
    rows.every((row) => keyOf(row[k]) === null || isNumber(keyOf(row[k]))),
  );
  const classOf = (cell, k) => (numeric[k] ? "number" : String(cell).length > 60 ? "long" : null);
  let now = { rows, by: -1, sign: 1 };
  const sort = (k) => {
    if (now.by !== k) sorted(k, 1);
    else if (now.sign > 0) sorted(k, -1);
    else sorted(-1, 1);
  };
  const heads = columns.map((column, k) =>
    make("th", { scope: "col", class: classOf("", k) }, press(column, () => sort(k))),
  );
  const body = make("tbody");
  const all = press("", () => {
    most = Infinity;
    fill(now.rows, now.by, now.sign);
  });
  all.className = "more";

  // Draw rows, sorted by a column or in the given order.
  function fill(some, by = -1, sign = 1) {
    now = { rows: some, by, sign };
    const order = (a, b) => compare(keyOf(a[by]), keyOf(b[by]), sign);
    const shown = by < 0 ? some : [...some].sort(order);
    heads.forEach((head, k) =>
      head.setAttribute("aria-sort", k !== by ? "none" : sign > 0 ? "ascending" : "descending"),
    );
    const cells = (row) =>
      row.map((cell, k) => make("td", { class: classOf(cell, k) }, draw(cell, k, numeric[k])));
    body.replaceChildren(...shown.slice(0, most).map((row) => make("tr", {}, cells(row))));
    all.textContent = `Show all ${many(some.length, "row")}`;
    all.hidden = most >= some.length;
  }

  fill(rows);
  const under = filters ? make("tr", { class: "filters" }, filters.map((one) => make("td", {}, one))) : "";
  const table = make(
    "table",
    {},
    make("caption", { class: "unseen" }, caption),
    make("thead", {}, make("tr", {}, heads), under),
    body,
  );
  const around = { class: "scroll", tabindex: 0, role: "region", "aria-label": caption };
  const frame = make("div", around, table);
  const hint = make("p", { class: "caption", hidden: true });
  const sayCut = () => {
    const wide = frame.scrollWidth > frame.clientWidth + 1 && "columns";
    const tall = frame.scrollHeight > frame.clientHeight + 1 && "rows";
    const cut = [wide, tall].filter(Boolean).join(" and ");
    hint.hidden = !cut;
    hint.textContent = `Scroll the table to see all ${cut}.`;
  };
  const watch = new ResizeObserver(sayCut);
  for (const element of [frame, table]) watch.observe(element);
  return { element: make("div", {}, frame, hint, all), fill, numeric };
}
