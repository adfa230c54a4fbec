/** Bodies seen from the side (x to the right, up is up), metres: parts, drones, courts, slopes, trails left away. */
import type { BodiesLayout, BodyPart, Fixture } from '#contract/game/frames.ts';
import { circle, css } from '../lib/brush.ts';
import type { FlatFrame } from '../lib/define.ts';
import { bodyAt, followedRise, followedX } from '../lib/frames.ts';
import { mix, type Palette, type Rgb } from '../lib/theme.ts';

type Side = readonly [x: number, up: number];

export function drawBodies(g: CanvasRenderingContext2D, { layout, a, b, alpha, palette }: FlatFrame<BodiesLayout>): void {
  const zUp = layout.up === 'z';
  const [minX, minY, minZ, , maxY, maxZ] = layout.bounds;
  const [low, high] = zUp ? [minZ, maxZ] : [minY, maxY];
  const middle = followedX(layout, a, b, alpha);
  const rise = followedRise(layout, b, middle);
  const side = (x: number, y: number, z: number): Side => [x - minX - middle, high + rise - (zUp ? z : y)];
  g.fillStyle = css(palette.tile);
  g.fillRect(0, high - low, layout.bounds[3] - minX, 0.015 * (high - low));
  if (layout.follow !== undefined) drawMarks(g, layout, middle, palette);
  if (layout.profile !== undefined) drawProfile(g, layout, b, side, palette);
  for (const fixture of layout.fixtures ?? []) drawFixture(g, fixture, side, zUp, palette);
  const pose = new Float32Array(7);
  layout.parts.forEach((part, i) => {
    if (!shown(a, i)) return;
    bodyAt(layout, a, b, i, alpha, pose);
    g.save();
    g.translate(...side(pose[0]!, pose[1]!, pose[2]!));
    // Seen from the side only the turn about the line of sight is left: z, or y (to the left) in robotics axes.
    g.rotate(zUp ? 2 * Math.atan2(pose[4]!, pose[6]!) : -2 * Math.atan2(pose[5]!, pose[6]!));
    drawPart(g, part, zUp, palette);
    g.restore();
  });
}

/** Ground below its upper edge, down to the lower end of the picture. */
function drawProfile(
  g: CanvasRenderingContext2D,
  layout: BodiesLayout,
  frame: Float32Array,
  side: (x: number, y: number, z: number) => Side,
  palette: Palette,
): void {
  const { points: count = 0, bare } = layout.profile ?? {};
  const from = frame.length - layout.extra.length - 2 * count;
  const bottom = layout.bounds[1] - 20;
  const at = (i: number, down = false): Side => side(frame[from + 2 * i]!, down ? bottom : frame[from + 2 * i + 1]!, 0);
  g.beginPath();
  g.moveTo(...at(0, true));
  for (let i = 0; i < count; i++) g.lineTo(...at(i));
  g.lineTo(...at(count - 1, true));
  g.fillStyle = css(mix(palette.tile, palette.structure, palette.dark ? 0.18 : 0.22));
  g.fill();
  g.beginPath();
  for (let i = 0; i < count; i++) g.lineTo(...at(i));
  g.strokeStyle = css(bare === true ? palette.structure : palette.goal);
  g.lineWidth = 0.006 * (layout.bounds[3] - layout.bounds[0]);
  g.stroke();
}

/** A line for every metre of the way, longer at every fifth, which pass below. */
function drawMarks(g: CanvasRenderingContext2D, { bounds, up }: BodiesLayout, middle: number, palette: Palette): void {
  const [minX, minY, minZ, maxX, maxY, maxZ] = bounds;
  const height = up === 'z' ? maxZ - minZ : maxY - minY;
  g.fillStyle = css(palette.muted);
  for (let x = Math.ceil(minX + middle); x <= maxX + middle; x++)
    g.fillRect(x - minX - middle, height, 0.004 * (maxX - minX), height * (x % 5 === 0 ? 0.06 : 0.03));
}

