/** One rule for a swarm: independent of who is who and how many there are, learned on few, followed by more, resumed bit for bit. */
import { expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import { createEngine } from '../../engine/index.ts';
import { getEnv } from '../../envs/all.ts';
import { createSession } from '../../run/loaded.ts';
import type { Session } from '../../run/session.ts';
import { savedAt } from '../../testing/saved-at.ts';
import { getAlgo } from '../all.ts';

const env = getEnv('vicsek-swarm');
const algo = getAlgo('mean-field');
const few = { particles: 12, box: 1.7, learners: 12, eta: 0.5, maxSteps: 40 };
const fast = { envs: 4, rolloutSteps: 40, minibatches: 4, epochs: 8, lr: 2e-3, centres: 3, hidden: [16] };

const configOf = (envConfig: JsonObject, settings: JsonObject, steps: number) =>
  runConfigSchema.parse({
    env: { id: env.id, config: env.parse(envConfig) },
    algo: { id: algo.id, config: algo.parse({ ...fast, ...settings }) },
    run: { steps, evalEpisodes: 10 },
  });

async function finish(session: Session) {
  let evalReturn = Number.NaN;
  let hash = '';
  let snapshot: PolicySnapshot | undefined;
  for await (const event of session) {
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind !== 'result') continue;
    evalReturn = event.result.evalReturn;
    hash = event.result.parameterHash;
  }
  return { evalReturn, hash, snapshot: snapshot as PolicySnapshot };
}

it('members that follow the learned rule order themselves, in a swarm of another size too', async () => {
  const here = await finish(createSession({ config: configOf(few, {}, 160), seed: 1, now: () => 0 }));
  const learned = await finish(createSession({ config: configOf(few, {}, 12_000), seed: 1, now: () => 0 }));
  expect(learned.evalReturn).toBeGreaterThan(1.3 * here.evalReturn);
  const many = { ...few, particles: 48, box: 3.4, learners: 48 };
  const there = await finish(createSession({ config: configOf(many, { trainOn: few }, 12_000), seed: 1, now: () => 0 }));
  expect(there.hash).toBe(learned.hash); // trained on the very same swarm
  expect(there.evalReturn).not.toBe(learned.evalReturn); // and judged on the larger one
});

it('the order of members changes nothing, nor does having every one twice', async () => {
  const { snapshot } = await finish(createSession({ config: configOf(few, {}, 320), seed: 1, now: () => 0 }));
  const policy = await algo.policy(
    {
      config: snapshot.algo.config,
      meta: env.meta(few),
      envEntry: env,
      envConfig: env.parse(few),
      makeEngine: () => createEngine('wasm'),
    },
    snapshot.saved,
  );
  const views = [
    [0.9, 0.1, 1, 0, 0],
    [-0.3, 0.5, 1, 0, 0],
    [0.2, -0.8, 1, 0, 0],
  ];
  const ask = async (order: readonly number[]) => {
    const { actions } = await policy.act({
      obs: Float32Array.from(order.flatMap((i) => views[i]!)),
      agent: Int32Array.from(order.keys()),
      hidden: policy.initial(order.length),
      rng: Rng.from(1),
      rows: order.length,
      greedy: true,
    });
    return Array.from(actions);
  };
  const [a, b, c] = await ask([0, 1, 2]);
  expect(new Set([a, b, c]).size).toBe(3);
  const turned = await ask([2, 0, 1]);
  [c, a, b].forEach((want, i) => {
    expect(turned[i]).toBeCloseTo(want!, 6);
  });
  const twice = await ask([0, 1, 2, 0, 1, 2]);
  [a, b, c, a, b, c].forEach((want, i) => {
    expect(twice[i]).toBeCloseTo(want!, 6);
  });
});

it('goes on bit for bit after being saved', async () => {
  const config = configOf(few, { knows: 'nothing' }, 960);
  const whole = await finish(createSession({ config, seed: 1, now: () => 0 }));
  const resume = await savedAt(createSession({ config, seed: 1, now: () => 0, sliceMs: 0 }), 480);
  expect((await finish(createSession({ config, seed: 1, now: () => 0, resume }))).hash).toBe(whole.hash);
});

it('refuses teams that are not a swarm', () => {
  expect(() => algo.fits(getEnv('mpe-simple-tag').meta({ continuousActions: true }), algo.parse({}))).toThrow(/roles/);
  expect(() => algo.fits(getEnv('mpe-simple-spread').meta({}), algo.parse({}))).toThrow(/continuous/);
  expect(() => algo.fits(env.meta(few), algo.parse({ numbers: [0, 9] }))).toThrow(/5 numbers/);
});
