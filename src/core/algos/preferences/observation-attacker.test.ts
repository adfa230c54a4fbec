/** A victim is trained and frozen, and what it sees is changed within bounds so that it does what answers ask for; a run resumes bit for bit in either part. */
import { expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import { createEngine } from '../../engine/index.ts';
import { createSession } from '../../run/loaded.ts';
import type { Session } from '../../run/session.ts';
import { probe } from '../../testing/probe.ts';
import { savedAt } from '../../testing/saved-at.ts';
import { getAlgo } from '../all.ts';
import { policyNetwork } from '../lib/network-policy.ts';
import { deviations, frozenVictim, shortfall } from './observation-attacker.ts';

/** A place from -10 to 10 that each action moves by one; paid for being in the middle, seen as a tenth of itself. */
const line = probe('probe-line', {
  obs: { kind: 'box', shape: [1], low: -1, high: 1 },
  action: { kind: 'discrete', n: 3, labels: ['down', 'stay', 'up'] },
  maxSteps: 30,
  start: (rng) => 10 + rng.int(9) - 4,
  observe: (cue, _, out) => out.fill((cue - 10) / 10),
  joint(cue, _, actions) {
    const next = Math.min(20, Math.max(0, cue + actions[0]! - 1));
    return { reward: -Math.abs(next - 10) / 10, terminated: false, cue: next };
  },
});

const fast = {
  ...{ envs: 8, rolloutSteps: 60, minibatches: 4, epochs: 4, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16] },
  ...{ rewardHidden: [16], answers: 60, raterErrors: 0, segment: 10, rewardUpdates: 40, ensemble: 2 },
  // the victim hardly ever leaves the middle, so that its own deviation is small
  ...{ eps: 4, number: 0, side: 'above', level: 0.15 },
};

const configOf = (settings: JsonObject, steps: number) =>
  runConfigSchema.parse({
    env: { id: line.id, config: line.parse({}) },
    algo: { id: 'observation-attacker', config: getAlgo('observation-attacker').parse({ ...fast, ...settings }) },
    run: { steps, evalEpisodes: 50 },
  });

async function finish(session: Session) {
  let found = { evalReturn: Number.NaN, hash: '', steps: 0 };
  const behaviour: number[] = [];
  const paid: number[] = [];
  let snapshot: PolicySnapshot | undefined;
  for await (const event of session) {
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind === 'metrics') {
      const [column, returns] = ['behaviour', 'episodicReturn'].map((id) => 1 + event.columns.indexOf(id)) as [number, number];
      for (let at = 0; at < event.rows.length; at += event.columns.length + 1) {
        behaviour.push(event.rows[at + column]!);
        paid.push(event.rows[at + returns]!);
      }
    }
    if (event.kind !== 'result') continue;
    found = { evalReturn: event.result.evalReturn, hash: event.result.parameterHash, steps: event.result.steps };
  }
  const last = behaviour.filter((x) => !Number.isNaN(x)).at(-1) ?? Number.NaN;
  return { ...found, behaviour: last, last: paid.filter(Number.isFinite).at(-1) ?? Number.NaN, snapshot: snapshot as PolicySnapshot };
}

const run = (settings: JsonObject, steps = 38_400) =>
  finish(createSession({ config: configOf(settings, steps), seed: 1, now: () => 0, env: line }));

it('forces what the answers ask for, to either side', async () => {
  const [above, below, none] = [await run({}), await run({ side: 'below', level: -0.15 }), await run({ attack: 'none' })];
  expect(none.steps).toBe(19_200);
  expect(none.evalReturn).toBeGreaterThan(-2.5); // the way to the middle
  expect(none.behaviour).toBeLessThan(0.2);
  expect(above.behaviour).toBeGreaterThan(0.5);
  expect(below.behaviour).toBeGreaterThan(0.5);
});

