// Return the color for a number from 0 to 1 on a perceptually uniform scale, also for the color-blind.

const VIRIDIS = ["#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"];

function viridis(share) {
  const place = Math.min(share, 0.9999) * (VIRIDIS.length - 1);
  const i = Math.floor(place);
  const parts = [VIRIDIS[i], VIRIDIS[i + 1]].map((hex) =>
    [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16)),
  );
  const mixed = parts[0].map((v, k) => Math.round(v + (place - i) * (parts[1][k] - v)));
  return `#${mixed.map((v) => v.toString(16).padStart(2, "0")).join("")}`;
}
