/** How a VMAS scene looks: acting agents first, then scripted ones and landmarks; lines as lines, rays as measured. */
import type { PointGroup, PointsLayout } from '#contract/game/frames.ts';
import { spoken } from '#contract/game/seats.ts';
import { atan2, cos, sin } from '#math/functions.ts';
import type { Scene } from './scene.ts';
import { offsets } from './world.ts';

/** Few things that are no agents bear their names. */
const TAGGED: ReadonlySet<PointGroup['shape']> = new Set(['goal', 'ball', 'box']);
const MOST_TAGGED = 3;
/** Grey. Agents that act have the colours of their lines and bars beside the scene. */
const SCRIPTED_COLOUR = 7;

/** Landmarks that are points: all but lines. */
function pointLandmarks(scene: Scene): number[] {
  return scene.landmarks.flatMap((l, i) => (l.shape === 'line' ? [] : [i]));
}

export function layoutOf(scene: Scene): PointsLayout {
  const groups: PointGroup[] = [
    { name: 'agent', count: scene.agents.length - scene.scripted, shape: 'wedge', trail: true, numbered: true },
  ];
  if (scene.scripted > 0) groups.push({ name: scene.agents[0]!.name, count: scene.scripted, shape: 'wedge', trail: true });
  const shown = pointLandmarks(scene);
  for (const i of shown) {
    const { shape, drawn } = scene.looks[i]!;
    const { size, shape: body, name } = scene.landmarks[i]!;
    const last = groups.at(-1);
    if (last !== undefined && last.shape === shape && shape !== 'box') groups[groups.length - 1] = { ...last, count: last.count + 1 };
    else
      groups.push({
        name,
        count: 1,
        shape,
        ...(TAGGED.has(shape) && name !== 'floor' && shown.length <= MOST_TAGGED && { tag: spoken(name).replace(/ \d+$/, '') }),
        ...(body === 'box' && { size: [drawn?.[0] ?? size[0]!, drawn?.[1] ?? size[1]!] as const }),
      });
  }
  const lines = scene.landmarks.length - shown.length;
  const half = scene.bounds;
  return {
    kind: 'points',
    count: scene.agents.length + shown.length,
    bounds: [-half, -half, half, half],
    names: [...scene.agents.slice(scene.scripted), ...scene.agents.slice(0, scene.scripted), ...shown.map((i) => scene.landmarks[i]!)].map(
      (b) => b.name,
    ),
    groups,
    ...(scene.lidar && { rays: { agents: scene.agents.length - scene.scripted, count: scene.lidar.rays, range: scene.lidar.range } }),
    ...(lines > 0 && { lines }),
    ...(scene.gravity < 0 && { upright: true }),
    ground: scene.halfX < Number.POSITIVE_INFINITY ? 'walled' : 'floor',
  };
}

export function frameWriter(scene: Scene): (floats: Float64Array, s: number, words: Uint32Array, w: number, out: Float32Array) => void {
  const A = scene.agents.length;
  const first = scene.scripted;
  const at = offsets(A, scene.landmarks.length);
  const shown = pointLandmarks(scene);
  const order = [...scene.agents.keys()].map((i) => (i + first) % A); // acting agents first
  return (floats, s, words, w, out) => {
    let to = 0;
    const put = (p: number, angle: number, radius: number, colour: number) => {
      out[to] = floats[p]!;
      out[to + 1] = floats[p + 1]!;
      out[to + 2] = 0;
      out[to + 3] = angle;
      out[to + 4] = radius;
      out[to + 5] = colour;
      to += 6;
    };
    for (const i of order) {
      const vx = floats[s + at.velocity + 2 * i]!;
      const vy = floats[s + at.velocity + 2 * i + 1]!;
      put(s + 2 * i, vx === 0 && vy === 0 ? 0 : atan2(vy, vx), scene.agents[i]!.size[0]!, i < first ? SCRIPTED_COLOUR : (i - first) % 8);
    }
    for (const i of shown) {
      const { size, shape } = scene.landmarks[i]!;
      const gone = scene.flags !== null && words[w + i]! > 0;
      const radius = shape === 'box' ? Math.max(size[0]!, size[1]!) / 2 : size[0]!;
      put(s + at.landmark + 2 * i, floats[s + at.angle + i]!, gone ? 0 : radius, scene.looks[i]!.colour);
      out[to - 5] = out[to - 5]! + (scene.looks[i]!.drawn?.[2] ?? 0);
    }
    if (scene.lidar && scene.rays)
      for (let i = 0; i < A - first; i++) {
        scene.rays(floats, s, i, out, to);
        to += scene.lidar.rays;
      }
    scene.landmarks.forEach((body, i) => {
      if (body.shape !== 'line') return;
      const p = s + at.landmark + 2 * i;
      const angle = floats[s + at.angle + i]!;
      const dx = (body.size[0]! / 2) * cos(angle);
      const dy = (body.size[0]! / 2) * sin(angle);
      out[to] = floats[p]! - dx;
      out[to + 1] = floats[p + 1]! - dy;
      out[to + 2] = floats[p]! + dx;
      out[to + 3] = floats[p + 1]! + dy;
      out[to + 4] = scene.looks[i]!.colour;
      out[to + 5] = 1;
      to += 6;
    });
  };
}
