/** The loss of inverse soft Q-learning in float64, its slopes by differences, the sums of a team's marginal critics, and what is learned. */
import { describe, expect, it } from 'vitest';
import { gradients } from '#core/engine/autodiff.ts';
import { createGraph } from '#core/engine/graph.ts';
import { pick } from '#core/engine/ops.ts';
import { getEnv } from '#core/envs/all.ts';
import { interpret } from '#core/testing/engine/interpreter.ts';
import { play } from '#core/testing/play.ts';
import { Agreement } from '../lib/data/inverse.ts';
import { boltzmannValue, inverseLoss } from '../lib/data/losses.ts';
import { jointAction, jointTable, marginal, othersChance } from './marginal-soft-q.ts';

const [M, N, TEMPERATURE, PENALTY] = [4, 3, 0.5, 0.25] as const; // powers of two: exact as float32 constants
const mean = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0) / x.length;
const soft = (q: readonly number[]): number => TEMPERATURE * Math.log(q.reduce((sum, x) => sum + Math.exp(x / TEMPERATURE), 0));

const rows = {
  player: { q: [0.3, -1.2, 0.8, 2, 0.1, -0.4, 1.5, 1.4, -2, 0, 0.2, 0.9], action: [2, 0, 1, 2], next: [0.4, 0, -0.7, 1.1] },
  own: { q: [-0.5, 0.6, 0.1, 1.3, -1.1, 0.2, 0.7, 0.7, 0.7, -0.9, 2.2, 0.3], action: [0, 1, 1, 0], next: [0, 0.9, 0.3, -1.4] },
};

function program(both: boolean) {
  const g = createGraph();
  const [q, ownQ] = [g.input('q', [M, N]), g.input('ownQ', [M, N])];
  const valued = (values: typeof q, name: string) => ({
    taken: pick(values, g.input(`${name}Action`, [M])),
    value: boltzmannValue(values, TEMPERATURE),
    next: g.input(`${name}Next`, [M]),
  });
  const loss = inverseLoss(valued(q, 'player'), both ? valued(ownQ, 'own') : null, PENALTY);
  const slopes = gradients(loss, [q, ownQ]);
  return (qs: readonly number[], ownQs: readonly number[]) => {
    const found = interpret([loss, ...slopes], {
      inputs: {
        q: qs,
        ownQ: ownQs,
        playerAction: rows.player.action,
        playerNext: rows.player.next,
        ownAction: rows.own.action,
        ownNext: rows.own.next,
      },
    });
    return { loss: found.get(loss)![0]!, slopes: slopes.map((slope) => Array.from(found.get(slope)!)) };
  };
}

describe.each([
  ['both', true],
  ['the player alone', false],
] as const)('from rows of %s', (_, both) => {
  const run = program(both);

  it('the loss is the player’s reward against the values of states, with the size of rewards', () => {
    const used = both ? [rows.player, rows.own] : [rows.player];
    const rewards = used.map(({ q, action, next }) => next.map((v, i) => q[i * N + action[i]!]! - v));
    const starts = used.map(({ q, next }) => next.map((v, i) => soft(q.slice(i * N, (i + 1) * N)) - v));
    const want = -mean(rewards[0]!) + mean(starts.flat()) + mean(rewards.flat().map((r) => r * r)) / (4 * PENALTY);
    expect(run(rows.player.q, rows.own.q).loss).toBeCloseTo(want, 12);
  });

  it('its slopes are those of differences', () => {
    const { slopes } = run(rows.player.q, rows.own.q);
    const h = 1e-6;
    [rows.player.q, rows.own.q].forEach((values, which) => {
      values.forEach((_, i) => {
        const at = (d: number): number => {
          const moved = values.map((x, k) => (k === i ? x + d : x));
          return which === 0 ? run(moved, rows.own.q).loss : run(rows.player.q, moved).loss;
        };
        expect(slopes[which]![i]).toBeCloseTo((at(h) - at(-h)) / (2 * h), 7);
      });
    });
  });
});

it('three agents: joint actions are numbered own action first, and the others are averaged over', () => {
  const g = createGraph();
  const [A, n] = [3, 2];
  const chance = g.input('chance', [1, A, n]);
  const table = g.input('table', [A, n ** A]);
  const others = othersChance(chance);
  const outputs = [
    jointAction(g.input('action', [1, A]), n),
    others,
    marginal(table, others),
    jointTable(g.input('heads', [1, n + n ** A]), n),
  ];
  const p = [0.25, 0.75, 0.5, 0.5, 0.125, 0.875];
  const q = Array.from({ length: A * n ** A }, (_, i) => Math.sin(i));
  const found = interpret(outputs, { inputs: { chance: p, action: [1, 0, 1], table: q, heads: [10, 20, 0, 1, 2, 3, 4, 5, 6, 7] } });
  const of = (at: number): number[] => Array.from(found.get(outputs[at]!)!);
  expect(of(0)).toEqual([0b101, 0b011, 0b110]);
  expect(of(3)).toEqual([10, 11, 12, 13, 24, 25, 26, 27]);
  for (let i = 0; i < A; i++) {
    const [j, k] = [(i + 1) % A, (i + 2) % A];
    for (let a = 0; a < n; a++) {
      let want = 0;
      for (let b = 0; b < n; b++)
        for (let c = 0; c < n; c++) {
          const both = p[j * n + b]! * p[k * n + c]!;
          expect(of(1)[i * 4 + b * n + c]).toBeCloseTo(both, 12);
          want += both * q[i * 8 + a * 4 + b * 2 + c]!;
        }
      expect(of(2)[i * n + a]).toBeCloseTo(want, 12);
    }
  }
});

it('agreement is the correlation over all pieces, starts over, and is missing where nothing varies', () => {
  const agreement = new Agreement();
  agreement.add([1, 2], [3, 1]);
  agreement.add([4, -1], [2, 7]);
  const [x, y] = [
    [1, 2, 4, -1],
    [3, 1, 2, 7],
  ];
  const [mx, my] = [mean(x!), mean(y!)];
  const both = mean(x!.map((v, i) => (v - mx) * (y![i]! - my)));
  const spread = (v: readonly number[], m: number): number => Math.sqrt(mean(v.map((one) => (one - m) ** 2)));
  expect(agreement.take()).toBeCloseTo(both / (spread(x!, mx) * spread(y!, my)), 12);
  agreement.add([1, 2], [1, 1]);
  expect(agreement.take()).toBeNaN();
});

describe('what is learned', () => {
  it('CartPole from 1,000 recorded steps, without its reward', async () => {
    const run = await play(getEnv('cartpole'), 'inverse-soft-q', 6000, { recordSteps: 1000 });
    expect(run.evalReturn).toBeGreaterThan(450);
  });

  it('the coin game from the recorded pair, and its rewards', async () => {
    const run = await play(getEnv('coin-game'), 'marginal-soft-q', 5000, { recordSteps: 5000 });
    expect(run.evalReturn).toBeGreaterThan(6); // 12.03: the recorded pair; 0: at random
    const agreement = run.rows.map((row) => row[1 + run.columns.indexOf('rewardAgreement')]!).filter(Number.isFinite);
    expect(mean(agreement)).toBeGreaterThan(0.1); // 0: it knows nothing of what is paid
  });
});
