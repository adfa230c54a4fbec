/** Nearest points of segments and boxes in the plane. Results are left in `hit`, so that nothing is allocated. Metres, radians. */
import { cos, sin } from '#math/functions.ts';

export const hit = { x: 0, y: 0 };

/** Nearest point to (px, py) of the segment of that length about (x, y), turned by the angle of (cx, cy). */
export function nearestOnLine(x: number, y: number, cx: number, cy: number, length: number, px: number, py: number): void {
  const along = (px - x) * cx + (py - y) * cy;
  const far = Math.min(Math.abs(along), length / 2);
  const d = along < 0 ? -far : far;
  hit.x = x + d * cx;
  hit.y = y + d * cy;
}

/** Nearest point to (px, py) on the edge of a box about (x, y): length along its angle, width across. */
export function nearestOnBox(x: number, y: number, angle: number, length: number, width: number, px: number, py: number): void {
  const cx = cos(angle);
  const cy = sin(angle);
  let least = Number.POSITIVE_INFINITY;
  let bx = 0;
  let by = 0;
  for (let side = 0; side < 4; side++) {
    const sign = side % 2 === 0 ? 0.5 : -0.5;
    if (side < 2) nearestOnLine(x + sign * length * cx, y + sign * length * cy, -cy, cx, width, px, py);
    else nearestOnLine(x - sign * width * cy, y + sign * width * cx, cx, cy, length, px, py);
    const dx = px - hit.x;
    const dy = py - hit.y;
    const square = dx * dx + dy * dy;
    if (square >= least) continue;
    least = square;
    bx = hit.x;
    by = hit.y;
  }
  hit.x = bx;
  hit.y = by;
}

function distanceToHit(px: number, py: number): number {
  return Math.sqrt((px - hit.x) * (px - hit.x) + (py - hit.y) * (py - hit.y));
}

/** Whether a disc touches or is inside a box whose edge is `thick` wide. */
export function discMeetsBox(
  x: number,
  y: number,
  angle: number,
  length: number,
  width: number,
  px: number,
  py: number,
  radius: number,
  thick: number,
): boolean {
  nearestOnBox(x, y, angle, length, width, px, py);
  if (distanceToHit(px, py) < radius + thick) return true;
  const toCentre = Math.sqrt((px - x) * (px - x) + (py - y) * (py - y));
  const edge = Math.sqrt((hit.x - x) * (hit.x - x) + (hit.y - y) * (hit.y - y));
  return toCentre < edge;
}

/** Least distance of two segments (centre, direction, length); 0 where they cross. */
function segmentGap(
  ax: number,
  ay: number,
  acx: number,
  acy: number,
  a: number,
  bx: number,
  by: number,
  bcx: number,
  bcy: number,
  b: number,
): number {
  const cross = acx * bcy - acy * bcx;
  if (cross !== 0) {
    const t = ((bx - ax) * bcy - (by - ay) * bcx) / cross;
    const u = ((bx - ax) * acy - (by - ay) * acx) / cross;
    if (Math.abs(t) <= a / 2 && Math.abs(u) <= b / 2) return 0;
  }
  let least = Number.POSITIVE_INFINITY;
  for (let end = -0.5; end <= 0.5; end++) {
    const px = ax + end * a * acx;
    const py = ay + end * a * acy;
    nearestOnLine(bx, by, bcx, bcy, b, px, py);
    least = Math.min(least, distanceToHit(px, py));
    const qx = bx + end * b * bcx;
    const qy = by + end * b * bcy;
    nearestOnLine(ax, ay, acx, acy, a, qx, qy);
    least = Math.min(least, distanceToHit(qx, qy));
  }
  return least;
}

/** Least distance of a segment and the edge of a box. */
export function lineToBox(
  x: number,
  y: number,
  angle: number,
  length: number,
  boxX: number,
  boxY: number,
  boxAngle: number,
  boxLength: number,
  boxWidth: number,
): number {
  const lx = cos(angle);
  const ly = sin(angle);
  const cx = cos(boxAngle);
  const cy = sin(boxAngle);
  let least = Number.POSITIVE_INFINITY;
  for (let sign = -0.5; sign <= 0.5; sign++) {
    least = Math.min(
      least,
      segmentGap(x, y, lx, ly, length, boxX + sign * boxLength * cx, boxY + sign * boxLength * cy, -cy, cx, boxWidth),
    );
    least = Math.min(least, segmentGap(x, y, lx, ly, length, boxX - sign * boxWidth * cy, boxY + sign * boxWidth * cx, cx, cy, boxLength));
  }
  return least;
}
