// Scales and their ticks.

// Map numbers to a length. A logarithmic axis has no place for numbers that are not positive.
function scale([low, high], [start, end], log) {
  const f = log ? Math.log10 : (v) => v;
  const [a, b] = [f(low), f(high)];
  const span = b - a || 1;
  const at = (value) => start + ((f(value) - a) / span) * (end - start);
  at.ticks = (n) => (log ? logTicks(low, high, n) : linearTicks(low, high, n));
  return at;
}

function linearTicks(low, high, n) {
  const rough = (high - low) / Math.max(1, n);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? power;
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++)
    ticks.push(i * step);
  return ticks;
}

function logTicks(low, high, n) {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  for (const within of [[1, 2, 5], [1, 3], [1]]) {
    const ticks = [];
    for (let power = first; power <= last; power++) {
      for (const m of within) ticks.push(m * 10 ** power);
    }
    const inside = ticks.filter((t) => t >= low * 0.999 && t <= high * 1.001);
    if (inside.length <= n && inside.length > 1) return inside;
  }
  const every = Math.ceil((last - first + 1) / Math.max(2, n));
  const powers = [];
  for (let power = first; power <= last; power += every) powers.push(10 ** power);
  const inside = powers.filter((t) => t >= low * 0.999 && t <= high * 1.001);
  // Within less than a decade use linear ticks: the axis is nearly linear there.
  return inside.length > 1 ? inside : linearTicks(low, high, n).filter((t) => t > 0);
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

// Return the range of an axis: slightly wider than the numbers, and from 0 if 0 is near.
function extent(values, log, room = 0.04, zero = true) {
  const [low, high] = rangeOf(log ? values.filter((v) => v > 0) : values);
  if (low > high) return log ? [0.1, 10] : [0, 1];
  if (log) {
    const more = (high / low) ** room * (low === high ? 1.5 : 1);
    return [low / more, high * more];
  }
  const more = (high - low) * room || Math.abs(high) * 0.1 || 1;
  return [zero && low >= 0 && low < 0.25 * high ? 0 : low - more, high + more];
}
