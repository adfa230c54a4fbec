/**
 * Players choose at the same time and are paid by a table, round after round. Two players with any tables, or up to five: public
 * goods, dilemmas, hunts, or a table of one's own. Obs: the last `memory` rounds as one state (one-hot of (1 + J)^memory, J joint
 * actions); of a round 0 if it was not played, else 1 + its number with the own action slowest, then the others' in a circle.
 * Truncates after `maxSteps` rounds (1: a normal-form game). `gamma` is the discount of the exact values and of the suggested objective.
 * Payoffs, first match: `payoffTensor` (any number of players), `rowPayoffs` and `columnPayoffs` (two players, R x C), `payoffs` (two
 * players, two actions, symmetric), `game`. Throws LabError('config-invalid') where they do not fit the number of players.
 * Sources: iterated prisoner's dilemma of Foerster et al. 2018; stag hunt and chicken as in Melting Pot; climbing and penalty of
 * Claus and Boutilier 1998.
 */
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { treeOfTable } from '#math/game-tree.ts';
import { checkCell, numberOf } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { assemble } from '../api/environment.ts';
import { badConfig } from '../api/parse.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { memoryOneValue } from '../lib/payoffs.ts';
import { bimatrix, type Config, config, gameFor } from './lib/matrix/config.ts';
import { showRound, tableOf } from './lib/matrix/look.ts';
import { bestResponse, equilibria, nashConv, type Profile, pureEquilibria, value } from './lib/matrix/nash.ts';
import type { NormalForm } from './lib/matrix/normal-form.ts';
import { equilibriumOf, STRATEGIES } from './lib/matrix/strategies.ts';

const MOST_STATES = 4096;

function stateOf(c: Config) {
  return defineState(1, [
    {
      name: 'last',
      type: 'u32',
      shape: c.memory > 1 ? [c.memory, c.players] : [c.players],
      doc: 'actions + 1 of all players in the round before (with more memory: in the rounds before, latest first), 0 where there was none',
    },
    { name: 'steps', type: 'u32', shape: [], doc: 'rounds played in this episode' },
  ]);
}

const alikeIn = (game: NormalForm) => game.actions.every((list) => list.join() === game.actions[0]?.join());

/** One round of a game of two. */
function treeOf({ actions, sizes, pay }: NormalForm) {
  const columns = sizes[1]!;
  return treeOfTable(actions[0] ?? [], actions[1] ?? [], (r, c, player) => pay[2 * (r * columns + c) + player]!);
}

/** Sum over players of a joint action. */
function sums(game: NormalForm): readonly number[] {
  return Array.from({ length: game.joint }, (_, j) => {
    let sum = 0;
    for (let p = 0; p < game.players; p++) sum += game.pay[j * game.players + p]!;
    return sum;
  });
}

function meta(c: Config): EnvMeta {
  const game = gameFor(c);
  const states = (1 + game.joint) ** c.memory;
  if (states > MOST_STATES)
    throw badConfig('memory', `${c.memory} rounds of ${game.joint} joint actions make ${states} states.`, `Allowed: ${MOST_STATES}.`);
  const obs = { kind: 'discrete', n: states } as const;
  const names = game.players === 2 ? ['row player', 'column player'] : game.sizes.map((_, i) => `player ${i + 1}`);
  const group = (p: number) => {
    const labels = game.actions[p] as readonly string[];
    return { count: 1, names: [names[p] as string], obs, action: { kind: 'discrete', n: labels.length, labels } } as const;
  };
  const total = sums(game);
  const at = equilibriumOf(game);
  const stable = nashConv(game, at) < 1e-7;
  const worth = at.reduce((sum, _, p) => sum + value(game, at, p), 0);
  return {
    id: 'matrix-games',
    version: 1,
    agents: alikeIn(game) ? [{ ...group(0), count: game.players, names }] : names.map((_, p) => group(p)),
    agentCount: game.players,
    obsSize: obs.n,
    actionSize: 1,
    actionCount: Math.max(...game.sizes),
    rewards: ['reward'],
    costs: [],
    globalSize: obs.n,
    masked: false,
    listed: game.players === 2,
    score: 'sum',
    gamma: c.gamma,
    maxSteps: c.maxSteps,
    evalMaxSteps: c.maxSteps,
    state: stateOf(c),
    frame: tableOf(game),
    game: {
      actions: game.actions,
      pay: Array.from({ length: game.joint }, (_, j) => Array.from(game.pay.subarray(j * game.players, (j + 1) * game.players))),
    },
    references: [
      { name: 'random', value: (c.maxSteps * total.reduce((a, b) => a + b, 0)) / total.length, source: 'exact, sum of all players' },
      ...(stable ? [{ name: 'equilibrium', value: c.maxSteps * worth, source: 'exact, scripted policy "nash", sum of all players' }] : []),
      { name: 'best for all', value: c.maxSteps * Math.max(...total), source: 'exact, sum of all players' },
    ],
    keys: alikeIn(game) ? (game.actions[0] ?? []).map((_, i) => [String(i + 1)]) : [],
    idleAction: null,
    fps: 2,
  };
}

