/** Variants of the on-policy family on probes and across checkpoints; the plain ones: algos.test.ts. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot, Saved } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import { createEngine } from '../../engine/index.ts';
import { getEnv } from '../../envs/all.ts';
import type { EnvEntry } from '../../envs/api/types.ts';
import { createSession } from '../../run/loaded.ts';
import { cued, delayed, endless, memoryOne, roles, team, xorTeam } from '../../testing/probes.ts';
import { getAlgo } from '../all.ts';

interface Outcome {
  readonly evalReturn: number;
  readonly hash: string;
  readonly snapshot: PolicySnapshot;
}

async function train(env: EnvEntry, algo: string, steps: number, settings: JsonObject, resume?: Saved): Promise<Outcome> {
  const config = runConfigSchema.parse({
    env: { id: env.id, config: env.parse({}) },
    algo: { id: algo, config: getAlgo(algo).parse(settings) },
    run: { steps, evalEpisodes: 50 },
  });
  let outcome: Outcome | undefined;
  let snapshot: PolicySnapshot | undefined;
  for await (const event of createSession({ config, seed: 1, now: () => 0, env, ...(resume && { resume }) })) {
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind !== 'result' || snapshot === undefined) continue;
    outcome = { evalReturn: event.result.evalReturn, hash: event.result.parameterHash, snapshot };
  }
  if (outcome === undefined) throw new Error('no result');
  return outcome;
}

/** Trains half of it, saves, and gives back what was saved. */
async function half(env: EnvEntry, algo: string, steps: number, settings: JsonObject): Promise<Saved> {
  const config = runConfigSchema.parse({
    env: { id: env.id, config: env.parse({}) },
    algo: { id: algo, config: getAlgo(algo).parse(settings) },
    run: { steps, evalEpisodes: 50 },
  });
  const session = createSession({ config, seed: 1, now: () => 0, env, sliceMs: 0 });
  let saving: Promise<Saved> | undefined;
  for await (const event of session) {
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind !== 'progress' || event.step < steps / 2 || saving !== undefined) continue;
    saving = session.save();
    session.stop();
  }
  if (saving === undefined) throw new Error('never half-way');
  return saving;
}

const fast = { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16] };
const withId = { ...fast, agentId: true };
const apart = { ...fast, sharing: 'independent' };
const remembering = { ...fast, lr: 1e-2 };
const norms = { valueNorm: true, huberDelta: 10, advantages: 'rollout', normaliseObs: true };

describe('probes', () => {
  it.each([
    ['ippo', cued, { ...fast, ...norms }, 6000, 1],
    ['ippo', delayed, { ...fast, layerNorm: true }, 8000, 1],
    ['ippo', team, { ...apart, teamReward: 'mean' }, 10_000, 1],
    ['mappo', xorTeam, { ...withId, criticSees: 'state', ...norms, normaliseObs: false }, 10_000, 1],
    ['mappo', xorTeam, { ...withId, memory: { kind: 'lstm', units: 16, sequence: 4 }, criticSees: 'state' }, 10_000, 1],
    ['mappo', roles, { ...fast, memory: { kind: 'gru', units: 16 } }, 10_000, 1],
    ['happo', xorTeam, { ...fast, sharing: 'shared', agentId: true }, 10_000, 1],
    ['happo', memoryOne, { ...remembering, memory: { kind: 'gru', units: 16, sequence: 4 } }, 10_000, 1],
    ['recurrent-ppo', memoryOne, { ...remembering, memory: { kind: 'lstm', units: 16, sequence: 4 }, minibatches: 2 }, 14_000, 1],
  ] as const)('%s: probe %#', async (algo, env, settings, steps, want) => {
    const { evalReturn } = await train(env, algo, steps, settings as JsonObject);
    expect(evalReturn).toBeCloseTo(want, 6);
  });

  it('values bootstrap over time limits, through ValueNorm too', async () => {
    const settings = { ...fast, clipValue: false, valueCoef: 2, lr: 1e-2, maxGradNorm: 10 };
    for (const more of [{}, { valueNorm: true }]) {
      const { snapshot } = await train(endless, 'ippo', 20_000, { ...settings, ...more });
      const context = { config: snapshot.algo.config, meta: endless.meta({}), envEntry: endless, envConfig: {} };
      const policy = await getAlgo('ippo').policy({ ...context, makeEngine: () => createEngine('wasm') }, snapshot.saved);
      const query = {
        obs: Float32Array.of(1),
        agent: Int32Array.of(0),
        hidden: policy.initial(1),
        rng: Rng.from(1),
        rows: 1,
        greedy: true,
      };
      expect((await policy.act(query)).value![0]).toBeGreaterThan(9);
    }
  });

  it('without memory the remembered cue is a coin toss', async () => {
    expect((await train(memoryOne, 'ippo', 8000, fast)).evalReturn).toBeLessThan(0.6);
  });

  it('a shared network without numbers cannot act differently', async () => {
    const { evalReturn } = await train(xorTeam, 'ippo', 6000, fast);
    expect(evalReturn).toBeLessThan(0.8);
  });
});

