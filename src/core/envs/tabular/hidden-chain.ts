/**
 * A short chain in which the agent does not see its place. It sees which of several tasks it has, and a symbol: each place shows its own symbol more
 * often than others. In each place one of the two actions leads up the chain and the other down, drawn from `modelSeed` for each task; with chance
 * `slip` the agent stays.
 * Obs: task and symbol together as one-hot, task * symbols + symbol. Actions a, b. Reward 1 for every step that ends in the highest place, else 0.
 * Ends after `maxSteps` steps. Every episode begins in the lowest place of a task drawn evenly. With `shared` a place shows the same symbols in all
 * tasks, so that the meaning of a symbol learned in one task holds in the others; without it every task has symbols of its own, and places may look alike.
 * Returns of random play and of the best play with the place in sight are computed exactly; an agent that sees only symbols can do no better.
 * Source: own world, after the hidden-state families of Huang et al. 2023.
 */
import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import { Rng } from '#math/rng.ts';
import { checkCell, numberOf } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { maxStepsField } from '../api/limits.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, ScriptedPolicy, StepBuffers, TabularModel } from '../api/types.ts';
import { buildModel } from '../lib/tabular/model.ts';
import { finiteValues, uniformValues } from '../lib/tabular/values.ts';

const config = z.strictObject({
  places: z.int().min(2).max(10).default(4).meta({ title: 'places', description: 'Hidden places of the chain.', source: 'own choice' }),
  symbols: z.int().min(2).max(10).default(4).meta({
    title: 'symbols',
    description: 'How many symbols there are. With fewer symbols than places some places look alike.',
    source: 'own choice',
  }),
  clarity: z.number().min(0).max(1).default(0.7).meta({
    title: 'clarity',
    description: 'Chance that a place shows its own symbol; otherwise it shows any symbol, all equally likely.',
    source: 'own choice',
  }),
  tasks: z.int().min(1).max(8).default(4).meta({
    title: 'tasks',
    description: 'How many tasks there are. Which action leads up differs from task to task.',
    source: 'own choice',
  }),
  shared: z.boolean().default(true).meta({
    title: 'shared symbols',
    description: 'On: a place has the same symbol in every task; off: each task has symbols of its own, and places may look alike.',
  }),
  slip: z.number().min(0).max(0.9).default(0.1).meta({
    title: 'slip',
    description: 'Chance that an action has no effect and the agent stays.',
    source: 'own choice',
  }),
  modelSeed: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(1)
    .meta({ title: 'model seed', description: 'Which action leads up, and which symbol is a place’s own, are drawn from this.' }),
  maxSteps: maxStepsField(20, 'own choice', [5, 100]),
});
type Config = z.infer<typeof config>;