export const matrixGames = defineEnv<Config>({
  spec: {
    id: 'matrix-games',
    version: 1,
    title: 'Matrix games',
    summary: 'Players choose at once and are paid by a table, again and again.',
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
      { id: 'rock-paper-scissors', title: 'rock, paper, scissors', config: { game: 'rock-paper-scissors' } },
      { id: 'battle-of-the-sexes', title: 'battle of the sexes', config: { game: 'battle-of-the-sexes' } },
      { id: 'trust-dilemma', title: 'trust dilemma', config: { game: 'trust-dilemma' } },
      { id: 'penalty', title: 'penalty game, once', config: { game: 'penalty', maxSteps: 1 } },
      { id: 'climbing', title: 'climbing game, once', config: { game: 'climbing', maxSteps: 1 } },
      { id: 'public-goods', title: 'public goods, 4 players', config: { game: 'public-goods', players: 4 } },
      { id: 'n-stag-hunt', title: 'stag hunt, 3 players', config: { game: 'n-stag-hunt', players: 3 } },
      { id: 'n-dilemma', title: 'dilemma, 5 players', config: { game: 'n-dilemma', players: 5 } },
    ],
    meta,
  },
  create(c, batch) {
    const game = gameFor(c);
    const m = meta(c);
    const { players: P } = game;
    const O = m.obsSize;
    const rows = allocateRows(stateOf(c), batch);
    const { words, wordStride } = rows;
    const kept = Math.max(1, c.memory); // rounds in the state; one for the frame without memory
    const STEPS = kept * P;
    const observe = (row: number, out: StepBuffers) => {
      const s = row * wordStride;
      for (let player = 0; player < P; player++) {
        let code = 0;
        for (let back = c.memory - 1; back >= 0; back--) {
          const at = s + back * P;
          let round = 0;
          for (let k = 0; k < P; k++) {
            const p = (player + k) % P;
            round = round * game.sizes[p]! + words[at + p]! - 1;
          }
          code = code * (1 + game.joint) + (words[at] === 0 ? 0 : 1 + round);
        }
        const from = (row * P + player) * O;
        out.obs.fill(0, from, from + O);
        out.obs[from + code] = 1;
        if (out.alive) out.alive[row * P + player] = 1;
      }
      if (out.state) for (let i = 0; i < O; i++) out.state[row * O + i] = out.obs[row * P * O + i]!;
    };
    return assemble(m, batch, rows, {
      ...(P === 2 && { game: () => ({ tree: treeOf(game), infoSet: (_obs: Float32Array, _at: number, seat: number) => seat }) }),
      start(row) {
        words.fill(0, row * wordStride, row * wordStride + STEPS + 1);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          words.copyWithin(s + P, s, s + STEPS - P);
          let joint = 0;
          for (let p = 0; p < P; p++) {
            const a = actions[row * P + p]!;
            words[s + p] = a + 1;
            joint = joint * game.sizes[p]! + a;
          }
          for (let p = 0; p < P; p++) out.reward[row * P + p] = game.pay[joint * P + p]!;
          const steps = words[s + STEPS]! + 1;
          words[s + STEPS] = steps;
          out.terminated[row] = 0;
          out.truncated[row] = steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        const s = row * wordStride;
        for (let round = 0; round < kept; round++)
          for (let p = 0; p < P; p++) {
            checkCell(words[s + round * P + p]!, game.sizes[p]! + 1, 'last');
            if ((words[s + round * P] === 0) !== (words[s + round * P + p] === 0))
              throw fail('state-invalid', 'State field "last" has a round that only some played.', 'Give all actions of it, or 0.', 'last');
          }
      },
      frame: (row, out) => showRound(game, words, row * wordStride, out),
    });
  },
  checks: {
    'memory-one-value': (c, inputs: JsonObject) => {
      const game = bimatrix(c);
      if (game === null || game.rowActions.length !== 2 || game.columnActions.length !== 2)
        throw badConfig('game', 'Memory-one values need two players with two actions each.', 'Choose a game of two actions.');
      return { values: memoryOneValue(game, inputs.row as readonly number[], inputs.column as readonly number[], c.gamma) };
    },
    /** All pure equilibria, and of two players the mixed ones too. */
    equilibria: (c) => {
      const game = gameFor(c);
      return { pure: pureEquilibria(game), mixed: game.players === 2 ? equilibria(game) : [] };
    },
    /** Inputs `profile` (one list of chances per player) and `player`: its best actions and their value, and the profile's NashConv. */
    'best-response': (c, inputs) => {
      const game = gameFor(c);
      const profile = inputs.profile as Profile;
      return { ...bestResponse(game, profile, numberOf(inputs, 'player')), nashConv: nashConv(game, profile) };
    },
  },
  policies: Object.fromEntries(Object.entries(STRATEGIES).map(([name, make]) => [name, (c: Config) => make(gameFor(c))])),
});
