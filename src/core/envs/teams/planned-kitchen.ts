/**
 * The kitchen of Overcooked, played by plans: a scripted planner proposes to each free cook what to do next, and errs; an agent only takes the plan or
 * asks again. A cook whose plan is refused stands for the step; the next proposal costs another query.
 * Obs per cook: both places as one-hot over the floor, both hands (nothing, onion, dish, soup), of every pot its ingredients / 3, whether it cooks or is
 * done, steps left / 20; onions, dishes and soups on counters / 3, share of the steps left, steps that both plans may still take; then (meta.plans) the
 * plans that run, own one first, the plans proposed, and how often each was proposed since the last one was taken / 3. Actions take it, ask again; a
 * cook whose plan runs, or who has asked `mostQueries` times, has only the first. Reward 20 for both per soup of three onions. Truncates at `maxSteps`.
 * A plan is `fetch an onion`, `fill a pot`, `fetch a dish`, `take the soup`, `serve`, `lay down` or `step aside`. It ends when done, or after
 * `planSteps`; one that cannot be done takes all of them. With chance `error` the planner proposes any of the seven, else what the scripted pair of
 * Overcooked would do. Source: kitchen of Carroll et al. 2019; own planner, in place of the language model of Zhang et al. 2024.
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { GridLayout } from '#contract/game/frames.ts';
import { fail } from '#contract/kit/errors.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { maxStepsField } from '../api/limits.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { Environment, EnvMeta, ScriptedPolicy, StepBuffers } from '../api/types.ts';
import { KITCHEN_LOOKS, kitchenFrame } from './lib/overcooked/frame.ts';
import {
  amount,
  busyPots,
  COOK_TIME,
  cook,
  DELIVERY,
  DISH,
  FULL,
  INTERACT,
  interact,
  isSoup,
  kitchenOf,
  LAYOUTS,
  move,
  NOTHING,
  ONION,
  PLAYER_WORDS,
  STAY,
} from './lib/overcooked/kitchen.ts';
import { type Chance, N, PLAN_WORDS, PLANS, PROPOSED, plannerOf, REFUSED, RUNS } from './lib/planned/planner.ts';

const NAMES = Object.keys(LAYOUTS) as (keyof typeof LAYOUTS)[];
const DELIVERED = 1000; // as interact marks it
const [TAKE, ASK] = [0, 1] as const;
const source = 'own choice';

const config = z.strictObject({
  layout: z.enum(NAMES).default('coordination_ring').meta({ title: 'layout', description: 'Which kitchen.', source: 'Overcooked-AI' }),
  error: z
    .number()
    .min(0)
    .max(1)
    .default(0.3)
    .meta({ title: 'errors of the planner', description: 'Chance that a proposal is any plan at all, drawn evenly.', source, live: true }),
  planSteps: z
    .int()
    .min(2)
    .max(100)
    .default(20)
    .meta({ title: 'longest plan', unit: 'steps', description: 'A plan ends after so many steps, done or not.', source, slider: [5, 40] }),
  mostQueries: z
    .int()
    .min(1)
    .max(100)
    .default(10)
    .meta({
      title: 'most queries',
      unit: 'queries',
      description: 'Of so many proposals in a row the last is taken.',
      source,
      slider: [1, 20],
    }),
  maxSteps: maxStepsField(400, 'Overcooked-AI'),
});
type Config = z.infer<typeof config>;

const planOf = (c: Config, words: Uint32Array = new Uint32Array(0)) => kitchenOf(LAYOUTS[c.layout], true, words);

function stateOf(c: Config) {
  const rows = LAYOUTS[c.layout];
  const shape = [rows.length, rows[0].length];
  return defineState(
    1,
    [
      { name: 'players', type: 'u32', shape: [2, PLAYER_WORDS], doc: 'x, y, facing (0 N, 1 S, 2 E, 3 W) and what is held, as in objects' },
      { name: 'objects', type: 'u32', shape, doc: 'per tile: 0 nothing, 1 onion, 3 dish, 16 + 4 * onions a soup' },
      { name: 'ticks', type: 'u32', shape, doc: 'per pot: steps it cooked + 1, 0 if it did not start' },
      { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
      {
        name: 'plans',
        type: 'u32',
        shape: [2, PLAN_WORDS],
        doc: 'per cook: the plan that runs + 1 (0 none), steps left of it, the plan proposed + 1, the one refused in the last step + 1, what was in hand when it was taken, how often each was proposed since',
      },
      { name: 'queries', type: 'u32', shape: [], doc: 'proposals in this episode' },
      { name: 'refused', type: 'u32', shape: [], doc: 'proposals refused in this episode' },
      { name: 'soups', type: 'u32', shape: [], doc: 'soups served in this episode' },
    ],
    ['objects', 'ticks'],
  );
}

const MEASURES: readonly MetricCard[] = [
  { id: 'soups', title: 'soups', description: 'Soups served in an episode.' },
  { id: 'queries', title: 'queries', description: 'Plans asked for in an episode.' },
  { id: 'soupsPerQueries', title: 'soups for 100 queries', description: 'Soups served in an episode for 100 plans asked for.' },
  { id: 'refused', title: 'refused plans', description: 'Share of the proposals in an episode that were refused.' },
];

/** Width of the part of an observation that is not about plans. */
const baseOf = (c: Config) => {
  const k = planOf(c);
  return 2 * k.floor.length + 8 + 4 * k.pots.length + 3 + 1 + 2;
};