const state = defineState(1, [
  { name: 'task', type: 'u32', shape: [], doc: 'number of the task' },
  { name: 'place', type: 'u32', shape: [], doc: 'hidden place, 0 the lowest' },
  { name: 'symbol', type: 'u32', shape: [], doc: 'symbol that is seen' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
]);
const [TASK, PLACE, SYMBOL, STEPS] = [0, 1, 2, 3] as const;

interface Chains {
  /** [tasks, places] the action that leads up. */
  readonly up: Uint8Array;
  /** [tasks, places] a place's own symbol. */
  readonly own: Uint8Array;
}

function chainsOf(c: Config): Chains {
  const rng = Rng.from(c.modelSeed).split('hidden chain');
  const code = (): readonly number[] => {
    const order = Array.from({ length: c.symbols }, (_, i) => i);
    rng.shuffle(order);
    return Array.from({ length: c.places }, (_, place) => order[place % c.symbols]!);
  };
  const up = Uint8Array.from({ length: c.tasks * c.places }, () => rng.int(2));
  const first = code();
  // drawn with repeats: a permutation would be the same code with the places named otherwise
  const anyCode = (): readonly number[] => Array.from({ length: c.places }, () => rng.int(c.symbols));
  const own = Uint8Array.from(Array.from({ length: c.tasks }, () => (c.shared ? first : anyCode())).flat());
  return { up, own };
}

/** One chain for who sees the place, action 0 down and 1 up: all tasks are alike in this. */
function chainModel(c: Config): TabularModel {
  const top = c.places - 1;
  const pays = (place: number) => (place === top ? 1 : 0);
  return buildModel(
    c.places,
    2,
    (s, a) => {
      const next = Math.min(top, Math.max(0, s + (a === 1 ? 1 : -1)));
      return [
        { probability: 1 - c.slip, next, reward: pays(next), terminated: false },
        { probability: c.slip, next: s, reward: pays(s), terminated: false },
      ];
    },
    [0],
  );
}

const [FLOOR, GOAL, PAD] = [1, 2, 3] as const;

/** Upper row: the hidden chain and who walks it; lower row: the symbols, the one that is seen lit. */
function layoutOf(c: Config): GridLayout {
  const width = Math.max(c.places, c.symbols);
  return {
    kind: 'grid',
    width,
    height: 3,
    agents: 1,
    headings: false,
    looks: ['empty', 'floor', 'goal', 'target'],
    colours: ['grey', 'green', 'yellow', 'blue'],
    view: 0,
    signs: [
      { x: (width - 1) / 2, y: 0.75, text: 'hidden' },
      { x: (width - 1) / 2, y: 1.3, text: 'seen' },
    ],
  };
}

function meta(c: Config): EnvMeta {
  const model = chainModel(c);
  return soloMeta({
    id: 'hidden-chain',
    agent: 'walker',
    obs: { kind: 'discrete', n: c.tasks * c.symbols },
    action: { kind: 'discrete', n: 2, labels: ['a', 'b'] },
    gamma: 0.95,
    maxSteps: 0,
    evalMaxSteps: c.maxSteps,
    state,
    frame: layoutOf(c),
    references: [
      { name: 'random', value: uniformValues(model, c.maxSteps)[0]!, source: 'exact, from the transition table' },
      {
        name: 'place seen',
        value: finiteValues(model, c.maxSteps, 1)[0]!,
        source: 'exact, best play of one who sees the place: a bound',
      },
    ],
    keys: [
      ['ArrowLeft', 'a'],
      ['ArrowRight', 'b'],
    ],
    idleAction: null,
    fps: 4,
  });
}

export const hiddenChain = defineEnv<Config>({
  spec: {
    id: 'hidden-chain',
    version: 1,
    title: 'Hidden chain',
    summary: 'Climb a chain without seeing your place on it, in several tasks; places may look alike.',
    source: {
      title: 'Provable Benefits of Multi-task RL under Non-Markovian Decision Making Processes',
      authors: 'Huang et al.',
      year: 2023,
      url: 'https://arxiv.org/abs/2310.13550',
    },
    config,
    presets: [
      { id: 'shared', title: 'four tasks, the same symbols', config: {} },
      { id: 'own', title: 'four tasks, each with its own code', config: { shared: false } },
      { id: 'single', title: 'one task, six places, three symbols', config: { tasks: 1, places: 6, symbols: 3, maxSteps: 40 } },
    ],
    meta,
    recommended: { algo: 'hidden-model', steps: 20_000 },
  },
  create(c, batch, options) {
    const rows = allocateRows(state, batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const { up, own } = chainsOf(c);
    const { width } = layoutOf(c);
    const seen = c.tasks * c.symbols;
    const top = c.places - 1;
    const look = (row: number) => {
      const s = row * wordStride;
      const clear = draws.uniform(row, 'clear') < c.clarity;
      words[s + SYMBOL] = clear ? own[words[s + TASK]! * c.places + words[s + PLACE]!]! : draws.int(row, c.symbols, 'symbol');
    };
    const observe = (row: number, { obs }: StepBuffers) => {
      const s = row * wordStride;
      obs.fill(0, row * seen, (row + 1) * seen);
      obs[row * seen + words[s + TASK]! * c.symbols + words[s + SYMBOL]!] = 1;
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        const s = row * wordStride;
        words[s + TASK] = c.tasks === 1 ? 0 : draws.int(row, c.tasks, 'task');
        words[s + PLACE] = 0;
        words[s + STEPS] = 0;
        look(row);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          const place = words[s + PLACE]!;
          const climbs = actions[row] === up[words[s + TASK]! * c.places + place];
          const moves = c.slip === 0 || draws.uniform(row, 'slip') >= c.slip;
          const next = moves ? Math.min(top, Math.max(0, place + (climbs ? 1 : -1))) : place;
          const steps = words[s + STEPS]! + 1;
          words[s + PLACE] = next;
          words[s + STEPS] = steps;
          look(row);
          out.reward[row] = next === top ? 1 : 0;
          out.terminated[row] = steps >= c.maxSteps ? 1 : 0;
          out.truncated[row] = 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        const s = row * wordStride;
        checkCell(words[s + TASK]!, c.tasks, 'task');
        checkCell(words[s + PLACE]!, c.places, 'place');
        checkCell(words[s + SYMBOL]!, c.symbols, 'symbol');
      },
      frame(row, out) {
        const s = row * wordStride;
        out.fill(0);
        for (let place = 0; place < c.places; place++) out.set(place === top ? [GOAL, 1] : [FLOOR, 0], 3 * place);
        for (let symbol = 0; symbol < c.symbols; symbol++)
          out.set(symbol === words[s + SYMBOL] ? [PAD, 2] : [FLOOR, 3], 3 * (2 * width + symbol));
        const at = 3 * 3 * width;
        out[at] = words[s + PLACE]!;
        out[at + 5] = 1;
      },
      extras: (row) => ({ place: words[row * wordStride + PLACE]!, task: words[row * wordStride + TASK]! }),
    });
  },
  policies: {
    /** Sees what is hidden. */
    knowing: (c): ScriptedPolicy => {
      const { up } = chainsOf(c);
      return {
        act(env, _buffers, out) {
          for (let row = 0; row < env.batch; row++) {
            const now = env.meta.state.toJSON(env.save(row));
            out[row] = up[numberOf(now, 'task') * c.places + numberOf(now, 'place')]!;
          }
        },
      };
    },
  },
});
