/**
 * A small world drawn at random, with its exact optimum: from every state each action leads to one of `branching` states, drawn with the model.
 * Obs: the state as one-hot. Actions 1 to N. Reward 1 with the chance of that state and action, else 0; a share `sparsity` of the pairs never
 * pays. Ends after every step with chance 1 - `discount`, so that the mean return is the discounted value and the best policy needs no clock.
 * Every episode begins in state 0. Cells of the picture are the states, row by row: a chest where an action pays best (its chance in per cent
 * stands on it), coins where one pays at all. The best policy, its return, that of random play and what every action loses are worked out
 * exactly from the table.
 * Source: Archibald, McKinnon and Thomas 1995 (GARNET); successors drawn without repeats, their chances the gaps between sorted uniform cuts.
 */
import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import { log } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { defineEnv } from '../api/define.ts';
import { soloMeta } from '../api/meta.ts';
import type { EnvMeta, TabularModel } from '../api/types.ts';
import { remembered } from '../lib/remembered.ts';
import { buildModel, createTabular, EPISODE_REGRET, gridFrame, type Outcome, plannedPolicy, regretState } from '../lib/tabular/model.ts';
import { stateBoard } from '../lib/tabular/state-board.ts';
import { gapsOf, optimalValues, optimalValuesCheck, startValue, transitionTable, uniformValues } from '../lib/tabular/values.ts';

const source = 'Archibald et al. 1995';

const config = z.strictObject({
  states: z.int().min(2).max(64).default(20).meta({ title: 'states', description: 'Numbered states of the world.', source }),
  actions: z.int().min(2).max(8).default(4).meta({ title: 'actions', description: 'Actions in every state.', source }),
  branching: z.int().min(1).max(16).default(3).meta({
    title: 'branching',
    unit: 'states',
    description: 'States that an action may lead to, at most as many as there are; 1: nothing is random but rewards and the end.',
    source,
  }),
  sparsity: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .meta({ title: 'sparsity', description: 'Share of the pairs of state and action that never pay.', source: 'own choice' }),
  discount: z.number().min(0.5).max(0.99).default(0.95).meta({
    title: 'discount of the world',
    description: 'Chance that an episode goes on after a step; it does the work of a discount factor.',
    source: 'own choice',
  }),
  modelSeed: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(1)
    .meta({ title: 'model seed', description: 'The world is drawn from this; runs with other seeds learn the same world.' }),
});
type Config = z.infer<typeof config>;

/** `size` different numbers below n. */
function drawWithout(rng: Rng, n: number, size: number): readonly number[] {
  const all = Array.from({ length: n }, (_, i) => i);
  return Array.from({ length: size }, (_, i) => {
    const at = i + rng.int(n - i);
    const chosen = all[at]!;
    all[at] = all[i]!;
    return chosen;
  });
}

/** Lengths of the pieces of [0, 1] between `parts` - 1 uniform cuts. */
function pieces(rng: Rng, parts: number): readonly number[] {
  const cuts = Array.from({ length: parts - 1 }, () => rng.uniform()).sort((a, b) => a - b);
  return [...cuts, 1].map((cut, i) => cut - (cuts[i - 1] ?? 0));
}

interface World {
  readonly model: TabularModel;
  /** Highest chance of a reward in each state. */
  readonly pays: Float64Array;
  readonly optimum: number;
  readonly random: number;
  readonly gap: Float64Array;
}

/** The chance that an episode is longer than this is one in a million. */
const longest = (c: Config): number => Math.ceil(log(1e-6) / log(c.discount));

