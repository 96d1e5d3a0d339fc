// What all views of the board share: names of studies, tables of the reports, a row of buttons.

const shortName = (study) => entryOf(content.studies, study)?.short ?? study;

// A table of the reports as objects, one a row.
function rowsOf(name) {
  const table = content.tables.find((one) => one.name === name);
  if (!table) return [];
  return table.rows.map((row) => Object.fromEntries(table.columns.map((key, i) => [key, row[i]])));
}

// Some buttons of which one is pressed.
function switcher(label, options, value, change) {
  const buttons = options.map(([each, text]) => {
    const button = press(text, () => change(each));
    button.setAttribute("aria-pressed", String(each === value));
    return button;
  });
  return make("div", { class: "switcher", role: "group", "aria-label": label }, buttons);
}

// What is searched for: every word of it.
const wordsIn = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
