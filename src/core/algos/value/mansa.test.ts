/** The switch learns where a call is worth its cost, and neither it nor the policy makes more calls than it may. */
import { expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import { createEngine } from '../../engine/index.ts';
import { getEnv } from '../../envs/all.ts';
import { createVectorEnv } from '../../envs/api/vector-env.ts';
import { inspect } from '../../run/inspect.ts';
import { completeRun, createSession } from '../../run/loaded.ts';
import { probe } from '../../testing/probe.ts';
import { getAlgo } from '../all.ts';
import type { ActQuery } from '../api/types.ts';
import { callsAllowed, learnedSwitch } from './lib/mansa-switch.ts';
import { type MansaConfig, mansaConfig } from './mansa.ts';

const flag = { kind: 'box', shape: [1], low: -1, high: 1 } as const;
const two = { kind: 'discrete', n: 2, labels: ['a', 'b'] } as const;

/** Two agents see a cue for four steps and are paid 1 together for each step in which both repeat it; then another is shown. */
const repeat = probe('probe-repeat', {
  obs: flag,
  action: two,
  maxSteps: 4,
  agents: 2,
  start: (rng) => rng.int(2),
  observe: (cue, _, out) => out.fill(cue === 1 ? 1 : -1),
  joint: (cue, t, [a, b]) => ({ reward: a === cue && b === cue ? 1 : 0, terminated: t === 3 }),
});

/** A switch among players who always choose 0 by themselves and are right when called: a call is worth 1 where the cue is 1. */
async function switching(settings: JsonObject) {
  const c: MansaConfig = mansaConfig.parse({ envs: 8, gamma: 0, switchHidden: [16], targetEvery: 20, switchLr: 5e-3, ...settings });
  const engine = await createEngine('wasm');
  const env = createVectorEnv(repeat, {}, c.envs, Rng.from(3));
  const choice = learnedSwitch(engine, env, c, Rng.from(4));
  const actions = new Int32Array(2 * c.envs);
  env.reset();
  await choice.start();
  /** Calls where the cue is 0 and where it is 1, and the most that one episode made. */
  const play = async (steps: number, epsilon: number): Promise<readonly [number, number, number]> => {
    const calls: [number, number] = [0, 0];
    const made = new Int32Array(c.envs);
    let most = 0;
    for (let t = 0; t < steps; t++) {
      await choice.forward();
      const called = choice.selectCalls(epsilon);
      for (let b = 0; b < c.envs; b++) {
        const cue = env.buffers.obs[2 * b]! > 0 ? 1 : 0;
        calls[cue] += called[b]!;
        made[b]! += called[b]!;
        most = Math.max(most, made[b]!);
        actions.fill(called[b]! * cue, 2 * b, 2 * b + 2);
      }
      env.step(actions);
      choice.add();
      for (let b = 0; b < c.envs; b++) if (env.buffers.terminated[b] === 1) made[b] = 0;
      if (epsilon > 0) await choice.update();
    }
    return [...calls, most];
  };
  await play(600, 1);
  const { switchGain, centralShare } = choice.metrics(0);
  const greedy = await play(400, 0);
  const after = choice.metrics(0);
  engine.dispose();
  return { switchGain, centralShare, greedy, after };
}

it('calls where a call is worth more than its cost, and nowhere else', async () => {
  const cheap = await switching({ switchCost: 0.3 });
  expect(cheap.centralShare).toBeGreaterThan(0.45);
  expect(cheap.centralShare).toBeLessThan(0.55);
  expect(cheap.greedy[0]).toBe(0);
  expect(cheap.greedy[1]).toBeGreaterThan(1200); // all steps of about half the episodes: 8 copies x 400 steps
  expect(cheap.after.callsPerEpisode).toBeGreaterThan(1.5);
  expect(cheap.after.callsPerEpisode).toBeLessThan(2.5);
  const dear = await switching({ switchCost: 1.2 });
  expect(dear.greedy).toEqual([0, 0, 0]);
  // Half the states gain 1, the others nothing: 0.5 less the cost on average.
  expect(cheap.switchGain - dear.switchGain).toBeGreaterThan(0.5);
});

it('never makes more calls in an episode than its budget', async () => {
  const { greedy } = await switching({ switchCost: 0, callBudget: 0.5, gamma: 0.9 });
  expect(greedy[2]).toBe(2);
});

it('refuses a budget of less than one call', () => {
  const meta = repeat.meta({});
  expect(callsAllowed(meta, mansaConfig.parse({ callBudget: 0.5 }))).toBe(2);
  expect(() => getAlgo('mansa').fits(meta, { callBudget: 0.1 })).toThrow(/allows no call/);
});

it('the policy counts its calls, and an agent whose team it does not see acts by itself', async () => {
  const envEntry = getEnv('mpe-simple-spread');
  const settings = {
    callBudget: 0.2,
    envs: 2,
    recurrent: { kind: 'on', units: 8 },
    hidden: [8],
    mixerUnits: 4,
    hyperUnits: 4,
    learningStarts: 50,
    batchSize: 2,
  };
  const config = completeRun({
    v: 1,
    env: { id: envEntry.id },
    algo: { id: 'mansa', config: settings },
    run: { steps: 400, evalEpisodes: 1 },
  });
  let snapshot: PolicySnapshot | undefined;
  for await (const event of createSession({ config, seed: 1, now: () => 0 })) if (event.kind === 'policy') snapshot = event.snapshot;
  const meta = envEntry.meta(config.env.config);
  const A = meta.agentCount;
  const context = { config: config.algo.config, meta, envEntry, envConfig: config.env.config, makeEngine: () => createEngine('wasm') };
  // As at the start of a run, the switch tosses a coin in every step: 25 tosses reach 5 calls.
  const saved = { ...snapshot!.saved, meta: { ...snapshot!.saved.meta, switchEpsilon: 1 } };
  const policy = await getAlgo('mansa').policy(context, saved);
  const noise = Rng.from(5);
  let hidden = policy.initial(A + 1);
  let calls = 0;
  for (let t = 0; t < 25; t++) {
    const query: ActQuery = {
      obs: Float32Array.from({ length: (A + 1) * meta.obsSize }, () => noise.uniform()),
      agent: Int32Array.of(0, 1, 2, 1), // a team, and one alone
      hidden,
      rng: noise,
      rows: A + 1,
      greedy: false,
    };
    const act = await policy.act(query);
    const { called, switchValues } = act.extras!;
    calls += called![0]!;
    expect(new Set(called!.subarray(0, A)).size).toBe(1);
    expect(called![A]).toBeNaN();
    expect(switchValues!.subarray(2 * A)).toEqual(Float32Array.of(Number.NaN, Number.NaN));
    hidden = act.hidden;
  }
  expect(calls).toBe(5);

  // What the page shows of a moment is what the policy does there.
  const env = createVectorEnv(envEntry, config.env.config, 1, Rng.from(6));
  env.reset();
  const { extras } = await inspect(policy, meta, env.buffers, policy.initial(A), 1);
  expect(extras.map(({ card }) => card.id)).toEqual(['called', 'switchValues']);
  const [called, values] = extras.map((extra) => extra.values);
  expect(called![0]).toBe(values![1]! > values![0]! ? 1 : 0);
  policy.dispose();
});
