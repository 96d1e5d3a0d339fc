// Marks of a map, drawn on a canvas or written as SVG.

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
      const picture = pictures.get(mark.i);
      const [left, top] = [mark.x - mark.w / 2, mark.y - mark.h / 2];
      if (picture?.naturalWidth) pen.drawImage(picture, left, top, mark.w, mark.h);
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
  shape === 1
    ? [
        [-0.9, -0.9],
        [0.9, -0.9],
        [0.9, 0.9],
        [-0.9, 0.9],
      ].map(([dx, dy]) => [x + dx * r, y + dy * r])
    : [
        [0, -1.25],
        [1.15, 0.9],
        [-1.15, 0.9],
      ].map(([dx, dy]) => [x + dx * r, y + dy * r]);

function outline(pen, mark) {
  if (mark.shape === 0) return pen.arc(mark.x, mark.y, mark.r, 0, 2 * Math.PI);
  for (const corner of cornersOf(mark)) pen.lineTo(...corner);
  pen.closePath();
}

// The same as elements of SVG.
function toElements(marks) {
  const short = (v) => Number(v.toFixed(2));
  const place = (mark) => ({ cx: short(mark.x), cy: short(mark.y) });
  return marks.map((mark) => {
    if (mark.kind === "line") {
      const ends = Object.fromEntries(
        ["x1", "x2", "y1", "y2"].map((key) => [key, short(mark[key])]),
      );
      return make("line", { ...ends, stroke: mark.color, "stroke-width": mark.width });
    }
    if (mark.kind === "ellipse") {
      const turn = `rotate(${short((mark.angle * 180) / Math.PI)} ${short(mark.x)} ${short(mark.y)})`;
      const paints = {
        fill: mark.color,
        "fill-opacity": mark.strong ? 0.22 : 0.1,
        stroke: mark.color,
      };
      const line = {
        "stroke-opacity": mark.strong ? 1 : 0.55,
        "stroke-width": mark.strong ? 1.8 : 1,
      };
      return make("ellipse", {
        ...place(mark),
        rx: short(mark.rx),
        ry: short(mark.ry),
        transform: turn,
        ...paints,
        ...line,
      });
    }
    if (mark.kind === "point") {
      const line = { stroke: mark.ring ?? mark.edge, "stroke-width": mark.ring ? 2 : 0.8 };
      const look = { fill: mark.color, opacity: mark.alpha, ...line };
      const title = mark.i === undefined ? "" : make("title", {}, names[mark.i]);
      if (mark.shape === 0)
        return make("circle", { ...place(mark), r: short(mark.r), ...look }, title);
      const corners = cornersOf(mark).map((corner) => corner.map(short).join(","));
      return make("polygon", { points: corners.join(" "), ...look }, title);
    }
    if (mark.kind === "image") {
      const box = {
        x: short(mark.x - mark.w / 2),
        y: short(mark.y - mark.h / 2),
        width: short(mark.w),
        height: short(mark.h),
      };
      const frame = {
        fill: "none",
        stroke: mark.ring ?? mark.color,
        "stroke-width": mark.ring ? 3 : 1.5,
      };
      const image = make("image", { ...box, href: mark.address }, make("title", {}, names[mark.i]));
      return make("g", { opacity: mark.alpha }, image, make("rect", { ...box, ...frame }));
    }
    const halo = {
      stroke: mark.halo,
      "stroke-width": 3.5,
      "stroke-linejoin": "round",
      "paint-order": "stroke",
    };
    const font = {
      "font-size": SIZE,
      "font-weight": mark.strong ? 600 : null,
      "dominant-baseline": "central",
    };
    return make(
      "text",
      { x: short(mark.x), y: short(mark.y), fill: mark.color, ...halo, ...font },
      mark.text,
    );
  });
}
