import { resolve } from 'node:path';
import type { Browser } from '@playwright/test';
import { build } from 'vite';
import { serve } from '../tools/serve.mjs';
import { curve, expect, open, test, trainToEnd } from './lab.ts';

interface Trace {
  readonly losses: readonly number[];
  readonly parameters: { readonly [name: string]: readonly number[] };
}

/** |a - b| / max(|b|, floor), the largest. */
function worst(a: readonly number[], b: readonly number[], floor: number): number {
  expect(a.length).toBe(b.length);
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? Number.NaN)) / Math.max(Math.abs(b[i] ?? 0), floor)), 0);
}

/** What the worker that `query` asks for answers, and what the browser had to complain about. */
async function ask(
  browser: Browser,
  query: string,
  patience: number,
): Promise<{ readonly result: unknown; readonly complaints: string[] }> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (/validation|invalid|uncaptured|error/i.test(message.text())) complaints.push(message.text());
  });
  await page.goto(`${site.url}?${query}`);
  const answer = page.locator('#answer[data-done]');
  await answer.waitFor({ state: 'attached', timeout: patience });
  const result: unknown = JSON.parse((await answer.textContent()) ?? '');
  await page.close();
  return { result, complaints };
}

let site: Awaited<ReturnType<typeof serve>>;
test.beforeAll(async () => {
  const outDir = resolve('node_modules/.cache/rl-workbench/parity');
  await build({
    configFile: false,
    root: resolve('e2e/parity'),
    base: './',
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, target: 'esnext' },
  });
  site = await serve({ dir: outDir, port: 0 });
});
test.afterAll(() => {
  site.server.close();
});

for (const [executor, tag] of [
  ['webgpu', []],
  ['tfjs-webgpu', ['@night']],
] as const)
  test(`five gradient steps on a recorded rollout agree on ${executor} and wasm`, { tag: [...tag] }, async ({ browser }) => {
    test.setTimeout(180_000);
    const { result, complaints } = await ask(browser, `executor=${executor}`, 150_000);
    const { error, wasm, webgpu } = result as { error?: string; wasm: Trace; webgpu: Trace };
    expect(error).toBeUndefined();
    expect(new Set(wasm.losses.filter(Number.isFinite)).size).toBe(5);
    expect(worst(webgpu.losses, wasm.losses, 1e-3)).toBeLessThan(1e-3);
    const names = Object.keys(wasm.parameters);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const [gpu, exact] = [webgpu.parameters[name] ?? [], wasm.parameters[name] ?? []];
      // Relative to the size of the tensor's entries: a parameter that is nearly zero has no relative error worth the name.
      const scale = Math.sqrt(exact.reduce((sum, value) => sum + value * value, 0) / exact.length);
      expect(worst(gpu, exact, scale), name).toBeLessThan(1e-3);
    }
    expect(complaints).toEqual([]);
  });

/** Everything takes minutes where a processor plays the graphics card; CI runs a part of it. */
for (const [title, amount, tag] of [
  [
    'a part of the conformance suite and of the fuzzer',
    { sizes: [3], every: 29, seeds: 3, large: false, training: ['adamW', 'assign', 'put', 'parts'], barriers: true },
    ['@night'],
  ],
  [
    'a part of them without barriers',
    { sizes: [3], every: 29, seeds: 3, large: false, training: ['adamW', 'assign', 'put', 'parts'], barriers: false },
    ['@night'],
  ],
  [
    'the whole conformance suite and 300 random programs',
    { sizes: [1, 2, 3, 5, 7, 17, 65], every: 1, seeds: 300, large: true, barriers: true },
    ['@night'],
  ],
  [
    'the whole of them without barriers',
    { sizes: [1, 2, 3, 5, 7, 17, 65], every: 1, seeds: 300, large: true, barriers: false },
    ['@night'],
  ],
] as const)
  test(`${title} hold on webgpu`, { tag: [...tag] }, async ({ browser }) => {
    test.setTimeout(3_600_000);
    const { result, complaints } = await ask(browser, `amount=${encodeURIComponent(JSON.stringify(amount))}`, 3_500_000);
    expect(result).toMatchObject({ failures: [] });
    expect((result as { programs: number }).programs).toBeGreaterThan(amount.seeds + 8);
    expect(complaints).toEqual([]);
  });

