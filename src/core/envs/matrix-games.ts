/**
 * Two players choose at the same time and are paid by a table, round after round. Obs: one state (one-hot of 1 + R C): 0 before the
 * first round, then 1 + own action * (number of the other's actions) + the other's action. Truncates after `maxSteps` rounds
 * (1: a normal-form game). `gamma` is the discount of the exact values and of the suggested objective.
 * Sources: iterated prisoner's dilemma of Foerster et al. 2018; stag hunt and chicken as in Melting Pot; climbing and penalty of
 * Claus and Boutilier 1998.
 */
import { z } from 'zod';
import { fail } from '#contract/errors.ts';
import type { TableLayout } from '#contract/frames.ts';
import type { JsonObject } from '#contract/json.ts';
import { checkCell } from './checks.ts';
import { defineEnv } from './define.ts';
import { assemble } from './environment.ts';
import { type Bimatrix, GAMES, gameOf, memoryOneValue, symmetric } from './matrix/payoffs.ts';
import { badConfig } from './parse.ts';
import { allocateRows, defineState } from './state.ts';
import type { EnvMeta, ScriptedPolicy, StepBuffers } from './types.ts';

const NAMES = Object.keys(GAMES) as (keyof typeof GAMES)[];
const table = () => z.array(z.array(z.number()).min(1).max(9)).min(1).max(9).nullable().default(null);

const config = z.strictObject({
  game: z
    .enum(NAMES)
    .default('prisoners-dilemma')
    .meta({
      title: 'game',
      description: 'Which payoffs, unless you give your own.',
      source: 'Foerster et al. 2018',
      editor: 'payoffs',
      payoffs: {
        games: Object.fromEntries(NAMES.map((name) => [name, gameOf(name)])),
        symmetric: 'payoffs',
        row: 'rowPayoffs',
        column: 'columnPayoffs',
      },
    }),
  payoffs: z.array(z.number()).length(4).nullable().default(null).meta({
    title: 'payoffs',
    description: 'Own symmetric game of two actions: what a player gets for CC, CD, DC, DD, own action first; empty: those of the game.',
    editor: 'hidden',
  }),
  rowPayoffs: table().meta({
    title: 'payoffs of the row player',
    description: 'Own table, one list per action of the row player; empty: those of the game.',
    editor: 'hidden',
  }),
  columnPayoffs: table().meta({
    title: 'payoffs of the column player',
    description: 'Own table of the same shape; empty: those of the game.',
    editor: 'hidden',
  }),
  gamma: z
    .number()
    .min(0)
    .max(0.9999)
    .default(0.96)
    .meta({ title: 'discount', description: 'Discount per round, for exact values.', source: 'Foerster et al. 2018' }),
  maxSteps: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(100)
    .meta({ title: 'rounds', unit: 'rounds', description: 'Rounds of one episode; 1 is the game played once.', log: true }),
});
type Config = z.infer<typeof config>;

function bimatrix(c: Config): Bimatrix {
  if (c.rowPayoffs !== null || c.columnPayoffs !== null) {
    const row = c.rowPayoffs ?? c.columnPayoffs ?? [];
    const column = c.columnPayoffs ?? row;
    const width = row[0]?.length ?? 0;
    if (row.length !== column.length || [...row, ...column].some((r) => r.length !== width))
      throw badConfig('columnPayoffs', 'The payoff tables are not of one shape.', 'Give both tables the same rows and columns.');
    const { rowActions, columnActions } = gameOf(c.game);
    // a table of the named game's shape keeps its words
    if (rowActions.length === row.length && columnActions.length === width) return { row, column, rowActions, columnActions };
    return {
      row,
      column,
      rowActions: row.map((_, i) => `row ${i + 1}`),
      columnActions: Array.from({ length: width }, (_, i) => `column ${i + 1}`),
    };
  }
  const named = gameOf(c.game);
  if (c.payoffs === null) return named;
  const [cc = 0, cd = 0, dc = 0, dd = 0] = c.payoffs;
  const rows = [
    [cc, cd],
    [dc, dd],
  ];
  return symmetric(rows, named.rowActions.length === 2 ? named.rowActions : ['cooperate', 'defect']);
}

