// Shared by all views of the board: names of studies, tables of the reports, a row of buttons.

const shortName = (study) => entryOf(content.studies, study)?.short ?? study;

// A table of the reports as objects, one a row.
function rowsOf(name) {
  const table = content.tables.find((one) => one.name === name);
  if (!table) return [];
  return table.rows.map((row) => Object.fromEntries(table.columns.map((key, i) => [key, row[i]])));
}

// A row of buttons, one of them pressed.
function switcher(label, options, value, change) {
  const buttons = options.map(([each, text]) => {
    const button = press(text, () => change(each));
    button.setAttribute("aria-pressed", String(each === value));
    return button;
  });
  return make("div", { class: "switcher", role: "group", "aria-label": label }, buttons);
}

// The words of a search, all of which must be found.
const wordsIn = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

const ENDLESS = { inf: Infinity, "-inf": -Infinity };

// A cell as a number, or NaN.
function number(text) {
  if (text === "" || text === undefined) return NaN;
  return entryOf(ENDLESS, text) ?? Number(text);
}