for (const [executor, tag] of [
  ['webgpu', []],
  ['tfjs-webgpu', ['@night']],
] as const)
  test(`a PPO run on ${executor} completes an iteration and is labelled within tolerance`, { tag: [...tag] }, async ({ page }) => {
    test.setTimeout(180_000);
    await open(page, `#env=cartpole&algo=ppo&steps=64&seeds=1&executor=${executor}&algo.rolloutSteps=16&algo.epochs=1&run.evalEpisodes=1`);
    const run = await trainToEnd(page, 150_000);
    expect(run.config.run.executor).toBe(executor);
    expect(run.seeds[0]?.step).toBeGreaterThanOrEqual(64);
    await expect(page.getByRole('button', { name: `Executor ${executor}, within tolerance` })).toBeVisible();
  });

test('a group of answers that is decoded on the device is the one that wasm decodes', { tag: '@night' }, async ({ page }) => {
  test.setTimeout(300_000);
  const task = 'env=t-turns&algo=group-rl&steps=300&seeds=1&run.evalEpisodes=1';
  const net = 'algo.prompts=2&algo.group=8&algo.width=16&algo.layers=1&algo.heads=2';
  const found: unknown[] = [];
  for (const executor of ['wasm', 'webgpu']) {
    await open(page, `#${task}&${net}&executor=${executor}`);
    const run = await trainToEnd(page, 250_000);
    expect(run.config.run.executor).toBe(executor);
    const [length, entropy] = [await curve(page, 1, 'episodeLength'), await curve(page, 1, 'entropy')];
    // of the first update: later ones are learned within a tolerance
    found.push([length?.steps[0], length?.values[0], entropy?.values[0]?.toFixed(3)]);
  }
  expect(found[0]).not.toContain(undefined);
  expect(found[1]).toEqual(found[0]);
});

test('without WebGPU the page says so and trains all the same', { tag: '@night' }, async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined }));
  await open(page, '#env=cartpole&algo=ppo&steps=2048&seeds=1');
  await trainToEnd(page);
  await page.getByRole('button', { name: /Executor wasm, exact/ }).click();
  await expect(page.getByText('this browser has no WebGPU')).toBeVisible();
});

/** What rollouts.worker.ts posts of copies that moved on the device and on the host. */
interface Moved {
  readonly error?: string;
  readonly state: number;
  readonly obs: number;
  readonly reward: number;
  readonly wrongWords: number;
  readonly wrongEnds: number;
  readonly ended: number;
}

for (const [what, task, tag] of [
  // Most copies are somewhere inside an episode; some end in this very step and start anew.
  ['cartpole makes one step from 1,000 states met on the host', { env: 'cartpole', config: {}, copies: 1000, steps: 1, before: 60 }, []],
  [
    'DoorKey stays the same world for 200 steps',
    { env: 'minigrid-doorkey', config: { width: 5, height: 5, maxSteps: 60 }, copies: 64, steps: 200, before: 0 },
    ['@night'],
  ],
  [
    'Empty with random starts stays the same world for 200 steps',
    { env: 'minigrid-empty', config: { randomStart: true, maxSteps: 60 }, copies: 64, steps: 200, before: 0 },
    ['@night'],
  ],
] as const)
  test(`on the device ${what}`, { tag: [...tag] }, async ({ browser }) => {
    test.setTimeout(300_000);
    const { result, complaints } = await ask(browser, `rollouts=${encodeURIComponent(JSON.stringify(task))}`, 280_000);
    const moved = result as Moved;
    expect(moved.error).toBeUndefined();
    expect(moved.ended).toBeGreaterThan(0);
    expect(moved).toMatchObject({ wrongWords: 0, wrongEnds: 0 });
    expect(moved.state).toBeLessThan(1e-5); // of the largest value of each number
    expect(moved.obs).toBeLessThan(1e-5 * 4);
    expect(moved.reward).toBeLessThan(1e-6);
    expect(complaints).toEqual([]);
  });

