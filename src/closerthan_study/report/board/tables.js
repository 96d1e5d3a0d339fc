// Tables of the reports, as in their files, to sort and to filter.

const MOST_ROWS = 500; // drawn at first
const MOST_CHARACTERS = 10; // of a number; longer ones are rounded

function tablesView(holder) {
  const controls = make("div", { class: "controls" });
  const count = make("p", { class: "count", role: "status" });
  const place = make("div");
  const top = make("div", { class: "fields" });
  const typed = search("Search in all columns", "rows");
  controls.append(top, typed.element);
  holder.append(controls, count, place);
  let built = null;

  return () => {
    if (!content.tables.length) {
      count.textContent = "This run has no tables of claims.";
      return;
    }
    const names = content.tables.map((table) => table.name);
    const name = oneOf("table", names);
    const table = content.tables.find((one) => one.name === name);
    if (built?.name !== name) {
      built = { name, ...filteredTable(table) };
      place.replaceChildren(built.element);
    }
    const options = names.map((each) => [each, each]);
    const change = (table) => state.set({ table, sort: "", rows: "", ...clearColumns() });
    const file = make("a", { href: `${name}.csv`, download: "" }, `${name}.csv`);
    top.replaceChildren(switcher("Table", options, name, change), file);
    typed.update();
    built.update();

    const wanted = wordsIn(state.get("rows"));
    const tests = table.columns
      .map((column, i) => [i, state.get(`col.${column}`)])
      .filter(([, text]) => text);
    const shown = table.rows.filter(
      (row) =>
        tests.every(([i, text]) => passes(row[i], text, built.numeric[i])) &&
        (!wanted.length || wanted.every((word) => row.join(" ").toLowerCase().includes(word))),
    );
    const [by, order] = state.get("sort").split(":");
    built.fill(shown, table.columns.indexOf(by), order === "desc" ? -1 : 1);
    count.textContent = `${table.words} ${shown.length} of ${many(table.rows.length, "row")}.`;
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

// Test a cell against a column's filter. `> 2` or `<= 2` compares numbers; without a number it keeps
// every row. Any other text is searched for.
function passes(cell, text, numeric) {
  const compared = numeric && /^\s*([<>]=?)\s*(.*?)\s*$/.exec(text);
  if (!compared) return cell.toLowerCase().includes(text.toLowerCase());
  const [, sign, limit] = compared;
  return limit === "" || COMPARE[sign](number(cell), number(limit));
}

// A table with a filter below the name of each column.
function filteredTable(table) {
  const filters = table.columns.map((column) => {
    const typed = search("", `col.${column}`);
    typed.input.setAttribute("aria-label", `Filter ${column}`);
    typed.input.setAttribute("placeholder", "filter");
    return typed;
  });
  const keyOf = (cell) => (cell === "" ? null : Number.isNaN(number(cell)) ? cell : number(cell));
  const sorted = (k, sign) =>
    state.set({ sort: k < 0 ? "" : `${table.columns[k]}:${sign > 0 ? "asc" : "desc"}` });
  const made = tableOf({
    columns: table.columns.map((column) => column.replaceAll("_", " ")),
    rows: table.rows,
    caption: "Table",
    draw: (cell, k, numeric) => drawCell(cell, table.columns[k], numeric),
    keyOf,
    sorted,
    most: MOST_ROWS,
    filters: filters.map((typed) => typed.input),
  });
  return { ...made, update: () => filters.forEach((typed) => typed.update()) };
}

// Long numbers are rounded; their title has all digits.
function drawCell(cell, column, numeric) {
  if (column === "outcome" && Object.hasOwn(content.outcomes, cell))
    return [mark({ outcome: cell, part: "", data: "same" }, "span"), ` ${cell}`];
  if (column.startsWith("verdict") && Object.hasOwn(content.verdicts, cell)) return pill(cell);
  if (!numeric || cell.length <= MOST_CHARACTERS) return cell;
  return make("span", { title: cell }, String(Number(number(cell).toPrecision(6))));
}
