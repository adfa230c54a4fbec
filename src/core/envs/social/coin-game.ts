/**
 * Two players on a torus, a red and a blue coin: every coin gives its taker 1, but costs the other 2 if it was of the other's colour.
 * Obs [n, n, 4], each player's own colours first: own player, other player, own coin, other coin. Actions right, left, down, up,
 * stay. A taken coin reappears anywhere. Both on one coin: both are paid, and the penalty counts as well. Truncates at `innerSteps`.
 * Source: Lerer and Peysakhovich 2017 in the version with both coins at once; `FLAIROx/JaxMARL` at c793d09 `coin_game.py`.
 */
import { z } from 'zod';
import type { GridLayout } from '#contract/game/frames.ts';
import { type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, ScriptedPolicy, StepBuffers } from '../api/types.ts';

const CHANNELS = 4;
const PENALTY = 2;
const DROW = [0, 0, 1, -1, 0] as const;
const DCOLUMN = [1, -1, 0, 0, 0] as const;
const STAY = 4;
/** Where things stand in a row's words, as [row, column]: players red and blue, coins red and blue. */
const COIN = 4;
const STEPS = 8;

const config = z.strictObject({
  gridSize: z
    .int()
    .min(2)
    .max(12)
    .default(3)
    .meta({ title: 'grid size', unit: 'cells', description: 'Side of the torus.', source: 'JaxMARL coin_game' }),
  innerSteps: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(10)
    .meta({ title: 'step limit', unit: 'steps', description: 'Steps of one episode.', source: 'JaxMARL coin_game', log: true }),
});
type Config = z.infer<typeof config>;

const pair = (name: string, doc: string) => ({ name, type: 'u32' as const, shape: [2], doc: `row and column of ${doc}` });

const state = defineState(1, [
  pair('red', 'the red player'),
  pair('blue', 'the blue player'),
  pair('redCoin', 'the red coin'),
  pair('blueCoin', 'the blue coin'),
  { name: 'steps', type: 'u32', shape: [], doc: 'steps done in this episode' },
]);

function meta(c: Config): EnvMeta {
  const obs: ObsSpace = { kind: 'box', shape: [c.gridSize, c.gridSize, CHANNELS], low: 0, high: 1 };
  const frame: GridLayout = {
    kind: 'grid',
    width: c.gridSize,
    height: c.gridSize,
    agents: 2,
    headings: false,
    looks: ['empty', 'coin', 'coin'],
    colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
    view: 0,
    teams: [1, 0], // the palette's nearest to red and blue
    tints: ['red', 'blue'], // as their coins
  };
  const standard = c.gridSize === 3 && c.innerSteps === 10;
  return {
    id: 'coin-game',
    version: 1,
    agents: [
      {
        count: 2,
        names: ['red', 'blue'],
        obs,
        action: { kind: 'discrete', n: 5, labels: ['right', 'left', 'down', 'up', 'stay'] },
      },
    ],
    agentCount: 2,
    obsSize: obsSize(obs),
    actionSize: 1,
    actionCount: 5,
    rewards: ['reward'],
    costs: [],
    globalSize: obsSize(obs),
    masked: false,
    score: 'sum',
    gamma: 0.96,
    maxSteps: c.innerSteps,
    evalMaxSteps: c.innerSteps,
    state,
    frame,
    references: [
      { name: 'random', value: 0, source: 'exact: coins are taken whatever their colour, 1 + 1 - 2' },
      ...(standard ? [{ name: 'own coins only', value: OWN_COINS, source: 'scripted policy "own-coins", measured, sum of both' }] : []),
    ],
    keys: [['ArrowRight', 'd'], ['ArrowLeft', 'a'], ['ArrowDown', 's'], ['ArrowUp', 'w'], ['.']],
    idleAction: STAY,
    fps: 4,
  };
}

/** Mean of 40,000 episodes with gridSize 3 and 10 steps. */
const OWN_COINS = 12.03;

/** Walks the shortest way to the own coin (or the nearest one), rows first unless the other's coin lies there. */
function walker(c: Config, ownOnly: boolean): ScriptedPolicy {
  const n = c.gridSize;
  const find = (obs: Float32Array, from: number, channel: number) => {
    for (let cell = 0; cell < n * n; cell++) if (obs[from + cell * CHANNELS + channel] === 1) return cell;
    return 0;
  };
  /** Signed shortest way round the torus. */
  const way = (a: number, b: number) => {
    const ahead = (b - a + n) % n;
    return ahead * 2 > n ? ahead - n : ahead;
  };
  const distance = (a: number, b: number) => Math.abs(way(Math.floor(a / n), Math.floor(b / n))) + Math.abs(way(a % n, b % n));
  return {
    act(env, { obs }, out) {
      const size = n * n * CHANNELS;
      for (let slot = 0; slot < env.batch * 2; slot++) {
        const me = find(obs, slot * size, 0);
        const own = find(obs, slot * size, 2);
        const other = find(obs, slot * size, 3);
        const goal = ownOnly || distance(me, own) <= distance(me, other) ? own : other;
        const down = way(Math.floor(me / n), Math.floor(goal / n));
        const right = way(me % n, goal % n);
        const below = ((Math.floor(me / n) + Math.sign(down) + n) % n) * n + (me % n);
        const rowsFirst = down !== 0 && (right === 0 || below !== other);
        if (rowsFirst) out[slot] = down > 0 ? 2 : 3;
        else if (right !== 0) out[slot] = right > 0 ? 0 : 1;
        else out[slot] = STAY;
      }
    },
  };
}

