import { describe, expect, it } from 'vitest';
import { createEngine } from '#core/engine/index.ts';
import { getEnv } from '#core/envs/all.ts';
import type { EnvEntry, StepBuffers } from '#core/envs/api/types.ts';
import { createVectorEnv, type VectorEnv } from '#core/envs/api/vector-env.ts';
import { returning, roles, twoStep } from '#core/testing/probes.ts';
import { Rng } from '#math/rng.ts';
import { mixRewards } from '../../extensions/team-reward/mix.ts';
import { shareNetworks } from '../sharing.ts';
import {
  type ActorWorker,
  arrangeSequences,
  type CollectOptions,
  collect,
  createCollector,
  createMemory,
  createRollout,
  forget,
  recall,
} from './collect.ts';
import { type CriticInputKind, createActor, createCritic, criticInput, teamCriticInput } from './networks.ts';
import { compileActor, shapingAt } from './team.ts';

const nets = { hidden: [4], activation: 'tanh', layerNorm: false } as const;
const options: CollectOptions = {
  rewards: undefined,
  bootstrapAtTruncation: true,
  deathEnds: true,
  shaping: 0,
};

async function open(entry: EnvEntry, batch: number, steps: number, config: object = {}, sight: CriticInputKind = 'own') {
  const engine = await createEngine('wasm');
  const env = createVectorEnv(entry, config, batch, Rng.from(1));
  const { meta } = env;
  const sharing = shareNetworks(meta, 'grouped');
  const workers = sharing.networks.map((network, k): ActorWorker => {
    const group = engine.group(network.name);
    const input = criticInput(meta, sharing, k, sight);
    const actor = createActor(group, network, meta.masked, nets, Rng.from(k));
    const critic = createCritic(group, input, network, nets, Rng.from(k));
    const rollout = createRollout(steps, batch, network, input, actor.masked);
    const act = compileActor(engine, actor, critic, rollout.rows);
    return { network, rollout, act, input, norm: null, moments: null, criticMoments: null, memory: null };
  });
  env.reset();
  return { env, meta, sharing, workers, collector: createCollector(env, workers, null, Rng.from(2)) };
}

describe('what critics see', () => {
  const obs = Float32Array.of(1, 2, 3, 0, 5, 6, 7, 0); // two copies of two roles; the second role sees one number
  it('their own first, then the others, without padding', () => {
    const meta = roles.meta({});
    const sharing = shareNetworks(meta, 'grouped');
    const rows = (k: number) => {
      const input = criticInput(meta, sharing, k, 'joint');
      const out = new Float32Array(2 * input.width);
      input.fill(obs, undefined, out);
      return [...out];
    };
    expect(rows(0)).toEqual([1, 2, 3, 5, 6, 7]);
    expect(rows(1)).toEqual([3, 1, 2, 7, 5, 6]);
    const team = teamCriticInput(meta);
    const out = new Float32Array(2 * team.width);
    team.fill(obs, undefined, out);
    expect([...out]).toEqual([1, 2, 3, 5, 6, 7]);
  });
  it('whole steps: one row for each, the network’s own agents first, by network and index', () => {
    const meta = roles.meta({});
    const sharing = shareNetworks(meta, 'grouped');
    const filled = (k: number, of = sharing) => {
      const input = criticInput(meta, of, k, 'step');
      const out = new Float32Array(2 * input.width);
      input.fill(obs, undefined, out);
      return { out: [...out], serves: input.serves, ...input.team };
    };
    expect(filled(0)).toMatchObject({ out: [1, 2, 3, 5, 6, 7], serves: 1, seen: ['policy0', 'policy1'], valued: 1 });
    expect(filled(1)).toMatchObject({ out: [3, 1, 2, 7, 5, 6], serves: 1, seen: ['policy1', 'policy0'], valued: 1 });
    const spread = getEnv('mpe-simple-spread').meta({});
    const all = criticInput(spread, shareNetworks(spread, 'shared'), 0, 'step');
    expect([all.serves, all.width]).toEqual([3, 3 * spread.obsSize]);
  });
  it('the state, then their own; those of all agents where there is no state', () => {
    const meta = twoStep.meta({});
    const input = criticInput(meta, shareNetworks(meta, 'shared'), 0, 'state');
    const out = new Float32Array(2 * input.width);
    input.fill(Float32Array.of(1, 0, 0, 0, 1, 0), Float32Array.of(8, 9), out);
    expect([...out]).toEqual([8, 9, 1, 0, 0, 8, 9, 0, 1, 0]);
    const none = criticInput(roles.meta({}), shareNetworks(roles.meta({}), 'grouped'), 1, 'state');
    expect(none.width).toBe(3);
  });
});

