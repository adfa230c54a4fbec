/** Teams that talk: the channel carries what it should, gradients pass through it, and runs resume bit for bit. */
import { expect, it } from 'vitest';
import { runConfigSchema } from '#contract/config.ts';
import type { PolicySnapshot } from '#contract/events.ts';
import type { JsonObject } from '#contract/json.ts';
import { decodeSaved, encodeSaved } from '#contract/saved.ts';
import { createEngine } from '../../engine/index.ts';
import { getEnv } from '../../envs/index.ts';
import type { EnvEntry } from '../../envs/types.ts';
import { Rng } from '../../math/rng.ts';
import { createSession } from '../../run/session.ts';
import { getAlgo } from '../index.ts';
import { probe } from '../probe.ts';
import { pointingTeam, roles, team } from '../probes.ts';
import type { Act } from '../types.ts';

const flag = { kind: 'box', shape: [1], low: -1, high: 1 } as const;
const two = { kind: 'discrete', n: 2, labels: ['a', 'b'] } as const;

/** One sees the cue, the other is paid for repeating it, in the same step. */
const tell = probe('probe-tell', {
  obs: flag,
  action: two,
  maxSteps: 1,
  agents: 2,
  start: (rng) => rng.int(2),
  observe: (cue, _, out, agent) => out.fill(agent === 0 ? (cue === 1 ? 1 : -1) : 0),
  joint: (cue, _, [, b]) => ({ reward: b === cue ? 1 : 0, terminated: true }),
});

/** The same one step later: the cue is shown to one in the first step, and the other must repeat it in the second. */
const tellLater = probe('probe-tell-later', {
  obs: flag,
  action: two,
  maxSteps: 2,
  agents: 2,
  start: (rng) => rng.int(2),
  observe: (cue, t, out, agent) => out.fill(agent === 0 && t === 0 ? (cue === 1 ? 1 : -1) : 0),
  joint: (cue, t, [, b]) => ({ reward: t === 1 && b === cue ? 1 : 0, terminated: t === 1 }),
});

const fast = { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, width: 16, agentId: true };

async function train(env: EnvEntry, algoId: string, steps: number, settings: JsonObject, seed = 1) {
  const algo = getAlgo(algoId);
  const config = runConfigSchema.parse({
    env: { id: env.id, config: env.parse({}) },
    algo: { id: algoId, config: algo.parse({ ...fast, ...settings }) },
    run: { steps, evalEpisodes: 50 },
  });
  algo.fits(env.meta({}), config.algo.config);
  let evalReturn = Number.NaN;
  let snapshot: PolicySnapshot | undefined;
  for await (const event of createSession({ config, seed, now: () => 0, env })) {
    if (event.kind === 'result') evalReturn = event.result.evalReturn;
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
  }
  if (snapshot === undefined) throw new Error('no policy');
  const meta = env.meta({});
  const context = { config: snapshot.algo.config, meta, envEntry: env, envConfig: {}, makeEngine: () => createEngine('wasm') };
  const policy = await algo.policy(context, snapshot.saved);
  const ask = async (rows: readonly (readonly number[])[], agents: readonly number[], muted?: readonly number[]): Promise<Act> =>
    policy.act({
      obs: Float32Array.from(rows.flat()),
      agent: Int32Array.from(agents),
      hidden: policy.initial(rows.length),
      rng: Rng.from(1),
      rows: rows.length,
      greedy: true,
      ...(meta.masked && { mask: new Uint8Array(rows.length * meta.actionCount).fill(1) }),
      ...(muted && { muted: Uint8Array.from(muted) }),
    });
  return { evalReturn, ask };
}

it.each([
  ['commnet', tell, 8000],
  ['hammer', tell, 8000],
  ['dial', tellLater, 20_000],
] as const)('%s tells the other what it cannot see', async (algo, env, steps) => {
  expect((await train(env, algo, steps, {})).evalReturn).toBeCloseTo(1, 6);
});

it.each([
  ['commnet', tell],
  ['hammer', tell],
  ['dial', tellLater],
] as const)('%s knows nothing while its channel is silent', async (algo, env) => {
  const { evalReturn } = await train(env, algo, 4000, { channel: 'silent' });
  expect(evalReturn).toBeGreaterThan(0.2);
  expect(evalReturn).toBeLessThan(0.8);
});

it('muting the one who knows takes the other’s choice away, muting the other changes nothing for it', async () => {
  const { ask } = await train(tell, 'commnet', 8000, { rounds: 1 });
  const chance = (act: Act): number => act.logits![3]! - act.logits![2]!; // of the second agent, as log odds
  for (const cue of [1, -1]) {
    const heard = await ask([[cue], [0]], [0, 1]);
    expect(Math.sign(chance(heard))).toBe(cue);
    expect(heard.messages).toHaveLength(2 * 16);
    expect(chance(await ask([[cue], [0]], [0, 1], [0, 1]))).toBe(chance(heard));
  }
  const yes = chance(await ask([[1], [0]], [0, 1], [1, 0]));
  expect(chance(await ask([[-1], [0]], [0, 1], [1, 0]))).toBe(yes);
});

it('an agent asked about alone is one whose mates say nothing', async () => {
  const { ask } = await train(tell, 'commnet', 2000, {});
  const alone = await ask([[0]], [1]);
  const silenced = await ask([[1], [0]], [0, 1], [1, 0]);
  expect(Array.from(alone.logits!)).toEqual(Array.from(silenced.logits!.subarray(2)));
});

it.each([
  ['commnet', team, 8000],
  ['dial', team, 8000],
  ['hammer', team, 8000],
  ['commnet', roles, 10_000],
  ['dial', roles, 10_000],
  ['hammer', roles, 10_000],
] as const)('%s solves $1.id', async (algo, env, steps) => {
  expect((await train(env, algo, steps, {})).evalReturn).toBeCloseTo(1, 6);
});

it.each(['commnet', 'dial', 'hammer'])('%s learns continuous actions', async (algo) => {
  expect((await train(pointingTeam, algo, 16_000, {})).evalReturn).toBeGreaterThan(0.95);
});

it.each(['commnet', 'dial', 'hammer'])('%s goes on bit for bit after being saved', async (id) => {
  const env = getEnv('mpe-simple-speaker-listener');
  const config = runConfigSchema.parse({
    env: { id: env.id, config: env.parse({}) },
    algo: { id, config: getAlgo(id).parse({ ...fast, width: 8 }) },
    run: { steps: 1024, evalEpisodes: 3 },
  });
  const finish = async (session: ReturnType<typeof createSession>): Promise<string> => {
    let hash = '';
    for await (const event of session) if (event.kind === 'result') hash = event.result.parameterHash;
    return hash;
  };
  const whole = await finish(createSession({ config, seed: 1, now: () => 0 }));
  expect(whole).toHaveLength(16);
  const first = createSession({ config, seed: 1, now: () => 0, sliceMs: 0 });
  let saved: Uint8Array | undefined;
  for await (const event of first) {
    if (event.kind !== 'progress' || event.step < 512 || saved !== undefined) continue;
    saved = new Uint8Array(0);
    void first.save().then((state) => {
      saved = encodeSaved(state);
      first.stop();
    });
  }
  expect(await finish(createSession({ config, seed: 1, now: () => 0, resume: decodeSaved(saved as Uint8Array) }))).toBe(whole);
});