for (const [swarm, config, within, tag] of [
  ['boids', { boids: 1000, box: 45 }, 1e-5, []],
  ['vicsek-swarm', { particles: 1000, box: 15, eta: 1 }, 1e-5, ['@night']],
  ['boids', { boids: 50, box: 4 }, 1e-5, ['@night']], // one cell
  // Of so many, some have neighbours whose offsets nearly cancel: of what is left float32 knows the direction less well.
  ['boids', { boids: 10_000, box: 140 }, 5e-5, ['@night']],
] as const)
  test(`on the device ${swarm} ${JSON.stringify(config)} step as on the host`, { tag: [...tag] }, async ({ browser }) => {
    const task = { swarm, config, times: [0, 20, 80] };
    const { result, complaints } = await ask(browser, `swarms=${encodeURIComponent(JSON.stringify(task))}`, 100_000);
    const { error, worst, moved } = result as { readonly error?: string; readonly worst: number; readonly moved: number };
    expect(error).toBeUndefined();
    expect(moved).toBeGreaterThan(1e-3); // a step that does nothing would be near everything
    expect(worst).toBeLessThan(within); // of the largest value of each number
    expect(complaints).toEqual([]);
  });

interface Trained {
  readonly rows: readonly { readonly [metric: string]: number }[];
  readonly returns: readonly number[];
  readonly seconds: number;
  readonly dispatches?: number;
  readonly submits?: number;
}
type Both = { readonly error?: string } & { readonly [executor in 'wasm' | 'webgpu-rollouts']: Trained };

test('PPO whose rollouts stay on the device reports what PPO on wasm does', { tag: ['@night'] }, async ({ browser }) => {
  test.setTimeout(180_000);
  // One minibatch: the order of places, which alone differs, does not matter.
  const train = { envs: 32, rolloutSteps: 16, minibatches: 1, epochs: 2, hidden: [16], lr: 0.01 };
  const task = { env: 'cartpole', config: { maxSteps: 20 }, copies: 0, steps: 0, before: 0, train, iterations: 2 };
  const { result, complaints } = await ask(browser, `rollouts=${encodeURIComponent(JSON.stringify(task))}`, 170_000);
  const { error, wasm, 'webgpu-rollouts': device } = result as Both;
  expect(error).toBeUndefined();
  expect(wasm.rows).toHaveLength(2);
  expect(wasm.returns.length).toBeGreaterThan(10);
  expect(device.returns).toEqual(wasm.returns);
  wasm.rows.forEach((row, i) => {
    for (const [metric, value] of Object.entries(row)) {
      const found = device.rows[i]?.[metric] ?? Number.NaN;
      expect(Math.abs(found - value), `${metric}: ${found}, not ${value}`).toBeLessThan(1e-3 * Math.max(1, Math.abs(value)));
    }
  });
  expect(complaints).toEqual([]);
});

const small = { prompts: 4, group: 4, width: 16, layers: 1, heads: 2 };
for (const [what, task] of [
  [
    'group-rl on t-reason',
    { algo: 'group-rl', env: 't-reason', config: { ...small, epochs: 2, minibatches: 2, reference: { kind: 'fixed', coef: 0.05 } } },
  ],
  [
    'group-rl on rows that begin anew',
    { algo: 'group-rl', env: 't-house', config: { ...small, prompts: 2, cloning: { kind: 'on', steps: 2 }, entropyCoef: 0.05 } },
  ],
  [
    'token-ppo on t-turns',
    { algo: 'token-ppo', env: 't-turns', config: { rows: 16, width: 16, layers: 1, heads: 2, critic: 'turn', entropyCoef: 0.05 } },
  ],
  ['ppo on cartpole', { algo: 'ppo', env: 'cartpole', config: { rolloutSteps: 16, hidden: [16] } }],
] as const)
  test(`the first updates of ${what} are on webgpu what they are on wasm`, { tag: ['@night'] }, async ({ browser }) => {
    test.setTimeout(300_000);
    const asked = { executor: 'webgpu', envConfig: {}, updates: 4, ...task };
    const { result, complaints } = await ask(browser, `training=${encodeURIComponent(JSON.stringify(asked))}`, 280_000);
    const { error, wasm, other } = result as { readonly error?: string } & Readonly<Record<'wasm' | 'other', Trained>>;
    expect(error).toBeUndefined();
    expect(wasm.rows).toHaveLength(4);
    expect(new Set(wasm.rows.map((row) => row.gradNorm ?? row.cloneLoss ?? row.policyLoss)).size).toBe(4);
    wasm.rows.forEach((row, i) => {
      for (const [metric, value] of Object.entries(row)) {
        if (value === null) continue; // no episode yet
        const found = other.rows[i]?.[metric] ?? Number.NaN;
        expect(Math.abs(found - value), `update ${i + 1}, ${metric}: ${found}, not ${value}`).toBeLessThan(
          2e-3 * Math.max(1, Math.abs(value)),
        );
      }
    });
    expect(complaints).toEqual([]);
  });