const state = defineState(1, [
  { name: 'last', type: 'u32', shape: [2], doc: 'actions + 1 of the row and the column player in the round before, 0 at the start' },
  { name: 'steps', type: 'u32', shape: [], doc: 'rounds played in this episode' },
]);
const STEPS = 2;

function meta(c: Config): EnvMeta {
  const game = bimatrix(c);
  const R = game.rowActions.length;
  const C = game.columnActions.length;
  const obs = { kind: 'discrete', n: 1 + R * C } as const;
  const group = (name: string, labels: readonly string[]) =>
    ({ count: 1, names: [name], obs, action: { kind: 'discrete', n: labels.length, labels } }) as const;
  const sums = game.row.flatMap((r, i) => r.map((x, k) => x + (game.column[i]?.[k] as number)));
  const frame: TableLayout = {
    kind: 'table',
    items: [
      {
        kind: 'payoff',
        x: 0.3,
        y: -0.3,
        rows: game.rowActions,
        columns: game.columnActions,
        payoffs: game.row.map((line, i) => line.map((x, k) => [x, game.column[i]?.[k] as number] as const)),
      },
    ],
    bounds: [-0.75 * C - 0.5, -0.75 * R - 0.5, 0.75 * C + 0.5, 0.75 * R + 0.5],
  };
  const alike = R === C && game.rowActions.every((a, i) => a === game.columnActions[i]);
  return {
    id: 'matrix-games',
    version: 1,
    agents: alike
      ? [{ ...group('row player', game.rowActions), count: 2, names: ['row player', 'column player'] }]
      : [group('row player', game.rowActions), group('column player', game.columnActions)],
    agentCount: 2,
    obsSize: obs.n,
    actionSize: 1,
    actionCount: Math.max(R, C),
    rewards: ['reward'],
    costs: [],
    goalSize: 0,
    globalSize: obs.n,
    masked: false,
    score: 'sum',
    gamma: c.gamma,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state,
    frame,
    references: [
      { name: 'random', value: (c.maxSteps * sums.reduce((a, b) => a + b, 0)) / sums.length, source: 'exact, sum of both' },
      { name: 'best for both', value: c.maxSteps * Math.max(...sums), source: 'exact, sum of both' },
    ],
    keys: alike ? game.rowActions.map((_, i) => [String(i + 1)]) : [],
    idleAction: null,
    fps: 2,
  };
}

/** Chance of the first action at the start and after CC, CD, DC, DD, own move first; these are sure. */
const STRATEGIES = {
  'always-cooperate': [1, 1, 1, 1, 1],
  'always-defect': [0, 0, 0, 0, 0],
  'tit-for-tat': [1, 1, 0, 1, 0],
  'win-stay-lose-shift': [1, 1, 0, 0, 1],
} as const;

/** For games of two actions; in others it plays the first action where it would cooperate and the last where it would not. */
function strategy(c: Config, name: keyof typeof STRATEGIES): ScriptedPolicy {
  const game = bimatrix(c);
  const sizes = [game.rowActions.length, game.columnActions.length] as const;
  return {
    act(env, { obs }, out) {
      const O = env.meta.obsSize;
      for (let slot = 0; slot < env.batch * 2; slot++) {
        const mine = sizes[slot % 2] as number;
        const theirs = sizes[1 - (slot % 2)] as number;
        const seen = obs.subarray(slot * O, (slot + 1) * O).indexOf(1) - 1;
        const after = seen < 0 ? 0 : 1 + (Math.floor(seen / theirs) > 0 ? 2 : 0) + (seen % theirs > 0 ? 1 : 0);
        out[slot] = STRATEGIES[name][after as 0] === 1 ? 0 : mine - 1;
      }
    },
  };
}