/** Returns per cook in the ring with the default planner. */
const MEASURED: readonly (readonly [name: string, value: number])[] = [
  ['random', 82.7],
  ['every plan taken', 94.2],
  ['possible plans taken', 184.2],
  ['right plans taken', 200.8],
];

function meta(c: Config): EnvMeta {
  const rows = LAYOUTS[c.layout];
  const base = baseOf(c);
  const obs = { kind: 'box', shape: [base + 5 * N], low: 0, high: c.mostQueries } as const;
  const frame: GridLayout = {
    kind: 'grid',
    width: rows[0].length,
    height: rows.length,
    agents: 2,
    headings: true,
    looks: KITCHEN_LOOKS,
    colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
    view: 0,
    figures: ['chef'],
    agentExtras: ['message', 'targetX', 'targetY', 'crossed'],
    symbols: [...PLANS, ...PLANS.map((plan) => `${plan}?`)],
  };
  const known = c.layout === 'coordination_ring' && c.error === 0.3 && c.planSteps === 20 && c.mostQueries === 10 && c.maxSteps === 400;
  return {
    id: 'planned-kitchen',
    version: 1,
    agents: [{ count: 2, names: ['cook 1', 'cook 2'], obs, action: { kind: 'discrete', n: 2, labels: ['take it', 'ask again'] } }],
    agentCount: 2,
    obsSize: base + 5 * N,
    actionSize: 1,
    actionCount: 2,
    rewards: ['reward'],
    costs: [],
    globalSize: base + 5 * N,
    masked: true,
    score: 'mean',
    gamma: 0.99,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: stateOf(c),
    frame,
    references: known ? MEASURED.map(([name, value]) => ({ name, value, source: '200 episodes here' })) : [],
    keys: [
      ['Enter', 'e'],
      ['x', ' '],
    ],
    idleAction: null,
    fps: 6,
    measures: MEASURES,
    plans: { names: PLANS, base },
  };
}

/** Takes or refuses what is proposed to cook p of a kitchen, by a rule that is told the row's planner. */
const script =
  (takes: (planner: ReturnType<typeof plannerOf>, p: number) => boolean) =>
  (c: Config): ScriptedPolicy => {
    const tiles = LAYOUTS[c.layout].join('').length;
    const words = new Uint32Array(2 * PLAYER_WORDS + 2 * tiles + 1 + 2 * PLAN_WORDS);
    const planner = plannerOf(planOf(c, words), c.planSteps);
    return {
      act(env: Environment, { mask }: StepBuffers, out) {
        for (let row = 0; row < env.batch; row++) {
          const json = env.meta.state.toJSON(env.save(row));
          const fields = [json.players, json.objects, json.ticks, [[json.steps]], json.plans];
          words.set((fields as unknown as readonly (readonly (readonly number[])[])[]).flat(2));
          planner.look(0);
          for (let p = 0; p < 2; p++) {
            const free = mask === undefined || mask[2 * (2 * row + p) + ASK] === 1;
            out[2 * row + p] = !free || takes(planner, p) ? TAKE : ASK;
          }
        }
      },
    };
  };

