/** Rewards, players and methods of one's own: the environment's rules stay, sums add up, and what is resumed goes on with the same bits. */
import { compileFunction } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { packWorld, unpackWorld } from '#contract/link/world.ts';
import { OWN_SCOPE } from '#contract/own/text.ts';
import { worldId } from '#contract/run/config-hash.ts';
import type { Saved } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import { otherPoints } from '#worlds/index.ts';
import { loadAlgo } from '../algos/index.ts';
import { createActions, createBuffers } from '../envs/api/buffers.ts';
import type { EnvEntry, Environment, StepBuffers } from '../envs/api/types.ts';
import { loadEnv } from '../envs/index.ts';
import { checkWorld } from '../own/check.ts';
import { type Definition, define } from '../own/definition.ts';
import { packMemory, unpackMemory } from '../own/memory.ts';
import { MINE } from '../own/player.ts';
import { rewardEntry, WORLD_RETURN } from '../own/reward.ts';
import { scopeOf } from '../own/scope.ts';
import type { Seen } from '../own/seen.ts';
import { candidates, recommend } from '../recommend.ts';
import { completeRun } from '../run/complete.ts';
import { evaluateScript } from '../run/evaluate.ts';
import { registryOf } from '../run/registry.ts';
import { createSession, type Session } from '../run/session.ts';
import { mortal } from './probes.ts';

const lineOf = (error: unknown): number | null => {
  const found = /own\.js:(\d+)/.exec(error instanceof Error ? (error.stack ?? '') : '');
  return found === null ? null : Number(found[1]);
};

function load(code: string, id = 'own-test'): Promise<Definition> {
  const scope = scopeOf();
  Reflect.apply(compileFunction(`'use strict';${code}`, [...OWN_SCOPE], { filename: 'own.js' }), undefined, scope.values);
  return define(scope.given(), id, lineOf, loadEnv);
}

async function refusal(code: string): Promise<string> {
  try {
    const { env } = await load(code);
    play(env, 5, () => {});
  } catch (error) {
    if (error instanceof LabError) return `${error.failure.field}: ${error.failure.message}`;
    throw error;
  }
  return 'nothing';
}

/** Random play in two copies, started again where they end. */
function play(entry: EnvEntry, steps: number, each: (env: Environment, buffers: StepBuffers, t: number) => void): void {
  const env = entry.create({}, 2);
  const { meta } = env;
  const buffers = createBuffers(meta, 2);
  const actions = createActions(meta, 2);
  const rng = Rng.from(5);
  env.reset(Uint32Array.of(1, 2), buffers);
  const ended = new Uint8Array(2);
  for (let t = 0; t < steps; t++) {
    let at = 0;
    for (let row = 0; row < 2; row++)
      for (const group of meta.agents)
        for (let agent = 0; agent < group.count; agent++, at++) {
          const { action } = group;
          if (action.kind === 'discrete') {
            const legal = Array.from({ length: action.n }, (_, a) => a).filter((a) => buffers.mask?.[at * meta.actionCount + a] !== 0);
            actions[at * meta.actionSize] = legal[rng.int(legal.length)]!;
          } else
            for (let i = 0; i < action.size; i++)
              actions[at * meta.actionSize + i] = action.low[i]! + (action.high[i]! - action.low[i]!) * rng.uniform();
        }
    env.step(actions, buffers);
    each(env, buffers, t);
    for (let row = 0; row < 2; row++) ended[row] = buffers.terminated[row]! | buffers.truncated[row]!;
    if (ended.includes(1)) env.restart(ended, buffers);
  }
  env.dispose?.();
}

const double = (env: string): string =>
  `defineReward({ title: 'Double', env: '${env}', parts: ['once', 'again'], reward: ({ reward }) => ({ once: reward, again: reward }) });`;

/** Of different families, with one agent and several, discrete and continuous. */
const WORLDS = [
  'cartpole',
  'pendulum',
  'mountain-car',
  'cliff-walking',
  'frozen-lake',
  'minigrid-empty',
  'mpe-simple-spread',
  'tic-tac-toe',
  'snake',
  'minatar-breakout',
];

/** A reward of four parts, which looks at everything that a step is told. */
const four = (env: string): string => `defineReward({
  title: 'Four parts', env: '${env}', parts: ['world', 'change', 'action', 'end'], settings: { price: { default: 0.01, min: 0, max: 1 } },
  reward: ({ seen, next, action, reward, ended, cut, agent }, { price }) => ({
    world: reward,
    change: 0.1 * (next[0] - seen[0]),
    action: -price * Math.abs(typeof action === 'number' ? action : action[0]) * (agent + 1),
    end: ended ? 1 : cut ? 0.5 : 0,
  }),
});`;

