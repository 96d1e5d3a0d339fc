// Tables of the reports, just as their files have them, to sort and to filter.

const MOST_ROWS = 500; // that are drawn before somebody asks for more
const MOST_CHARACTERS = 10; // of a number

function tablesView(holder) {
  const controls = make("div", { class: "controls" });
  const count = make("p", { class: "count", role: "status" });
  const scroll = make("div", {
    class: "scroll",
    tabindex: 0,
    role: "region",
    "aria-label": "Table",
  });
  const top = make("div", { class: "fields" });
  const typed = search("Search in all columns", "rows");
  controls.append(top, typed);
  holder.append(controls, count, scroll);
  let built = null;
  let most = MOST_ROWS;

  return () => {
    if (!content.tables.length) {
      count.textContent = "This run has no tables of claims.";
      return;
    }
    const names = content.tables.map((table) => table.name);
    const name = names.includes(state.get("table")) ? state.get("table") : names[0];
    const table = content.tables.find((one) => one.name === name);
    if (built?.name !== name) {
      built = { name, ...frameOf(table) };
      scroll.replaceChildren(built.element);
      most = MOST_ROWS;
    }
    const choice = switcher(
      "Table",
      names.map((each) => [each, each]),
      name,
      (table) => state.set({ table, sort: "", rows: "", ...clearColumns() }),
    );
    const file = make("a", { href: `${name}.csv`, download: "" }, `${name}.csv`);
    top.replaceChildren(choice, file);
    const words = state.get("rows");
    const input = typed.querySelector("input");
    if (input !== document.activeElement) input.value = words;

    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const tests = table.columns
      .map((column, i) => [i, state.get(`col.${column}`)])
      .filter(([, text]) => text);
    const shown = table.rows.filter(
      (row) =>
        tests.every(([i, text]) => passes(row[i], text, built.numeric[i])) &&
        (!wanted.length || wanted.every((word) => row.join(" ").toLowerCase().includes(word))),
    );
    const [by, order] = state.get("sort").split(":");
    const column = table.columns.indexOf(by);
    if (column >= 0) sortRows(shown, column, order === "desc", built.numeric[column]);
    built.update(by, order);
    const lines = shown.slice(0, most).map((row) => lineOf(row, table, built.numeric));
    built.body.replaceChildren(...lines);
    count.replaceChildren(`${table.words} ${shown.length} of ${many(table.rows.length, "row")}. `);
    if (shown.length > most) {
      const more = () => {
        most = Infinity;
        show();
      };
      count.append(make("button", { type: "button", onclick: more }, `Draw all (now ${most})`));
    }
  };
}

function clearColumns() {
  const keys = [...state.all().keys()].filter((key) => key.startsWith("col."));
  return Object.fromEntries(keys.map((key) => [key, ""]));
}

const COMPARE = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

// A filter of a column: in one of numbers `> 2`, `<= 2` and the like compare, and hide nothing as
// long as the number is not there; all else is searched for.
function passes(cell, text, numeric) {
  const compared = numeric && /^\s*([<>]=?)\s*(.*?)\s*$/.exec(text);
  if (!compared) return cell.toLowerCase().includes(text.toLowerCase());
  const [, sign, limit] = compared;
  return limit === "" || COMPARE[sign](number(cell), number(limit));
}

// What is missing comes last in both orders.
function sortRows(rows, column, descending, numeric) {
  const sign = descending ? -1 : 1;
  rows.sort((one, other) => {
    const [a, b] = [one[column], other[column]];
    if (a === "" || b === "") return (a === "") - (b === "");
    if (!numeric) return sign * a.localeCompare(b, "en");
    return sign * ((number(a) > number(b)) - (number(a) < number(b)));
  });
}

function frameOf(table) {
  const numeric = table.columns.map((_, i) => {
    const cells = table.rows.map((row) => row[i]).filter((cell) => cell !== "");
    return cells.length > 0 && cells.every((cell) => !Number.isNaN(number(cell)));
  });
  const heads = table.columns.map((column, i) => {
    const sorted = () => {
      const [by, order] = state.get("sort").split(":");
      const next = by !== column ? "asc" : order === "asc" ? "desc" : "";
      state.set({ sort: next && `${column}:${next}` });
    };
    const button = make("button", { type: "button", onclick: sorted }, column.replaceAll("_", " "));
    return make("th", { scope: "col", class: numeric[i] ? "number" : "" }, button);
  });
  const filters = table.columns.map((column) => {
    const key = `col.${column}`;
    const input = make("input", {
      type: "search",
      "aria-label": `Filter ${column}`,
      placeholder: "filter",
      oninput: () => state.set({ [key]: input.value }),
    });
    return [key, input];
  });
  const body = make("tbody");
  const element = make(
    "table",
    {},
    make(
      "thead",
      {},
      make("tr", {}, heads),
      make(
        "tr",
        { class: "filters" },
        filters.map(([, input]) => make("td", {}, input)),
      ),
    ),
    body,
  );
  const update = (by, order) => {
    heads.forEach((head, i) => {
      const here = table.columns[i] === by;
      const direction = here ? (order === "desc" ? "descending" : "ascending") : "none";
      head.setAttribute("aria-sort", direction);
    });
    for (const [key, input] of filters) {
      if (input !== document.activeElement) input.value = state.get(key);
    }
  };
  return { element, body, numeric, update };
}

// A number as its file has it, but for digits that nobody reads.
const shorten = (cell) =>
  cell.length > MOST_CHARACTERS ? String(Number(number(cell).toPrecision(6))) : cell;

function lineOf(row, table, numeric) {
  return make(
    "tr",
    {},
    row.map((cell, i) => {
      const long = cell.length > 60;
      const isOutcome = table.columns[i] === "outcome"; // a verdict may have the same word
      if (!isOutcome && Object.hasOwn(content.verdicts, cell)) return make("td", {}, pill(cell));
      if (isOutcome && Object.hasOwn(content.outcomes, cell))
        return make("td", {}, mark({ outcome: cell, part: "", data: "same" }, "span"), ` ${cell}`);
      if (!numeric[i]) return make("td", { class: long ? "long" : "" }, cell);
      const short = shorten(cell);
      return make("td", { class: "number", title: short === cell ? null : cell }, short);
    }),
  );
}
