/** Own worlds in the laboratory without a browser: the session host outside, the inside of a sandbox beside it, and texts between them. */
import { compileFunction } from 'node:vm';
import { expect, it, test } from 'vitest';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { LabError, toFailure } from '#contract/kit/errors.ts';
import { ownAnswers } from '#contract/own/answers.ts';
import { readAnswer } from '#contract/own/explain.ts';
import { readLabSaid } from '#contract/own/lab.ts';
import { OWN_SCOPE } from '#contract/own/text.ts';
import { ASKED, fromWire, PartReader, partsOf, TAKEN, toWire } from '#contract/own/wire.ts';
import { type RunConfig, runConfigSchema } from '#contract/run/config.ts';
import { worldId } from '#contract/run/config-hash.ts';
import type { PolicySnapshot, Replay } from '#contract/run/events.ts';
import { CODE_SETTING } from '#contract/run/own-world.ts';
import type { SandboxEnded, SandboxNews, SandboxPort, WatchApi } from '#contract/session/session.ts';
import { scopeOf } from '#core/own/scope.ts';
import { SessionPage } from '#core/testing/session-page.ts';
import { memoryDriver } from '#storage/driver.ts';
import { Library } from '#storage/library.ts';
import { createSessionHost } from '../session-host.ts';
import { createWatchHost } from '../watch-host.ts';
import { createLabHost, type LabHost } from './own-lab-host.ts';

const WALK = `defineEnv({
  title: 'Walk',
  settings: { length: { default: 5, min: 2, max: 20, whole: true } },
  observation: ['place'],
  actions: ['left', 'right'],
  maxSteps: 40,
  reset: () => ({ place: 0 }),
  step(state, action, { length }) {
    state.place += action === 1 ? 1 : -1;
    if (state.place < -3) return { reward: -1, ended: true };
    return { reward: state.place >= length ? 1 : -0.01, ended: state.place >= length };
  },
  observe: (state, { length }) => [state.place / length],
});`;

interface Inside {
  readonly host: LabHost;
  /** Parts as the page gets them. */
  hear: (part: string) => void;
}

async function inside(code: string): Promise<Inside> {
  const found: Inside = {
    host: createLabHost({
      send: (part) => {
        queueMicrotask(() => {
          found.hear(part);
          void found.host.hear(TAKEN);
        });
      },
      now: () => performance.now(),
      turn: () => new Promise((done) => setTimeout(done, 0)),
      later: (call) => void setTimeout(call, 0),
      watch: createWatchHost(),
    }),
    hear: () => {},
  };
  const scope = scopeOf();
  Reflect.apply(compileFunction(`'use strict';${code}`, [...OWN_SCOPE]), undefined, scope.values);
  await found.host.open(scope.given(), worldId(code), code, () => null);
  return found;
}

/** The way through the page. */
function wayTo(sandbox: Inside | null): {
  readonly port: SandboxPort;
  readonly news: (SandboxNews | string)[];
  say: (data: string | SandboxEnded) => void;
} {
  const news: (SandboxNews | string)[] = [];
  const port: SandboxPort = {
    onmessage: null,
    postMessage(message) {
      if (typeof message !== 'string' || sandbox === null) news.push(message);
      else void sandbox.host.hear(ASKED + message);
    },
  };
  const say = (data: string | SandboxEnded): void => port.onmessage?.({ data });
  if (sandbox !== null) sandbox.hear = say;
  return { port, news, say };
}

const ID = worldId(WALK);
const configOf = (changes: { readonly algo?: object; readonly run?: object; readonly env?: object } = {}): RunConfig =>
  runConfigSchema.parse({
    env: { id: ID, config: { length: 5, maxSteps: 40, [CODE_SETTING]: WALK, ...changes.env } },
    algo: { id: 'ppo', config: { rolloutSteps: 32, hidden: [8] }, ...changes.algo },
    run: { steps: 4096, seeds: 1, evalEpisodes: 2, ...changes.run },
  });

class Page extends SessionPage {
  constructor() {
    super(structuredClone);
  }