describe('a reward', () => {
  it.each([...WORLDS, 'boids'])('over %s keeps its rules, and parts and old return add up', async (id) => {
    const base = await loadEnv(id);
    const { env: entry } = await load(double(id));
    const old: number[] = [];
    play(base, 60, (_, { reward, obs }) => old.push(...reward, obs[0]!));
    const sums = new Float64Array(2 * entry.meta({}).agentCount);
    let at = 0;
    play(entry, 60, (env, { reward, obs, terminated, truncated }) => {
      const { agentCount: A } = env.meta;
      const parts = new Float64Array(2);
      for (let row = 0; row < 2; row++) {
        env.terms?.(row, parts, 0);
        let paid = 0;
        for (let a = 0; a < A; a++) {
          const mine = reward[row * A + a]!;
          paid += mine;
          sums[row * A + a]! += mine / 2;
          expect(mine).toBeCloseTo(2 * old[at++]!, 5);
        }
        expect(parts[0]! + parts[1]!).toBeCloseTo(paid, 4);
        if (terminated[row]! + truncated[row]! === 0) continue;
        const measures = new Float64Array(env.meta.measures?.length ?? 0);
        env.measure?.(row, measures, 0);
        const score = A === 1 ? sums[row]! : measures.at(-1)!;
        expect(env.meta.measures?.at(-1)?.id).toBe(WORLD_RETURN);
        expect(measures.at(-1)).toBeCloseTo(score, 4);
        sums.fill(0, row * A, (row + 1) * A);
      }
      expect(obs[0]).toBe(old[at++]);
    });
  });

  it('over a world without agents that act says that there is no action', async () => {
    const { env: entry } = await load("defineReward({ title: 'R', env: 'boids', reward: ({ action }) => action[0] })");
    expect(() => play(entry, 1, () => undefined)).toThrow('No agent acts in this world: there is no action to read.');
  });

  it.each(WORLDS)('over %s pays the sum of its parts over whole episodes', async (id) => {
    const { env: entry } = await load(four(id));
    const { agentCount: A } = entry.meta({});
    const [paid, parts] = [new Float64Array(2), new Float64Array(8)];
    let ends = 0;
    let different = 0;
    const steps = id === 'cliff-walking' ? 40_000 : 1500; // random play seldom finds its end
    play(entry, steps, (env, { reward, terminated, truncated }) => {
      const step = new Float64Array(8);
      for (let row = 0; row < 2; row++) {
        for (let a = 0; a < A; a++) paid[row]! += reward[row * A + a]!;
        env.terms?.(row, step, row * 4);
        for (let i = row * 4; i < row * 4 + 4; i++) parts[i]! += step[i]!;
        if (terminated[row]! + truncated[row]! === 0) continue;
        const [world, change, action, end] = parts.subarray(row * 4, row * 4 + 4);
        const sum = world! + change! + action! + end!;
        expect(Math.abs(sum - paid[row]!)).toBeLessThan(1e-5 * (1 + Math.abs(sum) + Math.abs(world!)));
        expect(end).toBe((terminated[row] === 1 ? 1 : 0.5) * A);
        if (change !== 0 || action !== 0) different++;
        paid[row] = 0;
        parts.fill(0, row * 4, row * 4 + 4);
        ends++;
      }
    });
    expect(ends).toBeGreaterThan(0);
    expect(different).toBeGreaterThan(0);
  });

  it.each(WORLDS)('over %s comes out of its link the same, and its runs resume with the same bits', { timeout: 120_000 }, async (id) => {
    const code = four(id);
    const link = packWorld(code);
    if (link === null) throw new Error('too long for a link');
    const opened = unpackWorld(link);
    expect([opened, worldId(opened)]).toEqual([code, worldId(code)]);
    const made = await load(code, worldId(code));
    await Promise.all(candidates(made.env).map(loadAlgo));
    const { algo, config } = recommend(made.env);
    const learner = { ...made, algo: await loadAlgo(algo) };
    const steps = 6000;
    const whole = await train(learner, { steps, config });
    const half = await train(learner, { steps, config, stopAt: steps / 3 });
    if (half.saved === null) throw new Error('nothing was saved');
    expect(half.step).toBeLessThan(steps);
    // what goes on is what the link gave
    const again = { ...(await load(opened, worldId(opened))), algo: learner.algo };
    const resumed = await train(again, { steps, config, resume: half.saved });
    expect([whole.begun, resumed.begun]).toEqual([0, half.step]);
    expect([resumed.hash, resumed.score]).toEqual([whole.hash, whole.score]);
    expect(whole.hash).toMatch(/^[0-9a-f]{16}$/);
  });

  it('goes on from a saved state with its sums', async () => {
    const { env: entry } = await load(double('cartpole'));
    const faults = checkWorld(entry, {}, () => 0).filter(({ verdict, id }) => verdict === 'fault' && id !== 'speed');
    expect(faults).toEqual([]);
    const env = entry.create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    for (let t = 0; t < 3; t++) env.step(createActions(env.meta, 1), buffers);
    const state = env.save(0);
    expect(env.meta.state.toJSON(state)['world returns']).toEqual([3]);
    expect(env.meta.state.fromJSON(env.meta.state.toJSON(state))).toEqual(state);
    env.reset(Uint32Array.of(2), buffers);
    env.load(0, state, buffers);
    expect(env.save(0)).toEqual(state);
  });

  it('shapes an agent that leaves before the episode ends as if its own part ended there', () => {
    const entry = rewardEntry(
      { title: 'Shaped', env: mortal.id, gamma: 1, reward: () => 0, potential: (seen: Seen) => 10 * (Number(seen[0]) + 2) },
      mortal,
      'own-shaped',
    );
    const env = entry.create({}, 1);
    const out = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), out);
    const sums = [0, 0];
    const starts = [out.obs[0]!, out.obs[1]!].map((x) => 10 * (x + 2));
    for (let t = 0; t < 3; t++) {
      env.step(Int32Array.of(0, 0), out);
      for (const agent of [0, 1]) sums[agent]! += out.reward[agent]!;
    }
    // The second one leaves after its first step: phi 0 behind that, so that its shaping sums to - phi(start) and not to what it is shown when dead.
    expect(sums[1]).toBeCloseTo(-starts[1]!, 6);
    // The first one is cut by the step limit, behind which its potential stands.
    expect(sums[0]).toBeCloseTo(0, 6);
  });

  it('shapes by a potential to a discounted sum that depends on where an episode begins alone', async () => {
    const { env: entry } = await load(
      "defineReward({ title: 'Shaped', env: 'cartpole', potential: (seen) => 3 * seen.angle + seen[0] + 7 });",
    );
    const base = await loadEnv('cartpole');
    const { gamma } = entry.meta({});
    const own = entry.create({}, 1);
    const old = base.create({}, 1);
    const [a, b] = [createBuffers(own.meta, 1), createBuffers(old.meta, 1)];
    own.reset(Uint32Array.of(3), a);
    old.reset(Uint32Array.of(3), b);
    const first = 3 * a.obs[2]! + a.obs[0]! + 7;
    let sum = 0;
    let weight = 1;
    for (let t = 0; t < 100 && a.terminated[0] === 0; t++, weight *= gamma) {
      const actions = createActions(own.meta, 1);
      own.step(actions, a);
      old.step(actions, b);
      sum += weight * (a.reward[0]! - b.reward[0]!);
    }
    expect(a.terminated[0]).toBe(1);
    expect(sum).toBeCloseTo(-first, 4);
  });

  it.each([
    ["defineReward({ title: 'A', env: 'cartpole' });", 'reward: The reward has neither "reward" nor "potential".'],
    ["defineReward({ title: 'A', env: 'cartpole', reward: () => NaN });", 'reward: reward gives NaN.'],
    ["defineReward({ title: 'A', env: 'cartpole', rewards: 1 });", 'rewards: A reward has no member "rewards".'],
    ["defineReward({ title: 'A', env: 'cartpole', parts: ['a'], reward: () => ({ b: 1 }) });", 'reward: reward gives a part "b".'],
    [
      "defineReward({ title: 'A', env: 'cartpole', settings: { maxSteps: { default: 1, min: 0, max: 2 } }, reward: () => 0 });",
      'settings.maxSteps: CartPole has a setting "maxSteps" itself.',
    ],
    ["\ndefineReward({ title: 'A', env: 'cartpole', reward: ({ next }) => next.gone.x });", /^reward: reward failed in line 2\. TypeError/],
    ["definePlayer({ title: 'A', env: 'cartpole', act: () => 0, think: 1 });", 'think: A player has no member "think".'],
    ["defineMethod({ title: 'A', env: 'cartpole', start: () => 0, act: () => 0 });", 'learn: The method has no "learn".'],
  ])('%s is refused', async (code, words) => {
    const said = await refusal(code);
    if (typeof words === 'string') expect(said).toBe(words);
    else expect(said).toMatch(words);
  });

  it('of an environment that is not there names those like it', async () => {
    await expect(load("defineReward({ title: 'A', env: 'cartpol', reward: () => 0 });")).rejects.toThrow(/no environment "cartpol"/);
  });
});

