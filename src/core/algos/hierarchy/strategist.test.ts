/** The strategist on small worlds with skills: what it must notice, how long a choice lasts, what it is worth, and that it resumes bit for bit. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot, Saved } from '#contract/run/events.ts';
import { gae } from '#math/gae.ts';
import { Rng } from '#math/rng.ts';
import { createEngine } from '../../engine/index.ts';
import { getEnv } from '../../envs/all.ts';
import { createBuffers } from '../../envs/api/buffers.ts';
import type { EnvEntry, Skills } from '../../envs/api/types.ts';
import { inspect } from '../../run/inspect.ts';
import { createSession } from '../../run/loaded.ts';
import { probe } from '../../testing/probe.ts';
import { cued, delayed, endless, team } from '../../testing/probes.ts';
import { getAlgo } from '../all.ts';
import { close, createDecisions, earn, open, semiMarkovGae } from './lib/strategist-decisions.ts';

/** The same world, in which each action is a skill: it is repeated until something else is chosen. */
function withSkills(entry: EnvEntry, moment: Skills['moment'] = () => 0): EnvEntry {
  const skills: Skills = {
    act(skill, _, __, out, a) {
      out[a] = skill;
    },
    moment,
  };
  return { ...entry, meta: (config) => ({ ...entry.meta(config), skills: ['a', 'b'] }), skills: () => skills };
}

const flag = { kind: 'box', shape: [1], low: -1, high: 1 } as const;
const two = { kind: 'discrete', n: 2, labels: ['a', 'b'] } as const;

/** The first action decides: 1 after two steps, or 1.3 after eight. */
const patience = probe('probe-patience', {
  obs: flag,
  action: two,
  maxSteps: 20,
  start: () => 0,
  observe: (cue, _, out) => out.fill(cue === 0 ? 1 : -1),
  joint(cue, t, [a]) {
    const way = cue === 0 ? 1 + a! : cue;
    const there = t === (way === 1 ? 1 : 7);
    return { reward: there ? (way === 1 ? 1 : 1.3) : 0, terminated: there, cue: way };
  },
});

/** Six steps, each paid for doing what is shown; that turns over after the third. */
const turning = probe('probe-turning', {
  obs: flag,
  action: two,
  maxSteps: 6,
  start: (rng) => rng.int(2),
  observe: (cue, t, out) => out.fill((cue === 1) === t < 3 ? 1 : -1),
  step: (cue, t, action) => ({ reward: action === ((cue === 1) === t < 3 ? 1 : 0) ? 1 / 6 : 0, terminated: t === 5 }),
});

function configOf(env: EnvEntry, settings: JsonObject, steps: number, envConfig: JsonObject = {}) {
  return runConfigSchema.parse({
    env: { id: env.id, config: env.parse(envConfig) },
    algo: { id: 'strategist', config: getAlgo('strategist').parse(settings) },
    run: { steps, evalEpisodes: 20 },
  });
}

async function train(env: EnvEntry, settings: JsonObject, steps: number, envConfig: JsonObject = {}, resume?: Saved) {
  const config = configOf(env, settings, steps, envConfig);
  let evalReturn = Number.NaN;
  let hash = '';
  let snapshot: PolicySnapshot | undefined;
  const metrics: { [name: string]: number } = {};
  for await (const event of createSession({ config, seed: 1, now: () => 0, env, ...(resume && { resume }) })) {
    if (event.kind === 'metrics') {
      event.rows.forEach((value, i) => {
        const column = i % (1 + event.columns.length);
        if (column > 0 && Number.isFinite(value)) metrics[event.columns[column - 1]!] = value; // the last one there was
      });
    }
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind === 'result') [evalReturn, hash] = [event.result.evalReturn, event.result.parameterHash];
  }
  if (snapshot === undefined) throw new Error('no policy');
  const saved = snapshot.saved;
  const policy = () =>
    getAlgo('strategist').policy(
      {
        config: config.algo.config as JsonObject,
        meta: env.meta(config.env.config),
        envEntry: env,
        envConfig: config.env.config as JsonObject,
        makeEngine: () => createEngine('wasm'),
      },
      saved,
    );
  return { evalReturn, hash, metrics, policy, saved };
}

const fast = {
  envs: 8,
  rolloutDecisions: 16,
  lr: 3e-3,
  annealLr: false,
  gamma: 0.9,
  entropyCoef: 0.001,
  hidden: [16],
  normaliseReward: false,
};
const long = { ...fast, decisionInterval: 100 };

