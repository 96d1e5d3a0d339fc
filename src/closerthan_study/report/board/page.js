// What all views of the board share: names of studies, and tables of the reports.

const shortName = (study) => entryOf(content.studies, study)?.short ?? study;

// A table of the reports as objects, one a row.
function rowsOf(name) {
  const table = content.tables.find((one) => one.name === name);
  if (!table) return [];
  return table.rows.map((row) => Object.fromEntries(table.columns.map((key, i) => [key, row[i]])));
}
