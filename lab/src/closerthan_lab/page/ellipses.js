// Confidence ellipses of the objects of a map.

// Return the half axes of an object's ellipse in two dimensions, and its counterclockwise angle.
function ellipseOf({ ellipses, p }, i, [a, b]) {
  const shape = ellipses.shapes[i];
  const entry = (j, k) =>
    shape[Math.min(j, k) * p - (Math.min(j, k) * (Math.min(j, k) - 1)) / 2 + Math.abs(k - j)];
  if (b === null) return { radii: [Math.sqrt(Math.max(0, entry(a, a))), 0], angle: 0 };
  const [xx, xy, yy] = [entry(a, a), entry(a, b), entry(b, b)];
  const [middle, half] = [(xx + yy) / 2, Math.hypot((xx - yy) / 2, xy)];
  const radii = [middle + half, middle - half].map((v) => Math.sqrt(Math.max(0, v)));
  return { radii, angle: Math.atan2(2 * xy, xx - yy) / 2 };
}
