/** Remedies against forgetting as switches of PPO, DQN and SAC: each goes on after a pause with the same bits, and says where it does not fit. */
import { describe, expect, it } from 'vitest';
import { type JsonObject, objectOf } from '#contract/kit/json.ts';
import { refsOf } from '#contract/link/link.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { Saved } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import { createEngine } from '../../../engine/index.ts';
import { getEnv } from '../../../envs/all.ts';
import { trained } from '../../../testing/trained.ts';
import { getAlgo } from '../../all.ts';

const CONTEXTS: { readonly [algo: string]: { readonly env: string; readonly list: readonly JsonObject[] } } = {
  ppo: { env: 'cartpole', list: [{ force: 10 }, { force: -10 }, { force: 5 }] },
  dqn: { env: 'cartpole', list: [{ force: 10 }, { force: -10 }, { force: 5 }] },
  sac: { env: 'pendulum', list: [{ gravity: 10 }, { gravity: 5 }, { gravity: 2 }] },
};
const SMALL: { readonly [algo: string]: JsonObject } = {
  ppo: { envs: 4, rolloutSteps: 8, minibatches: 2, epochs: 2, hidden: [8] },
  dqn: { hidden: [8], learningStarts: 50, bufferSize: 300, batchSize: 16, targetEvery: 50 },
  sac: { envs: 2, hidden: [8], batchSize: 16, learningStarts: 50, bufferSize: 300 },
};

/** A sequence of three tasks, of which agents are told. */
function task(algo: string, forgetting: JsonObject, steps = 600) {
  const { env, list } = CONTEXTS[algo]!;
  const envConfig = { contexts: { list: [...list], order: { by: 'blocks', steps: 200 }, tell: true } };
  const often = 'jump' in forgetting ? OFTEN[algo] : {};
  return { algo: getAlgo(algo), env: getEnv(env), envConfig, config: { ...SMALL[algo], ...often, forgetting }, steps };
}

/** So that there are a thousand updates, of which borders are found by the loss. */
const OFTEN: { readonly [algo: string]: JsonObject } = { ppo: { epochs: 40 }, dqn: { gradientSteps: 40 }, sac: { gradientSteps: 4 } };

function world(algo: string) {
  const { env: id, list } = CONTEXTS[algo]!;
  const env = getEnv(id);
  const envConfig = env.parse({ contexts: { list: [...list], order: { by: 'blocks', steps: 200 }, tell: true } });
  return { entry: getAlgo(algo), env, envConfig, meta: env.meta(envConfig) };
}

const REMEDIES: readonly JsonObject[] = [
  { kind: 'EWC', samples: 8 },
  { kind: 'online EWC', samples: 8 },
  { kind: 'rehearsal', capacity: 40, cloning: 0.5 },
  { kind: 'several', samples: 8, capacity: 40, resets: 0.5 },
  { kind: 'several', samples: 8, capacity: 40, resets: 0.5, jump: 0.1 },
  { kind: 'heads' },
  { kind: 'packed masks' },
  { kind: 'resets', resets: 0.9, every: 100 },
];

it.each(['ppo', 'dqn', 'sac'])(
  '%s: a link with rehearsal carries its weights, so that it means the same whatever the defaults become',
  (id) => {
    const algo = getAlgo(id);
    const config = algo.parse({ forgetting: { kind: 'rehearsal' } });
    const env = { id: 'cartpole', version: 1, config: {} };
    const complete = runConfigSchema.parse({ env, algo: { id, config }, run: {} });
    const { forgetting } = objectOf(refsOf(complete, { env: {}, algo: algo.parse({}) }).algo.config);
    expect(forgetting).toMatchObject({ capacity: 2000, share: 0.5, cloning: expect.any(Number) });
    expect(algo.parse({ forgetting: { ...objectOf(forgetting), cloning: 0.01 } })).toMatchObject({ forgetting: { cloning: 0.01 } });
  },
);

describe.each(Object.keys(CONTEXTS))('%s', (algo) => {
  it.each(REMEDIES.map((remedy) => [JSON.stringify(remedy), remedy] as const))(
    '%s goes on after a pause with the same bits',
    async (_, remedy) => {
      const whole = await trained(task(algo, remedy));
      const half = await trained(task(algo, remedy), { stopAt: 256 });
      const after = await trained(task(algo, remedy), { resume: half.saved });
      expect([after.hash, [...half.rows, ...after.rows]]).toEqual([whole.hash, whole.rows]);
      // and learns otherwise than without; what its snapshot gives is what it was
      const { config, ...rest } = task(algo, remedy);
      const plain = await trained({ ...rest, config: { ...config, forgetting: { kind: 'none' } } });
      expect(whole.hash).not.toBe(plain.hash);
      expect(whole.snapshotReturn).toBe(whole.evalReturn);
    },
  );

  it('packs a task so that no later one changes what is played in it', async () => {
    const { entry, meta, env, envConfig } = world(algo);
    const config = entry.parse({ ...SMALL[algo], forgetting: { kind: 'packed masks' } });
    /** What a policy gives in states of a task, by its own snapshot. */
    const given = async (saved: Saved, which: number) => {
      const policy = await entry.policy({ config, meta, envEntry: env, envConfig, makeEngine: () => createEngine('wasm') }, saved);
      const rng = Rng.from(3);
      const rows = 32;
      const obs = Float32Array.from({ length: rows * meta.obsSize }, () => rng.uniform() - 0.5);
      for (let row = 0; row < rows; row++) obs.set(meta.tasks!.codes[which]!, (row + 1) * meta.obsSize - meta.tasks!.told);
      const act = await policy.act({ obs, agent: new Int32Array(rows), hidden: policy.initial(rows), rng, rows, greedy: true });
      policy.dispose?.();
      return [...act.actions, ...(act.value ?? act.q ?? [])];
    };
    const packed = { kind: 'packed masks' };
    const half = await trained(task(algo, packed), { stopAt: 256 });
    const whole = await trained(task(algo, packed));
    expect(await given(whole.snapshot, 0)).toEqual(await given(half.snapshot, 0));
    expect(await given(whole.snapshot, 2)).not.toEqual(await given(half.snapshot, 2));
  });

  it('starts units anew in a world without tasks, and says how many were dormant', async () => {
    const { env } = CONTEXTS[algo]!;
    const forgetting = { kind: 'resets', resets: 0.9, every: 150 };
    const one = { algo: getAlgo(algo), env: getEnv(env), config: { ...SMALL[algo], forgetting }, steps: 600 };
    const { rows } = await trained(one);
    const shares = rows.flatMap(([, { dormantUnits }]) => (dormantUnits === undefined ? [] : [dormantUnits]));
    expect(shares.length).toBeGreaterThan(0);
    expect(Math.max(...shares)).toBeGreaterThan(0);
    expect(Math.max(...shares)).toBeLessThanOrEqual(1);
  });

  it('refuses parts for tasks that are not told, and a second agent', () => {
    const entry = getAlgo(algo);
    const { env } = CONTEXTS[algo]!;
    const meta = getEnv(env).meta(getEnv(env).parse({}));
    for (const kind of ['heads', 'packed masks'])
      expect(() => entry.fits(meta, entry.parse({ ...SMALL[algo], forgetting: { kind } }))).toThrow('not told');
    expect(() => entry.fits(meta, entry.parse({ ...SMALL[algo], forgetting: { kind: 'EWC' } }))).toThrow('no sequence of tasks');
  });
});