describe('a player', () => {
  it('takes a seat as an opponent', async () => {
    const { env } = await load(
      "definePlayer({ title: 'First free', env: 'tic-tac-toe', act: (seen, settings, legal) => legal.indexOf(true) });",
    );
    const seat = env.meta({}).agents.flatMap(({ names }) => names)[1]!;
    const config = { seats: { [seat]: MINE } };
    expect(env.meta(config).agentCount).toBe(1);
    expect(env.parse(config).seats).toEqual(config.seats);
    const random = await evaluateScript(env.policies(config)[MINE]!, env, config, 4);
    expect(random.lengths.every((length) => length > 2)).toBe(true);
    expect(() => env.parse({ seats: { [seat]: 'nobody' } })).toThrow(/no player "nobody"/);
  });

  it('plays, and is the first of the scripted policies', async () => {
    const point = otherPoints.find(({ id }) => id === 'by-hand')!;
    const { env } = await load(point.code);
    expect(env.policyNames[0]).toBe(MINE);
    const { score } = await evaluateScript(env.policies({})[MINE]!, env, {}, 10);
    expect(score).toBe(500);
  });

  it('is refused where its action is none', async () => {
    const { env } = await load("definePlayer({ title: 'A', env: 'cartpole', act: () => 2 });");
    await expect(evaluateScript(env.policies({})[MINE]!, env, {}, 1)).rejects.toThrow('act gives 2.');
  });
});