test('a run on tokens trains to its end on webgpu in the laboratory', { tag: ['@night'] }, async ({ page }) => {
  test.setTimeout(180_000);
  await open(page, `#env=t-reason&algo=group-rl&steps=1500&seeds=1&executor=webgpu&run.evalEpisodes=4`);
  const run = await trainToEnd(page, 150_000);
  expect(run.config.run.executor).toBe('webgpu');
  expect(run.seeds[0]?.step).toBeGreaterThanOrEqual(1500);
});

test('rollouts on the device train in the laboratory and are labelled within tolerance', { tag: ['@night'] }, async ({ page }) => {
  test.setTimeout(180_000);
  const settings = 'algo.envs=16&algo.rolloutSteps=16&algo.epochs=1&algo.hidden=%5B16%5D&run.evalEpisodes=1';
  await open(page, `#env=cartpole&algo=ppo&steps=512&seeds=1&executor=webgpu-rollouts&${settings}`);
  const run = await trainToEnd(page, 150_000);
  expect(run.config.run.executor).toBe('webgpu-rollouts');
  expect(run.seeds[0]?.step).toBe(512);
  await expect(page.getByRole('button', { name: 'Executor webgpu-rollouts, within tolerance' })).toBeVisible();
});

test('a swarm moves on the device and is drawn from there, settings changing meanwhile', { tag: ['@night'] }, async ({ page }) => {
  await page.goto('./#/swarm?model=boids&members=1000');
  const figures = page.locator('[data-steps]');
  const steps = async (): Promise<number> => Number(await figures.getAttribute('data-steps'));
  // Who wants less motion starts it.
  await page.getByRole('button', { name: 'Move' }).click();
  await expect.poll(steps).toBeGreaterThan(5);
  await page.getByRole('slider', { name: /Separation/ }).fill('3');
  const reached = await steps();
  await expect.poll(steps).toBeGreaterThan(reached + 5);
  await page.getByRole('button', { name: 'Pause' }).click();
  // Arrowheads of every direction lie on the paper: many colours, none of them over all of it.
  const canvas = page.getByRole('region', { name: 'Swarm' }).locator('canvas');
  const picture = `data:image/png;base64,${(await canvas.screenshot()).toString('base64')}`;
  const colours = await page.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const drawn = Object.assign(document.createElement('canvas'), { width: image.naturalWidth, height: image.naturalHeight });
    const context = drawn.getContext('2d');
    context?.drawImage(image, 0, 0);
    return new Set(new Uint32Array(context?.getImageData(0, 0, drawn.width, drawn.height).data.buffer ?? new ArrayBuffer(0))).size;
  }, picture);
  expect(colours).toBeGreaterThan(100);
  await page.getByRole('radio', { name: 'Vicsek’s model' }).click({ force: true });
  await expect(page).toHaveURL(/model=vicsek-swarm/);
  await expect.poll(steps).toBe(0);
  await page.getByRole('button', { name: 'Move' }).click();
  await expect.poll(steps).toBeGreaterThan(5);
});

test('without WebGPU the page of the swarm says so, and where it runs all the same', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined }));
  await page.goto('./#/swarm?members=1000');
  await expect(page.getByRole('alert')).toContainText('this browser has no WebGPU');
  await expect(page.getByRole('link', { name: 'Boids in the laboratory' })).toHaveAttribute('href', '#env=boids');
});
