/** The page and the command line's results: served with the page and followed while they come, or opened from a folder. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from './lab.ts';

const home = mkdtempSync(join(tmpdir(), 'rl-folder-e2e-'));
const results = join(home, 'results');
const SWEEP = {
  kind: 'sweep',
  version: 1,
  title: 'Step size at the cliff',
  config: { v: 1, env: { id: 'cliff-walking' }, algo: { id: 'q-learning' }, run: { steps: 1000 } },
  fields: { 'algo.alpha': [0.1, 0.5, 0.9] },
  search: { by: 'grid' },
  seeds: { tuning: 2, reporting: 5 },
};
let server: ChildProcess | null = null;

test.beforeAll(() => {
  writeFileSync(join(home, 'sweep-file.json'), JSON.stringify(SWEEP));
  execFileSync(process.execPath, ['tools/rl.mjs', 'sweep', join(home, 'sweep-file.json'), '--out', join(home, 'done')]);
  mkdirSync(results);
});

test.afterAll(() => {
  server?.kill('SIGTERM');
  rmSync(home, { recursive: true });
});

/** The link of `serve`, on a free port. */
function served(): Promise<string> {
  const dist = process.env.E2E_DIST ?? 'dist';
  const child = spawn(process.execPath, ['tools/rl.mjs', 'serve', '--results', results, '--page', dist, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server = child;
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => resolve((JSON.parse(part.toString()) as { link: string }).link));
    child.once('exit', () => reject(new Error('serve ended')));
  });
}

test('serve shows a sweep while it goes on, to who has the link', async ({ browser }) => {
  const link = await served();
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(link).origin) && !/^(blob|data):/.test(request.url())) foreign.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') foreign.push(message.text());
  });
  await page.goto(link);
  const section = page.getByRole('region', { name: 'Results of the command line' });
  await expect(section.getByText('No sweep is in it yet')).toBeVisible();

  const whole = JSON.parse(readFileSync(join(home, 'done/sweep.json'), 'utf8')) as { setups: { scores: unknown[] }[] };
  const begun = whole.setups.map((setup, i) => ({ ...setup, score: null, first: null, scores: i === 0 ? setup.scores : [null, null] }));
  mkdirSync(join(results, 'cliff'));
  const half = { ...whole, setups: begun, state: 'running', runs: { done: 2, total: 6, failed: 0 }, best: null, reported: null };
  writeFileSync(join(results, 'cliff/sweep.json'), JSON.stringify(half));
  await expect(section.getByText('2 of 6 runs')).toBeVisible();
  await expect(section.getByText('running', { exact: true })).toBeVisible();
  await expect(section.getByRole('region', { name: 'Configurations' }).locator('tbody tr')).toHaveCount(3);

  cpSync(join(home, 'done'), join(results, 'cliff'), { recursive: true });
  await expect(section.getByText('16 of 16 runs')).toBeVisible();
  await expect(section.getByRole('region', { name: 'Verdict on fresh seeds' })).toContainText('5 fresh seeds');
  expect(foreign).toEqual([]);

  // The page itself opens without the token; the results do not.
  await page.goto(link.replace(/results=.*/, 'results=wrong'));
  await page.reload();
  await expect(section.getByRole('alert')).toContainText('does not take this link');
  await context.close();
});

test('a results folder is opened from the disk', { tag: '@night' }, async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'showDirectoryPicker'); // its dialog belongs to the system
  });
  await page.goto('./#/sweeps');
  const section = page.getByRole('region', { name: 'Results of the command line' });
  await expect(section.getByRole('button', { name: 'Open a results folder' })).toBeVisible();
  await page.getByLabel('Results folder').setInputFiles(join(home, 'done'));
  await expect(section.getByText('Step size at the cliff')).toBeVisible();
  await expect(section.getByRole('region', { name: 'Verdict on fresh seeds' })).toContainText('5 fresh seeds');
  await section.getByRole('button', { name: 'Close' }).click();
  await expect(section.getByText('Step size at the cliff')).toHaveCount(0);
});