const small = { envs: 4, rolloutSteps: 16, minibatches: 2, epochs: 2, hidden: [8] };
describe('saved half-way', () => {
  it.each([
    ['ippo', getEnv('mpe-simple-tag'), { ...small, ...norms }, 1280],
    ['ippo', roles, { ...small, agentId: true }, 1280],
    ['ippo', getEnv('level-based-foraging'), { ...small, body: 'entities' }, 1280],
    ['mappo', getEnv('mpe-simple-tag'), { ...small, body: 'entities' }, 1280],
    ['ppo', getEnv('mpe-simple-spread'), { ...small, body: 'entities' }, 1280],
    ['mappo', getEnv('mpe-simple-spread'), { ...small, ...norms, layerNorm: true, teamReward: 'sum' }, 1280],
    ['mappo', getEnv('level-based-foraging'), { ...small, sharing: 'independent', criticSees: 'state' }, 1280],
    ['mappo', getEnv('mpe-simple-tag'), { ...small, ...norms, memory: { kind: 'gru', units: 8, sequence: 8 } }, 1280],
    ['mappo', memoryOne, { ...small, memory: { kind: 'lstm', units: 4, sequence: 4 }, criticSees: 'state' }, 1280],
    ['happo', getEnv('mpe-simple-tag'), { ...small, normaliseObs: true }, 1280],
    ['happo', roles, { ...small, sharing: 'grouped' }, 1280],
    ['happo', getEnv('base-stations'), { ...small, body: 'entities', memory: { kind: 'gru', units: 4, sequence: 8 } }, 1280],
    ['recurrent-ppo', getEnv('mpe-simple-tag'), { ...small, ...norms, units: 8, sequence: 8 }, 1280],
    ['recurrent-ppo', memoryOne, { ...small, memory: { kind: 'lstm', units: 4, sequence: 4 } }, 1280],
    ['recurrent-ppo', memoryOne, { ...small, memory: { kind: 'attention', units: 4, sequence: 4, window: 6 } }, 1280],
    ['recurrent-ppo', memoryOne, { ...small, memory: { kind: 'chunks', units: 4, sequence: 4, window: 6, chunk: 3 } }, 1280],
    ['recurrent-ppo', memoryOne, { ...small, memory: { kind: 'slots', units: 4, sequence: 4 } }, 1280],
  ] as const)('%s goes on bit for bit', async (algo, env, settings, steps) => {
    const whole = await train(env, algo, steps, settings);
    const rest = await train(env, algo, steps, settings, await half(env, algo, steps, settings));
    expect(rest.hash).toBe(whole.hash);
    expect(rest.evalReturn).toBe(whole.evalReturn);
    // And the policy file alone plays as the run did.
    expect(rest.snapshot.saved.arrays).toEqual(whole.snapshot.saved.arrays);
  });
});

it('says what does not fit', () => {
  const spread = getEnv('mpe-simple-spread').meta({});
  expect(() => getAlgo('ippo').fits(spread, { minibatches: 5 })).toThrow(/6144 rows/);
  expect(() => getAlgo('mappo').fits(spread, { shapingUntil: 0.5 })).toThrow(/shaped reward/);
  expect(() => getAlgo('mappo').fits(spread, { memory: { kind: 'gru', sequence: 5 } })).toThrow(/sequences of 5/);
  expect(() => getAlgo('mappo').fits(spread, { memory: { kind: 'gru' }, minibatches: 64 })).toThrow(/whole environments/);
  expect(() => getAlgo('mappo').fits(spread, { memory: { kind: 'gru' }, layerNorm: true })).toThrow(/its own scale/);
  expect(() => getAlgo('happo').fits(spread, { memory: { kind: 'gru', sequence: 10 }, layerNorm: true })).toThrow(/its own scale/);
  const chunks = (own: object) => ({ memory: { kind: 'chunks', window: 20, ...own } });
  expect(() => getAlgo('recurrent-ppo').fits(spread, chunks({}))).toThrow(/chunks of 8/);
  expect(() => getAlgo('recurrent-ppo').fits(spread, chunks({ chunk: 20 }))).toThrow(/two or more/);
  expect(() => getAlgo('recurrent-ppo').fits(spread, chunks({ chunk: 4 }))).not.toThrow();
  expect(() => getAlgo('ippo').fits(getEnv('mo-item-gathering').meta({}), {})).toThrow(/one reward/);
});
