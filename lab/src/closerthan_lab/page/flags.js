// Names on a map of one dimension.

const LINE = 17; // pixels from one row of names to the next, on a line

// Each name is a flag above or below the line. From right to left, a flag is put farther out than the
// flags on its side whose poles it would cover. Names without room are left out, except strong ones.
function namesOnLine(named, _, { size, colors }) {
  const highest = Math.floor((size.height / 2 - 30) / LINE);
  const sides = [[], []]; // poles above and below, the nearest last
  const marks = [];
  for (const place of [...named].sort((a, b) => b.x - a.x)) {
    const end = place.x + place.width + 8;
    const levels = sides.map(
      (poles) => 1 + Math.max(0, ...poles.filter(([x]) => x < end).map(([, level]) => level)),
    );
    const which = levels[1] < levels[0] ? 1 : 0;
    if (levels[which] > highest && !place.strong) continue;
    const level = Math.min(levels[which], highest);
    sides[which].push([place.x, level]);
    const sign = which ? 1 : -1;
    const y = size.height / 2 + sign * (place.reach + 8 + level * LINE);
    const pole = {
      x1: place.x,
      x2: place.x,
      y1: size.height / 2 + sign * place.reach,
      y2: y + sign * 5,
    };
    const strong = place.strong ? colors.ink : colors.quiet;
    marks.push({ kind: "line", ...pole, color: strong, width: place.strong ? 1.2 : 0.6 });
    marks.push(nameMark(place, place.x + 4, y, colors));
  }
  return marks;
}
