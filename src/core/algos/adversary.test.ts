/** A team is trained and frozen, one of it learns to harm the rest; a run resumes bit for bit in either part. */
import { expect, it } from 'vitest';
import { runConfigSchema } from '#contract/config.ts';
import type { PolicySnapshot } from '#contract/events.ts';
import type { JsonObject } from '#contract/json.ts';
import { decodeSaved, encodeSaved } from '#contract/saved.ts';
import type { EnvEntry } from '../envs/types.ts';
import { createSession, type Session } from '../run/session.ts';
import { getAlgo } from './index.ts';
import { probe } from './probe.ts';
import { roles } from './probes.ts';

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

it('attacks in teams of unlike agents', async () => {
  const config = configOf(roles, { agent: 1 }, 6144);
  const { evalReturn } = await finish(createSession({ config, seed: 1, now: () => 0, env: roles }));
  expect(Number.isFinite(evalReturn)).toBe(true);
});

it.each([
  ['while the team learns', 1024],
  ['while it is attacked', 3072],
])('goes on bit for bit after being saved %s', async (_, stopAt) => {
  const config = configOf(trust, {}, 4096);
  const whole = await finish(createSession({ config, seed: 1, now: () => 0, env: trust }));
  const first = createSession({ config, seed: 1, now: () => 0, env: trust, sliceMs: 0 });
  let saved: Uint8Array | undefined;
  for await (const event of first) {
    if (event.kind !== 'progress' || event.step < stopAt || saved !== undefined) continue;
    saved = new Uint8Array(0);
    void first.save().then((state) => {
      saved = encodeSaved(state);
      first.stop();
    });
  }
  const resume = decodeSaved(saved as Uint8Array);
  const rest = await finish(createSession({ config, seed: 1, now: () => 0, env: trust, resume }));
  expect(rest.hash).toBe(whole.hash);
  expect(rest.evalReturn).toBe(whole.evalReturn);
});

it('knows who there is', () => {
  const algo = getAlgo('adversary');
  expect(() => algo.fits(trust.meta({}), algo.parse({ agent: 3 }))).toThrow(/0 to 2/);
});
