/** What the learners with a privileged teacher know where they are used, and that each learns what it is meant to; a run resumes bit for bit in either stage. */
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
import { Histories } from './lib/histories.ts';
import { layoutOf } from './privileged-ppo.ts';

/**
 * A lever that moves what is seen up or down, by an action whose sense is hidden: action 1 moves it up where the last number is 1, and down
 * where it is -1. Paid for being up; what was seen before and what was done says which it is.
 */
const lever = probe('probe-lever', {
  obs: { kind: 'box', shape: [2], low: -10, high: 10 },
  action: { kind: 'discrete', n: 2, labels: ['a', 'b'] },
  maxSteps: 8,
  start: (rng) => 20 + rng.int(2), // place 10 and sense
  observe(cue, _, out) {
    out[0] = (Math.floor(cue / 2) - 10) / 4;
    out[1] = cue % 2 === 1 ? 1 : -1;
  },
  joint(cue, _, actions) {
    const up = (actions[0] === 1) === (cue % 2 === 1) ? 1 : -1;
    return { reward: up / 8, terminated: false, cue: cue + 2 * up };
  },
});

const fast = {
  ...{ envs: 8, rolloutSteps: 32, minibatches: 4, epochs: 4, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16] },
  ...{ history: 2, code: 2 },
};

const configOf = (settings: JsonObject, steps: number) =>
  runConfigSchema.parse({
    env: { id: lever.id, config: lever.parse({}) },
    algo: { id: 'privileged-ppo', config: getAlgo('privileged-ppo').parse({ ...fast, ...settings }) },
    run: { steps, evalEpisodes: 50 },
  });

async function finish(session: Session) {
  let found = { evalReturn: Number.NaN, hash: '' };
  const last: Record<string, number> = {};
  let snapshot: PolicySnapshot | undefined;
  for await (const event of session) {
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind === 'metrics')
      for (let at = 0; at < event.rows.length; at += event.columns.length + 1)
        event.columns.forEach((column, i) => {
          const value = event.rows[at + 1 + i]!;
          if (!Number.isNaN(value)) last[column] = value;
        });
    if (event.kind === 'result') found = { evalReturn: event.result.evalReturn, hash: event.result.parameterHash };
  }
  return { ...found, last, snapshot: snapshot as PolicySnapshot };
}

const run = (settings: JsonObject, steps = 20_480) =>
  finish(createSession({ config: configOf(settings, steps), seed: 1, now: () => 0, env: lever }));

/** What it does at first, and after it has seen that an action moved the lever down. */
async function actions({ snapshot }: { readonly snapshot: PolicySnapshot }, told: number) {
  const meta = lever.meta({});
  const context = { config: snapshot.algo.config, meta, envEntry: lever, envConfig: {}, makeEngine: () => createEngine('wasm') };
  const policy = await getAlgo('privileged-ppo').policy(context, snapshot.saved);
  const ask = { agent: new Int32Array(1), rng: Rng.from(1), rows: 1, greedy: true };
  const first = await policy.act({ ...ask, obs: Float32Array.of(0, told), hidden: policy.initial(1) });
  const one = first.actions[0]!;
  const second = await policy.act({ ...ask, obs: Float32Array.of(-0.25, told), hidden: first.hidden });
  const two = second.actions[0]!;
  policy.dispose();
  return [one, two];
}

it('told: the best from the first step on; blind: what the place alone tells', async () => {
  expect((await run({ learner: 'told' })).evalReturn).toBeGreaterThan(0.95);
  expect((await run({ learner: 'blind' })).evalReturn).toBeLessThan(0.6);
});

it.each(['history', 'bottleneck', 'two stages'] as const)(
  '%s: finds out by its first action, and does not read what was told',
  async (learner) => {
    const found = await run({ learner }, 40_960);
    expect(found.evalReturn).toBeGreaterThan(0.8); // all but the first step, which half the time is wrong and is made good by the next
    const [[one, two], other] = [await actions(found, 1), await actions(found, -1)];
    expect(two).not.toBe(one);
    expect(other).toEqual([one, two]);
  },
);

it('pays for information: a dear code says less and predicts worse', async () => {
  const [cheap, dear] = [await run({ rate: 0.001 }), await run({ rate: 10 })];
  expect(dear.last.codeNats!).toBeLessThan(0.1);
  expect(cheap.last.codeNats!).toBeGreaterThan(0.3);
  expect(cheap.last.toldError!).toBeLessThan(dear.last.toldError!);
});

it('keeps what was seen, how it changed and what was done, newest first', () => {
  const meta = lever.meta({});
  const layout = layoutOf(meta, { told: 1, code: 3, history: 2 });
  expect(layout).toMatchObject({ seen: 1, entry: 4, past: 8, width: 2 + 3 + 8 });
  const histories = new Histories(meta, layout);
  const rows = new Float32Array(histories.size);
  const wide = new Float32Array(layout.width);
  const seen = [1, 3, 2, 5];
  seen.forEach((x, t) => {
    const obs = Float32Array.of(x, 9);
    histories.observe(rows, 0, obs);
    histories.write(rows, 0, obs, wide);
    histories.act(rows, 0, Int32Array.of(t % 2));
  });
  // [seen, told] [noise] then [before, change, one-hot action] of the last two steps
  expect([...wide]).toEqual([5, 9, 0, 0, 0, 2, 3, 1, 0, 3, -1, 0, 1]);
});

it.each([
  ['two stages', 'while the teacher learns', 2048],
  ['two stages', 'while the student learns', 7168],
  ['bottleneck', 'half-way', 4096],
] as const)('%s: goes on bit for bit after being saved %s', async (learner, _, stopAt) => {
  const config = configOf({ learner }, 10_240);
  const whole = await finish(createSession({ config, seed: 1, now: () => 0, env: lever }));
  const resume = await savedAt(createSession({ config, seed: 1, now: () => 0, env: lever, sliceMs: 0 }), stopAt);
  const rest = await finish(createSession({ config, seed: 1, now: () => 0, env: lever, resume }));
  expect(rest.hash).toBe(whole.hash);
  expect(rest.evalReturn).toBe(whole.evalReturn);
});

it('leaves something to be seen', () => {
  const algo = getAlgo('privileged-ppo');
  expect(() => algo.fits(lever.meta({}), algo.parse({ told: 2 }))).toThrow(/cannot be privileged/);
});