  get failure(): string {
    const failed = this.events.find((event) => event.kind === 'state' && event.state === 'failed');
    return failed?.kind === 'state' && failed.error !== undefined ? `${failed.error.message} ${failed.error.fix}` : '';
  }
}

const clocks = { now: () => performance.now(), wall: () => Date.now() };
const outside = (library: Library) => createSessionHost({ library: Promise.resolve(library), namespace: '/', clocks });
const request = (config: RunConfig) => ({ runId: 'r', config, seed: 3, resume: false });

async function uninterrupted(config: RunConfig): Promise<Page> {
  const page = new Page();
  await outside(new Library(memoryDriver())).start(request(config), page.port, wayTo(await inside(WALK)).port);
  await page.ended();
  return page;
}

// First: the others make the world known in this process, where inside and outside are one.
test('the worker does not train own code without a sandbox', async () => {
  await expect(outside(new Library(memoryDriver())).start(request(configOf()), new Page().port)).rejects.toThrow(/its code is not here/);
});

test('one seed: curves, kept policies, a result; the sandbox is let go when all of it is stored', async () => {
  const page = new Page();
  const way = wayTo(await inside(WALK));
  const library = new Library(memoryDriver());
  await outside(library).start(request(configOf()), page.port, way.port);
  await page.ended();
  expect(page.failure).toBe('');
  expect(page.hash).toMatch(/^[0-9a-f]{16}$/);
  const kinds = new Set(page.events.map(({ kind }) => kind));
  expect([...kinds]).toEqual(expect.arrayContaining(['metrics', 'progress', 'policy', 'checkpoint', 'result']));
  expect((await library.checkpoint('r', 3))?.step).toBe(4096);
  expect((await library.policies('r', 3)).length).toBeGreaterThan(5);
  await expect.poll(() => way.news).toEqual([{ close: true }]);
});

test.each([
  ['ppo', { id: 'ppo', config: { rolloutSteps: 32, hidden: [8] } }],
  ['dqn, with a replay buffer', { id: 'dqn', config: { hidden: [8], learningStarts: 200, bufferSize: 2000 } }],
])('%s: paused, saved and gone on with in another sandbox: the same parameters', async (_, algo) => {
  const config = configOf({ algo });
  const whole = await uninterrupted(config);
  expect([whole.failure, whole.hash]).toEqual(['', expect.stringMatching(/^[0-9a-f]{16}$/)]);
  const library = new Library(memoryDriver());
  const first = new Page();
  const worker = outside(library);
  await worker.start({ ...request(config), step: 'update' }, first.port, wayTo(await inside(WALK)).port);
  await first.paused();
  for (const pauses of [2, 3, 4]) {
    await worker.stepOnce();
    await first.paused(pauses);
  }
  await worker.save();
  const step = (await library.checkpoint('r', 3))?.step ?? -1;
  expect(step).toBeGreaterThan(0);
  expect(step).toBeLessThan(4096);
  const second = new Page();
  await outside(library).start({ ...request(config), resume: true }, second.port, wayTo(await inside(WALK)).port);
  await second.ended();
  expect(second.hash).toBe(whole.hash);
  await worker.stop();
  await first.ended();
});

test('simulated to be compared, in a sandbox of its own: the same result, and nothing is stored', async () => {
  const whole = await uninterrupted(configOf());
  const library = new Library(memoryDriver());
  const page = new Page();
  const way = wayTo(await inside(WALK));
  const result = await outside(library).simulate(configOf(), 3, page.port, way.port);
  expect([result.seed, result.parameterHash]).toEqual([3, whole.hash]);
  // A policy is sent by the clock, so that a slow machine sends one of a run as short as this too.
  const kinds = new Set(page.events.map(({ kind }) => kind).filter((kind) => kind !== 'policy'));
  expect(kinds).toEqual(new Set(['metrics', 'progress', 'result']));
  expect(await library.checkpoint('r', 3)).toBeNull();
  await expect.poll(() => way.news).toEqual([{ close: true }]);
});

