/** Runs that go on from a kept state of another run. */
import { expect, test } from 'vitest';
import type { RunConfig } from '#contract/run/config.ts';
import type { EditOf, SessionEvent, SessionState } from '#contract/run/events.ts';
import { writePath } from '#contract/run/paths.ts';
import type { EditRequest, EventBatch, Origin } from '#contract/session/session.ts';
import { completeRun } from '#core/run/loaded.ts';
import { memoryDriver } from '#storage/driver.ts';
import { Library } from '#storage/library.ts';
import { createSessionHost } from './session-host.ts';

const SEED = 3;
const ppo = completeRun({
  env: { id: 'cartpole' },
  algo: { id: 'ppo', config: { rolloutSteps: 32, hidden: [8] } },
  run: { steps: 32_768, evalEpisodes: 2 },
});
const dqn = completeRun({
  env: { id: 'cartpole' },
  algo: { id: 'dqn', config: { hidden: [8], bufferSize: 2048, learningStarts: 200 } },
  run: { steps: 24_000, evalEpisodes: 2 },
});

interface Ended {
  readonly state: SessionState;
  readonly message: string;
  readonly hash: string;
  readonly events: readonly SessionEvent[];
  readonly points: readonly number[];
}

/** Trains a run to its end, as a worker does. `edit`: a live edit once it has come so far. */
async function train(
  library: Library,
  runId: string,
  config: RunConfig,
  from?: Origin,
  edit?: EditRequest & { readonly at: number },
  edits?: readonly EditOf[],
): Promise<Ended> {
  // Progress is told by the clock: one that leaps at every look tells each step of it, so that an edit never comes after the end.
  let leaps = 0;
  const clocks = { now: edit === undefined ? () => performance.now() : () => 250 * leaps++, wall: () => Date.now() };
  const host = createSessionHost({ library: Promise.resolve(library), namespace: '/', clocks });
  const events: SessionEvent[] = [];
  const over = new Promise<void>((resolve) => {
    let edited = edit === undefined;
    const port = {
      postMessage: (batch: EventBatch): void => {
        events.push(...structuredClone(batch).events);
        const step = events.findLast((event) => event.kind === 'progress')?.step ?? 0;
        if (!edited && edit !== undefined && step >= edit.at) {
          edited = true;
          void host.hold(edit).then((held) => host.release(held === null ? [] : [{ step: held.step, ...edit }]));
        }
        if (events.some((event) => event.kind === 'state' && ['done', 'failed', 'stopped'].includes(event.state))) resolve();
      },
    };
    void host
      .start({ runId, config, seed: SEED, resume: false, from, ...(edits !== undefined && { edits }) }, port)
      .catch((error: unknown) => {
        events.push({ kind: 'state', state: 'failed', step: 0, error: { id: 'internal', message: String(error), fix: '' } });
        resolve();
      });
  });
  await over;
  const state = events.findLast((event) => event.kind === 'state');
  const result = events.find((event) => event.kind === 'result');
  // Its last state is written after its end is told.
  if (result !== undefined) await expect.poll(async () => (await library.checkpoint(runId, SEED))?.step).toBe(result.result.steps);
  const points = (await library.checkpoint(runId, SEED))?.points?.map(({ step }) => step) ?? [];
  return {
    state: state?.state ?? 'failed',
    message: state?.error?.message ?? '',
    hash: result?.result.parameterHash ?? '',
    events,
    points,
  };
}

const rowsOf = ({ events }: Ended, metric: string): number[][] =>
  events.flatMap((event) => {
    if (event.kind !== 'metrics') return [];
    const width = event.columns.length + 1;
    const column = event.columns.indexOf(metric) + 1;
    return Array.from({ length: event.rows.length / width }, (_, i) => [event.rows[i * width]!, event.rows[i * width + column]!]).filter(
      ([, value]) => !Number.isNaN(value),
    );
  });