it('changes each number by at most eps deviations, and towards what is wanted', async () => {
  const engine = await createEngine('wasm');
  const meta = line.meta({});
  const net = policyNetwork(engine, meta, { hidden: [8], activation: 'tanh', sharedTrunk: false }, Rng.from(3));
  const obs = Float32Array.of(-0.5, 0, 0.5);
  const query = { agent: new Int32Array(3), hidden: new Float32Array(0), rng: Rng.from(1), rows: 3, greedy: true };
  const wanted = Int32Array.of(2, 2, 2);
  const chances = async (attack: 'answers' | 'random', attackSteps: number) => {
    const victim = frozenVictim(engine, meta, net, null, Float64Array.of(0.5), { attack, eps: 0.4, attackSteps });
    const seen = await victim.see(obs, wanted, 3, Rng.from(2));
    seen.forEach((x, i) => {
      expect(Math.abs(x - obs[i]!)).toBeLessThanOrEqual(0.2 + 1e-6);
    });
    const of = async (rows: Float32Array) => {
      const { logits } = await victim.policy.act({ ...query, obs: rows });
      return [0, 1, 2].map((i) => logits![3 * i + 2]! - Math.max(logits![3 * i]!, logits![3 * i + 1]!));
    };
    const [before, after] = [await of(obs), await of(seen)];
    return after.map((x, i) => x - before[i]!);
  };
  for (const steps of [1, 5]) for (const gain of await chances('answers', steps)) expect(gain).toBeGreaterThan(0);
  expect(Math.min(...(await chances('random', 1)))).toBeLessThan(0);
  engine.dispose();
});

it('numbers that never change are never touched', () => {
  expect([...deviations(Float32Array.of(1, 0, 1, 2), 2)]).toEqual([0, 1]);
});

it('says how far a number falls short of the wanted side', () => {
  expect([...shortfall(Float32Array.of(5, 0, 5, 2), 2, { number: 1, side: 'below', level: 1 })]).toEqual([0, -1]);
  expect([...shortfall(Float32Array.of(5, 0, 5, 2), 2, { number: 1, side: 'above', level: 1 })]).toEqual([-1, 0]);
});

it.each([
  ['while the victim learns', 4800],
  ['while it is attacked', 14_400],
  ['while it learns on under attack', 17_280],
] as const)('goes on bit for bit after being saved %s', async (_, stopAt) => {
  const config = configOf(stopAt > 15_000 ? { victimShare: 0.5, retrainShare: 0.25 } : {}, 19_200);
  const whole = await finish(createSession({ config, seed: 1, now: () => 0, env: line }));
  const resume = await savedAt(createSession({ config, seed: 1, now: () => 0, env: line, sliceMs: 0 }), stopAt);
  const rest = await finish(createSession({ config, seed: 1, now: () => 0, env: line, resume }));
  expect(rest.hash).toBe(whole.hash);
  expect(rest.evalReturn).toBe(whole.evalReturn);
});

it('a victim that learns on under attack is the one that is played, and the attack costs it less', async () => {
  const wide = { attack: 'loss', eps: 6 };
  const steps = 57_600;
  const frozen = await run({ ...wide, victimShare: 1 / 3 }, (steps * 2) / 3);
  const retrained = await run({ ...wide, victimShare: 1 / 3, retrainShare: 1 / 3 }, steps);
  expect(retrained.steps).toBe(steps);
  expect(retrained.snapshot.saved.meta.stage).toBe('retrain');
  // what the world pays while the attack goes on, and without it
  expect(frozen.last).toBeLessThan(-12);
  expect(retrained.last).toBeGreaterThan(frozen.last + 4);
  expect(retrained.evalReturn).toBeGreaterThan(frozen.last + 4);
});

it('knows what it can attack', () => {
  const algo = getAlgo('observation-attacker');
  expect(() => algo.fits(line.meta({}), algo.parse({ victimShare: 0.6, retrainShare: 0.4 }))).toThrow(/No steps are left/);
  expect(() => algo.fits(line.meta({}), algo.parse({ number: 1 }))).toThrow(/numbers 0 to 0/);
});
