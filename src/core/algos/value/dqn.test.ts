import { expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { createGraph } from '../../engine/graph.ts';
import { getEnv } from '../../envs/all.ts';
import { interpret } from '../../testing/engine/interpreter.ts';
import { trained } from '../../testing/trained.ts';
import golden from '../golden/algo-dqn.json' with { type: 'json' };
import { dqn } from './dqn.ts';
import { dqnLoss, dqnTarget } from './lib/dqn-programs.ts';

interface Targets {
  readonly input: {
    readonly rewards: number[];
    readonly terminated: number[];
    readonly gamma: number;
    readonly q: number[][];
    readonly actions: number[];
    readonly next_q_online: number[][];
    readonly next_q_target: number[][];
  };
  readonly expected: {
    readonly dqn: number[];
    readonly double_dqn: number[];
    readonly mse_loss: number;
    readonly huber_loss: number;
    readonly td_error: number[];
  };
}
const { input, expected } = golden.cases.find((c) => c.name === 'targets') as unknown as Targets;

it('targets, double targets (ties to the lowest action) and losses equal the reference', () => {
  const g = createGraph();
  const row = (name: string) => g.input(name, [4]);
  const [q, online, target] = ['q', 'online', 'target'].map((name) => g.input(name, [4, 3]));
  const plain = dqnTarget(row('reward'), row('discount'), target!, null);
  const double = dqnTarget(row('reward'), row('discount'), target!, online!);
  const mse = dqnLoss(q!, row('action'), double, 'mse', null);
  const huber = dqnLoss(q!, row('action'), double, 'huber', null);
  const weighted = dqnLoss(q!, row('action'), double, 'mse', row('weight'));
  const outputs = [plain, double, mse.loss, huber.loss, mse.error, weighted.loss];
  const found = interpret(outputs, {
    inputs: {
      q: input.q.flat(),
      online: input.next_q_online.flat(),
      target: input.next_q_target.flat(),
      reward: input.rewards,
      discount: input.terminated.map((end) => (end === 1 ? 0 : input.gamma)),
      action: input.actions,
      weight: [1, 0, 0, 0],
    },
  });
  const close = (at: number, want: readonly number[]): void => {
    want.forEach((v, i) => {
      expect(found.get(outputs[at]!)![i]).toBeCloseTo(v, 7);
    });
  };
  close(0, expected.dqn);
  close(1, expected.double_dqn);
  close(2, [expected.mse_loss]);
  close(3, [expected.huber_loss]);
  close(
    4,
    expected.td_error.map((e) => -e),
  ); // the file lists target - Q
  close(5, [expected.td_error[0]! ** 2 / 4]);
});

it.each([
  { kind: 'EWC', every: 300, samples: 8 },
  { kind: 'online EWC', every: 300, samples: 8 },
  { kind: 'rehearsal', capacity: 40, cloning: 0.1 },
  { kind: 'several', every: 300, samples: 8, capacity: 40, resets: 0.3 },
])('$kind goes on after a pause with the same bits', async (forgetting) => {
  const { env, ...trial } = dqn.trial;
  const task = { ...trial, algo: dqn, env: getEnv(env), config: { ...trial.config, forgetting } };
  const whole = await trained(task);
  const half = await trained(task, { stopAt: 500 });
  const rest = await trained(task, { resume: half.saved });
  expect([rest.hash, [...half.rows, ...rest.rows]]).toEqual([whole.hash, whole.rows]);
  expect(whole.rows.at(-1)?.[1].forgettingPenalty).toBeGreaterThan(0);
});

it('goes on with the same bits where a jump of the loss ends tasks', async () => {
  const { env, ...trial } = dqn.trial;
  const forgetting = { kind: 'several', samples: 8, capacity: 40, jump: 0.2, resets: 0.3 };
  const task = { ...trial, algo: dqn, env: getEnv(env), config: { ...trial.config, gradientSteps: 25, forgetting } };
  const whole = await trained(task);
  const half = await trained(task, { stopAt: 500 });
  const rest = await trained(task, { resume: half.saved });
  expect([rest.hash, [...half.rows, ...rest.rows]]).toEqual([whole.hash, whole.rows]);
  expect(whole.rows.at(-1)?.[1].forgettingPenalty).toBeGreaterThan(0);
});

it('says what excludes each other, and where no task ends', () => {
  const meta = getEnv('cartpole').meta(getEnv('cartpole').parse({}));
  const fits = (config: JsonObject) => () => dqn.fits(meta, dqn.parse(config));
  expect(fits({ forgetting: { kind: 'EWC' } })).toThrow('no sequence of tasks');
  expect(fits({ forgetting: { kind: 'EWC', every: 10 } })).not.toThrow();
  expect(fits({ forgetting: { kind: 'rehearsal' }, prioritised: { kind: 'on' } })).toThrow('no priorities');
  expect(fits({ forgetting: { kind: 'several' } })).toThrow('no sequence of tasks');
  expect(fits({ forgetting: { kind: 'several', jump: 3 } })).not.toThrow();
  expect(fits({ forgetting: { kind: 'several', strength: 0 } })).not.toThrow();
  expect(fits({ forgetting: { kind: 'several', strength: 0, resets: 0.1, jump: 3 }, dueling: true })).toThrow('plain hidden layers');
});