export const coinGame = defineEnv<Config>({
  spec: {
    id: 'coin-game',
    version: 1,
    title: 'Coin game',
    summary: 'Every coin pays, but taking the other one costs your neighbour twice as much.',
    source: {
      title: 'Maintaining cooperation in complex social dilemmas using deep reinforcement learning',
      authors: 'Lerer and Peysakhovich',
      year: 2017,
      url: 'https://arxiv.org/abs/1707.01068',
    },
    config,
    // Agents that are each paid for their own coins take the other's too, which returns nothing to both together: the dilemma of this game.
    recommended: { algo: 'ippo', config: { lr: 0.001, teamReward: 'sum' }, steps: 500_000 },
    presets: [
      { id: 'standard', title: '3x3, 10 steps', config: {} },
      { id: 'long', title: '5x5, 100 steps', config: { gridSize: 5, innerSteps: 100 } },
    ],
    meta,
  },
  create(c, batch, options) {
    const n = c.gridSize;
    const size = n * n * CHANNELS;
    const rows = allocateRows(state, batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const place = (row: number, at: number, name: string) => {
      words[at] = draws.int(row, n, `${name} row`);
      words[at + 1] = draws.int(row, n, `${name} column`);
    };
    const cell = (at: number) => words[at]! * n + words[at + 1]!;
    const write = (s: number, agent: number, target: Float32Array, from: number) => {
      target.fill(0, from, from + size);
      for (let channel = 0; channel < CHANNELS; channel++) target[from + cell(s + 2 * (channel ^ agent)) * CHANNELS + channel] = 1;
    };
    const observe = (row: number, out: StepBuffers) => {
      const s = row * wordStride;
      write(s, 0, out.obs, 2 * row * size);
      write(s, 1, out.obs, (2 * row + 1) * size);
      if (out.alive) out.alive.fill(1, 2 * row, 2 * row + 2);
      if (out.state) write(s, 0, out.state, row * size);
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        const s = row * wordStride;
        for (let i = 0; i < 4; i++) place(row, s + 2 * i, i < 2 ? 'player' : 'coin');
        words[s + STEPS] = 0;
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          for (let agent = 0; agent < 2; agent++) {
            const action = actions[2 * row + agent]!;
            const at = s + 2 * agent;
            words[at] = (words[at]! + DROW[action]! + n) % n;
            words[at + 1] = (words[at + 1]! + DCOLUMN[action]! + n) % n;
          }
          let red = 0;
          let blue = 0;
          for (let coin = 0; coin < 2; coin++) {
            const at = s + COIN + 2 * coin;
            const here = cell(at);
            const byRed = cell(s) === here;
            const byBlue = cell(s + 2) === here;
            if (!byRed && !byBlue) continue;
            if (byRed) red++;
            if (byBlue) blue++;
            if (coin === 0 && byBlue) red -= PENALTY;
            if (coin === 1 && byRed) blue -= PENALTY;
            place(row, at, 'coin');
          }
          const steps = words[s + STEPS]! + 1;
          words[s + STEPS] = steps;
          out.reward[2 * row] = red;
          out.reward[2 * row + 1] = blue;
          out.terminated[row] = 0;
          out.truncated[row] = steps >= c.innerSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        const s = row * wordStride;
        for (let i = 0; i < 8; i++) checkCell(words[s + i]!, n, ['red', 'blue', 'redCoin', 'blueCoin'][i >> 1] as string);
      },
      frame(row, out) {
        const s = row * wordStride;
        out.fill(0);
        for (let coin = 0; coin < 2; coin++) {
          const at = 3 * cell(s + COIN + 2 * coin);
          out[at] = 1;
          out[at + 1] = coin === 0 ? 0 : 2;
        }
        if (cell(s + COIN) === cell(s + COIN + 2)) {
          out[3 * cell(s + COIN)] = 2; // both coins in one cell
          out[3 * cell(s + COIN) + 1] = 3;
        }
        for (let agent = 0; agent < 2; agent++) {
          const at = 3 * n * n + 6 * agent;
          out[at] = words[s + 2 * agent + 1]!;
          out[at + 1] = words[s + 2 * agent]!;
          out[at + 5] = 1;
        }
      },
      extras(row) {
        const s = row * wordStride;
        const set = Array.from({ length: CHANNELS }, (_, channel) => cell(s + 2 * channel) * CHANNELS + channel);
        return { obsNonzero: [set.sort((a, b) => a - b)] };
      },
      cellOf: (row) => cell(row * wordStride),
      placements(row) {
        const s = row * wordStride;
        const [y, x] = [words[s]!, words[s + 1]!];
        const out = Array.from({ length: n * n }, (_, at) => {
          words[s] = Math.floor(at / n);
          words[s + 1] = at % n;
          return { cell: at, state: rows.save(row) };
        });
        words[s] = y;
        words[s + 1] = x;
        return out;
      },
    });
  },
  policies: { 'own-coins': (c) => walker(c, true), greedy: (c) => walker(c, false) },
});