describe('a rollout', () => {
  it('keeps the rewards and flags of each agent’s own row', async () => {
    const { workers, collector } = await open(getEnv('mpe-simple-tag'), 2, 30);
    await collect(collector, options);
    const [predators, prey] = workers as [ActorWorker, ActorWorker];
    expect([predators.rollout.rows, prey.rollout.rows]).toEqual([6, 2]);
    expect([...prey.rollout.truncated]).toEqual(Array.from({ length: 60 }, (_, i) => (i >= 48 && i < 50 ? 1 : 0)));
    expect(predators.rollout.policyMask.every((w) => w === 1)).toBe(true);
    // Where the clock ended, the value of the last state stands by.
    expect(prey.rollout.finalValues[48]).not.toBe(0);
  });

  it('a team reward is the same for all', async () => {
    const { workers, collector } = await open(getEnv('mpe-simple-spread'), 2, 5);
    await collect(collector, { ...options, rewards: (all) => mixRewards({ kind: 'sum' }, all.slice(), 3, all) });
    const { rewards } = workers[0]!.rollout;
    for (let i = 0; i < rewards.length; i += 3) expect([rewards[i + 1], rewards[i + 2]]).toEqual([rewards[i], rewards[i]]);
  });

  it('the helping reward is added with its weight', async () => {
    const sums = [];
    for (const shaping of [0, 0.5, 1]) {
      const { workers, collector } = await open(getEnv('overcooked'), 16, 300);
      await collect(collector, { ...options, shaping });
      sums.push(workers[0]!.rollout.rewards.reduce((a, b) => a + b, 0));
    }
    expect(sums[2]).toBeGreaterThan(sums[0]!);
    expect(sums[1]).toBeCloseTo((sums[0]! + sums[2]!) / 2, 3);
    expect([0, 250, 500, 900].map((step) => shapingAt(0.5, 1000, step))).toEqual([1, 0.5, 0, 0]);
    expect(shapingAt(0, 1000, 0)).toBe(0);
  });

  it('the dead do not act, and their own episode is over', async () => {
    const { env, workers, collector } = await open(getEnv('mpe-simple-spread'), 1, 4);
    const dying = dieAfter(env, 2, 1);
    Object.assign(collector, { env: dying });
    await collect(collector, options);
    const { policyMask, valueMask, terminated } = workers[0]!.rollout;
    expect([...policyMask]).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1]);
    expect([...valueMask]).toEqual([...policyMask]);
    expect([...terminated]).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('with a team’s reward, or if they come back, what follows counts', async () => {
    for (const more of [{ rewards: () => {} }, { deathEnds: false }]) {
      const { env, workers, collector } = await open(getEnv('mpe-simple-spread'), 1, 4);
      Object.assign(collector, { env: dieAfter(env, 2, 1) });
      await collect(collector, { ...options, ...more });
      const { policyMask, valueMask, terminated } = workers[0]!.rollout;
      expect([...policyMask]).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1]);
      expect(valueMask.every((w) => w === 1)).toBe(true);
      expect(terminated.every((over) => over === 0)).toBe(true);
    }
  });

  it('death ends no return where the environment’s agents come back', async () => {
    const { workers, collector } = await open(returning, 1, 4);
    await collect(collector, options);
    const { policyMask, valueMask, terminated } = workers[0]!.rollout;
    expect([...policyMask]).toEqual([1, 1, 1, 0, 1, 0, 1, 1]);
    expect(valueMask.every((w) => w === 1)).toBe(true);
    expect([...terminated]).toEqual([0, 0, 0, 0, 0, 0, 1, 1]);
    expect(getEnv('gathering').meta({}).agentsReturn).toBe(true);
    expect(getEnv('gathering').meta({ timeout: 0 }).agentsReturn).toBeUndefined();
  });

  it('in games of turns only the mover chooses', async () => {
    const { workers, collector } = await open(getEnv('tic-tac-toe'), 1, 4, { opponent: 'none' });
    await collect(collector, options);
    const weights = workers.map(({ rollout }) => [...rollout.policyMask]);
    const total = weights.flat().reduce((a, b) => a + b, 0);
    expect(total).toBe(4); // one of two per step
  });
});

/** An environment in which `agent` is gone from the given step on. */
function dieAfter(env: VectorEnv, steps: number, agent: number): VectorEnv {
  let t = 0;
  const mark = (buffers: StepBuffers): void => {
    buffers.alive![agent] = t >= steps ? 0 : 1;
  };
  return {
    ...env,
    get episodes() {
      return env.episodes;
    },
    step(actions) {
      env.step(actions);
      t++;
      mark(env.buffers);
    },
  };
}

it('a memory is kept where a sequence begins, and forgotten where an episode ends', () => {
  const memory = createMemory(4, 2, 1, 2);
  const into = new Float32Array(2);
  for (let t = 0; t < 4; t++) {
    recall(memory, t, into);
    memory.state.set(into.map((v) => v + 1)); // counts the steps since it began
    forget(memory, Uint8Array.of(t === 0 ? 1 : 0, 0), Uint8Array.of(0, t === 2 ? 1 : 0), 1);
  }
  expect([...memory.starts]).toEqual([1, 1, 1, 0, 0, 0, 0, 1]);
  expect([...memory.states]).toEqual([0, 0, 1, 2]); // before steps 0 and 2
  expect([...memory.state]).toEqual([3, 1]);
});

it('minibatches of a memory are whole environments, in time order within a sequence', () => {
  const order = new Int32Array(12);
  const begins = new Int32Array(6);
  arrangeSequences(Int32Array.of(2, 0, 1), 4, 2, 3, order, begins); // T 4, R 3, one environment per minibatch
  // Row 2's sequences are steps 0-1 and 2-3, as [L, S].
  expect([...order.subarray(0, 4)]).toEqual([2, 8, 5, 11]);
  expect([...begins]).toEqual([2, 5, 0, 3, 1, 4]);
  expect([...order].sort((a, b) => a - b)).toEqual([...order.keys()]);
});
