import { expect, test } from 'vitest';
import type { SessionApi } from '#contract/session/session.ts';
import { completeRun } from '#core/run/loaded.ts';
import { SessionPage } from '#core/testing/session-page.ts';
import { memoryDriver } from '#storage/driver.ts';
import { Library } from '#storage/library.ts';
import { createSessionHost } from './session-host.ts';

const config = completeRun({
  env: { id: 'cartpole' },
  algo: { id: 'ppo', config: { rolloutSteps: 32, hidden: [8] } },
  run: { steps: 4096, evalEpisodes: 2 },
});

const clocks = { now: () => performance.now(), wall: () => Date.now() };
const host = (library: Library): SessionApi => createSessionHost({ library: Promise.resolve(library), namespace: '/', clocks });
const request = { runId: 'r', config, seed: 3 };

class Page extends SessionPage {
  constructor() {
    super(structuredClone);
  }

  /** Rows of one metric up to and including this step: [step, value]. */
  curve(metric: string, upTo = Number.POSITIVE_INFINITY): number[][] {
    return this.events.flatMap((event) => {
      if (event.kind !== 'metrics') return [];
      const width = event.columns.length + 1;
      const column = event.columns.indexOf(metric) + 1;
      const rows: number[][] = [];
      for (let at = 0; at < event.rows.length; at += width) rows.push([event.rows[at]!, event.rows[at + column]!]);
      return rows.filter(([step, value]) => (step as number) <= upTo && !Number.isNaN(value));
    });
  }
}

async function uninterrupted(): Promise<Page> {
  const page = new Page();
  await host(new Library(memoryDriver())).start({ ...request, resume: false }, page.port);
  await page.ended();
  return page;
}

test('pause, end of the page, resume in a new worker: the same curve and parameters, bit for bit', async () => {
  const whole = await uninterrupted();
  expect(whole.hash).not.toBe('');
  const library = new Library(memoryDriver());
  const first = new Page();
  const worker = host(library);
  await worker.start({ ...request, resume: false }, first.port);
  await worker.pause();
  await first.paused();
  for (const pauses of [2, 3, 4]) {
    await worker.stepOnce();
    await first.paused(pauses);
  }
  await worker.save();
  const checkpoint = (await library.checkpoint('r', 3))?.step ?? -1;
  expect(checkpoint).toBeGreaterThan(0);
  expect(checkpoint).toBeLessThan(4096);
  first.alive = false; // the page is gone
  const second = new Page();
  await host(library).start({ ...request, resume: true }, second.port);
  await second.ended();
  expect(second.hash).toBe(whole.hash);
  for (const metric of ['episodicReturn', 'policyLoss', 'entropy']) {
    expect([...first.curve(metric, checkpoint), ...second.curve(metric)]).toEqual(whole.curve(metric));
  }
});

test('killed between two saves, the run goes on from the last one to the same end', async () => {
  const whole = await uninterrupted();
  const library = new Library(memoryDriver());
  const first = new Page();
  const worker = host(library);
  await worker.start({ ...request, resume: false }, first.port);
  await worker.stepOnce();
  await first.paused();
  await worker.save();
  const checkpoint = (await library.checkpoint('r', 3))?.step ?? -1;
  const driver = library.driver;
  const frozen = { ...driver, put: async () => {}, writeFile: async () => {} };
  await worker.resume();
  const second = new Page();
  // A second library over the same data: what the dead worker would still write must not matter.
  await host(new Library(frozen)).start({ ...request, resume: true }, second.port);
  await second.ended();
  expect(second.events.find((event) => event.kind === 'mark' && event.type === 'resume')).toMatchObject({ step: checkpoint });
  expect(second.hash).toBe(whole.hash);
  await worker.stop();
});

test('one worker trains seeds one after another, and refuses two at once', async () => {
  const library = new Library(memoryDriver());
  const worker = host(library);
  const first = new Page();
  await worker.start({ ...request, resume: false }, first.port);
  await expect(worker.start({ ...request, seed: 4, resume: false }, new Page().port)).rejects.toThrow('already training');
  await first.ended();
  const second = new Page();
  await worker.start({ ...request, seed: 4, resume: false }, second.port);
  await second.ended();
  expect(second.hash).not.toBe(first.hash);
  expect((await library.loadCheckpoint('r', 3))?.step).toBe(4096);
});

test('a field that is not live is refused by name', async () => {
  const worker = host(new Library(memoryDriver()));
  expect(await worker.hold({ path: 'algo.lr', value: 1 })).toBeNull();
  const page = new Page();
  await worker.start({ ...request, resume: false }, page.port);
  await expect(worker.hold({ path: 'algo.hidden', value: [4] })).rejects.toMatchObject({
    failure: { id: 'config-invalid', field: 'algo.hidden' },
  });
  const step = (await worker.hold({ path: 'algo.lr', value: 0.0001 }))?.step ?? -1;
  await worker.release([{ step, path: 'algo.lr', value: 0.0001 }]);
  await page.ended();
  expect(page.events.find((event) => event.kind === 'mark' && event.type === 'edit')).toMatchObject({
    step,
    path: 'algo.lr',
    value: 0.0001,
  });
});

test.each(['from the start', 'after another'])(
  'what is asked of a run while it is being loaded is obeyed before its first step: %s',
  async (when) => {
    const worker = host(new Library(memoryDriver()));
    if (when === 'after another') {
      const before = new Page();
      await worker.start({ ...request, runId: 'before', resume: false }, before.port);
      await before.ended(); // its last words may still be on the way to the disk
    }
    const first = new Page();
    let begun = worker.start({ ...request, resume: false }, first.port);
    await worker.stop();
    await begun;
    await first.ended();
    expect(first.events.at(-1)).toMatchObject({ kind: 'state', state: 'stopped', step: 0 });
    const second = new Page();
    begun = worker.start({ ...request, seed: 4, resume: false }, second.port);
    await worker.pause();
    await worker.stopAt({ meanReturn: 1 });
    await begun;
    await second.paused();
    expect(second.events.at(-1)).toMatchObject({ kind: 'state', state: 'paused', step: 0 });
    await worker.resume();
    await second.ended();
    expect(second.events.find((event) => event.kind === 'mark')).toMatchObject({ type: 'stop' });
    const third = new Page();
    begun = worker.start({ ...request, seed: 5, resume: false }, third.port);
    await worker.pause();
    await worker.stepOnce();
    await begun;
    await third.paused();
    expect(third.events.find((event) => event.kind === 'state' && event.state === 'paused')).toMatchObject({ step: 128 });
    await worker.stop();
    await third.ended();
  },
);

test('a worker that is loading a run refuses another, and asks nothing of it where the first could not be loaded', async () => {
  const worker = host(new Library(memoryDriver()));
  const nowhere = { ...config, env: { ...config.env, id: 'none' } };
  const begun = worker.start({ ...request, config: nowhere, resume: false }, new Page().port);
  await worker.stop();
  await expect(worker.start({ ...request, resume: false }, new Page().port)).rejects.toThrow('already training');
  await expect(begun).rejects.toThrow('none');
  const page = new Page();
  await worker.start({ ...request, resume: false }, page.port);
  await page.ended();
  expect(page.events.at(-1)).toMatchObject({ state: 'done' });
});
