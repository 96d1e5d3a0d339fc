// Tables to sort, and as text for a spreadsheet.

const MOST_ROWS = 50; // that are drawn before somebody asks for more

// A table; `link` is the column of names of objects, `most` the number of rows drawn at first.
function tableOf({ columns, rows, caption = "", link = null, most = MOST_ROWS }) {
  const numeric = columns.map((_, k) => rows.every((row) => row[k] === null || isNumber(row[k])));
  const body = make("tbody");
  const head = columns.map((name, k) =>
    make(
      "th",
      { scope: "col", class: numeric[k] ? "number" : null },
      make("button", { type: "button", onclick: () => sort(k) }, name),
    ),
  );
  const more = make(
    "button",
    { type: "button", class: "more" },
    `Show all ${many(rows.length, "row")}`,
  );
  more.addEventListener("click", () => {
    most = rows.length;
    fill();
  });
  let [by, sign] = [-1, 1];
  let order = rows;

  function sort(k) {
    sign = by === k ? -sign : 1;
    by = k;
    head.forEach((th, j) => th.removeAttribute("aria-sort"));
    head[k].setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    order = [...rows].sort((a, b) => compare(a[k], b[k], sign));
    fill();
  }

  function fill() {
    const cells = (row) =>
      row.map((cell, k) =>
        make(
          "td",
          { class: numeric[k] ? "number" : null },
          k === link ? linkTo(cell) : words(cell),
        ),
      );
    body.replaceChildren(...order.slice(0, most).map((row) => make("tr", {}, cells(row))));
    more.hidden = most >= rows.length;
  }

  const words = (cell) =>
    cell === null ? "–" : isNumber(cell) ? tell(cell) : make("span", { class: "name" }, cell);
  fill();
  const table = make("table", {}, make("thead", {}, make("tr", {}, head)), body);
  if (caption) table.prepend(make("caption", { class: "unseen" }, caption));
  const label = caption || "Table";
  const scroll = make(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    table,
  );
  return make("div", {}, scroll, more);
}

// Numbers as they are told here: whole ones in full, for of 9,090 answers none is rounded away, and
// small ones without commas, for a year has none.
function tell(value) {
  if (value === null) return "–";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e4) return String(value).replace("-", "−");
  if (size < 1000 || size >= 1e15) return say(value);
  return value.toLocaleString("en-US", { maximumFractionDigits: 1 }).replace("-", "−");
}

const isNumber = (cell) => typeof cell === "number";

// What is missing comes last, either way.
function compare(a, b, sign) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (isNumber(a) && isNumber(b)) return sign * (a - b);
  return sign * String(a).localeCompare(String(b), "en", { numeric: true });
}

// A name that shows its object on the map.
function linkTo(name) {
  if (!placeOf.has(name)) return make("span", { class: "name" }, String(name ?? "–"));
  const open = () => {
    state.set({ object: name });
    document.querySelector(".plot").scrollIntoView({ block: "center" });
  };
  return make("button", { type: "button", class: "name", onclick: open }, name);
}

// As closerthan.files.escape_formula does: text that a spreadsheet would take for a formula gets an apostrophe.
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

function guarded(cell) {
  if (cell === null) return "";
  if (isNumber(cell)) return String(cell);
  return FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
}

const quoted = (text) => `"${text.replaceAll('"', '""')}"`;

// Text is quoted throughout, and line ends are those of the standard; by the mark in front (U+FEFF)
// spreadsheets see that it is UTF-8.
function toCsv(columns, rows) {
  const line = (row) => row.map((c) => (isNumber(c) ? String(c) : quoted(guarded(c)))).join(",");
  return `\ufeff${[columns, ...rows].map(line).join("\r\n")}\r\n`;
}

// For the clipboard: cells are parted by tabs, so none may hold one.
function toTsv(columns, rows) {
  const line = (row) => row.map((cell) => guarded(cell).replace(/[\t\r\n]+/g, " ")).join("\t");
  return [columns, ...rows].map(line).join("\n") + "\n";
}

function download(name, content, type) {
  const url = URL.createObjectURL(
    content instanceof Blob ? content : new Blob([content], { type }),
  );
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// Where the clipboard is not to be had, a field that is selected stands in for it.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = make("textarea", { class: "unseen" });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