function draw(c: Config): World {
  const rng = Rng.from(c.modelSeed).split('random mdp');
  const pays = new Float64Array(c.states);
  const branching = Math.min(c.branching, c.states);
  const chanceOf = Float64Array.from({ length: c.states * c.actions }, () => (rng.uniform() < c.sparsity ? 0 : rng.uniform()));
  if (chanceOf.every((chance) => chance === 0)) chanceOf[chanceOf.length - 1] = 1;
  const model = buildModel(
    c.states,
    c.actions,
    (s, a) => {
      const chance = chanceOf[s * c.actions + a]!;
      pays[s] = Math.max(pays[s]!, chance);
      const next = drawWithout(rng, c.states, branching);
      const share = pieces(rng, branching);
      const ways: readonly Outcome[] = [
        ...next.map((state, k) => ({ probability: c.discount * share[k]!, next: state, reward: 0, terminated: false })),
        { probability: 1 - c.discount, next: s, reward: 0, terminated: true },
      ];
      if (chance === 0) return ways;
      return ways.flatMap((way) => [
        { ...way, probability: way.probability * chance, reward: 1 },
        { ...way, probability: way.probability * (1 - chance) },
      ]);
    },
    [0],
  );
  const { values } = optimalValues(model, 1);
  return {
    model,
    pays,
    optimum: startValue(model, values),
    random: startValue(model, uniformValues(model, longest(c))),
    gap: gapsOf(model, values),
  };
}

const worldOf = remembered(draw);

const LOOKS = ['empty', 'floor', 'start', 'coin', 'treasure'] as const;
const [FLOOR, START, COIN, CHEST] = [1, 2, 3, 4] as const;

const layoutOf = ({ states }: Config): GridLayout => stateBoard(states, LOOKS, ['grey', 'yellow']);

function meta(c: Config): EnvMeta {
  const { optimum, random } = worldOf(c);
  const numbers = Array.from({ length: c.actions }, (_, a) => String(a + 1));
  return {
    ...soloMeta({
      id: 'random-mdp',
      agent: 'walker',
      obs: { kind: 'discrete', n: c.states },
      action: { kind: 'discrete', n: c.actions, labels: numbers.map((number) => `action ${number}`) },
      gamma: 0.99,
      maxSteps: 0,
      evalMaxSteps: longest(c),
      state: regretState,
      frame: layoutOf(c),
      references: [
        { name: 'random', value: random, source: 'exact, from the transition table' },
        { name: 'optimal', value: optimum, source: 'exact, from the transition table' },
      ],
      keys: numbers.map((number) => [number]),
      idleAction: null,
      fps: 4,
    }),
    costs: ['regret'],
    measures: [EPISODE_REGRET],
  };
}

function cellsOf(c: Config): Float32Array {
  const { width, height } = layoutOf(c);
  const { pays } = worldOf(c);
  const most = Math.max(...pays);
  const codes = new Float32Array(3 * width * height);
  pays.forEach((chance, s) => {
    const best = chance === most;
    codes.set(best ? [CHEST, 1, Math.round(100 * chance)] : [chance > 0 ? COIN : s === 0 ? START : FLOOR, chance > 0 ? 1 : 0, 0], 3 * s);
  });
  return codes;
}

export const randomMdp = defineEnv<Config>({
  spec: {
    id: 'random-mdp',
    version: 1,
    title: 'Random MDP',
    summary: 'A small world drawn at random whose optimum is known exactly, so that what learning costs can be counted as regret.',
    source: {
      title: 'On the generation of Markov decision processes',
      authors: 'Archibald, McKinnon and Thomas',
      year: 1995,
      url: 'https://doi.org/10.1057/jors.1995.50',
    },
    config,
    presets: [
      { id: 'twenty', title: '20 states, 4 actions', config: {} },
      { id: 'sparse', title: '36 states, hardly anything pays', config: { states: 36, sparsity: 0.97, branching: 2 } },
      { id: 'six', title: '6 states, 2 actions', config: { states: 6, actions: 2, branching: 2, sparsity: 0.5, discount: 0.9 } },
    ],
    meta,
    recommended: { algo: 'posterior-sampling', steps: 20_000 },
  },
  create(c, batch, options) {
    const { model, gap } = worldOf(c);
    const places = Array.from({ length: c.states }, (_, s) => s);
    return createTabular(
      { meta: meta(c), model, gap, frame: gridFrame(layoutOf(c), cellsOf(c)), grid: { cellOf: (s) => s, places: () => places } },
      batch,
      options?.draws,
    );
  },
  checks: {
    transitions: (c) => transitionTable(worldOf(c).model),
    'optimal-values': (c) => optimalValuesCheck(worldOf(c).model, 1, 0),
  },
  policies: {
    optimal: (c) => plannedPolicy(worldOf(c).model, 0, 1),
  },
});
