/** What a target counts beyond a time limit is legal in the state that was cut, whatever is legal where the next episode begins. */
import { expect, it } from 'vitest';
import { ask, play } from '../testing/play.ts';
import { probe } from '../testing/probe.ts';
import { getAlgo } from './all.ts';

/**
 * Three states with one legal action each: the first leads to the second, second and third to each other, and the clock cuts the episode
 * when the second is reached again. With gamma 0.5 their actions are worth 5 - 1 = 4, -3 + 1 = -2 and 3 - 1 = 2. The others are never tried.
 */
const LEGAL = [2, 0, 1];
const cut = probe('probe-cut', {
  obs: { kind: 'discrete', n: 3 },
  action: { kind: 'discrete', n: 3, labels: ['a', 'b', 'c'] },
  maxSteps: 3,
  masked: true,
  start: () => 0,
  observe(cue, _, out) {
    out.fill(0);
    out[cue] = 1;
  },
  legal: (cue) => [0, 1, 2].map((action) => (action === LEGAL[cue] ? 1 : 0)),
  joint: (cue) => ({ reward: [5, -3, 3][cue]!, terminated: false, cue: cue === 1 ? 2 : 1 }),
});

it.each([
  'q-learning',
  'double-q-learning',
  'expected-sarsa',
  'sarsa',
  'n-step-sarsa',
  'sarsa-lambda',
  'q-lambda',
  'monte-carlo',
  'dyna-q',
  'prioritised-sweeping',
  'independent-q',
])('%s bootstraps over a time limit from what is legal in the last state', async (id) => {
  const run = await play(cut, id, 3000, { ...getAlgo(id).probeConfig, gamma: 0.5 });
  const { q } = await ask(cut, run, [0, 1, 0]);
  expect(q?.slice(1)).toEqual(Float32Array.of(0, 0)); // never tried: above what is legal
  expect(Math.abs(q![0]! + 2)).toBeLessThan(0.1);
});

it.each([
  ['coma', 3000],
  ['dqn', 3000],
  ['maddpg', 3000],
  ['pqn', 3000],
  ['sac-discrete', 3000],
  ['vdn', 12_000],
])('%s, with a network, does so too', async (id, steps) => {
  const { columns, rows } = await play(cut, id, steps, { ...getAlgo(id).probeConfig, gamma: 0.5 });
  const qMeans = rows.map((row) => row[1 + columns.indexOf('qMean')]!).filter(Number.isFinite);
  const last = qMeans.slice(-3); // rollouts of 8 steps begin in each of the three states in turn
  expect(Math.abs(last.reduce((a, b) => a + b, 0) / 3 - 4 / 3)).toBeLessThan(0.2); // each state counts as often
});
