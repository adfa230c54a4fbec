/**
 * A Markov game drawn at random: in every place all players choose at once, and their joint action decides what each is paid and where they
 * go. Obs: the step and the place together as one-hot, step * places + place, the same for all. Episodes begin in place 0 and terminate after
 * `horizon` steps; with a horizon of 1 it is a one-shot game. Payoffs and the place that follows are drawn evenly for every place and joint action.
 * Payoffs of a player are then scaled: against others who act evenly at random, the best it can do earns 1 more than acting evenly itself, so
 * that games of more players, in which one has less to say, can be compared.
 *   pay = drawn / (V_best - V_even),  both against even play of the others
 * Source: own choice, after the Markov games of Foster, Golowich and Kakade 2023 (theirs are built to be hard, these are drawn).
 */
import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import { Rng } from '#math/rng.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { assemble } from '../api/environment.ts';
import { badConfig } from '../api/parse.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, JointModel, StepBuffers } from '../api/types.ts';
import { remembered } from '../lib/remembered.ts';
import { stateBoard } from '../lib/tabular/state-board.ts';

const source = 'own choice';
const config = z.strictObject({
  players: z
    .int()
    .min(2)
    .max(5)
    .default(2)
    .meta({ title: 'players', description: 'Who choose at the same time.', source: 'Foster et al. 2023' }),
  states: z.int().min(1).max(16).default(8).meta({ title: 'places', description: 'Places of the game.', source }),
  actions: z.int().min(2).max(4).default(2).meta({ title: 'actions', description: 'Of every player in every place.', source }),
  horizon: z.int().min(1).max(4).default(3).meta({
    title: 'horizon',
    unit: 'steps',
    description: 'Steps of an episode; 1: a one-shot game, in which only the first place counts.',
    source,
  }),
  modelSeed: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(1)
    .meta({ title: 'model seed', description: 'The game is drawn from this; runs with other seeds learn the same game.' }),
});
type Config = z.infer<typeof config>;

/** Entries of the table over joint actions: places * joint actions. */
const MOST = 4096;

const state = defineState(1, [
  { name: 'place', type: 'u32', shape: [], doc: 'number of the place' },
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
]);
const [PLACE, STEPS] = [0, 1];

/** Values [S] of each player at the start of the rest of an episode where all act evenly; `best`: where that player alone answers this best. */
function valueAgainstEven(m: JointModel, player: number, best: boolean): number {
  const { states: S, actions: N, joint: J } = m;
  const stride = N ** (m.players - 1 - player);
  let values = new Float64Array(S);
  for (let h = m.horizon - 1; h >= 0; h--) {
    const before = new Float64Array(S);
    for (let s = 0; s < S; s++) {
      const q = new Float64Array(N);
      for (let j = 0; j < J; j++) {
        const worth = m.pay[(s * J + j) * m.players + player]! + values[m.next[s * J + j]!]!;
        q[Math.floor(j / stride) % N]! += (worth * N) / J;
      }
      before[s] = best ? Math.max(...q) : q.reduce((a, b) => a + b) / N;
    }
    values = before;
  }
  return values[0]!;
}

function draw({ players, states, actions, horizon, modelSeed }: Config): JointModel {
  const joint = actions ** players;
  if (states * joint > MOST)
    throw badConfig('states', `${states} places of ${joint} joint actions make ${states * joint} entries.`, `Allowed: ${MOST}.`);
  const rng = Rng.from(modelSeed).split('markov game');
  const pay = Float64Array.from({ length: states * joint * players }, () => rng.uniform());
  const next = Int32Array.from({ length: states * joint }, () => rng.int(states));
  const model = { players, states, actions, horizon, joint, pay, next };
  const scale = Array.from({ length: players }, (_, p) => 1 / (valueAgainstEven(model, p, true) - valueAgainstEven(model, p, false)));
  return { ...model, pay: pay.map((value, i) => value * scale[i % players]!) };
}

/** The sum of all players' payoffs of an episode where they act as one. */
function bestTogether(m: JointModel): number {
  let values = new Float64Array(m.states);
  for (let h = 0; h < m.horizon; h++) {
    const later = values;
    values = Float64Array.from({ length: m.states }, (_, s) => {
      let best = Number.NEGATIVE_INFINITY;
      for (let j = 0; j < m.joint; j++) {
        let sum = later[m.next[s * m.joint + j]!]!;
        for (let p = 0; p < m.players; p++) sum += m.pay[(s * m.joint + j) * m.players + p]!;
        best = Math.max(best, sum);
      }
      return best;
    });
  }
  return values[0]!;
}