describe('choices', () => {
  it.each([
    ['a cue', withSkills(cued), fast, 6000, 1],
    ['a delay, chosen step by step', withSkills(delayed), { ...fast, decisionInterval: 1 }, 10_000, 1],
    ['each its own', withSkills(team), fast, 6000, 1],
    ['a moment that calls for another choice', withSkills(turning, (obs, o) => (obs[o]! > 0 ? 1 : 0)), long, 20_000, 1],
    [
      'none of it where moments do not count',
      withSkills(turning, (obs, o) => (obs[o]! > 0 ? 1 : 0)),
      { ...long, moments: false },
      20_000,
      0.5,
    ],
    ['soon rather than more at a discount of 0.9 a step', withSkills(patience), long, 10_000, 1],
    ['more rather than soon at 0.99', withSkills(patience), { ...long, gamma: 0.99 }, 10_000, 1.3],
  ] as const)('%s', async (_, env, settings, steps, want) => {
    expect((await train(env, settings, steps)).evalReturn).toBeCloseTo(want, 6);
  });

  it('values bootstrap over time limits, however long a choice lasts', async () => {
    const settings = { ...fast, valueCoef: 2, lr: 1e-2, maxGradNorm: 10 };
    const value = async (more: JsonObject) => {
      const policy = await (await train(withSkills(endless), { ...settings, ...more }, 20_000)).policy();
      const query = {
        obs: Float32Array.of(1),
        agent: Int32Array.of(0),
        hidden: policy.initial(1),
        rng: Rng.from(1),
        rows: 1,
        greedy: true,
      };
      return (await policy.act(query)).value![0]!;
    };
    for (const decisionInterval of [1, 3, 100]) expect(await value({ decisionInterval })).toBeGreaterThan(9);
    expect(await value({ bootstrapAtTruncation: false, decisionInterval: 3 })).toBeLessThan(4.2);
  });

  it('chance and a fixed choice need no learning, and say what they do', async () => {
    const chance = await train(withSkills(cued), { ...fast, strategy: 'random' }, 2000);
    expect(chance.metrics.policyLoss).toBeUndefined();
    expect(chance.metrics['skill.a']).toBeGreaterThan(0.3);
    expect(chance.metrics['skill.a']! + chance.metrics['skill.b']!).toBeCloseTo(1, 9);
    const fixed = await train(withSkills(turning), { ...long, strategy: 'fixed', skill: 'b' }, 500);
    expect(fixed.evalReturn).toBeCloseTo(0.5, 6);
    expect(fixed.metrics['skill.b']).toBe(1);
    expect(fixed.metrics.decisionLength).toBe(6);
    expect(fixed.hash).toBe((await train(withSkills(turning), { ...long, strategy: 'fixed' }, 500)).hash);
  });

  it('last as long as they are told to, and inspection names them', async () => {
    const env = withSkills(turning);
    const policy = await (await train(env, { ...fast, decisionInterval: 4, strategy: 'random' }, 200)).policy();
    const meta = env.meta({});
    const copy = env.create({}, 1);
    const buffers = createBuffers(meta, 1);
    copy.reset(Uint32Array.of(1), buffers);
    let hidden = policy.initial(1);
    const rng = Rng.from(3);
    const done: number[] = [];
    for (let t = 0; t < 400; t++) {
      const act = await policy.act({ obs: buffers.obs, agent: new Int32Array(1), hidden, rng, rows: 1, greedy: true });
      hidden = act.hidden;
      done.push(act.actions[0]!);
    }
    for (let t = 0; t < 400; t++) expect(done[t]).toBe(done[t - (t % 4)]);
    const chosen = done.filter((_, t) => t % 4 === 0);
    expect(chosen.filter((a) => a === 0).length).toBeGreaterThan(30);
    expect(chosen.filter((a) => a === 1).length).toBeGreaterThan(30);
    const said = await inspect(policy, meta, buffers, hidden);
    expect(said.extras[0]!.card.labels).toEqual(['a', 'b']);
    expect(Array.from(said.extras[0]!.values)).toEqual([0.5, 0.5]);
  });
});