test('a fork goes on from a state of another run, with a setting of the world changed', async () => {
  const library = new Library(memoryDriver());
  const page = new Page();
  await outside(library).start(request(configOf()), page.port, wayTo(await inside(WALK)).port);
  await page.ended();
  const points = page.events.findLast((event) => event.kind === 'checkpoint');
  const step = (points?.kind === 'checkpoint' ? points.points?.[3] : undefined) ?? 0;
  expect(step).toBeGreaterThan(0);
  const fork = new Page();
  const forked = { ...request(configOf({ env: { length: 8 } })), runId: 'f', from: { runId: 'r', step } };
  await outside(library).start(forked, fork.port, wayTo(await inside(WALK)).port);
  await fork.ended();
  expect(fork.failure).toBe('');
  expect(fork.hash).not.toBe(page.hash);
});

test('what is asked of a run while the sandbox loads it is obeyed before its first step', async () => {
  const page = new Page();
  const worker = outside(new Library(memoryDriver()));
  await worker.start(request(configOf()), page.port, wayTo(await inside(WALK)).port);
  await worker.stop();
  await page.ended();
  expect(page.events.at(-1)).toMatchObject({ state: 'stopped', step: 0 });
});

test('a field that is not live is refused; a live one changes where the run stands', async () => {
  const page = new Page();
  const worker = outside(new Library(memoryDriver()));
  await worker.start({ ...request(configOf()), step: 'update' }, page.port, wayTo(await inside(WALK)).port);
  await page.paused();
  await expect(worker.hold({ path: 'env.length', value: 9 })).rejects.toThrow(/length/);
  const held = await worker.hold({ path: 'algo.lr', value: 0.001 });
  expect(held).toMatchObject({ edit: { path: 'algo.lr', value: 0.001 } });
  await worker.release([{ step: held?.step ?? -1, path: 'algo.lr', value: 0.001 }]);
  await worker.resume();
  await page.ended();
  expect(page.events.some((event) => event.kind === 'mark' && event.type === 'edit' && event.step === held?.step)).toBe(true);
});

test('the world fails in the middle: the run fails and says where', async () => {
  const code = WALK.replace("title: 'Walk'", "title: 'Breaks'").replace(
    '{ length }) {',
    '{ length }, random) {\n    if (random.chance(0.001)) state.gone.x = 1;',
  );
  const page = new Page();
  const config = configOf();
  const broken = { ...config, env: { ...config.env, id: worldId(code), config: { ...config.env.config, [CODE_SETTING]: code } } };
  await outside(new Library(memoryDriver())).start(request(broken), page.port, wayTo(await inside(code)).port);
  await page.ended();
  expect(page.failure).toMatch(/step failed/);
});

/** A session outside, and a sandbox that says what it likes. */
async function against(
  say: (way: ReturnType<typeof wayTo>) => void,
): Promise<{ readonly page: Page; readonly way: ReturnType<typeof wayTo> }> {
  const page = new Page();
  const way = wayTo(null);
  await outside(new Library(memoryDriver())).start(request(configOf()), page.port, way.port);
  await expect.poll(() => way.news.length).toBeGreaterThan(0); // it was told to begin
  say(way);
  await page.ended();
  return { page, way };
}

const parts = (value: unknown): string => partsOf(toWire(value))[0] ?? '';
const policy = (changes: object): unknown => ({
  kind: 'policy',
  keep: true,
  snapshot: {
    ...{ kind: 'policy', version: 1, seed: 3, step: 1, executor: 'wasm', saved: { meta: {}, arrays: {} } },
    env: { id: ID, version: 1, config: {} },
    algo: { id: 'ppo', version: 1, config: {} },
    ...changes,
  },
});
const mark = { kind: 'mark', step: 1, type: 'warning', text: 'x', by: 'system' };

