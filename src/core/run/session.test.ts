import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { type RunConfig, runConfigSchema } from '#contract/run/config.ts';
import type { Saved, SessionEvent } from '#contract/run/events.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import { getAlgo } from '../algos/all.ts';
import { getEnv } from '../envs/all.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { probe } from '../testing/probe.ts';
import { broken, pointing } from '../testing/probes.ts';
import { completeRun, createSession, type SessionOptions } from './loaded.ts';
import type { Session } from './session.ts';

interface Outcome {
  readonly events: SessionEvent[];
  readonly rows: number[][]; // without the clock column
  readonly hash: string;
  readonly evalReturn: number;
}

/** A clock that no two calls agree on: what the run computes must not notice. */
function restlessClock(): () => number {
  let t = 0;
  return () => {
    t += 7 + ((t * 13) % 41);
    return t;
  };
}

async function finish(session: Session, onEvent: (event: SessionEvent) => void = () => {}): Promise<Outcome> {
  const events: SessionEvent[] = [];
  const rows: number[][] = [];
  let hash = '';
  let evalReturn = Number.NaN;
  for await (const event of session) {
    events.push(event);
    if (event.kind === 'metrics') {
      const width = event.columns.length + 1;
      const clock = event.columns.indexOf('seconds') + 1;
      for (let i = 0; i < event.rows.length; i += width) rows.push([...event.rows.slice(i, i + width)].filter((_, j) => j !== clock));
    }
    if (event.kind === 'result') ({ parameterHash: hash, evalReturn } = event.result);
    onEvent(event);
  }
  return { events, rows, hash, evalReturn };
}

const small = { envs: 2, rolloutSteps: 16, minibatches: 2, epochs: 2, hidden: [8] };
const smallDqn = { learningStarts: 200, bufferSize: 3000, batchSize: 16, hidden: [8], trainEvery: 4, targetEvery: 64 };
const cases: readonly (readonly [name: string, env: EnvEntry, algo: string, settings: JsonObject, steps: number])[] = [
  ['PPO', getEnv('cartpole'), 'ppo', small, 1600],
  ['PPO, continuous and normalised', pointing, 'ppo', { ...small, normaliseObs: true, normaliseReward: true }, 1600],
  ['PPO on a grid', getEnv('minigrid-doorkey'), 'ppo', small, 320],
  ['DQN', getEnv('cartpole'), 'dqn', smallDqn, 5000],
  [
    'DQN with every switch',
    getEnv('cartpole'),
    'dqn',
    { ...smallDqn, double: true, dueling: true, nStep: 3, prioritised: true, tau: 0.5 },
    5000,
  ],
  ['Q-learning', getEnv('cliff-walking'), 'q-learning', { epsilonFinal: 0.01, decayEpisodes: 50 }, 3000],
  ['SARSA', getEnv('cliff-walking'), 'sarsa', { alphaFinal: 0.1 }, 3000],
  ['random', getEnv('cartpole'), 'random', {}, 3000],
];

function configOf(env: EnvEntry, algo: string, settings: JsonObject, steps: number, run: JsonObject = {}): RunConfig {
  const config = getAlgo(algo).parse(settings);
  return runConfigSchema.parse({
    env: { id: env.id, config: env.parse({}) },
    algo: { id: algo, config },
    run: { steps, evalEpisodes: 3, ...run },
  });
}

