/**
 * Coloured goals that must be met in a hidden order, beside a predecessor that may be seen: what it does is there to be copied, and may be wrong.
 *   goals    a room of `size` x `size` cells, goals and players at random places in every episode; 4 steps. Entering the goal that comes next pays 1,
 *            entering another goal -`penalty`. Ends when all of the order is met; truncates at `maxSteps`, by default 10 for each goal of the order
 *   memory   no room: an action names the goal. Where the predecessor is seen at the start, it chooses first, so that its choice is seen before the own
 *            one; else both begin at once, and it is not seen in this episode. The next of the order pays 1, another -`penalty` and is the end; who erred,
 *            player or predecessor, is out
 * The order has `length` goals, none twice in a row; `order` 0 draws it anew for each episode, another number names one that stays.
 * Obs, the same for both seats: goal one stands on (one-hot), what the last step paid, goal the predecessor stands on (one-hot), whether it is seen; in a
 * room also own place, way to each goal and way to the predecessor, in cells / (size - 1). In each step it is seen with chance `visible`; the predecessor
 * never sees the other. How much of the order is met is not told.
 * Source: Cook et al. 2024; rules compared with FLAIROx/cultural-accumulation `goal_seq/env/in_weights_env.py` and `memory_sequence.ipynb`. Differs: the whole
 * room is seen, players turn nowhere, an order of six or so ends; one predecessor in place of several; it leaves when it errs (memory).
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { GridLayout } from '#contract/game/frames.ts';
import type { ActionSpace, ObsSpace } from '#contract/game/spaces.ts';
import { Rng } from '#math/rng.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, ScriptedPolicy, StepBuffers } from '../api/types.ts';

const COLOURS = ['red', 'green', 'blue', 'yellow', 'purple', 'cyan', 'orange', 'pink', 'brown', 'white'] as const;
const source = 'own choice';

const config = z.strictObject({
  task: z.enum(['goals', 'memory']).default('memory').meta({
    title: 'task',
    description: 'Goals: walk to them in a room. Memory: an action names the goal, and a wrong one is the end.',
  }),
  goals: z
    .int()
    .min(2)
    .max(COLOURS.length)
    .default(6)
    .meta({ title: 'goals', description: 'Colours of goals.', source: '3 in a room, 10 in the memory sequence of Cook et al. 2024' }),
  length: z
    .int()
    .min(1)
    .max(48)
    .default(12)
    .meta({ title: 'order', unit: 'goals', description: 'Goals to be met, one after another.', source, slider: [2, 24] }),
  order: z.int().min(0).max(1_000_000).default(1).meta({
    title: 'which order',
    description: '0: drawn anew for each episode; another number: one hidden order, the same in every episode.',
    source: 'one for all generations in weights, Cook et al. 2024',
  }),
  size: z.int().min(3).max(9).default(5).meta({
    title: 'room',
    unit: 'cells',
    description: 'Side of the room (goals).',
    source: '7 in Cook et al. 2024',
  }),
  penalty: z
    .number()
    .min(0)
    .max(10)
    .default(1)
    .meta({
      title: 'penalty',
      description: 'What a wrong goal costs.',
      source: 'Cook et al. 2024',
      slider: [0, 2],
    }),
  predecessor: z.boolean().default(true).meta({
    title: 'predecessor',
    description: 'A second seat, whose player may be seen; off: one plays alone.',
    source: 'Cook et al. 2024',
  }),
  visible: z.number().min(0).max(1).default(1).meta({
    title: 'predecessor seen',
    description: 'Chance in each step that it is seen.',
    source: 'Cook et al. 2024',
    live: true,
    watching: true,
  }),
  maxSteps: z.int().min(1).max(1_000_000).nullable().default(null).meta({
    title: 'step limit',
    unit: 'steps',
    description: 'An episode is cut after this many steps; empty: 10 for each goal of the order.',
    source,
  }),
});
type Config = z.infer<typeof config>;

const DX = [0, 1, 0, -1] as const;
const DY = [-1, 0, 1, 0] as const;
const [PLAYING, ERRED, OUT] = [0, 1, 2] as const;

const walks = (c: Config): boolean => c.task === 'goals';
/** Places: cells of the room, or goals and, behind them, the start. */
const placesOf = (c: Config): number => (walks(c) ? c.size * c.size : c.goals + 1);
const limitOf = (c: Config): number => c.maxSteps ?? (walks(c) ? 10 * c.length : c.length + 1);
const widthOf = (c: Config): number => 2 * c.goals + 2 + (walks(c) ? 2 * c.goals + 4 : 0);

