/** The setting `body`: configs without it keep their hash, and what does not go with entities is refused by its field. */
import { describe, expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { upgrade } from '#contract/run/versions.ts';
import { Rng } from '#math/rng.ts';
import { createWasmEngine } from '../../engine/wasm/engine.ts';
import { getEnv } from '../../envs/all.ts';
import { loadBody } from '../../nets/body.ts';
import { completeRun } from '../../run/loaded.ts';
import { getAlgo } from '../all.ts';
import { buildPairs, type TeamConfig } from './ppo/team.ts';
import { shareNetworks } from './sharing.ts';

const METHODS = ['ippo', 'mappo', 'ppo', 'dqn', 'qmix'];
const complete = (algo: string, config: JsonObject, env: JsonObject = { id: 'mpe-simple-spread', config: { agents: 1 } }) =>
  completeRun({ env, algo: { id: algo, config }, run: { steps: 1000 } });

it.each(METHODS)('%s: a dense body is what configs without one have, by their hash too', (algo) => {
  const plain = complete(algo, {});
  const named = complete(algo, { body: 'dense' });
  expect(plain.algo.config).toMatchObject({ body: { kind: 'dense' } });
  expect(configHash(named)).toBe(configHash(plain));
  const { body: _, ...before } = plain.algo.config as JsonObject;
  const old = { ...plain, algo: { ...plain.algo, config: before } } as unknown as typeof plain;
  expect(configHash(old)).toBe(configHash(plain));
  const apart = algo === 'qmix' ? { agentId: false } : {}; // the number of an agent does not go with entities
  expect(configHash(complete(algo, { ...apart, body: 'entities' }))).not.toBe(configHash(complete(algo, apart)));
});

describe('refused', () => {
  const refusals: readonly (readonly [string, JsonObject, JsonObject, string])[] = [
    ['ippo', { body: 'entities' }, { id: 'overcooked' }, 'algo.body'],
    ['ippo', { body: 'entities' }, { id: 'level-based-foraging', config: { gridObservation: true } }, 'algo.body'],
    ['ppo', { body: { kind: 'entities', units: 15 } }, { id: 'mpe-simple-spread' }, 'algo.body.heads'],
    ['ppo', { body: 'entities', normaliseObs: true }, { id: 'mpe-simple-spread' }, 'algo.normaliseObs'],
    ['mappo', { body: 'entities', agentId: true }, { id: 'mpe-simple-spread' }, 'algo.agentId'],
    ['mappo', { body: 'entities', memory: 'gru' }, { id: 'mpe-simple-spread' }, 'algo.memory'],
    ['mappo', { body: 'entities', criticSees: 'state' }, { id: 'mpe-simple-spread' }, 'algo.criticSees'],
    ['dqn', { body: 'entities' }, { id: 'cartpole' }, 'algo.body'],
    ['qmix', { body: 'entities' }, { id: 'mpe-simple-spread' }, 'algo.agentId'],
  ];
  it.each(refusals)('%s with %j in %j: %s', (algo, config, env, field) => {
    let failure: unknown;
    try {
      complete(algo, config, env);
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(LabError);
    expect((failure as LabError).failure).toMatchObject({ id: 'config-invalid', field });
  });
});

it('policy and value of IPPO share the encoder; the critic of MAPPO has one of its own, over the team', async () => {
  await loadBody({ body: { kind: 'entities', units: 16, heads: 2, blocks: 1 } });
  const engine = await createWasmEngine();
  const meta = getEnv('mpe-simple-spread').meta({});
  const namesOf = (kind: 'own' | 'step'): readonly string[] => {
    const c = getAlgo('ippo').parse({ body: 'entities', hidden: [8] }) as unknown as TeamConfig;
    const sharing = shareNetworks(meta, 'grouped');
    const [pair] = buildPairs(engine, meta, { ...sharing, networks: sharing.networks.map((n) => ({ ...n, name: kind })) }, c, kind, Rng.from(1)); // biome-ignore format: one line
    return pair!.actor.group.params.map(({ name }) => name);
  };
  const own = namesOf('own');
  expect(own.filter((name) => name.startsWith('critic'))).toEqual(['critic.0.w', 'critic.0.b', 'critic.1.w', 'critic.1.b']);
  expect(own).toContain('actor.landmark.w');
  const step = namesOf('step');
  expect(step).toContain('critic.step.landmark.w');
  expect(step).toContain('critic.team.step.w');
  engine.dispose();
});

it('MAPPO over entities: minibatches are whole steps, and a run of the version before follows another rule, a dense one does not', () => {
  const few = { envs: 1, rolloutSteps: 4, minibatches: 3, hidden: [8] }; // 12 rows, 4 steps
  const three: JsonObject = { id: 'mpe-simple-spread' };
  expect(() => complete('mappo', few, three)).not.toThrow();
  expect(() => complete('mappo', { ...few, body: 'entities' }, three)).toThrow(LabError);
  const changed = (config: JsonObject) => upgrade(getAlgo('mappo'), 2, config, 'algo').changed.map(({ version }) => version);
  expect(changed({})).toEqual([]);
  expect(changed({ body: 'dense' })).toEqual([]);
  expect(changed({ body: { kind: 'dense' } })).toEqual([]);
  expect(changed({ body: 'entities' })).toEqual([3]);
  expect(changed({ body: { kind: 'entities', units: 8 } })).toEqual([3]);
});