export const matrixGames = defineEnv<Config>({
  spec: {
    id: 'matrix-games',
    version: 1,
    title: 'Matrix games',
    summary: 'Two choose at once and are paid by a table, again and again.',
    source: {
      title: 'Learning with opponent-learning awareness',
      authors: 'Foerster et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1709.04326',
    },
    config,
    presets: [
      { id: 'prisoners-dilemma', title: "prisoner's dilemma", config: {} },
      { id: 'stag-hunt', title: 'stag hunt', config: { game: 'stag-hunt' } },
      { id: 'chicken', title: 'chicken', config: { game: 'chicken' } },
      { id: 'matching-pennies', title: 'matching pennies', config: { game: 'matching-pennies' } },
      { id: 'battle-of-the-sexes', title: 'battle of the sexes', config: { game: 'battle-of-the-sexes' } },
      { id: 'penalty', title: 'penalty game, once', config: { game: 'penalty', maxSteps: 1 } },
      { id: 'climbing', title: 'climbing game, once', config: { game: 'climbing', maxSteps: 1 } },
    ],
    meta,
  },
  create(c, batch) {
    const game = bimatrix(c);
    const R = game.rowActions.length;
    const C = game.columnActions.length;
    const m = meta(c);
    const O = m.obsSize;
    const rows = allocateRows(state, batch);
    const { words, wordStride } = rows;
    const observe = (row: number, out: StepBuffers) => {
      const s = row * wordStride;
      const [a, b] = [words[s] as number, words[s + 1] as number];
      const at = 2 * row * O;
      out.obs.fill(0, at, at + 2 * O);
      out.obs[at + (a === 0 ? 0 : 1 + (a - 1) * C + b - 1)] = 1;
      out.obs[at + O + (a === 0 ? 0 : 1 + (b - 1) * R + a - 1)] = 1;
      if (out.alive) out.alive.fill(1, 2 * row, 2 * row + 2);
      if (out.state) for (let i = 0; i < O; i++) out.state[row * O + i] = out.obs[at + i] as number;
    };
    return assemble(m, batch, rows, {
      start(row) {
        words.fill(0, row * wordStride, row * wordStride + STEPS + 1);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          const a = actions[2 * row] as number;
          const b = actions[2 * row + 1] as number;
          const steps = (words[s + STEPS] as number) + 1;
          words[s] = a + 1;
          words[s + 1] = b + 1;
          words[s + STEPS] = steps;
          out.reward[2 * row] = game.row[a]?.[b] as number;
          out.reward[2 * row + 1] = game.column[a]?.[b] as number;
          out.terminated[row] = 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        const s = row * wordStride;
        checkCell(words[s] as number, R + 1, 'last');
        checkCell(words[s + 1] as number, C + 1, 'last');
        if ((words[s] === 0) !== (words[s + 1] === 0))
          throw fail('state-invalid', 'State field "last" has one action only.', 'Give both actions, or 0 and 0.', 'last');
      },
      frame(row, out) {
        const s = row * wordStride;
        out[0] = (words[s] as number) - 1;
        out[1] = (words[s + 1] as number) - 1;
      },
    });
  },
  checks: {
    'memory-one-value': (c, inputs: JsonObject) => {
      const game = bimatrix(c);
      if (game.rowActions.length !== 2 || game.columnActions.length !== 2)
        throw badConfig('game', 'Memory-one values need two actions each.', 'Choose a game of two actions.');
      return { values: memoryOneValue(game, inputs.row as readonly number[], inputs.column as readonly number[], c.gamma) };
    },
  },
  policies: {
    'always-cooperate': (c) => strategy(c, 'always-cooperate'),
    'always-defect': (c) => strategy(c, 'always-defect'),
    'tit-for-tat': (c) => strategy(c, 'tit-for-tat'),
    'win-stay-lose-shift': (c) => strategy(c, 'win-stay-lose-shift'),
  },
});