describe('a run is a pure function of config and seed', () => {
  it.each(cases)('%s: the clock changes nothing, the seed does', async (_, env, algo, settings, steps) => {
    const config = configOf(env, algo, settings, steps);
    const start = (options: Partial<SessionOptions>) => finish(createSession({ config, seed: 1, now: () => 0, env, ...options }));
    const a = await start({});
    const b = await start({ now: restlessClock(), sliceMs: 1 });
    expect(b.hash).toBe(a.hash);
    expect(b.rows).toEqual(a.rows);
    expect(b.evalReturn).toBe(a.evalReturn);
    if (algo === 'random') return;
    expect((await start({ seed: 2 })).hash).not.toBe(a.hash);
  });

  it.each(cases)('%s: pause, save to bytes, resume elsewhere, and nothing shows', async (_, env, algo, settings, steps) => {
    const config = configOf(env, algo, settings, steps);
    const whole = await finish(createSession({ config, seed: 1, now: () => 0, env }));
    const first = createSession({ config, seed: 1, now: restlessClock(), env, sliceMs: 1 });
    let bytes: Uint8Array | undefined;
    const half = await finish(first, (event) => {
      if (event.kind === 'progress' && event.step >= steps * 0.6 && bytes === undefined) {
        bytes = new Uint8Array(0);
        first.pause();
      }
      if (event.kind === 'state' && event.state === 'paused') {
        void first.save().then((saved) => {
          bytes = encodeSaved(saved);
          first.stop();
        });
      }
    });
    expect(first.state).toBe('stopped');
    expect(bytes?.length).toBeGreaterThan(100);
    const resume = decodeSaved(bytes as Uint8Array);
    const rest = await finish(createSession({ config, seed: 1, now: () => 0, env, resume }));
    expect(half.rows.length).toBeGreaterThan(0);
    expect([...half.rows, ...rest.rows]).toEqual(whole.rows);
    expect(rest.hash).toBe(whole.hash);
    expect(rest.evalReturn).toBe(whole.evalReturn);
  });
});

