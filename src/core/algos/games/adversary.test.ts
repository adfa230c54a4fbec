/** A team is trained and frozen, one of it learns to harm the rest; a run resumes bit for bit in either part. */
import { expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import { createEngine } from '../../engine/index.ts';
import type { EnvEntry } from '../../envs/api/types.ts';
import { createSession } from '../../run/loaded.ts';
import type { Session } from '../../run/session.ts';
import { probe } from '../../testing/probe.ts';
import { pointingTeam, roles } from '../../testing/probes.ts';
import { savedAt } from '../../testing/saved-at.ts';
import { getAlgo } from '../all.ts';
import { oneWayInfluence } from './lib/one-way.ts';

/** Three see a cue; all are paid the share of them that repeat it, less a fine if the first says the opposite. */
const trust = probe('probe-trust', {
  obs: { kind: 'box', shape: [1], low: -1, high: 1 },
  action: { kind: 'discrete', n: 2, labels: ['a', 'b'] },
  maxSteps: 1,
  agents: 3,
  start: (rng) => rng.int(2),
  observe: (cue, _, out) => out.fill(cue === 1 ? 1 : -1),
  joint: (cue, _, actions) => ({
    reward: [0, 1, 2].reduce((sum, i) => sum + (actions[i] === cue ? 1 / 3 : 0), 0) - (actions[0] === cue ? 0 : 1),
    terminated: true,
  }),
});

/**
 * The first of three moves the others without paying for it: its last action shows them one thing, its other two another, and all are
 * paid for repeating what is shown.
 */
const shown = probe('probe-shown', {
  obs: { kind: 'box', shape: [2], low: -1, high: 1 },
  action: { kind: 'discrete', n: 3, labels: ['a', 'b', 'c'] },
  maxSteps: 2,
  agents: 3,
  start: () => 0,
  observe(cue, t, out, agent) {
    out[0] = t === 0 || agent === 0 ? 0 : cue === 1 ? 1 : -1;
    out[1] = t;
  },
  joint: (cue, t, actions) => ({
    reward: t === 0 ? 0 : [1, 2].reduce((sum, i) => sum + (actions[i] === cue ? 0.5 : 0), 0),
    terminated: t === 1,
    cue: t === 0 ? Number(actions[0] === 2) : cue,
  }),
});

const fast = { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, width: 16 };

const configOf = (env: EnvEntry, settings: JsonObject, steps: number) =>
  runConfigSchema.parse({
    env: { id: env.id, config: env.parse({}) },
    algo: { id: 'adversary', config: getAlgo('adversary').parse({ ...fast, ...settings }) },
    run: { steps, evalEpisodes: 200 },
  });

async function finish(session: Session) {
  let found = { evalReturn: Number.NaN, hash: '', steps: 0 };
  let snapshot: PolicySnapshot | undefined;
  for await (const event of session) {
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind !== 'result') continue;
    found = { evalReturn: event.result.evalReturn, hash: event.result.parameterHash, steps: event.result.steps };
  }
  return { ...found, snapshot: snapshot as PolicySnapshot };
}

it('costs more than a random one, which costs more than none', async () => {
  const run = (attack: string) => finish(createSession({ config: configOf(trust, { attack }, 8192), seed: 1, now: () => 0, env: trust }));
  const [learned, random, none] = [await run('learned'), await run('random'), await run('none')];
  expect(none.evalReturn).toBeCloseTo(1, 6);
  expect(random.evalReturn).toBeGreaterThan(0.1);
  expect(random.evalReturn).toBeLessThan(0.6);
  expect(learned.evalReturn).toBeCloseTo(-1 / 3, 6); // the others still do what they learned
  expect(none.steps).toBe(4096);
});

it('goes on counting what its mates get after its death', async () => {
  const outlived = probe('probe-outlived-adversary', {
    obs: { kind: 'box', shape: [1], low: -1, high: 1 },
    action: { kind: 'discrete', n: 2, labels: ['a', 'b'] },
    maxSteps: 3,
    agents: 3,
    start: () => 0,
    observe: (_, t, out, agent) => out.fill(t > 0 && agent === 0 ? -1 : 1),
    joint: () => ({ reward: 1, terminated: false }),
    alive: (t, agent) => t === 0 || agent > 0,
  });
  const { snapshot } = await finish(createSession({ config: configOf(outlived, {}, 16_384), seed: 1, now: () => 0, env: outlived }));
  const context = {
    config: snapshot.algo.config,
    meta: outlived.meta({}),
    envEntry: outlived,
    envConfig: {},
    makeEngine: () => createEngine('wasm'),
  };
  const policy = await getAlgo('adversary').policy(context, snapshot.saved);
  const query = {
    obs: Float32Array.of(-1, 1, 1),
    agent: Int32Array.of(0, 1, 2),
    hidden: policy.initial(3),
    rng: Rng.from(1),
    rows: 3,
    greedy: true,
  };
  const { value } = await policy.act(query);
  expect(Math.abs(value![0]! + 10)).toBeLessThan(0.5); // -1 a step, for ever: the clock is no end
});

it('attacks in teams of unlike agents', async () => {
  const config = configOf(roles, { agent: 1 }, 6144);
  const { evalReturn } = await finish(createSession({ config, seed: 1, now: () => 0, env: roles }));
  expect(Number.isFinite(evalReturn)).toBe(true);
});