it.each([
  ['no text of a message', 'lab.{'],
  ['a text without an end', `lab.${'['.repeat(5000)}`],
  ['another kind', parts({ kind: 'run', code: 'x' })],
  ['a member more', parts({ kind: 'ended', more: 1 })],
  ['__proto__', 'lab.{"kind":"events","events":[],"__proto__":{"x":1}}'],
  ['a policy of another world', parts({ kind: 'events', events: [policy({ env: { id: 'cartpole', version: 1, config: {} } })] })],
  ['a policy of another method', parts({ kind: 'events', events: [policy({ algo: { id: 'dqn', version: 1, config: {} } })] })],
  ['a policy of another seed', parts({ kind: 'events', events: [policy({ seed: 4 })] })],
  ['a checkpoint', parts({ kind: 'events', events: [{ kind: 'checkpoint', step: 5, bytes: 1, seconds: 1 }] })],
  ['a change of executor', parts({ kind: 'events', events: [{ ...mark, type: 'executor', path: 'run.executor', value: 'webgpu' }] })],
  ['rows that do not fit', parts({ kind: 'events', events: [{ kind: 'metrics', columns: ['a'], rows: new Float64Array(3) }] })],
  ['rows of no step', parts({ kind: 'events', events: [{ kind: 'metrics', columns: ['a'], rows: Float64Array.of(Number.NaN, 1) }] })],
  ['a flood of marks', parts({ kind: 'events', events: new Array(1500).fill(mark) })],
  ['a flood of policies', parts({ kind: 'events', events: new Array(301).fill(policy({})) })],
  ['a state without a step', parts({ kind: 'rung', saved: { meta: {}, arrays: {} }, known: [] })],
  ['a state with arrays that never came', parts({ kind: 'rung', saved: { meta: { session: { step: 1 } }, arrays: {} }, known: ['a'] })],
  ['a result of another seed', parts({ kind: 'events', events: [{ kind: 'result', result: { seed: 9 } }] })],
  ['a very long text', parts({ kind: 'events', events: [{ ...mark, text: 'x'.repeat(2001) }] })],
])('hostile: %s ends the run with a message', async (_, text) => {
  const { page, way } = await against(({ say }) => {
    for (let i = 0; i < 6; i++) say(text);
  });
  expect(page.failure).toMatch(/none of the workbench's messages/);
  expect(way.news).toContainEqual({ close: true });
});

test('hostile: a failure that would start the worker again is a fault of the code', () => {
  const said = readLabSaid(toWire({ kind: 'refused', id: 1, failure: { id: 'gpu-lost', message: 'm', fix: 'f' } }));
  expect(said).toMatchObject({ failure: { id: 'world-invalid' } });
});

test('hostile: parts without end', () => {
  const reader = new PartReader();
  const part = `lab+${'x'.repeat(2_000_000)}`;
  expect(() => {
    for (let i = 0; i < 200; i++) reader.take(part);
  }).toThrow(/too long/);
});

test('the sandbox is ended, by the browser for instance: the run fails with the words of the page', async () => {
  const { page } = await against(({ say }) =>
    say({ ended: toFailure(new LabError({ id: 'world-invalid', message: 'Gone.', fix: 'Again.' })) }),
  );
  expect(page.failure).toBe('Gone. Again.');
});

test('values of every kind come through texts as they are', () => {
  const value = {
    a: [1, undefined, -0, Number.NaN, Number.POSITIVE_INFINITY],
    b: Float32Array.of(1.5, Number.NaN),
    c: { d: Int16Array.of(-1), e: new Uint8Array(0) },
    f: null,
  };
  expect(fromWire(toWire(value))).toEqual(value);
  expect(Object.is((fromWire(toWire([-0])) as number[])[0], -0)).toBe(true);
  expect(() => fromWire('{"$as":"f32","bytes":"AAA="}')).toThrow();
  expect(() => fromWire('{"$as":"constructor"}')).toThrow();
});

/** Asks the watch host inside as the page does, and reads the answer as the page does. */
function asker(sandbox: Inside) {
  const reader = new PartReader();
  const waiting = new Map<number, { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }>();
  let next = 1;
  sandbox.hear = (part) => {
    const text = reader.take(part);
    const said = text === null ? null : readLabSaid(text);
    if (said?.kind === 'answer') waiting.get(said.id)?.resolve(said.value);
    if (said?.kind === 'refused') waiting.get(said.id)?.reject(new LabError(said.failure));
  };
  return async <M extends keyof typeof ownAnswers>(
    method: M,
    ...args: Parameters<WatchApi[M]>
  ): Promise<Awaited<ReturnType<WatchApi[M]>>> => {
    const id = next++;
    const said = await new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      const sent = method === 'explain' ? args.slice(0, 1) : args; // what it tells on the way goes to a port, which stays here
      void sandbox.host.hear(ASKED + toWire({ kind: 'call', id, method, args: sent }));
    });
    return ownAnswers[method].parse(said) as Awaited<ReturnType<WatchApi[M]>>;
  };
}