describe('commands', () => {
  const env = getEnv('cartpole');
  const config = configOf(env, 'ppo', small, 3200);

  it('stepOnce runs one iteration and pauses again', async () => {
    const session = createSession({ config, seed: 1, now: () => 0 });
    session.pause();
    const steps: number[] = [];
    await finish(session, (event) => {
      if (event.kind !== 'state' || event.state !== 'paused') return;
      steps.push(event.step);
      if (steps.length < 4) session.stepOnce();
      else session.stop();
    });
    expect(steps).toEqual([0, 32, 64, 96]);
    expect(session.state).toBe('stopped');
    expect((await session.save()).meta.kind).toBe('checkpoint');
  });

  it('goes on to the end of the next episode, and pauses', async () => {
    const table = configOf(getEnv('cliff-walking'), 'q-learning', {}, 3000);
    const session = createSession({ config: table, seed: 1, now: () => 0 });
    session.stepOnce('episode');
    const episodes: number[] = [];
    let last = 0;
    await finish(session, (event) => {
      // The last row ends with its last column.
      if (event.kind === 'metrics') last = event.rows.at(event.columns.indexOf('episodes') - event.columns.length) ?? 0;
      if (event.kind !== 'state' || event.state !== 'paused') return;
      episodes.push(last);
      if (episodes.length < 3) session.stepOnce('episode');
      else session.stop();
    });
    expect(episodes[0]).toBeGreaterThan(0);
    expect(new Set(episodes).size).toBe(3);
  });

  it('ends within one update of a stop rule, and goes on from there to the same end', async () => {
    const marks = ({ events }: Outcome) => events.flatMap((event) => (event.kind === 'mark' && event.type === 'stop' ? [event] : []));
    const whole = await finish(createSession({ config, seed: 1, now: () => 0 }));
    // A tenth of a second for each look at the clock, two of them in an update.
    let t = 0;
    const timed = createSession({ config, seed: 1, now: () => (t += 100), stops: { seconds: 2 } });
    const half = await finish(timed);
    const [mark] = marks(half);
    expect(timed.state).toBe('stopped');
    expect(mark?.step).toBe(timed.step);
    expect(timed.step).toBeGreaterThan(32);
    expect(timed.step).toBeLessThan(3200);
    expect(half.rows.at(-1)?.[0]).toBe(timed.step);
    const rest = await finish(createSession({ config, seed: 1, now: () => 0, resume: await timed.save() }));
    expect(rest.hash).toBe(whole.hash);
    expect([...half.rows, ...rest.rows]).toEqual(whole.rows);

    // At a return: the first update after which the mean of the last episodes has reached it, of twenty at least.
    const easy = createSession({ config, seed: 1, now: () => 0 });
    easy.stopAt({ meanReturn: 5 });
    const reached = await finish(easy);
    const said = marks(reached)[0]?.text ?? '';
    expect(Number(/last (\d+) episodes/.exec(said)?.[1])).toBeGreaterThanOrEqual(20);
    expect(easy.step).toBeLessThan(3200);
    expect(whole.rows.find(([step]) => step === easy.step)).toEqual(reached.rows.at(-1));
  });

  it('says what its engine takes', async () => {
    const { events } = await finish(createSession({ config, seed: 1, now: () => 0 }));
    const used = events.flatMap((event) => (event.kind === 'progress' && event.usage !== undefined ? [event.usage] : []));
    expect(used.at(-1)?.tensors).toBeGreaterThan(10); // of each array of weights its value and two slots of Adam
    expect((used.at(-1)?.bytes ?? 0) % 65_536).toBe(0);
    const table = configOf(getEnv('cliff-walking'), 'q-learning', {}, 100);
    const without = await finish(createSession({ config: table, seed: 1, now: () => 0 }));
    expect(without.events.some((event) => event.kind === 'progress' && event.usage !== undefined)).toBe(false);
  });

  it.each([
    ['algo.lr', 0.01],
    ['env.gravity', 3],
  ])('a live edit of %s takes effect, is logged, survives a checkpoint and can be replayed', async (path, value) => {
    const edited = createSession({ config, seed: 1, now: restlessClock(), sliceMs: 1 });
    let done = false;
    let saved: Promise<Saved> | undefined;
    const a = await finish(edited, (event) => {
      if (event.kind === 'progress' && event.step >= 640 && !done) {
        done = true;
        edited.edit(path, value);
      }
      if (event.kind === 'mark' && event.type === 'edit') saved = edited.save();
    });
    const mark = a.events.find((event) => event.kind === 'mark' && event.type === 'edit');
    if (mark?.kind !== 'mark') throw new Error('no mark');
    expect(mark.path).toBe(path);
    const edits = [{ step: mark.step, path, value }];
    const b = await finish(createSession({ config, seed: 1, now: () => 0, edits }));
    expect(b.hash).toBe(a.hash);
    expect((await finish(createSession({ config, seed: 1, now: () => 0 }))).hash).not.toBe(a.hash);
    const c = await finish(createSession({ config, seed: 1, now: () => 0, resume: await saved! }));
    expect(c.hash).toBe(a.hash);
  });

  it('a checkpoint is resumed with the config it was trained with and no other', async () => {
    const session = createSession({ config, seed: 1, now: restlessClock(), sliceMs: 1 });
    let saved: Promise<Saved> | undefined;
    await finish(session, (event) => {
      if (event.kind !== 'progress' || event.step < 640 || saved !== undefined) return;
      session.edit('algo.lr', 0.01);
      saved = session.save();
      void saved.then(() => session.stop());
    });
    const resume = await saved!;
    const other =
      (settings: JsonObject, envConfig: JsonObject = {}) =>
      () =>
        createSession({
          config: {
            ...config,
            algo: { ...config.algo, config: { ...config.algo.config, ...settings } },
            env: { ...config.env, config: envConfig },
          },
          seed: 1,
          now: () => 0,
          resume,
        });
    expect(other({ gamma: 0.5 })).toThrow('algo.gamma = 0.99, not 0.5');
    expect(other({}, { gravity: 1 })).toThrow('env.gravity = 9.8, not 1');
    expect(other({})).not.toThrow(); // the live edit is part of the run
  });

  it('a checkpoint of the very end is done at once, and its state can be saved again', async () => {
    const config = completeRun({ env: { id: 'cartpole' }, algo: { id: 'ppo', config: small }, run: { steps: 64 } });
    const options = { config, seed: 1, now: restlessClock() };
    const whole = createSession(options);
    await finish(whole);
    const saved = await whole.save();
    const again = createSession({ ...options, resume: saved });
    const { events } = await finish(again);
    expect(events.at(-1)).toMatchObject({ kind: 'state', state: 'done' });
    expect(await again.save()).toBe(saved);
  });

  it('fields that cannot change are refused with the names of those that can', () => {
    const session = createSession({ config, seed: 1, now: () => 0 });
    expect(() => session.edit('algo.hidden', [4])).toThrow(/algo\.lr/);
    expect(() => session.edit('algo.lr', -1)).toThrow(/algo\.lr/);
    expect(() => session.edit('env.maxSteps', 4)).toThrow(/cannot change/);
  });
});