test.each([
  ['ppo', ppo],
  ['dqn, with its replay buffer', dqn],
])('%s: a fork with nothing changed is the same run, bit for bit, from every part of it', async (_, config) => {
  const library = new Library(memoryDriver());
  const whole = await train(library, 'parent', config);
  expect(whole.points.length).toBeGreaterThanOrEqual(20);
  for (const place of [1, Math.floor(whole.points.length / 2), whole.points.length - 2]) {
    const step = whole.points[place] ?? 0;
    const child = await train(library, `child${place}`, config, { runId: 'parent', step });
    expect(child.state).toBe('done');
    expect(child.hash).toBe(whole.hash);
    expect(rowsOf(child, 'episodicReturn')).toEqual(rowsOf(whole, 'episodicReturn'));
    expect(child.events.find((event) => event.kind === 'mark')).toMatchObject({ step, text: `goes on from step ${step} of another run` });
    // What it shares is stored as its own: the other run may be deleted.
    expect((await library.curves(`child${place}`, SEED)).some(({ from }) => from === 0)).toBe(true);
  }
});

test('with another learning rate, and in another world, it goes on from the same past to another end', async () => {
  const library = new Library(memoryDriver());
  const whole = await train(library, 'parent', ppo);
  const step = whole.points[10] ?? 0;
  const before = (ended: Ended): number[][] => rowsOf(ended, 'episodicReturn').filter(([at]) => (at ?? 0) <= step);
  const faster = await train(library, 'faster', writePath(ppo, 'algo.lr', 0.01), { runId: 'parent', step });
  const heavier = await train(library, 'heavier', writePath(ppo, 'env.gravity', 15), { runId: 'parent', step });
  for (const child of [faster, heavier]) {
    expect(child.state).toBe('done');
    expect(child.hash).not.toBe(whole.hash);
    expect(before(child)).toEqual(before(whole));
  }
  expect(faster.hash).not.toBe(heavier.hash);
  // A fork is a run like any other: it can be forked again.
  const point = faster.points[3] ?? 0;
  const again = await train(library, 'again', writePath(ppo, 'algo.lr', 0.01), { runId: 'faster', step: point });
  expect(again.hash).toBe(faster.hash);
});

test('a network of another size, and a checkpoint that is gone, are refused in words', async () => {
  const library = new Library(memoryDriver());
  const whole = await train(library, 'parent', ppo);
  const step = whole.points[5] ?? 0;
  const wider = await train(library, 'wider', writePath(ppo, 'algo.hidden', [16]), { runId: 'parent', step });
  expect(wider.state).toBe('failed');
  expect(wider.message).toContain('cannot go on');
  const gone = await train(library, 'gone', ppo, { runId: 'parent', step: step + 1 });
  expect(gone).toMatchObject({ state: 'failed', message: expect.stringContaining('not stored any more') });
});

test('the state before a live edit is kept: a shadow that goes on from it ends as a run that was never edited', async () => {
  const library = new Library(memoryDriver());
  const plain = await train(library, 'plain', ppo);
  const edited = await train(library, 'edited', ppo, undefined, { path: 'algo.lr', value: 0.01, at: 5000 });
  expect(edited.hash).not.toBe(plain.hash);
  const mark = edited.events.find((event) => event.kind === 'mark' && event.type === 'edit');
  const step = mark?.kind === 'mark' ? mark.step : 0;
  expect(edited.points).toContain(step);
  const shadow = await train(library, 'shadow', ppo, { runId: 'edited', step });
  expect(shadow.hash).toBe(plain.hash);
});

test('the same run with one more edit, from a kept state, is the run that has the edit from its start, in rows and bits', async () => {
  const library = new Library(memoryDriver());
  const first = { step: 4096, path: 'algo.lr', value: 0.01 };
  const second = { step: 20_480, path: 'env.gravity', value: 15 };
  const parent = await train(library, 'parent', ppo, undefined, undefined, [first]);
  const whole = await train(library, 'whole', ppo, undefined, undefined, [first, second]);
  const step = parent.points.findLast((point) => point < second.step) ?? 0;
  expect(step).toBeGreaterThan(first.step);
  const branch = await train(library, 'branch', ppo, { runId: 'parent', step, same: true }, undefined, [first, second]);
  expect(branch.hash).toBe(whole.hash);
  expect(whole.hash).not.toBe(parent.hash);
  expect(rowsOf(branch, 'episodicReturn')).toEqual(rowsOf(whole, 'episodicReturn'));
  const editSteps = (ended: Ended): number[] =>
    ended.events.flatMap((event) => (event.kind === 'mark' && event.type === 'edit' ? [event.step] : []));
  expect([editSteps(branch), editSteps(whole)]).toEqual([[second.step], [first.step, second.step]]);
  // A seed that has no such state begins at the start and comes to the same.
  expect(branch.points.some((point) => point > step)).toBe(true);
});
