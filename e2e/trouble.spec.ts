import type { Browser, Page } from '@playwright/test';
import { type Copy, copyOfPage } from './copy.ts';
import { activeRun, allSeeds, curve, expect, field, follow, open, ready, runs, stepsDone, test, train } from './lab.ts';

test('a run that breaks stops with its cause, keeps its last good state, and goes on from there with a better setting', async ({
  page,
}) => {
  // A network of any depth survives a large step size while its gradients are clipped: here they are not.
  await open(
    page,
    '#env=pendulum&algo=ppo&steps=3000000&seeds=1&algo.maxGradNorm=1000000&algo.entropyCoef=10&algo.annealLr=false&algo.lr=0.0001',
  );
  await train(page);
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.checkpointStep ?? -1).toBeGreaterThan(0);
  const lr = field(page, /learning rate/i);
  await lr.fill('1');
  await lr.blur();
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.state, { timeout: 60_000 }).toBe('failed');

  const broken = (await activeRun(page))?.seeds[0];
  expect(broken?.failure?.id).toBe('nan-loss');
  const note = page.getByRole('alert').filter({ hasText: broken?.failure?.message ?? 'nothing' });
  await expect(note).toContainText('Lower the learning rate');
  // The broken iteration left nothing behind: every number on the curve is one.
  for (const metric of ['policyLoss', 'valueLoss', 'entropy']) {
    const values = (await curve(page, 1, metric))?.values ?? [];
    expect(values.length).toBeGreaterThan(0);
    expect(values.every(Number.isFinite)).toBe(true);
  }
  const good = broken?.checkpointStep ?? -1;
  expect(good).toBeGreaterThan(0);
  expect(good).toBeLessThanOrEqual(broken?.step ?? 0);

  await lr.fill('0.0001');
  await lr.blur();
  await note.getByRole('button', { name: /Resume from step/ }).click();
  await expect.poll(() => stepsDone(page)).toBeGreaterThan(good + 20_000);
  const healed = (await activeRun(page))?.seeds[0];
  expect(healed).toMatchObject({ state: 'running', failure: null });
  // The kept state may lie before the step of the edit, which is made when the run gets there.
  await expect
    .poll(async () => (await activeRun(page))?.seeds[0]?.marks.filter((mark) => mark.step >= good).map((mark) => mark.type), {
      timeout: 60_000,
    })
    .toEqual(expect.arrayContaining(['resume', 'edit']));
  expect(await runs(page)).toHaveLength(1);
  await page.getByRole('button', { name: /Stop and keep/ }).click();
});

test('an environment that takes long to make holds nothing: the next link is followed and trains', { tag: '@night' }, async ({
  page,
  complaints,
}) => {
  complaints.expected.push(/takes too long to make/);
  await page.goto('./#env=sokoban&env.size=12&env.boxes=5&env.leastPushes=8&env.levels=10000');
  await ready(page);
  await follow(page, '#env=cartpole&algo=ppo&steps=2048&seeds=1');
  await expect(page.getByRole('group', { name: 'Training' })).toBeVisible();
  await train(page);
  expect((await allSeeds(page, 'done')).seeds[0]?.step).toBeGreaterThanOrEqual(2048);
});

test('a panel that throws says so alone and hands over a report with config and build; everything else goes on', { tag: '@night' }, async ({
  page,
  context,
  complaints,
}) => {
  complaints.expected.push(/provoked/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, '#env=cartpole&algo=ppo&steps=5000000&seeds=1');
  await train(page);
  await expect.poll(() => stepsDone(page)).toBeGreaterThan(1000);
  // Small charts ask for their canvas at every drawing; nothing else on the page does.
  await page.evaluate(() => {
    HTMLCanvasElement.prototype.getContext = () => {
      throw new Error('provoked in a panel');
    };
  });
  const failed = page.locator('#panel-curves').getByRole('alert');
  await expect(failed).toContainText('Curves stopped working');
  const before = await stepsDone(page);
  await expect.poll(() => stepsDone(page)).toBeGreaterThan(before);
  await expect(page.getByRole('row').filter({ hasText: 'PPO' })).toContainText('training');
  await failed.getByRole('button', { name: 'Copy report' }).click();
  const report = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as {
    where: string;
    error: string;
    build: string;
    config: { env: { id: string } };
  };
  expect(report).toMatchObject({
    where: 'Curves',
    error: expect.stringContaining('provoked in a panel'),
    config: { env: { id: 'cartpole' } },
  });
  expect(report.build).toMatch(/^\d+\.\d+\.\d+/);

  // The panel comes back once its trouble is over.
  await page.evaluate(() => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const own = (frame.contentWindow as Window & typeof globalThis).HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = own;
  });
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(failed).toHaveCount(0);
});

