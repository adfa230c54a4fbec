/** How a particle scenario looks: discs and landmarks of the frame, messages as symbols above the speaker. */
import type { PointGroup, PointsLayout } from '#contract/game/frames.ts';
import { atan2 } from '#math/functions.ts';
import { type Plan, symbolName } from './plan.ts';

/** Palette index of an agent: its group's number; its own in a team of one group, as in its lines and bars beside the scene. */
function agentColours(plan: Plan): number[] {
  const groups = [...new Set(plan.agents.map((a) => a.group))];
  return plan.agents.map((a, i) => (groups.length > 1 ? groups.indexOf(a.group) : i % 8));
}

function grouped(plan: Plan): PointGroup[] {
  const out: { name: string; count: number; shape: PointGroup['shape']; agent: boolean }[] = [];
  const add = (name: string, shape: PointGroup['shape'], agent: boolean) => {
    const last = out.at(-1);
    if (last?.name === name && last.shape === shape) last.count++;
    else out.push({ name, count: 1, shape, agent });
  };
  for (const a of plan.agents) add(a.group, a.moves ? 'wedge' : 'disc', true);
  for (const l of plan.landmarks) add(l.look, l.look, false);
  return out.map(({ name, count, shape, agent }) => ({ name, count, shape, ...(agent && { trail: true, numbered: true }) }));
}

export function layoutOf(plan: Plan): PointsLayout {
  const half = 1.3;
  return {
    kind: 'points',
    count: plan.agents.length + plan.landmarks.length,
    bounds: [-half, -half, half, half],
    names: [...plan.agents, ...plan.landmarks].map((body) => body.name),
    groups: grouped(plan),
    ...(plan.ties && { lines: plan.ties.count }),
    ...(plan.symbols > 0 && {
      messages: { agents: plan.agents.length, symbols: Array.from({ length: plan.symbols }, (_, k) => symbolName(k)) },
    }),
  };
}

/** Index of the largest number of a message, -1: no message. */
function loudest(floats: Float64Array, from: number, symbols: number): number {
  let best = -1;
  let most = 0;
  for (let k = 0; k < symbols; k++) {
    if (floats[from + k]! <= most) continue;
    most = floats[from + k]!;
    best = k;
  }
  return best;
}

/** Writes the frame of the row whose floats begin at s and whose words begin at w. */
export function frameWriter(plan: Plan): (floats: Float64Array, s: number, words: Uint32Array, w: number, out: Float32Array) => void {
  const A = plan.agents.length;
  const L = plan.landmarks.length;
  const colours = agentColours(plan);
  return (floats, s, words, w, out) => {
    for (let i = 0; i < A + L; i++) {
      const agent = i < A;
      const from = agent ? s + 2 * i : s + 4 * A + 2 * (i - A);
      const vx = agent ? floats[s + 2 * A + 2 * i]! : 0;
      const vy = agent ? floats[s + 2 * A + 2 * i + 1]! : 0;
      const at = 6 * i;
      out[at] = floats[from]!;
      out[at + 1] = floats[from + 1]!;
      out[at + 2] = 0;
      out[at + 3] = vx === 0 && vy === 0 ? 0 : atan2(vy, vx);
      out[at + 4] = agent ? plan.agents[i]!.size : plan.landmarks[i - A]!.size;
      out[at + 5] = agent ? colours[i]! : (plan.landmarkColour?.(words, w, i - A) ?? plan.landmarks[i - A]!.colour);
    }
    const { ties } = plan;
    const lines = ties?.count ?? 0;
    for (let k = 0; ties !== undefined && k < lines; k++) {
      const [agent, landmark] = ties.of(floats, s, words, w, k);
      const [from, to] = [6 * agent, 6 * (A + landmark)];
      out.set([out[from]!, out[from + 1]!, out[to]!, out[to + 1]!, out[to + 5]!, 0.6], 6 * (A + L + k));
    }
    if (plan.symbols === 0) return;
    const said = s + 4 * A + 2 * L;
    for (let i = 0; i < A; i++) out[6 * (A + L + lines) + i] = loudest(floats, said + i * plan.symbols, plan.symbols);
  };
}