/** `length` goals, none twice in a row, by `draw`, which gives a whole number below its argument. */
function drawOrder({ goals, length }: Pick<Config, 'goals' | 'length'>, draw: (n: number) => number): number[] {
  const order: number[] = [];
  for (let i = 0; i < length; i++) {
    const last = order.at(-1);
    const next = draw(last === undefined ? goals : goals - 1);
    order.push(last !== undefined && next >= last ? next + 1 : next);
  }
  return order;
}

/** The hidden order that a config names; null: each episode has its own. */
export function hiddenOrder(c: Pick<Config, 'goals' | 'length' | 'order'>): readonly number[] | null {
  if (c.order === 0) return null;
  const rng = Rng.from(c.order).split('order');
  return drawOrder(c, (n) => rng.int(n));
}

const stateOf = (c: Config) =>
  defineState(1, [
    {
      name: 'at',
      type: 'u32',
      shape: [2],
      doc: 'where player and predecessor are: a cell of the room, row by row; or a goal, the start behind them',
    },
    { name: 'met', type: 'u32', shape: [2], doc: 'goals of the order met by player and predecessor' },
    { name: 'out', type: 'u32', shape: [2], doc: 'per seat: 0 plays, 1 erred in the last step and is out, 2 out' },
    { name: 'paid', type: 'i32', shape: [2], doc: 'per seat: 1 the last step met the next goal, -1 another one, else 0' },
    { name: 'seen', type: 'u32', shape: [], doc: '1 if the predecessor is seen' },
    { name: 'ahead', type: 'u32', shape: [], doc: '1 if the predecessor may be seen in this episode; it chooses first then (memory)' },
    { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
    { name: 'goals', type: 'u32', shape: [c.goals], doc: 'cells of the goals (in a room)' },
    { name: 'order', type: 'u32', shape: [c.length], doc: 'goals in the order in which they are to be met' },
  ]);
const [AT, MET, OUTS, PAID, SEEN, AHEAD, STEPS, GOALS] = [0, 2, 4, 6, 8, 9, 10, 11] as const;

const MEASURES: readonly MetricCard[] = [
  { id: 'met', title: 'goals met', description: 'Goals of the order met in an episode.' },
  { id: 'predecessorMet', title: 'goals met by the predecessor', description: 'Goals of the order that it met in an episode.' },
];

function frameOf(c: Config): GridLayout {
  return {
    kind: 'grid',
    width: walks(c) ? c.size + 2 : c.goals + 3,
    height: walks(c) ? c.size + 2 : 5,
    agents: c.predecessor ? 2 : 1,
    headings: false,
    looks: ['empty', 'wall', 'floor', 'start'],
    colours: [...COLOURS, 'grey'],
    view: 0,
    agentExtras: ['crossed'],
  };
}

function labelsOf(c: Config): string[] {
  const names = COLOURS.slice(0, c.goals);
  return [
    ...names.map((name) => `on ${name}`),
    'last step',
    ...names.map((name) => `predecessor on ${name}`),
    'predecessor seen',
    ...(walks(c) ? ['own x', 'own y', ...names.flatMap((name) => [`${name}, x`, `${name}, y`]), 'predecessor, x', 'predecessor, y'] : []),
  ];
}

/** Return of uniform play: exact where a wrong choice is the end, a mean of 10,000 episodes in the room as it is offered. */
function randomOf(c: Config): EnvMeta['references'] {
  const q = 1 / c.goals;
  const whole = q ** c.length; // chance to meet all
  const memory = { name: 'random', value: (q / (1 - q)) * (1 - whole) - c.penalty * (1 - whole), source: 'exact: uniform actions' };
  if (!walks(c) && c.maxSteps === null) return [memory];
  const known = JSON.stringify(c) === JSON.stringify(config.parse(PRESETS[3].config));
  return known ? [{ name: 'random', value: -3.33, source: 'uniform actions, measured over 10,000 episodes' }] : [];
}

const PRESETS = [
  { id: 'memory', title: 'memory sequence of 12', config: {} },
  { id: 'memory-24', title: 'memory sequence of 24', config: { length: 24 } },
  { id: 'alone', title: 'memory sequence, alone', config: { predecessor: false } },
  { id: 'goals', title: 'six goals in a room', config: { task: 'goals', goals: 3, length: 6 } },
] as const;

function meta(c: Config): EnvMeta {
  const width = widthOf(c);
  const obs: ObsSpace = { kind: 'box', shape: [width], low: -Math.max(1, c.penalty), high: 1, labels: labelsOf(c) };
  const action: ActionSpace = walks(c)
    ? { kind: 'discrete', n: 4, labels: ['up', 'right', 'down', 'left'] }
    : { kind: 'discrete', n: c.goals, labels: COLOURS.slice(0, c.goals) };
  const count = c.predecessor ? 2 : 1;
  return {
    id: 'goal-sequence',
    version: 1,
    agents: [{ count, names: ['learner', 'predecessor'].slice(0, count), obs, action }],
    agentCount: count,
    obsSize: width,
    actionSize: 1,
    actionCount: action.n,
    rewards: ['reward'],
    costs: [],
    globalSize: 0,
    masked: false,
    score: c.predecessor ? [0] : 'mean',
    gamma: 0.99,
    maxSteps: limitOf(c),
    evalMaxSteps: limitOf(c),
    state: stateOf(c),
    frame: frameOf(c),
    references: [
      ...randomOf(c),
      ...(c.maxSteps === null ? [{ name: 'optimal', value: c.length, source: 'exact: every goal of the order' }] : []),
    ],
    keys: walks(c)
      ? [
          ['ArrowUp', 'w'],
          ['ArrowRight', 'd'],
          ['ArrowDown', 's'],
          ['ArrowLeft', 'a'],
        ]
      : Array.from({ length: c.goals }, (_, i) => [`${i + 1}`]),
    idleAction: null,
    fps: 6,
    measures: MEASURES.slice(0, count),
    ...(c.predecessor && { watched: { seat: 1, setting: 'visible' } }),
  };
}

/** Knows the order, and goes to the next goal; of both seats alike. */
function oracle(c: Config): ScriptedPolicy {
  return {
    act(env, _, out) {
      const seats = env.meta.agentCount;
      for (let row = 0; row < env.batch; row++) {
        const state = env.meta.state.toJSON(env.save(row)) as { [field: string]: number[] };
        const { at = [], met = [], goals = [], order = [] } = state;
        for (let seat = 0; seat < seats; seat++) {
          const next = order[Math.min(met[seat]!, c.length - 1)]!;
          out[row * seats + seat] = walks(c) ? towards(c.size, at[seat]!, goals, next) : next;
        }
      }
    },
  };
}

/** First step of a shortest way to a goal that enters no other one; where there is none, of one that enters as few as possible. */
function towards(size: number, from: number, goals: readonly number[], next: number): number {
  const cost = new Float64Array(size * size).fill(Number.POSITIVE_INFINITY);
  const target = goals[next]!;
  cost[target] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let cell = 0; cell < size * size; cell++) {
      for (let d = 0; d < 4; d++) {
        const to = stepTo(size, cell, d);
        if (to === cell) continue;
        const price = 1 + (to !== target && goals.includes(to) ? 100 : 0) + cost[to]!;
        if (cell !== target && price < cost[cell]!) {
          cost[cell] = price;
          changed = true;
        }
      }
    }
  }
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let d = 0; d < 4; d++) {
    const to = stepTo(size, from, d);
    const price = to === from ? Number.POSITIVE_INFINITY : (to !== target && goals.includes(to) ? 100 : 0) + cost[to]!;
    if (price < least) [best, least] = [d, price];
  }
  return best;
}

