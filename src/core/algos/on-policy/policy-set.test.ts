/** A set of policies over team sizes: what it is without codes, what its codes are, and that one network serves all sizes. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot, Saved } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import { createEngine } from '../../engine/index.ts';
import { getEnv } from '../../envs/all.ts';
import { createBuffers } from '../../envs/api/buffers.ts';
import { createVectorEnv } from '../../envs/api/vector-env.ts';
import { createSession } from '../../run/loaded.ts';
import { getAlgo } from '../all.ts';
import { metaWithCodes, withCodes } from './lib/policy-codes.ts';

const spread = getEnv('mpe-simple-spread');
const body = { kind: 'entities', units: 4, heads: 1, blocks: 1 };
const fast = { envs: 4, rolloutSteps: 25, minibatches: 2, epochs: 2, hidden: [8], body };

async function trained(
  algo: string,
  settings: JsonObject,
  { steps = 800, agents = 3, resume }: { steps?: number; agents?: number; resume?: Saved } = {},
) {
  const config = runConfigSchema.parse({
    env: { id: spread.id, config: spread.parse({ agents }) },
    algo: { id: algo, config: getAlgo(algo).parse({ ...fast, ...settings }) },
    run: { steps, evalEpisodes: 5 },
  });
  const session = createSession({ config, seed: 1, now: () => 0, sliceMs: 0, ...(resume && { resume }) });
  let half: Promise<Saved> | undefined;
  let [hash, evalReturn] = ['', Number.NaN];
  let snapshot: PolicySnapshot | undefined;
  const last: Record<string, number> = {};
  for await (const event of session) {
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind === 'progress' && event.step >= steps / 2) half ??= session.save();
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind === 'metrics')
      for (let at = 0; at < event.rows.length; at += event.columns.length + 1)
        event.columns.forEach((column, i) => {
          const value = event.rows[at + 1 + i]!;
          if (!Number.isNaN(value)) last[column] = value;
        });
    if (event.kind === 'result') [hash, evalReturn] = [event.result.parameterHash, event.result.evalReturn];
  }
  return { hash, evalReturn, last, half, snapshot: snapshot! };
}

const policyFor = ({ algo, saved }: PolicySnapshot, agents: number) => {
  const envConfig = spread.parse({ agents }) as JsonObject;
  const meta = spread.meta(envConfig);
  return getAlgo(algo.id).policy({ config: algo.config, meta, envEntry: spread, envConfig, makeEngine: () => createEngine('wasm') }, saved);
};

describe('a policy set', () => {
  it('of one policy on the world as it is, is IPPO bit for bit', async () => {
    const [one, ippo] = [await trained('policy-set', { codes: 1 }), await trained('ippo', {})];
    expect(one.hash).toBe(ippo.hash);
    expect(one.evalReturn).toBe(ippo.evalReturn);
  });

  it('learns on several sizes at once, judged on another one, and goes on bit for bit', async () => {
    const settings = { codes: 3, trainOn: [{ agents: 2 }, { agents: 4 }] };
    const whole = await trained('policy-set', settings, { steps: 1600 });
    expect(whole.last.codeTold).toBeLessThanOrEqual(Math.log(3));
    const rest = await trained('policy-set', settings, { steps: 1600, resume: (await whole.half)! });
    expect(rest.hash).toBe(whole.hash);
    expect(rest.evalReturn).toBe(whole.evalReturn);
    expect((await trained('policy-set', { codes: 3, trainOn: [{ agents: 2 }] }, { steps: 1600 })).hash).not.toBe(whole.hash);
  });

  it('has the same parameters at every size', async () => {
    const { snapshot } = await trained('policy-set', { codes: 2, trainOn: [{ agents: 2 }, { agents: 4 }] });
    for (const agents of [1, 3, 6]) {
      const policy = await policyFor(snapshot, agents);
      const env = spread.create(spread.parse({ agents }), 1);
      const buffers = createBuffers(env.meta, 1);
      env.reset(Uint32Array.of(3), buffers);
      const query = { agent: Int32Array.from({ length: agents }, (_, i) => i), rng: Rng.from(1), rows: agents, greedy: true };
      const act = await policy.act({ ...query, obs: buffers.obs, hidden: policy.initial(agents) });
      expect(act.actions).toHaveLength(agents * Math.max(1, env.meta.actionSize));
      expect([...act.extras!.policyCode!].every((code) => code === 0 || code === 1)).toBe(true);
      policy.dispose();
    }
  });

  it('an agent keeps the code that it valued most at its first view', async () => {
    const { snapshot } = await trained('policy-set', { codes: 4, trainOn: [{ agents: 2 }, { agents: 3 }] });
    const policy = await policyFor(snapshot, 3);
    const env = spread.create(spread.parse({ agents: 3 }), 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(3), buffers);
    const query = { agent: Int32Array.of(0, 1, 2), rng: Rng.from(1), rows: 3, greedy: true };
    const first = await policy.act({ ...query, obs: buffers.obs, hidden: policy.initial(3) });
    const forced = await Promise.all(
      [1, 2, 3, 4].map(async (kept) => (await policy.act({ ...query, obs: buffers.obs, hidden: new Float32Array(3).fill(kept) })).value!),
    );
    for (let row = 0; row < 3; row++)
      expect(forced[first.extras!.policyCode![row]!]![row]).toBe(Math.max(...forced.map((value) => value[row]!)));
    env.step(first.actions, buffers);
    const next = await policy.act({ ...query, obs: buffers.obs, hidden: first.hidden });
    expect([...next.hidden]).toEqual([...first.hidden]);
    policy.dispose();
  });

  it('codes are told apart where they are paid for', async () => {
    const settings = { codes: 2, trainOn: [{ agents: 1 }], lr: 1e-2, readerLr: 1e-2, gamma: 0.9, entropyCoef: 0.001 };
    const paid = await trained('policy-set', { ...settings, diversity: 10 }, { steps: 40_000 });
    const unpaid = await trained('policy-set', { ...settings, diversity: 0 }, { steps: 40_000 });
    expect(paid.last.codeTold).toBeGreaterThan(unpaid.last.codeTold! + 0.1);
  });

  it('dense layers cannot serve two sizes', async () => {
    await expect(trained('policy-set', { body: 'dense', trainOn: [{ agents: 2 }, { agents: 4 }] })).rejects.toThrow(/dense layers/);
  });
});

describe('codes', () => {
  it('are drawn anew for each agent and episode, all alike likely, and stand as numbers of the agent itself', () => {
    const inner = createVectorEnv(spread, spread.parse({ agents: 2, maxCycles: 5 }) as JsonObject, 50, Rng.from(1));
    const { env, drawn } = withCodes(inner, 4, Rng.from(2));
    env.reset();
    const counts = [0, 0, 0, 0];
    const [own] = env.meta.agents;
    const [self] = own!.obs.kind === 'box' ? (own!.obs.entities ?? []) : [];
    expect(self!.width).toBe(8);
    for (let t = 0; t < 100; t++) {
      for (let row = 0; row < 100; row++) {
        if (t % 5 === 0) counts[drawn[row]!]!++;
        const seen = self!.rows[0]!.slice(-4).map((at) => env.buffers.obs[row * env.meta.obsSize + at]);
        expect(seen).toEqual([0, 1, 2, 3].map((k) => (k === drawn[row] ? 1 : 0)));
      }
      env.step(new Float32Array(100) as never);
    }
    for (const count of counts) expect(Math.abs(count - 500)).toBeLessThan(80); // 2000 draws, four deviations
    expect(metaWithCodes(inner.meta, 1)).toBe(inner.meta);
  });
});