test('the stage: card, fitting methods, episodes, frames, inspection, network, value map, a game', async () => {
  const sandbox = await inside(WALK);
  const ask = asker(sandbox);
  const ref = { id: ID, config: { [CODE_SETTING]: WALK } };
  const card: EnvCard = await ask('describe', ref);
  expect([card.title, card.agents, card.action.kind]).toEqual(['Walk', 1, 'discrete']);
  expect(card.schema.properties?.length).toMatchObject({ type: 'integer', minimum: 2, maximum: 20 });
  const config = await ask('complete', { env: ref, algo: { id: 'ppo', config: { hidden: [8] } } } as never);
  expect(config.env.config).toMatchObject({ length: 5, maxSteps: 40, [CODE_SETTING]: WALK });
  await expect(ask('complete', { env: { id: ID, config: { ...ref.config, length: 100 } }, algo: { id: 'ppo' } } as never)).rejects.toThrow(
    /length/,
  );
  await expect(ask('complete', { env: { id: ID, config: { [CODE_SETTING]: `${WALK} ` } }, algo: { id: 'ppo' } } as never)).rejects.toThrow(
    /code/,
  );
  const { fits, others } = await ask('fitting', ref);
  expect(fits.length).toBeGreaterThan(5);
  expect(others.length).toBeGreaterThan(5);
  const page = await uninterrupted(configOf());
  const learned = page.events.findLast((event) => event.kind === 'policy');
  const snapshot = (learned?.kind === 'policy' ? learned.snapshot : null) as PolicySnapshot;
  await ask('setPolicy', 'p', snapshot);
  const whole = { id: ID, config: config.env.config as EnvCard['defaults'] };
  const replay: Replay = await ask('play', whole, 'p', { seed: 1, greedy: true });
  const steps = replay.reward.length;
  const window = await ask('frames', replay, 0, 128);
  expect([window.total, replay.env.id]).toEqual([steps + 1, ID]);
  const inspection = await ask('inspect', replay, 0, 'p');
  expect(inspection.probs?.length).toBe(2);
  const network = await ask('network', 'p', whole, 0);
  expect(network.layers.length).toBeGreaterThan(1);
  const look = await ask('look', { replay, t: 0, policy: 'p', agent: 0, edits: [], network: { slope: null } });
  expect(look.values?.layers.length).toBe(network.layers.length);
  expect((await ask('stepNumbers', replay, 0, 'p', 0, null)).kind).toBe('V');
  expect(await ask('valueMap', replay, 0, 'p')).toBeNull();
  expect((await ask('rewardTerms', replay)).length).toBe(0);
  expect((await ask('onnx', snapshot, 0)).bytes.length).toBeGreaterThan(100);
  const request = { env: whole, team: { snapshot }, other: null, moment: { replay, t: 0 }, episodes: [replay], frames: null };
  for (const [explainer, config] of [
    ['counterfactual', { change: { kind: 'action', agent: 0, action: [0] }, continuations: 4 }],
    ['features', { draws: 20 }],
    ['attack', { episodes: 2 }],
  ] as const) {
    const said = await ask('explain', { ...request, explainer, config }, { postMessage: () => {} });
    expect(readAnswer(said, explainer, ID)).toMatchObject({ explainer, end: 'done' });
    expect(readAnswer(said, 'agents', ID)).toBeNull();
    if (explainer === 'counterfactual') expect(readAnswer(said, explainer, 'cartpole')).toBeNull();
  }
  const start = await ask('openPlay', whole, 1);
  expect(start.frames.length).toBeGreaterThan(0);
  const { reward } = await ask('playStep', [1], undefined, null);
  expect(reward).toBeCloseTo(-0.01, 6);
  expect((await ask('closePlay')).human?.length ?? 1).toBe(1);
});
