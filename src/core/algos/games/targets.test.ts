/** Target actions: what they are paid, what the model of the victims learns, what the oracle names. */
import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { createEngine } from '../../engine/index.ts';
import { createActions } from '../../envs/api/buffers.ts';
import type { EnvEntry } from '../../envs/api/types.ts';
import { createVectorEnv } from '../../envs/api/vector-env.ts';
import { type Probe, probe } from '../../testing/probe.ts';
import { getAlgo } from '../all.ts';
import type { CommsConfig } from '../lib/messages/learner.ts';
import type { TeamNetwork } from '../lib/messages/networks.ts';
import { shareNetworks } from '../lib/sharing.ts';
import { nearer, steeringGain } from './lib/target-actions.ts';
import { createTargets } from './lib/targets.ts';

it('a target is worth what the action adds to its chance over all legal actions', () => {
  const ln = (...p: readonly number[]): number[] => p.map((x) => Math.log(x));
  // three actions of the adversary, two of the victim
  const chances = Float32Array.from([...ln(0.9, 0.1), ...ln(0.2, 0.8), ...ln(0.4, 0.6)]);
  expect(steeringGain(chances, 0, 2, [1, 1, 1], 0, 0)).toBeCloseTo(0.9 - 0.5, 6);
  expect(steeringGain(chances, 0, 2, [1, 1, 1], 0, 1)).toBeCloseTo(0.1 - 0.5, 6);
  expect(steeringGain(chances, 0, 2, [0, 1, 1], 1, 1)).toBeCloseTo(0.8 - 0.7, 6);
  expect(steeringGain(chances, 0, 2, [0, 1, 0], 1, 1)).toBeCloseTo(0, 12);
});

it('a target of numbers is worth how much nearer they come to it than after other actions', () => {
  // two numbers; its own action leads to (0, 0.5), two others to (1, 0.5) and (0.5, -0.5); the target lies at (0, 1), beyond the range cut off
  const means = Float32Array.from([0, 0.5, 9, 9, 1, 0.5, 9, 9, 0.5, -0.5, 9, 9]);
  expect(nearer(means, 0, 4, 3, [7, 0, 3], 1, 2)).toBeCloseTo((0.75 + 1) / 2 - 0.25, 6);
  expect(nearer(means, 2, 4, 3, [7, 0, 3], 1, 2)).toBeCloseTo(0, 6); // led nowhere
});

/** What its two victims do does not end the episode, and nothing is seen but the step. */
const still = (id: string, action: Probe['action']) =>
  probe(id, {
    obs: { kind: 'box', shape: [1], low: -1, high: 1 },
    action,
    maxSteps: 64,
    agents: 3,
    start: () => 0,
    observe: (_, __, out) => out.fill(1),
    joint: () => ({ reward: 0, terminated: false }),
  });

/** Targets of the first of three in 16 copies of such a world, and what a test plays there. */
async function steered(entry: EnvEntry, entropyCoef: number) {
  const engine = await createEngine('wasm');
  const env = createVectorEnv(entry, entry.parse({}), 16, Rng.from(1));
  const { meta } = env;
  const settings = { envs: 16, rolloutSteps: 32, minibatches: 4, epochs: 4, width: 16, gamma: 0.5, entropyCoef, annealLr: false };
  const c = { ...(getAlgo('adversary').parse(settings) as object), channel: 'silent' } as CommsConfig;
  const net = { sharing: shareNetworks(meta, 'grouped', false) } as TeamNetwork;
  const targets = createTargets(engine, net, env, c, { agent: 0, credit: 'taken' }, Rng.from(2));
  env.reset();
  return { engine, env, targets, actions: createActions(meta, 16), harm: new Float32Array(16), rng: Rng.from(3) };
}

it('learns what victims do after an action, and names what harms the team', async () => {
  const { engine, env, targets, actions, harm, rng } = await steered(
    still('probe-still', { kind: 'discrete', n: 2, labels: ['a', 'b'] }),
    0.001,
  );
  const gains = { led: 0, other: 0, count: [0, 0] as [number, number] };
  const before = new Int32Array(16); // of the adversary, in the step before
  for (let update = 0; update < 60; update++) {
    for (let t = 0; t < 32; t++) {
      for (let b = 0; b < 16; b++) {
        // the first victim does b in 9 of 10 steps after a 1, in 1 of 10 after a 0; the second in half of all
        actions[b * 3 + 1] = Number(rng.uniform() < (before[b] === 1 ? 0.9 : 0.1));
        actions[b * 3 + 2] = rng.int(2);
        actions[b * 3] = rng.int(2);
        harm[b] = actions[b * 3 + 1]!; // b of the first victim is what hurts
      }
      await targets.before(actions);
      for (let b = 0; b < 16; b++) {
        before[b] = actions[b * 3]!;
        if (update < 50) continue;
        const led = actions[b * 3] === 1;
        gains[led ? 'led' : 'other'] += targets.gain[b]!;
        gains.count[led ? 0 : 1]++;
      }
      env.step(actions);
      await targets.after(harm);
    }
    await targets.learn(3e-3);
  }
  // entropies of 0.9 and of 0.5 in the mean: 0.325 and 0.693
  expect(targets.metrics().victimLoss).toBeCloseTo((0.3251 + Math.LN2) / 2, 1);
  // b named for the first victim: 0.9 - 0.5 after a 1, half of it over two victims
  expect(gains.led / gains.count[0]).toBeGreaterThan(0.12);
  expect(gains.other / gains.count[1]).toBeLessThan(-0.12);
  engine.dispose();
});

it('learns the same of actions that are numbers', async () => {
  const { engine, env, targets, actions, harm, rng } = await steered(
    still('probe-still-numbers', { kind: 'box', size: 2, low: [-2, -2], high: [2, 2], labels: ['x', 'y'] }),
    0,
  );
  const gains = { high: 0, low: 0, count: [0, 0] as [number, number] };
  const before = new Float32Array(16); // x of the adversary, in the step before
  for (let update = 0; update < 80; update++) {
    for (let t = 0; t < 32; t++) {
      for (let b = 0; b < 16; b++) {
        // x of the first victim follows the adversary's, half as far; all else is drawn
        for (let k = 0; k < 6; k++) actions[b * 6 + k] = 4 * rng.uniform() - 2;
        actions[b * 6 + 2] = before[b]! / 2 + rng.uniform() - 0.5;
        harm[b] = actions[b * 6 + 2]!; // it should be large
      }
      await targets.before(actions);
      for (let b = 0; b < 16; b++) {
        before[b] = actions[b * 6]!;
        if (update < 70 || Math.abs(before[b]!) < 1) continue;
        const high = before[b]! > 0;
        gains[high ? 'high' : 'low'] += targets.gain[b]!;
        gains.count[high ? 0 : 1]++;
      }
      env.step(actions);
      await targets.after(harm);
    }
    await targets.learn(3e-3);
  }
  // variance of what cannot be foreseen, in half ranges: 1/48 of the one number, 1/3 of the other three
  expect(targets.metrics().victimLoss).toBeCloseTo((1 / 48 + 3 / 3) / 4, 1);
  // its x of 1.5 leads to 0.375 in half ranges, others to 0 in the mean: of four numbers one, with a target beyond
  expect(gains.high / gains.count[0]).toBeGreaterThan(0.05);
  expect(gains.low / gains.count[1]).toBeLessThan(-0.05);
  engine.dispose();
});