/** The cell that a step leads to; at a wall the same one. */
function stepTo(size: number, cell: number, action: number): number {
  const x = (cell % size) + DX[action]!;
  const y = Math.floor(cell / size) + DY[action]!;
  return x < 0 || y < 0 || x >= size || y >= size ? cell : y * size + x;
}

export const goalSequence = defineEnv<Config>({
  spec: {
    id: 'goal-sequence',
    version: 1,
    title: 'Goal sequence',
    summary: 'Goals in a hidden order, beside a predecessor that may be watched, and may be wrong.',
    source: {
      title: 'Artificial Generational Intelligence: Cultural Accumulation in Reinforcement Learning',
      authors: 'Cook et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2406.00392',
    },
    config,
    recommended: { algo: 'generations', preset: 'memory', steps: 250_000 },
    presets: PRESETS.map((preset) => ({ ...preset })),
    meta,
  },
  create(c, batch, options) {
    const complete = meta(c);
    const rows = allocateRows(complete.state, batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const fixed = hiddenOrder(c);
    const seats = complete.agentCount;
    const K = c.goals;
    const S = c.size;
    const ORDER = GOALS + K;
    const places = placesOf(c);
    const width = complete.obsSize;
    const limit = complete.maxSteps;
    let { visible } = c;
    const paidOf = (s: number, seat: number): number => words[s + PAID + seat]! | 0;
    /** The goal that a place is; -1: none. */
    const goalAt = (s: number, place: number): number => {
      if (!walks(c)) return place < K ? place : -1;
      for (let k = 0; k < K; k++) if (words[s + GOALS + k] === place) return k;
      return -1;
    };
    const see = (row: number, s: number): void => {
      const drawn = draws.uniform(row, 'predecessor seen') < visible;
      words[s + SEEN] = drawn && words[s + AHEAD] === 1 && words[s + OUTS + 1]! !== OUT ? 1 : 0;
    };
    const act = (s: number, seat: number, action: number): void => {
      words[s + PAID + seat] = 0;
      if (words[s + OUTS + seat] !== PLAYING) {
        words[s + OUTS + seat] = OUT;
        return;
      }
      const met = words[s + MET + seat]!;
      if (met >= c.length) return;
      const before = words[s + AT + seat]!;
      const now = walks(c) ? stepTo(S, before, action) : action;
      words[s + AT + seat] = now;
      const goal = walks(c) && now === before ? -1 : goalAt(s, now);
      if (goal < 0) return;
      if (goal === words[s + ORDER + met]) {
        words[s + MET + seat] = met + 1;
        words[s + PAID + seat] = 1;
        return;
      }
      words[s + PAID + seat] = -1 >>> 0;
      if (!walks(c)) words[s + OUTS + seat] = ERRED;
    };
    const observe = (row: number, out: StepBuffers): void => {
      const s = row * wordStride;
      const seen = words[s + SEEN] === 1;
      for (let seat = 0; seat < seats; seat++) {
        const o = (row * seats + seat) * width;
        const { obs } = out;
        obs.fill(0, o, o + width);
        const at = words[s + AT + seat]!;
        const own = goalAt(s, at);
        if (own >= 0) obs[o + own] = 1;
        const paid = paidOf(s, seat);
        obs[o + K] = paid < 0 ? -c.penalty : paid;
        const watches = seat === 0 && seen;
        const other = words[s + AT + 1]!;
        if (watches) {
          const its = goalAt(s, other);
          if (its >= 0) obs[o + K + 1 + its] = 1;
          obs[o + 2 * K + 1] = 1;
        }
        if (!walks(c)) continue;
        const far = S - 1;
        const [x, y] = [at % S, Math.floor(at / S)];
        let p = o + 2 * K + 2;
        obs[p++] = x / far;
        obs[p++] = y / far;
        for (let k = 0; k < K; k++) {
          const goal = words[s + GOALS + k]!;
          obs[p++] = ((goal % S) - x) / far;
          obs[p++] = (Math.floor(goal / S) - y) / far;
        }
        if (!watches) continue;
        obs[p++] = ((other % S) - x) / far;
        obs[p++] = (Math.floor(other / S) - y) / far;
      }
      if (out.alive) out.alive.fill(1, row * seats, (row + 1) * seats);
    };
    const cellOf = (place: number, lane: number): number => {
      const w = complete.frame.kind === 'grid' ? complete.frame.width : 0;
      if (walks(c)) return (Math.floor(place / S) + 1) * w + (place % S) + 1;
      return lane * w + (place === K ? 1 : place + 2);
    };
    /** The lanes of the memory task: the predecessor above the goals, the player below. */
    const LANES = [3, 1] as const;
    return assemble(complete, batch, rows, {
      start(row) {
        const s = row * wordStride;
        for (let i = MET; i < GOALS; i++) words[s + i] = 0;
        const order = fixed ?? drawOrder(c, (n) => draws.int(row, n, 'order'));
        for (let i = 0; i < c.length; i++) words[s + ORDER + i] = order[i]!;
        if (walks(c)) {
          for (let k = 0; k < K; k++) {
            let free = false;
            while (!free) {
              const cell = draws.int(row, places, 'goal');
              free = true;
              for (let i = 0; i < k; i++) if (words[s + GOALS + i] === cell) free = false;
              words[s + GOALS + k] = cell;
            }
          }
          for (let seat = 0; seat < 2; seat++) {
            do words[s + AT + seat] = draws.int(row, places, 'player');
            while (goalAt(s, words[s + AT + seat]!) >= 0);
          }
        } else {
          words[s + AT] = K;
          words[s + AT + 1] = K;
        }
        words[s + AHEAD] = seats === 2 ? 1 : 0;
        see(row, s);
        if (!walks(c)) words[s + AHEAD] = words[s + SEEN]!;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          const before = words[s + STEPS]!;
          words[s + STEPS] = before + 1;
          if (walks(c) || before > 0 || words[s + AHEAD] === 0) act(s, 0, actions[row * seats]!);
          if (seats === 2) act(s, 1, actions[row * seats + 1]!);
          see(row, s);
          for (let seat = 0; seat < seats; seat++) {
            const paid = paidOf(s, seat);
            out.reward[row * seats + seat] = paid < 0 ? -c.penalty : paid;
          }
          const over = words[s + MET]! >= c.length || words[s + OUTS] !== PLAYING;
          out.terminated[row] = over ? 1 : 0;
          out.truncated[row] = !over && before + 1 >= limit ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        const s = row * wordStride;
        for (let seat = 0; seat < 2; seat++) {
          checkCell(words[s + AT + seat]!, places, 'at');
          checkCell(words[s + MET + seat]!, c.length + 1, 'met');
          checkCell(words[s + OUTS + seat]!, 3, 'out');
          checkCell(paidOf(s, seat) + 1, 3, 'paid');
        }
        checkCell(words[s + SEEN]!, 2, 'seen');
        checkCell(words[s + AHEAD]!, 2, 'ahead');
        if (walks(c)) for (let k = 0; k < K; k++) checkCell(words[s + GOALS + k]!, places, 'goals');
        for (let i = 0; i < c.length; i++) checkCell(words[s + ORDER + i]!, K, 'order');
      },
      configure(next) {
        visible = Number(next.visible);
      },
      measure(row, out, at) {
        const s = row * wordStride;
        for (let seat = 0; seat < seats; seat++) out[at + seat] = words[s + MET + seat]!;
      },
      frame(row, out) {
        const s = row * wordStride;
        const { width: w, height: h } = frameOf(c);
        out.fill(0);
        for (let i = 0; i < w * h; i++) {
          const [x, y] = [i % w, Math.floor(i / w)];
          if (x === 0 || y === 0 || x === w - 1 || y === h - 1) out[3 * i] = 1;
          out[3 * i + 1] = COLOURS.length;
        }
        for (let k = 0; k < K; k++) {
          const at = 3 * cellOf(walks(c) ? words[s + GOALS + k]! : k, 2);
          out[at] = 2;
          out[at + 1] = k;
        }
        if (!walks(c)) for (const lane of LANES) out[3 * cellOf(K, lane)] = 3;
        for (let seat = 0; seat < seats; seat++) {
          const place = words[s + AT + seat]!;
          const cell = cellOf(place, LANES[seat]!);
          const at = 3 * w * h + 6 * seat;
          out[at] = cell % w;
          out[at + 1] = Math.floor(cell / w);
          out[at + 5] = seat === 0 || words[s + SEEN] === 1 ? 1 : 0;
          const shown = seat === 0 || words[s + SEEN] === 1;
          out[3 * w * h + 6 * seats + seat] = shown && paidOf(s, seat) < 0 ? cellOf(place, 2) : -1;
        }
      },
      cellOf(row) {
        return cellOf(words[row * wordStride + AT]!, LANES[0]);
      },
      ...(walks(c) && {
        placements(row: number) {
          const s = row * wordStride;
          const at = words[s + AT]!;
          const out = Array.from({ length: places }, (_, place) => {
            words[s + AT] = place;
            return { cell: cellOf(place, 0), state: rows.save(row) };
          });
          words[s + AT] = at;
          return out;
        },
      }),
    });
  },
  policies: { oracle },
});
