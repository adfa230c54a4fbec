/** Frame of a row of a social dilemma, and what it reports about its agents. */
import type { JsonObject } from '#contract/kit/json.ts';
import { equality } from '#math/measures.ts';
import type { StateRows } from '../../api/state.ts';
import { socialMetrics } from './metrics.ts';
import { APPLE_HERE, type Rules, TALLY, WASTE_HERE } from './rules.ts';

const LOOK = { empty: 0, wall: 1, apple: 2, soil: 3, water: 4, waste: 5 } as const;
/** Colour of each look. */
const TINT = [0, 0, 0, 1, 0, 7] as const; // apples red, soil green, waste brown
const BEAM_COLOUR = [0, 1 + 4, 1 + 6, 1 + 4] as const; // yellow, cyan; both: yellow

/** The look of each cell when nothing lies on it. */
function bareLooks(r: Rules): Uint8Array {
  const looks = Uint8Array.from(r.ground.walls, (wall) => (wall === 1 ? LOOK.wall : LOOK.empty));
  for (const cell of r.soil) looks[cell] = LOOK.soil;
  for (const cell of r.water) looks[cell] = LOOK.water;
  return looks;
}

/** Fills a frame as rules.ts lays it out. */
export function drawer(r: Rules, rows: StateRows): (row: number, out: Float32Array) => void {
  const { words, wordStride, floats, floatStride } = rows;
  const { cells } = r.ground;
  const A = r.agents;
  const bare = bareLooks(r);
  const [things, beams, agents, away] = [rows.offset('things'), rows.offset('beams'), rows.offset('agents'), rows.offset('out')];
  return (row, out) => {
    const s = row * wordStride;
    out.fill(0);
    for (let cell = 0; cell < cells; cell++) {
      const thing = words[s + things + cell]!;
      const look = thing === APPLE_HERE ? LOOK.apple : thing === WASTE_HERE ? LOOK.waste : bare[cell]!;
      out[3 * cell] = look;
      out[3 * cell + 1] = TINT[look as 0];
      out[3 * cells + 6 * A + cell] = BEAM_COLOUR[words[s + beams + cell] as 0];
    }
    for (let i = 0; i < A; i++) {
      const at = 3 * cells + 6 * i;
      const agent = s + agents + 3 * i;
      out[at] = words[agent + 1]!;
      out[at + 1] = words[agent]!;
      out[at + 2] = (words[agent + 2]! + 3) % 4;
      out[at + 5] = words[s + away + i] === 0 ? 1 : 0;
      out[4 * cells + 6 * A + i] = floats[row * floatStride + i]!;
    }
  };
}

/** Returns, counts, hits by pair of agents, and the measures of metrics.ts, over the episode so far. */
export function teller(r: Rules, rows: StateRows): (row: number) => JsonObject {
  const { words, wordStride, floats, floatStride } = rows;
  const [tallies, tags, clock] = [rows.offset('tally'), rows.offset('tags'), rows.offset('steps')];
  const each = <T>(f: (i: number) => T) => Array.from({ length: r.agents }, (_, i) => f(i));
  return (row) => {
    const s = row * wordStride;
    const tally = (name: (typeof TALLY)[number]) => each((i) => words[s + tallies + i * TALLY.length + TALLY.indexOf(name)]!);
    const returns = each((i) => floats[row * floatStride + i]!);
    const group = { returns, paid: tally('paid'), paidAt: tally('paidAt'), out: tally('out'), steps: words[s + clock]! };
    return {
      returns,
      apples: tally('apples'),
      shots: tally('shots'),
      cleaned: tally('cleaned'),
      out: group.out,
      tags: each((i) => each((k) => words[s + tags + i * r.agents + k]!)),
      metrics: { ...socialMetrics(group, (r.fire?.timeout ?? 0) > 0) },
    };
  };
}

/** The measures of metrics.ts in the order of SOCIAL_MEASURES, NaN where one has no meaning. */
export function measurer(r: Rules, rows: StateRows): (row: number, out: Float64Array, at: number) => void {
  const { words, wordStride, floats, floatStride } = rows;
  const [tallies, clock] = [rows.offset('tally'), rows.offset('steps')];
  const [PAID, PAID_AT, OUT] = [TALLY.indexOf('paid'), TALLY.indexOf('paidAt'), TALLY.indexOf('out')];
  const A = r.agents;
  const tagging = (r.fire?.timeout ?? 0) > 0;
  return (row, out, at) => {
    const s = row * wordStride;
    const steps = words[s + clock]!;
    let sum = 0;
    let when = 0;
    let paid = 0;
    let away = 0;
    for (let i = 0; i < A; i++) {
      const tally = s + tallies + i * TALLY.length;
      const times = words[tally + PAID]!;
      sum += floats[row * floatStride + i]!;
      away += words[tally + OUT]!;
      if (times === 0) continue;
      when += words[tally + PAID_AT]! / times;
      paid++;
    }
    out[at] = sum / steps;
    out[at + 1] = equality(floats, row * floatStride, A);
    out[at + 2] = paid > 0 ? when / paid : Number.NaN;
    out[at + 3] = tagging ? A - away / steps : Number.NaN;
  };
}