interface Wanted {
  readonly steps: number;
  readonly config?: JsonObject;
  readonly stopAt?: number;
  readonly resume?: Saved;
}

/** Trains one seed to its end, or until `stopAt` steps, and answers the hash and what save() gave. */
async function train(
  { env, algo }: Definition,
  { steps, config: settings = {}, stopAt = Number.POSITIVE_INFINITY, resume }: Wanted,
): Promise<{ hash: string; saved: Saved | null; score: number | null; step: number; begun: number }> {
  if (algo === undefined) throw new Error('there is no method');
  const config = completeRun(
    { env: { id: env.id, config: {} }, algo: { id: algo.id, config: settings }, run: { steps, seeds: 1, evalEpisodes: 5 } },
    registryOf([env], [algo]),
  );
  let clock = 0;
  const session: Session = createSession({ config, env, algo, seed: 1, now: () => (clock += 1), sliceMs: 1, ...(resume && { resume }) });
  let saved: Saved | null = null;
  let hash = '';
  let score: number | null = null;
  let begun = -1;
  for await (const event of session) {
    if (begun < 0 && event.kind === 'state') begun = event.step;
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind === 'result') ({ parameterHash: hash, evalReturn: score } = event.result);
    if (saved === null && session.step >= stopAt) {
      const pending = session.save();
      session.stop();
      pending.then((state) => {
        saved = state;
      });
    }
  }
  return { hash, saved, score, step: session.step, begun };
}

describe('a method', () => {
  it.each([
    ['q-learning', 20_000, -17],
    ['reinforce', 30_000, 150],
  ])('%s learns, and resumes with the same bits', { timeout: 120_000 }, async (id, steps, least) => {
    const method = await load(otherPoints.find((point) => point.id === id)!.code);
    const whole = await train(method, { steps });
    expect(whole.score).toBeGreaterThanOrEqual(least);
    const half = await train(method, { steps, stopAt: steps / 2 });
    if (half.saved === null) throw new Error('nothing was saved');
    const resumed = await train(method, { steps, resume: half.saved });
    expect(resumed.hash).toBe(whole.hash);
  });

  it('remembers lists, arrays, texts and numbers that are not finite', () => {
    const memory = {
      q: Float64Array.of(1, Number.NaN),
      list: [1, -0],
      episodes: [{ seen: [0.1], action: 1 }],
      none: [],
      text: 'a',
      on: true,
      nothing: null,
    };
    const { shape, numbers } = packMemory(memory);
    expect(unpackMemory({ shape: JSON.parse(JSON.stringify(shape)), numbers })).toEqual(memory);
  });

  it('says what cannot be remembered', () => {
    expect(() => packMemory({ f: () => 0 })).toThrow('memory.f is a function.');
    const ring: { self?: unknown } = {};
    ring.self = ring;
    expect(() => packMemory(ring)).toThrow('nested too deeply');
  });
});