export const plannedKitchen = defineEnv<Config>({
  spec: {
    id: 'planned-kitchen',
    version: 1,
    title: 'Kitchen with a planner',
    summary: 'A planner that errs tells two cooks what to do next; each plan is taken, or refused and asked for again.',
    source: {
      title: 'Towards Efficient LLM Grounding for Embodied Multi-Agent Collaboration',
      authors: 'Zhang et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2405.14314',
    },
    config,
    presets: [
      { id: 'ring', title: 'ring, three errors in ten', config: {} },
      { id: 'half', title: 'ring, half of the plans drawn', config: { error: 0.5 } },
      { id: 'no-errors', title: 'ring, no errors', config: { error: 0 } },
      { id: 'cramped-room', title: 'cramped room', config: { layout: 'cramped_room' } },
    ],
    meta,
    recommended: { algo: 'advantage-filter', steps: 300_000 },
    before: 'takes-all',
  },
  create(c, batch, options) {
    const m = meta(c);
    const rows = allocateRows(m.state, batch);
    const { words, wordStride } = rows;
    const k = planOf(c, words);
    const planner = plannerOf(k, c.planSteps);
    const STEPS = planner.plansAt - 1;
    const QUERIES = planner.words;
    const [REFUSALS, SOUPS] = [QUERIES + 1, QUERIES + 2];
    const { floor } = k;
    const O = m.obsSize;
    const draws = new Draws(rows.rng, options?.draws);
    let current = 0;
    const chance: Chance = { uniform: (name) => draws.uniform(current, name), int: (n, name) => draws.int(current, n, name) };
    const look = (row: number): number => {
      current = row;
      planner.look(row * wordStride);
      return row * wordStride;
    };
    const handOf = (thing: number) => (thing === NOTHING ? 0 : thing === ONION ? 1 : thing === DISH ? 2 : 3);
    const mayAsk = (p: number) => planner.proposed(p) >= 0 && planner.asked(p) < c.mostQueries;

    const observeFor = (s: number, p: number, obs: Float32Array, from: number): void => {
      let at = from;
      obs.fill(0, from, from + O);
      const place = (q: number) => floor.indexOf(words[s + PLAYER_WORDS * q + 1]! * k.width + words[s + PLAYER_WORDS * q]!);
      for (const q of [p, 1 - p]) {
        obs[at + place(q)] = 1;
        at += floor.length;
      }
      for (const q of [p, 1 - p]) {
        obs[at + handOf(words[s + PLAYER_WORDS * q + 3]!)] = 1;
        at += 4;
      }
      for (const pot of k.pots) {
        const tick = words[s + k.ticks + pot]!;
        obs[at] = amount(words[s + k.things + pot]!) / FULL;
        obs[at + 1] = tick > 0 && tick <= COOK_TIME ? 1 : 0;
        obs[at + 2] = tick > COOK_TIME ? 1 : 0;
        obs[at + 3] = tick > 0 ? Math.max(0, COOK_TIME + 1 - tick) / COOK_TIME : 0;
        at += 4;
      }
      for (let tile = 0; tile < k.tiles.length; tile++) {
        const thing = words[s + k.things + tile]!;
        if (k.tiles[tile] === 'X' && thing !== NOTHING) obs[at + handOf(thing) - 1] = obs[at + handOf(thing) - 1]! + 1 / 3;
      }
      at += 3;
      obs[at] = 1 - words[s + STEPS]! / c.maxSteps;
      obs[at + 1] = planner.left(p) / c.planSteps;
      obs[at + 2] = planner.left(1 - p) / c.planSteps;
      at += 3;
      for (const read of [planner.runs, planner.proposed]) {
        for (const q of [p, 1 - p]) {
          const plan = read(q);
          if (plan >= 0) obs[at + plan] = 1;
          at += N;
        }
      }
      for (let plan = 0; plan < N; plan++) obs[at + plan] = planner.tally(p, plan) / 3;
    };
    const observe = (row: number, out: StepBuffers) => {
      const s = look(row);
      for (let p = 0; p < 2; p++) {
        observeFor(s, p, out.obs, (2 * row + p) * O);
        if (out.mask) {
          out.mask[2 * (2 * row + p) + TAKE] = 1;
          out.mask[2 * (2 * row + p) + ASK] = mayAsk(p) ? 1 : 0;
        }
      }
      if (out.alive) out.alive.fill(1, 2 * row, 2 * row + 2);
      if (out.state) for (let i = 0; i < O; i++) out.state[row * O + i] = out.obs[2 * row * O + i]!;
    };
    /** Cooks without a plan get one proposed, the first cook first. */
    const propose = (s: number): void => {
      for (let p = 0; p < 2; p++) {
        if (planner.runs(p) >= 0 || planner.proposed(p) >= 0) continue;
        planner.propose(p, c.error, chance);
        words[s + QUERIES] = words[s + QUERIES]! + 1;
      }
    };
    return assemble(m, batch, rows, {
      start(row) {
        const s = look(row);
        words.fill(0, s, s + SOUPS + 1);
        k.starts.forEach((tile, p) => {
          words[s + PLAYER_WORDS * p] = tile % k.width;
          words[s + PLAYER_WORDS * p + 1] = Math.floor(tile / k.width);
        });
        propose(s);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = look(row);
          for (let p = 0; p < 2; p++) {
            words[s + planner.plansAt + PLAN_WORDS * p + REFUSED] = 0;
            if (planner.proposed(p) < 0) continue;
            if (actions[2 * row + p] === ASK && mayAsk(p)) {
              planner.refuse(p);
              words[s + REFUSALS] = words[s + REFUSALS]! + 1;
            } else planner.take(p);
          }
          const first = planner.action(0, chance);
          const second = planner.action(1, chance);
          // two who want one tile would stand still for ever
          const both = planner.target(0, first) === planner.target(1, second);
          const waits = both ? chance.int(2, 'who waits') : -1;
          const busy = busyPots(k, s);
          let served = 0;
          const acts = [waits === 0 ? STAY : first, waits === 1 ? STAY : second] as const;
          for (let p = 0; p < 2; p++) if (acts[p] === INTERACT && interact(k, s, p, busy) === DELIVERED) served++;
          move(k, s, acts[0], acts[1]);
          cook(k, s);
          words[s + SOUPS] = words[s + SOUPS]! + served;
          const steps = words[s + STEPS]! + 1;
          words[s + STEPS] = steps;
          for (let p = 0; p < 2; p++) planner.settle(p);
          if (steps < c.maxSteps) propose(s);
          out.reward.fill(DELIVERY * served, 2 * row, 2 * row + 2);
          out.terminated[row] = 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      configure: (next) => void Object.assign(c, next),
      measure(row, out, at) {
        const s = row * wordStride;
        out[at] = words[s + SOUPS]!;
        out[at + 1] = words[s + QUERIES]!;
        out[at + 2] = (100 * words[s + SOUPS]!) / Math.max(1, words[s + QUERIES]!);
        out[at + 3] = words[s + REFUSALS]! / Math.max(1, words[s + QUERIES]!);
      },
      loaded(row) {
        const s = look(row);
        const things = (from: number, count: number, field: string) => {
          for (let i = 0; i < count; i++) {
            const thing = words[s + from + i]!;
            if (thing > 3 && (!isSoup(thing) || amount(thing) > FULL))
              throw fail('state-invalid', `State field "${field}" is ${thing}.`, 'Allowed: 0 to 3, or 16 + 4 * onions.', field);
          }
        };
        const place = (p: number) => words[s + PLAYER_WORDS * p + 1]! * k.width + words[s + PLAYER_WORDS * p]!;
        for (let p = 0; p < 2; p++) {
          const me = s + PLAYER_WORDS * p;
          checkCell(words[me]!, k.width, 'players');
          checkCell(words[me + 1]!, k.height, 'players');
          checkCell(words[me + 2]!, 4, 'players');
          things(PLAYER_WORDS * p + 3, 1, 'players');
          if (k.tiles[place(p)] !== ' ')
            throw fail('state-invalid', 'State field "players" puts a cook into furniture.', 'Put cooks on floor tiles.', 'players');
          for (const i of [RUNS, PROPOSED, REFUSED]) checkCell(words[s + planner.plansAt + PLAN_WORDS * p + i]!, N + 1, 'plans');
        }
        if (place(0) === place(1)) throw fail('state-invalid', 'Both cooks stand on one tile.', 'Put them apart.', 'players');
        things(k.things, k.tiles.length, 'objects');
        for (let i = 0; i < k.tiles.length; i++) checkCell(words[s + k.ticks + i]!, COOK_TIME + 2, 'ticks');
      },
      frame(row, out) {
        const s = look(row);
        kitchenFrame(k, s, out);
        for (let p = 0; p < 2; p++) {
          const at = 3 * k.tiles.length + 12 + 4 * p;
          const runs = planner.runs(p);
          const proposed = planner.proposed(p);
          const tile = planner.tile(p, runs >= 0 ? runs : proposed);
          out[at] = runs >= 0 ? runs : proposed >= 0 ? N + proposed : -1;
          out[at + 1] = tile < 0 ? -1 : tile % k.width;
          out[at + 2] = tile < 0 ? -1 : Math.floor(tile / k.width);
          out[at + 3] = planner.tile(p, planner.refused(p));
        }
      },
      cellOf: (row) => words[row * wordStride + 1]! * k.width + words[row * wordStride]!,
    });
  },
  policies: {
    'takes-possible': script((planner, p) => planner.possible(p, planner.proposed(p))),
    'takes-all': script(() => true),
    'takes-second': script((planner, p) => planner.tally(p, planner.proposed(p)) > 1),
    'takes-right': script((planner, p) => planner.proposed(p) === planner.right(p)),
  },
});