test.describe('training workers with a fault', () => {
  let site: Copy;
  let page: Page;

  /** The built page once more, with these lines before the training worker's own. */
  const breakWorkers = async (browser: Browser, lines: string): Promise<void> => {
    site = await copyOfPage();
    site.change(/session\.worker-[^/]*\.js$/, (text) => `${lines}\n${text}`);
    page = await (await browser.newContext({ baseURL: site.url, reducedMotion: 'reduce' })).newPage();
  };
  test.afterEach(async () => {
    await page.context().close();
    site.close();
  });

  test('an error that nobody caught is reported, and the run goes on, the rest of the page untouched', { tag: '@night' }, async ({
    browser,
  }) => {
    await breakWorkers(browser, `new BroadcastChannel('break').onmessage = () => { throw new Error('provoked in a worker'); };`);
    await open(page, '#env=cartpole&algo=ppo&steps=1500000&seeds=1');
    await train(page);
    await expect.poll(async () => (await activeRun(page))?.seeds[0]?.checkpointStep ?? -1).toBeGreaterThan(0);
    await page.evaluate(() => new BroadcastChannel('break').postMessage(1));
    const texts = async (): Promise<string> => ((await activeRun(page))?.seeds[0]?.marks ?? []).map((mark) => mark.text).join(' ');
    await expect.poll(texts).toContain('provoked in a worker');
    await expect(page.getByRole('status').filter({ hasText: 'provoked in a worker' })).toBeVisible();
    await allSeeds(page, 'done', 60_000);
  });

  test('a graphics device that is destroyed amid a run costs the steps since the last checkpoint', { tag: '@night' }, async ({
    browser,
  }) => {
    test.setTimeout(240_000);
    await breakWorkers(
      browser,
      `{ const own = GPUAdapter.prototype.requestDevice;
       const open = [];
       GPUAdapter.prototype.requestDevice = async function (...args) {
         const device = await own.apply(this, args);
         open.push(device);
         return device;
       };
       new BroadcastChannel('break').onmessage = () => { for (const device of open) device.destroy(); }; }`,
    );
    const settings = 'algo.rolloutSteps=16&algo.epochs=1&algo.hidden=%5B16%5D&run.evalEpisodes=1';
    await open(page, `#env=cartpole&algo=ppo&steps=6000&seeds=1&executor=webgpu&${settings}`);
    await train(page);
    const seed = async () => (await activeRun(page))?.seeds[0];
    await expect.poll(async () => (await seed())?.checkpointStep ?? -1, { timeout: 120_000 }).toBeGreaterThan(0);
    const kept = (await seed())?.checkpointStep ?? 0;
    await page.evaluate(() => new BroadcastChannel('break').postMessage(1));
    const lost = async () => (await seed())?.marks.find((mark) => mark.text.includes('graphics device was lost'));
    await expect.poll(async () => (await lost()) !== undefined, { timeout: 60_000 }).toBe(true);
    const from = /from step ([\d,]+)/.exec((await lost())?.text ?? '')?.[1]?.replaceAll(',', '');
    expect(Number(from)).toBeGreaterThanOrEqual(kept);
    const run = await allSeeds(page, 'done', 150_000);
    expect(run.seeds[0]?.step).toBeGreaterThanOrEqual(6000);
    expect(run.seeds[0]?.marks.filter((mark) => mark.text.includes('graphics device was lost'))).toHaveLength(1);
    expect(run.seeds[0]?.marks.some((mark) => mark.type === 'executor')).toBe(false); // on a new device of the same kind
  });

  test('a graphics device that is lost again and again: the seed moves on to the next executor as a logged event', {
    tag: '@night',
  }, async ({ browser }) => {
    test.setTimeout(180_000);
    await breakWorkers(
      browser,
      `{ const own = GPUAdapter.prototype.requestDevice;
       GPUAdapter.prototype.requestDevice = async function (...args) {
         const device = await own.apply(this, args);
         setTimeout(() => device.destroy(), 50);
         return device;
       }; }`,
    );
    await open(page, '#env=cartpole&algo=ppo&steps=128&seeds=1&executor=tfjs-webgpu&algo.rolloutSteps=16&algo.epochs=1&run.evalEpisodes=1');
    await train(page);
    const run = await allSeeds(page, 'done', 150_000);
    const marks = run.seeds[0]?.marks ?? [];
    expect(marks.filter((mark) => mark.text.includes('graphics device was lost'))).toHaveLength(2);
    expect(marks.find((mark) => mark.type === 'executor')?.text).toContain('trains on tfjs-webgl');
    expect(run.config.run.executor).toBe('tfjs-webgpu'); // what was asked for stays in the config
    expect(run.seeds[0]?.step).toBeGreaterThanOrEqual(128);
  });
});