describe('advantages over choices', () => {
  it('are those of steps where each lasts one', () => {
    const [T, rows, gamma, lambda] = [5, 2, 0.9, 0.8];
    const rng = Rng.from(4);
    const draw = (n: number) => Float32Array.from({ length: n }, () => rng.uniform());
    const [rewards, values, lastValues] = [draw(T * rows), draw(T * rows), draw(rows)];
    const terminated = Uint8Array.from({ length: T * rows }, (_, i) => (i === 4 ? 1 : 0));
    const truncated = Uint8Array.from({ length: T * rows }, (_, i) => (i === 5 ? 1 : 0));
    const finalValues = draw(T * rows);
    const d = createDecisions(rows, 1, T * rows);
    const seen = new Float32Array(rows);
    for (let i = 0; i < T * rows; i++) {
      open(d, i % rows, 0, 0, 0, values[i]!, seen);
      earn(d, i % rows, rewards[i]!, gamma);
      close(d, i % rows, terminated[i] === 1 ? 0 : truncated[i] === 1 ? finalValues[i]! : null);
    }
    for (let row = 0; row < rows; row++) open(d, row, 0, 0, 0, lastValues[row]!, seen);
    const found = [new Float32Array(T * rows), new Float32Array(T * rows)] as const;
    semiMarkovGae(d, lambda, ...found);
    const want = [new Float32Array(T * rows), new Float32Array(T * rows)] as const;
    gae({ rewards, values, terminated, truncated, finalValues, lastValues, rows, gamma, lambda, bootstrapAtTruncation: true }, ...want);
    for (let i = 0; i < T * rows; i++) {
      expect(found[0][i]).toBeCloseTo(want[0][i]!, 5);
      expect(found[1][i]).toBeCloseTo(want[1][i]!, 5);
    }
  });

  it('by hand: three steps, then two, then an open one', () => {
    const d = createDecisions(1, 1, 4);
    const seen = new Float32Array(1);
    open(d, 0, 0, 0, 0, 2, seen);
    for (const r of [1, 0, 4]) earn(d, 0, r, 0.5);
    close(d, 0, null); // R = 1 + 0.25 * 4 = 2, then 0.125
    open(d, 0, 1, 0, 0, 3, seen);
    for (const r of [0, 2]) earn(d, 0, r, 0.5);
    close(d, 0, null); // R = 1, then 0.25
    open(d, 0, 1, 0, 0, 8, seen);
    const advantage = new Float32Array(4);
    const target = new Float32Array(4);
    semiMarkovGae(d, 0.5, advantage, target);
    expect(advantage[1]).toBe(1 + 0.25 * 8 - 3);
    expect(advantage[0]).toBe(2 + 0.125 * 3 - 2 + 0.125 * 0.5 * 0);
    expect(target[1]).toBe(3);
    expect(Array.from(d.closed.steps.subarray(0, 2))).toEqual([3, 2]);
  });
});

describe('saved half-way', () => {
  const small = { envs: 4, rolloutDecisions: 8, minibatches: 2, epochs: 2, hidden: [8], normaliseObs: true };
  const volley = getEnv('drone-volleyball');
  it.each([
    ['a small world', withSkills(turning), { ...small, decisionInterval: 4 }, 1000, {}],
    ['drone volleyball', volley, small, 2400, { seats: { 'far side': 'rally' } }],
    ['teams of three', volley, small, 1200, { teamSize: 3, seats: { far: 'rally' } }],
  ] as const)('%s goes on bit for bit', async (_, env, settings, steps, envConfig) => {
    const whole = await train(env, settings, steps, envConfig);
    const session = createSession({ config: configOf(env, settings, steps, envConfig), seed: 1, now: () => 0, env, sliceMs: 0 });
    let saving: Promise<Saved> | undefined;
    for await (const event of session) {
      if (event.kind !== 'progress' || event.step < steps / 3 || saving !== undefined) continue;
      saving = session.save();
      session.stop();
    }
    const rest = await train(env, settings, steps, envConfig, await saving);
    expect(rest.hash).toBe(whole.hash);
    expect(rest.evalReturn).toBe(whole.evalReturn);
    expect(rest.saved.arrays).toEqual(whole.saved.arrays);
  });
});

it('says what does not fit', () => {
  const algo = getAlgo('strategist');
  const court = getEnv('drone-volleyball').meta({});
  expect(() => algo.fits(getEnv('cartpole').meta({}), {})).toThrow(/offers none/);
  expect(() => algo.fits(court, { strategy: 'fixed', skill: 'dance' })).toThrow(/no skill "dance"/);
  expect(() => algo.fits(court, { minibatches: 7 })).toThrow(/1024 decisions/);
});
