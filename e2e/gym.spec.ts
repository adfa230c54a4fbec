/** An environment in Python on the page that "rl gym ID --serve" serves: a stand-in of Python's standard library, with pictures and masks. */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { activeRun, allSeeds, configHash, expect, mainButton, ready, stage, test, train, trainToEnd } from './lab.ts';
import { coloured, png } from './pixels.ts';

interface Served {
  readonly link: string;
  readonly id: string;
  readonly child: ChildProcess;
}

test.describe.configure({ timeout: 240_000 });

const children: ChildProcess[] = [];
test.afterAll(() => {
  for (const child of children) child.kill('SIGTERM');
});

/** The command's two lines: what the environment is, and the link. */
function served(name = 'Shown'): Promise<Served> {
  const args = ['gym', `stand_in:${name}`, '--serve', '--page', resolve(process.env.E2E_DIST ?? 'dist'), '--port', '0', '--json'];
  const child = spawn(process.execPath, ['tools/rl.mjs', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, INIT_CWD: resolve('cli/gym/stand-in') },
  });
  children.push(child);
  return new Promise((give, refuse) => {
    let said = '';
    child.stdout.on('data', (part: Buffer) => {
      said += part.toString();
      const [first, second] = said.split('\n').filter((line) => line !== '');
      if (first === undefined || second === undefined || !said.endsWith('\n')) return;
      give({ id: (JSON.parse(first) as { id: string }).id, link: (JSON.parse(second) as { link: string }).link, child });
    });
    child.once('exit', () => refuse(new Error('gym --serve ended')));
  });
}

/** Everything a page of this server must not do. */
function watch(page: Page, origin: string): string[] {
  const found: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !/^(blob|data):/.test(request.url())) found.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(error.message));
  return found;
}

async function openSetup(page: Page, origin: string, hash: string): Promise<void> {
  await page.goto(`${origin}/${hash}`);
  await page.reload();
  await ready(page);
  await configHash(page);
}

test('the page trains on it, shows its pictures and says what cannot be promised', { tag: '@night' }, async ({ browser }) => {
  const { link, id } = await served();
  const { origin } = new URL(link);
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const found = watch(page, origin);

  // Before the link was opened the server's page is like every other one.
  await page.goto(`${origin}/#env=${id}`);
  await expect(page.getByText('runs in Python, which is not here')).toBeVisible();

  await page.goto(link);
  await ready(page);
  expect(new URL(page.url()).search).toBe(''); // the token is not left in the address
  await expect(page.getByText(/stand_in:Shown, which runs in Python \(python [\d.]+.*not exact, not resumable/).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Executor wasm, not exact' })).toBeVisible();
  await expect.poll(async () => (await stage(page)).length).toBeGreaterThan(0);
  // the red cell of its picture; nothing else of the page is so red
  await expect.poll(async () => coloured(page, png(await page.screenshot()), 'red')).toBeGreaterThan(0.005);

  await openSetup(page, origin, `#env=${id}&algo=ppo&steps=1000&seeds=1&seed=3&run.evalEpisodes=2`);
  const first = await trainToEnd(page, 90_000);
  expect(first.seeds[0]?.step).toBeGreaterThanOrEqual(1000);
  expect(first.seeds.every(({ result }) => Number.isFinite(result?.evalReturn))).toBe(true);
  // This one is deterministic, so its seed gives the same again.
  const again = await trainToEnd(page, 90_000);
  const hashes = ({ seeds }: typeof first): unknown => seeds.map(({ result }) => result?.parameterHash);
  expect(again.id).not.toBe(first.id);
  expect(hashes(again)).toEqual(hashes(first));
  expect(found).toEqual([]);
  await context.close();
});

test('an environment whose libraries take seconds to start is waited for', { tag: '@night' }, async ({ browser }) => {
  const { link } = await served('Late');
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(link);
  await ready(page);
  await expect.poll(async () => (await stage(page)).length, { timeout: 60_000 }).toBeGreaterThan(0);
  await expect.poll(async () => coloured(page, png(await page.screenshot()), 'red'), { timeout: 60_000 }).toBeGreaterThan(0.005);
  await expect(page.getByText('takes too long to make')).toHaveCount(0);
  await context.close();
});

test('a run that was interrupted cannot go on, and a server that is gone is named', { tag: '@night' }, async ({ browser }) => {
  const { link, id, child } = await served();
  const { origin } = new URL(link);
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(link);
  await ready(page);
  await openSetup(page, origin, `#env=${id}&algo=ppo&steps=900000&seeds=1&seed=3&run.evalEpisodes=2`);
  await train(page);
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.step ?? 0).toBeGreaterThan(0);
  await mainButton(page, 'Pause').click();
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.checkpointStep ?? 0).toBeGreaterThan(0);
  // In the page that trains it goes on.
  const paused = (await activeRun(page))?.seeds[0]?.step ?? 0;
  await mainButton(page, 'Resume').click();
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.step ?? 0).toBeGreaterThan(paused);

  await page.reload();
  await ready(page);
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.state).toBe('interrupted');
  await mainButton(page, 'Resume').click();
  expect((await allSeeds(page, 'failed')).seeds[0]?.failure?.message).toContain('goes on only while its page is open');

  await train(page);
  await expect.poll(async () => (await activeRun(page))?.seeds[0]?.step ?? 0).toBeGreaterThan(0);
  child.removeAllListeners('exit');
  child.kill('SIGTERM');
  expect((await allSeeds(page, 'failed')).seeds[0]?.failure?.message).toContain('The server of the environment in Python does not answer');
  await context.close();
});
