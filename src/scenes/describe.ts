/** What a frame shows, in words: the picture's text for people who do not see it. Columns and rows count from 0, as on the board. */
import type { FrameLayout, GridLayout, GridLook } from '#contract/frames.ts';
import { describeBodies, describePoints } from './describe-motion.ts';
import { describeNetwork, describeTable } from './describe-table.ts';
import { agentExtra, agentOffset, layerAt } from './lib/frames.ts';

const FACING = ['right', 'down', 'left', 'up'] as const;
const AHEAD = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;
const DOOR = ['open', 'closed', 'locked'] as const;
const QUIET: ReadonlySet<GridLook> = new Set([
  'empty',
  'wall',
  'floor',
  'unseen',
  'ice',
  'agent',
  'trail',
  'counter',
  'soil',
  'grass',
  'snake',
  'gauge',
]);
/** Looks whose colour tells them apart. */
const COLOURED: ReadonlySet<GridLook> = new Set(['door', 'key', 'ball', 'box', 'coin', 'disc']);
/** Agents told one by one; of more, only how many there are. */
const MOST_AGENTS = 8;
const MOST_NAMED = 6;

/** `names` of the agents, as people read them; without, they are told by their place. */
export function describeFrame(layout: FrameLayout, frame: Float32Array, names: readonly string[] = []): string {
  switch (layout.kind) {
    case 'grid':
      return describeGrid(layout, frame, names);
    case 'points':
      return describePoints(layout, frame);
    case 'bodies':
      return describeBodies(layout, frame);
    case 'table':
      return describeTable(layout, frame);
    case 'network':
      return describeNetwork(layout, frame);
  }
}

/** "closed yellow door". */
export function cellName(layout: GridLayout, object: number, colourCode: number, state: number): string {
  const look = layout.looks[object] ?? 'empty';
  const parts: string[] = [];
  if (look === 'door') parts.push(DOOR[state] ?? 'closed');
  if (COLOURED.has(look)) parts.push(layout.colours[colourCode] ?? '');
  parts.push(look);
  return parts.filter((part) => part !== '').join(' ');
}

function describeGrid(layout: GridLayout, frame: Float32Array, names: readonly string[]): string {
  const { width, height } = layout;
  const at = (x: number, y: number): string => {
    const o = (y * width + x) * 3;
    return x < 0 || y < 0 || x >= width || y >= height ? 'edge' : cellName(layout, frame[o]!, frame[o + 1]!, frame[o + 2]!);
  };
  const sentences = [`A grid of ${width} by ${height} cells.`];
  for (let i = 0; i < Math.min(MOST_AGENTS, layout.agents); i++) {
    const o = agentOffset(layout) + i * 6;
    const x = Math.round(frame[o]!);
    const y = Math.round(frame[o + 1]!);
    const dir = Math.round(frame[o + 2]!) & 3;
    const name = layout.agents > 1 ? (names[i] ?? `agent ${i}`) : 'the agent';
    let text = `${name.charAt(0).toUpperCase()}${name.slice(1)} is at column ${x}, row ${y}`;
    if (layout.headings) text += `, facing ${FACING[dir]}`;
    if (frame[o + 3]! > 0) text += `, carrying a ${cellName(layout, frame[o + 3]!, frame[o + 4]!, 0)}`;
    if (frame[o + 5] === 0) text += ', out of the game';
    const level = agentExtra(layout, frame, i, 'level');
    if (level !== undefined) text += `, of level ${level}`;
    const targetX = agentExtra(layout, frame, i, 'targetX');
    if (targetX !== undefined && targetX >= 0) text += `, on the way to column ${targetX}, row ${agentExtra(layout, frame, i, 'targetY')}`;
    const said = agentExtra(layout, frame, i, 'message');
    if (said !== undefined && said >= 0) text += `, saying ${layout.symbols?.[said] ?? String.fromCharCode(65 + said)}`;
    text += '.';
    if (layout.headings) text += ` In front of it: ${at(x + AHEAD[dir]![0], y + AHEAD[dir]![1])}.`;
    else if (at(x, y) !== 'empty') text += ` It stands on ${at(x, y)}.`;
    sentences.push(text);
  }
  if (layout.agents > MOST_AGENTS) sentences.push(`And ${layout.agents - MOST_AGENTS} agents more.`);
  const beam = layerAt(layout, 'beam');
  if (beam !== undefined && frame.subarray(beam, beam + width * height).some((value) => value > 0)) sentences.push('A ray is being fired.');
  const counts = new Map<string, { n: number; where: string }>();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (QUIET.has(layout.looks[frame[(y * width + x) * 3]!] ?? 'empty')) continue;
      const name = at(x, y);
      const found = counts.get(name);
      if (found === undefined) counts.set(name, { n: 1, where: `column ${x}, row ${y}` });
      else found.n++;
    }
  }
  const named = [...counts].slice(0, MOST_NAMED).map(([name, { n, where }]) => (n === 1 ? `${name} at ${where}` : `${n} cells of ${name}`));
  if (named.length > 0) sentences.push(`On the board: ${named.join('; ')}.`);
  return sentences.join(' ');
}