it('a warning that no longer holds is withdrawn in the log, once', async () => {
  let played = 0;
  const late = probe('probe-late', {
    obs: { kind: 'discrete', n: 2 },
    action: { kind: 'discrete', n: 2, labels: ['a', 'b'] },
    maxSteps: 1,
    start: () => 0,
    observe: (_, __, out) => out.set([1, 0]),
    step: () => ({ reward: ++played > 2400 ? played % 2 : 0, terminated: true }),
  });
  const { events } = await finish(createSession({ config: configOf(late, 'q-learning', {}, 3000), seed: 1, now: () => 0, env: late }));
  const marks = events.flatMap((event) => (event.kind === 'mark' ? [event.type] : []));
  expect(marks).toEqual(['warning', 'recovered']);
});

it('numbers that break end the run with the cause and keep the state from before', async () => {
  const config = configOf(broken, 'ppo', small, 3200);
  const { events } = await finish(createSession({ config, seed: 1, now: () => 0, env: broken }));
  const last = events.at(-1);
  expect(last?.kind === 'state' && last.state).toBe('failed');
  expect(last?.kind === 'state' && last.error?.id).toBe('nan-input');
  expect(events.some((event) => event.kind === 'result')).toBe(false);
});

it('policies are kept densely at first and to the end, and evaluations come when asked', async () => {
  const config = configOf(getEnv('cartpole'), 'ppo', small, 16_000, { evalEvery: 4000 });
  const { events, rows } = await finish(createSession({ config, seed: 1, now: () => 0 }));
  const kept = events.flatMap((event) => (event.kind === 'policy' && event.keep === true ? [event.snapshot.step] : []));
  expect(kept.length).toBeGreaterThan(30);
  expect(kept.length).toBeLessThanOrEqual(41);
  expect(kept.at(-1)).toBe(16_000);
  expect(kept[0]).toBeLessThan(100);
  const column = 1 + [...getAlgo('ppo').metrics, { id: 'evalReturn' }].length - 1;
  expect(rows.filter((row) => Number.isFinite(row[column])).map((row) => row[0])).toEqual([4000, 8000, 12_000, 16_000]);
});

describe('completeRun', () => {
  const base = { env: { id: 'cartpole' }, algo: { id: 'ppo' } };
  it('fills every default', () => {
    const config = completeRun(base);
    expect(config.algo.config.lr).toBe(2.5e-4);
    expect(config.env.config.maxSteps).toBe(500);
    expect(config.run.seeds).toBe(5);
    expect(completeRun(config)).toEqual(config);
  });
  it.each([
    [{ ...base, algo: { id: 'ppo', config: { learningRate: 1 } } }, 'algo.learningRate', /lr/],
    [{ ...base, algo: { id: 'ppo', config: { lr: -1 } } }, 'algo.lr', /0/],
    [{ ...base, algo: { id: 'ppo', config: { minibatches: 7 } } }, 'algo.minibatches', /divide/],
    [{ ...base, env: { id: 'cartpole', config: { maxSteps: 0 } } }, 'env.maxSteps', /1/],
    [{ ...base, run: { steps: 0 } }, 'run.steps', /1/],
    [{ ...base, extra: 1 }, 'extra', /env, algo/],
    [{ ...base, env: { id: 'cartpole', version: 9 } }, 'env.version', /version 1/],
    [{ ...base, algo: { id: 'q-learning' } }, 'algo.id', /PPO/],
  ])('names what is wrong: %j', (json, field, allowed) => {
    let failure: { readonly field?: string; readonly fix: string; readonly message: string } | undefined;
    try {
      completeRun(json);
    } catch (error) {
      ({ failure } = error as { failure: typeof failure });
    }
    expect(failure?.field).toBe(field);
    expect(`${failure?.message} ${failure?.fix}`).toMatch(allowed);
  });
  it('knows only the names there are', () => {
    expect(() => completeRun({ ...base, env: { id: 'cartpool' } })).toThrow(/cartpole/);
    expect(() => completeRun({ ...base, algo: { id: 'pop' } })).toThrow(/ppo/);
  });
});