const gameOf = remembered((c: Config) => {
  const model = draw(c);
  const random = Array.from({ length: c.players }, (_, p) => valueAgainstEven(model, p, false)).reduce((a, b) => a + b);
  return { model, random, best: bestTogether(model) };
});

const LOOKS = ['empty', 'floor', 'start'] as const;

/** All players are in the same place. */
const layoutOf = ({ states }: Config): GridLayout => stateBoard(states, LOOKS, ['grey']);

function meta(c: Config): EnvMeta {
  const { random, best } = gameOf(c);
  const obs = { kind: 'discrete', n: c.horizon * c.states } as const;
  const numbers = Array.from({ length: c.actions }, (_, a) => String(a + 1));
  return {
    id: 'markov-game',
    version: 1,
    agents: [
      {
        count: c.players,
        names: Array.from({ length: c.players }, (_, p) => `player ${p + 1}`),
        obs,
        action: { kind: 'discrete', n: c.actions, labels: numbers.map((number) => `action ${number}`) },
      },
    ],
    agentCount: c.players,
    obsSize: obs.n,
    actionSize: 1,
    actionCount: c.actions,
    rewards: ['reward'],
    costs: [],
    globalSize: obs.n,
    masked: false,
    score: 'sum',
    gamma: 0.99,
    maxSteps: c.horizon,
    evalMaxSteps: c.horizon,
    state,
    frame: layoutOf(c),
    references: [
      { name: 'random', value: random, source: 'exact, from the table, sum of all players' },
      { name: 'best for all', value: best, source: 'exact, from the table: all act as one, sum of all players' },
    ],
    keys: numbers.map((number) => [number]),
    idleAction: null,
    fps: 2,
  };
}

export const markovGame = defineEnv<Config>({
  spec: {
    id: 'markov-game',
    version: 1,
    title: 'Markov game',
    summary:
      'Two to five players in a drawn game of several places: what they choose together pays each of them and decides where they go.',
    source: {
      title: 'Hardness of Independent Learning and Sparse Equilibrium Computation in Markov Games',
      authors: 'Foster, Golowich and Kakade',
      year: 2023,
      url: 'https://arxiv.org/abs/2303.12287',
    },
    config,
    presets: [
      { id: 'two', title: 'two players, three steps', config: {} },
      { id: 'five', title: 'five players, three steps', config: { players: 5 } },
      { id: 'one-shot', title: 'three players, one shot', config: { players: 3, horizon: 1 } },
    ],
    meta,
    recommended: { algo: 'hedge', steps: 2000 },
  },
  create(c, batch) {
    const { model } = gameOf(c);
    const { players: P, actions: N, joint: J, states: S } = model;
    const rows = allocateRows(state, batch);
    const { words, wordStride } = rows;
    const [O, cells] = [c.horizon * S, layoutOf(c)];
    const observe = (row: number, out: StepBuffers) => {
      const base = row * wordStride;
      const seen = Math.min(words[base + STEPS]!, c.horizon - 1) * S + words[base + PLACE]!; // the end is seen as the last step
      out.obs.fill(0, row * P * O, (row + 1) * P * O);
      for (let p = 0; p < P; p++) out.obs[(row * P + p) * O + seen] = 1;
      out.alive?.fill(1, row * P, (row + 1) * P);
      if (out.state) {
        out.state.fill(0, row * O, (row + 1) * O);
        out.state[row * O + seen] = 1;
      }
    };
    return assemble(meta(c), batch, rows, {
      joint: () => model,
      start(row) {
        words[row * wordStride + PLACE] = 0;
        words[row * wordStride + STEPS] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const base = row * wordStride;
          let joint = 0;
          for (let p = 0; p < P; p++) joint = joint * N + actions[row * P + p]!;
          const at = words[base + PLACE]! * J + joint;
          for (let p = 0; p < P; p++) out.reward[row * P + p] = model.pay[at * P + p]!;
          words[base + PLACE] = model.next[at]!;
          words[base + STEPS]!++;
          out.terminated[row] = words[base + STEPS]! >= c.horizon ? 1 : 0;
          out.truncated[row] = 0;
          observe(row, out);
        }
      },
      observe,
      loaded: (row) => checkCell(words[row * wordStride + PLACE]!, S, 'place'),
      frame(row, out) {
        out.fill(0);
        for (let s = 0; s < S; s++) out[3 * s] = s === 0 ? 2 : 1;
        const place = words[row * wordStride + PLACE]!;
        out.set([place % cells.width, Math.floor(place / cells.width), 0, 0, 0, 1], 3 * cells.width * cells.height);
      },
    });
  },
});
