// Marks of a map, drawn on a canvas.

function paint(pen, marks) {
  pen.textBaseline = "middle";
  for (const mark of marks) {
    pen.globalAlpha = mark.alpha ?? 1;
    pen.beginPath();
    if (mark.kind === "line") {
      pen.moveTo(mark.x1, mark.y1);
      pen.lineTo(mark.x2, mark.y2);
      pen.lineWidth = mark.width;
      pen.strokeStyle = mark.color;
      pen.stroke();
    } else if (mark.kind === "ellipse") {
      pen.ellipse(mark.x, mark.y, mark.rx, mark.ry, mark.angle, 0, 2 * Math.PI);
      pen.globalAlpha = mark.strong ? 0.22 : 0.1;
      pen.fillStyle = pen.strokeStyle = mark.color;
      pen.fill();
      pen.globalAlpha = mark.strong ? 1 : 0.55;
      pen.lineWidth = mark.strong ? 1.8 : 1;
      pen.stroke();
    } else if (mark.kind === "point") {
      outline(pen, mark);
      pen.fillStyle = mark.color;
      pen.fill();
      pen.lineWidth = mark.ring ? 2 : 0.8;
      pen.strokeStyle = mark.ring ?? mark.edge;
      pen.stroke();
    } else if (mark.kind === "image") {
      const [left, top] = [mark.x - mark.w / 2, mark.y - mark.h / 2];
      if (mark.picture.naturalWidth) pen.drawImage(mark.picture, left, top, mark.w, mark.h);
      pen.rect(left, top, mark.w, mark.h);
      pen.lineWidth = mark.ring ? 3 : 1.5;
      pen.strokeStyle = mark.ring ?? mark.color;
      pen.stroke();
    } else {
      pen.font = `${mark.strong ? "600 " : ""}${SIZE}px ${FONT}`;
      pen.lineJoin = "round";
      pen.lineWidth = 3.5;
      pen.strokeStyle = mark.halo;
      pen.strokeText(mark.text, mark.x, mark.y);
      pen.fillStyle = mark.color;
      pen.fillText(mark.text, mark.x, mark.y);
    }
  }
  pen.globalAlpha = 1;
}

const cornersOf = ({ shape, x, y, r }) =>
  (shape === 1
    ? [
        [-0.9, -0.9],
        [0.9, -0.9],
        [0.9, 0.9],
        [-0.9, 0.9],
      ]
    : [
        [0, -1.25],
        [1.15, 0.9],
        [-1.15, 0.9],
      ]
  ).map(([dx, dy]) => [x + dx * r, y + dy * r]);

function outline(pen, mark) {
  if (mark.shape === 0) return pen.arc(mark.x, mark.y, mark.r, 0, 2 * Math.PI);
  for (const corner of cornersOf(mark)) pen.lineTo(...corner);
  pen.closePath();
}