describe('edits at a step', () => {
  const config = completeRun({
    env: { id: 'cartpole' },
    algo: { id: 'ppo', config: { rolloutSteps: 32, hidden: [8] } },
    run: { steps: 3200, evalEpisodes: 2 },
  });
  const edit = { path: 'env.gravity', value: 3 };

  /** Held and released once it has come to `from`; the state there is kept. */
  async function held(from: number, edits: (step: number) => readonly { step: number; path: string; value: number }[]) {
    const kept: Saved[] = [];
    const session = createSession({ config, seed: 1, now: restlessClock(), sliceMs: 1, onRung: (saved) => kept.push(saved) });
    let step = -1;
    const end = await finish(session, (event) => {
      if (event.kind !== 'progress' || event.step < from || step >= 0) return;
      step = 0;
      void session.hold(edit).then((where) => {
        step = where?.step ?? -2;
        session.release(edits(step), true);
      });
    });
    return { ...end, step, kept, session };
  }
  const editMarks = (events: readonly SessionEvent[]): unknown[] =>
    events.flatMap((event) => (event.kind === 'mark' && event.type === 'edit' ? [[event.step, event.path, event.value]] : []));

  it('is made where it stands or further on, once, and the same again from the start, from the state before it and from one after it', async () => {
    for (const ahead of [0, 512]) {
      const a = await held(640, (step) => [{ step: step + ahead, ...edit }]);
      const at = a.step + ahead;
      expect(a.step).toBeGreaterThanOrEqual(640);
      expect(editMarks(a.events)).toEqual([[at, edit.path, edit.value]]);
      const edits = [{ step: at, ...edit }];
      const again = await finish(createSession({ config, seed: 1, now: () => 0, edits }));
      expect([again.hash, editMarks(again.events)]).toEqual([a.hash, [[at, edit.path, edit.value]]]);
      const steps = a.kept.map(({ meta }) => (meta.session as { step: number }).step);
      expect(steps).toContain(at);
      for (const resume of [a.kept[steps.indexOf(at)]!, a.kept.at(-1)!])
        expect((await finish(createSession({ config, seed: 1, now: () => 0, resume, edits }))).hash).toBe(a.hash);
    }
  });

  it('a run that is held and released with nothing is the same run', async () => {
    const a = await held(640, () => []);
    expect(a.hash).toBe((await finish(createSession({ config, seed: 1, now: () => 0 }))).hash);
  });

  it('an edit that cannot be made is refused and nothing stands still; a run that is over answers so', async () => {
    const session = createSession({ config, seed: 1, now: () => 0 });
    await expect(session.hold({ path: 'algo.hidden', value: 4 })).rejects.toThrow(/algo\.lr/);
    const whole = await finish(session);
    expect(whole.events.at(-1)).toMatchObject({ kind: 'state', state: 'done' });
    expect(await session.hold(edit)).toBeNull();
  });

  it('one that is paused stands still where it is', async () => {
    const session = createSession({ config, seed: 1, now: restlessClock(), sliceMs: 1 });
    let step = -1;
    const end = await finish(session, (event) => {
      if (event.kind === 'progress' && event.step >= 640 && step < 0) session.pause();
      if (event.kind !== 'state' || event.state !== 'paused') return;
      void session.hold(edit).then((where) => {
        step = where?.step ?? -2;
        session.release([{ step, ...edit }]);
        session.resume();
      });
    });
    expect(editMarks(end.events)).toEqual([[step, edit.path, edit.value]]);
  });
});