/** A quaternion of zeros hides a part. */
function shown(frame: Float32Array, part: number): boolean {
  return frame.subarray(part * 7 + 3, part * 7 + 7).some((value) => value !== 0);
}

function tintOf(colour: BodyPart['colour'], palette: Palette): Rgb {
  if (typeof colour === 'number') return palette.series[colour % 8]!;
  return { structure: palette.structure, accent: palette.series[1]!, ground: palette.tile, goal: palette.goal, hazard: palette.hazard }[
    colour
  ];
}

function drawPart(g: CanvasRenderingContext2D, part: BodyPart, zUp: boolean, palette: Palette): void {
  const [a = 1, b = 1, c = 1] = part.size;
  g.fillStyle = css(tintOf(part.colour, palette));
  if (part.model === 'drone') {
    g.fillRect(-a, -a * 0.06, 2 * a, a * 0.12);
    g.fillRect(-a * 0.3, -a * 0.2, a * 0.6, a * 0.3);
    for (const end of [-a, a]) g.fillRect(end - b, -a * 0.22, 2 * b, a * 0.05);
  } else if (part.model === 'slime') {
    g.beginPath();
    g.arc(0, 0, a, Math.PI, 0);
    g.fill();
  } else if (part.mesh !== undefined) {
    const { corners, faces } = part.mesh;
    g.beginPath();
    faces.forEach((corner, i) => {
      const to: Side = [corners[3 * corner]!, -corners[3 * corner + (zUp ? 2 : 1)]!];
      if (i % 3 === 0) g.moveTo(...to);
      else g.lineTo(...to);
    });
    g.fill('nonzero');
  } else if (part.shape === 'sphere') circle(g, 0, 0, a);
  else if (part.shape === 'box') g.fillRect(-a / 2, -(zUp ? c : b) / 2, a, zUp ? c : b);
  else g.fillRect(-a, -b / 2, 2 * a, b);
}

function drawFixture(
  g: CanvasRenderingContext2D,
  fixture: Fixture,
  side: (x: number, y: number, z: number) => Side,
  zUp: boolean,
  palette: Palette,
): void {
  const up = (x: number, height: number): Side => (zUp ? side(x, 0, height) : side(x, height, 0));
  switch (fixture.kind) {
    case 'court': {
      const thick = fixture.length * 0.006;
      const [left, ground] = up(-fixture.length / 2, 0);
      g.fillStyle = css(palette.structure);
      g.fillRect(left, ground, fixture.length, thick);
      const [x, top] = up(0, fixture.net);
      g.fillRect(x - thick / 2, top, thick, fixture.net);
      break;
    }
    case 'gate': {
      const [x, y] = side(...fixture.at);
      g.strokeStyle = css(palette.series[4]!);
      g.lineWidth = fixture.radius * 0.12;
      g.beginPath();
      // A ring seen at an angle is an ellipse.
      g.ellipse(x, y, Math.max(0.05, Math.abs(Math.sin(fixture.yaw))) * fixture.radius, fixture.radius, 0, 0, Math.PI * 2);
      g.stroke();
      break;
    }
    case 'path':
    case 'slope': {
      const stride = fixture.kind === 'path' ? 3 : 2;
      g.strokeStyle = css(palette.goal);
      g.lineWidth = 0.012;
      g.beginPath();
      for (let i = 0; i + stride <= fixture.points.length; i += stride) {
        g.lineTo(...side(fixture.points[i]!, fixture.points[i + 1]!, stride === 3 ? fixture.points[i + 2]! : 0));
      }
      g.stroke();
      break;
    }
    case 'box': {
      const [x, y] = side(...fixture.at);
      const height = zUp ? fixture.size[2] : fixture.size[1];
      g.fillStyle = css(tintOf(fixture.colour ?? 'structure', palette));
      g.fillRect(x - fixture.size[0] / 2, y - height / 2, fixture.size[0], height);
      break;
    }
    case 'floor':
      break;
  }
}