it.each([
  ['while the team learns', 1024, {}, trust],
  ['while it is attacked', 3072, {}, trust],
  ['while it is attacked by influence', 3072, { influenceCoef: 0.5 }, shown],
  ['while it is attacked by targets', 3072, { influenceCoef: 0.5, influence: 'targets' }, shown],
  ['while targets are credited as named', 3072, { influenceCoef: 0.5, influence: { kind: 'targets', credit: 'named' } }, shown],
] as const)('goes on bit for bit after being saved %s', async (_, stopAt, settings, env) => {
  const config = configOf(env, settings, 4096);
  const whole = await finish(createSession({ config, seed: 1, now: () => 0, env }));
  const resume = await savedAt(createSession({ config, seed: 1, now: () => 0, env, sliceMs: 0 }), stopAt);
  const rest = await finish(createSession({ config, seed: 1, now: () => 0, env, resume }));
  expect(rest.hash).toBe(whole.hash);
  expect(rest.evalReturn).toBe(whole.evalReturn);
});

it('targets change what is learned, and nothing where they are paid nothing', async () => {
  const run = (settings: JsonObject) =>
    finish(createSession({ config: configOf(shown, settings, 4096), seed: 1, now: () => 0, env: shown }));
  const { hash } = await run({});
  expect((await run({ influence: 'targets' })).hash).toBe(hash);
  // recorded before there were targets: runs without them keep their bits
  expect(hash).toBe('38826c4f34432399');
  expect((await run({ influenceCoef: 0.5 })).hash).toBe('c423878d0814877f');
  expect((await run({ influenceCoef: 0.5, influence: 'targets' })).hash).not.toBe(hash);
});

it('influence is the divergence of what follows from what might have followed', () => {
  const ln = (...p: readonly number[]): number[] => p.map((x) => Math.log(x));
  // two actions of the one, two of the other: [0.9, 0.1] or [0.1, 0.9], in the mean even
  const turned = Float32Array.from([...ln(0.9, 0.1), ...ln(0.1, 0.9)]);
  const half = 0.9 * Math.log(1.8) + 0.1 * Math.log(0.2);
  expect(oneWayInfluence(turned, 0, 2, 2, [1, 1], 0)).toBeCloseTo(half, 6);
  expect(oneWayInfluence(turned, 0, 2, 2, [1, 1], 1)).toBeCloseTo(half, 6);
  // what may not be done does not count; alone among one there is no influence
  expect(oneWayInfluence(turned, 0, 2, 2, [1, 0], 0)).toBeCloseTo(0, 12);
  // the rare one of three moves more than the two alike, and the mean is the mutual information
  const rare = Float32Array.from([...ln(1 - 1e-9, 1e-9), ...ln(1 - 1e-9, 1e-9), ...ln(1e-9, 1 - 1e-9)]);
  const found = [0, 1, 2].map((a) => oneWayInfluence(rare, 0, 2, 2, [1, 1, 1], a));
  expect(found[0]).toBeCloseTo(Math.log(1.5), 5);
  expect(found[2]).toBeCloseTo(Math.log(3), 5);
  expect((found[0]! + found[1]! + found[2]!) / 3).toBeCloseTo(Math.log(3) - (2 / 3) * Math.log(2), 5);
});

it('rewarded for influence it does what moves the others most, harm or not', async () => {
  const config = configOf(shown, { influenceCoef: 1 }, 16_384);
  const told: number[] = [];
  let snapshot: PolicySnapshot | undefined;
  for await (const event of createSession({ config, seed: 1, now: () => 0, env: shown })) {
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind !== 'metrics') continue;
    const column = 1 + event.columns.indexOf('influence');
    for (let at = 0; at < event.rows.length; at += event.columns.length + 1) told.push(event.rows[at + column]!);
  }
  const measured = told.filter((x) => !Number.isNaN(x));
  expect(measured.length).toBeLessThan(told.length); // nothing is measured while the team learns
  // ln 3 in every other step: what is done in the second has no next
  expect(measured.at(-1)).toBeGreaterThan(0.9 * (Math.log(3) / 2));
  expect(measured.at(-1)).toBeLessThanOrEqual(Math.log(3) / 2 + 1e-6);
  const { config: settings } = (snapshot as PolicySnapshot).algo;
  const context = { config: settings, meta: shown.meta({}), envEntry: shown, envConfig: {}, makeEngine: () => createEngine('wasm') };
  const policy = await getAlgo('adversary').policy(context, (snapshot as PolicySnapshot).saved);
  const query = {
    obs: new Float32Array(6),
    agent: Int32Array.of(0, 1, 2),
    hidden: policy.initial(3),
    rng: Rng.from(1),
    rows: 3,
    greedy: true,
  };
  expect((await policy.act(query)).actions[0]).toBe(2);
  policy.dispose();
});

it('steers where actions are numbers, bit for bit as after being saved', async () => {
  const steered = { influenceCoef: 0.5, influence: 'targets' };
  const config = configOf(pointingTeam, steered, 4096);
  const whole = await finish(createSession({ config, seed: 1, now: () => 0, env: pointingTeam }));
  const resume = await savedAt(createSession({ config, seed: 1, now: () => 0, env: pointingTeam, sliceMs: 0 }), 3072);
  expect((await finish(createSession({ config, seed: 1, now: () => 0, env: pointingTeam, resume }))).hash).toBe(whole.hash);
  const unpaid = await finish(createSession({ config: configOf(pointingTeam, {}, 4096), seed: 1, now: () => 0, env: pointingTeam }));
  expect(whole.hash).not.toBe(unpaid.hash);
});

it('knows who there is', () => {
  const algo = getAlgo('adversary');
  expect(() => algo.fits(trust.meta({}), algo.parse({ agent: 3 }))).toThrow(/0 to 2/);
  expect(() => algo.fits(pointingTeam.meta({}), algo.parse({ influenceCoef: 1 }))).toThrow(/continuous/);
});
