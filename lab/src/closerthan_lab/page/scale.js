// Scales and their ticks.

// Map numbers to a length. A logarithmic scale has no place for numbers that are not positive.
function scale([low, high], [start, end], log) {
  const f = log ? Math.log10 : (v) => v;
  const [a, b] = [f(low), f(high)];
  const span = b - a || 1;
  const at = (value) => start + ((f(value) - a) / span) * (end - start);
  at.ticks = (n) => ticksOf(low, high, n);
  return at;
}

function ticksOf(low, high, n) {
  const rough = (high - low) / Math.max(1, n);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? power;
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++)
    ticks.push(i * step);
  return ticks;
}

// Return the smallest and the largest finite number.
function rangeOf(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) {
    if (!Number.isFinite(v)) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return [low, high];
}
