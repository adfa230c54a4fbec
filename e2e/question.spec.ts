/** One question of a researcher in the page from end to end, with every press counted: three methods, three environments, two settings. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Download, Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { expect, open, test } from './lab.ts';

const MOST_PRESSES = 12;
const home = mkdtempSync(join(tmpdir(), 'rl-question-page-'));
test.afterAll(() => rmSync(home, { recursive: true }));
test.describe.configure({ timeout: 900_000 });

function rl(...args: readonly string[]): { readonly code: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/rl.mjs', ...args], { encoding: 'utf8' });
  return { code: status, text: stdout + stderr };
}

const conclusions = (page: Page): ReturnType<Page['getByRole']> => page.getByRole('region', { name: 'Conclusions' });

test('asked, answered, drawn, saved and taken away in twelve presses; the command line says the same and finds a changed number', {
  tag: '@night',
}, async ({ page, browser, baseURL }) => {
  await open(page, '#env=cartpole&algo=ppo&steps=1024&run.evalEpisodes=2&depth=lab');
  let presses = 0;
  const press = async (role: 'link' | 'button' | 'checkbox' | 'textbox', name: RegExp): Promise<void> => {
    await page.getByRole(role, { name }).first().click();
    presses++;
  };
  const choose = async (label: string, id: string): Promise<void> => {
    await page.getByRole('combobox', { name: label }).selectOption(id);
    presses++;
  };
  const saved = async (name: RegExp): Promise<Download> => {
    const [file] = await Promise.all([page.waitForEvent('download'), press('button', name)]);
    return file;
  };

  await press('link', /^Sweep$/);
  await press('checkbox', /^learning rate/);
  await press('textbox', /^Values of learning rate/);
  await page.getByRole('textbox', { name: /^Values of learning rate/ }).fill('0.0003, 0.003');
  await choose('Another environment', 'catch');
  await choose('Another environment', 'minigrid-empty');
  await choose('Another method', 'a2c');
  await choose('Another method', 'dqn');
  await expect(page.getByText(/^18 configurations, 99 runs/)).toBeVisible();
  await press('button', /^Start$/);

  const card = page.getByRole('region', { name: '3 methods over 3 environments' });
  await expect(card.getByRole('table').locator('tbody tr')).toHaveCount(9, { timeout: 600_000 });
  const sentence = (await card.getByRole('list', { name: 'Conclusions' }).getByRole('listitem').first().innerText()).trim();
  for (const name of ['CartPole', 'Catch', 'MiniGrid Empty']) expect(sentence).toContain(name);

  await press('link', /^Their curves as a figure$/);
  await expect(conclusions(page)).toContainText(sentence);
  const svg = await saved(/^SVG$/);
  expect(await readFile(await svg.path(), 'utf8')).toMatch(/^<svg[\s\S]*MiniGrid Empty[\s\S]*<\/svg>\s*$/);
  const csv = await readFile(await (await saved(/^CSV$/)).path(), 'utf8');
  expect(csv.split('\n')[0]).toBe('panel,line,x,value,low,high,runs');
  const bundle = await saved(/^Bundle$/);
  expect(presses).toBeLessThanOrEqual(MOST_PRESSES);

  // Taken apart elsewhere: its figure and numbers are those that were saved, and the command line has the same words for it.
  const entries = unzipSync(new Uint8Array(await readFile(await bundle.path())));
  const folder = join(home, 'bundle');
  for (const [name, data] of Object.entries(entries)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), data);
  }
  expect(readFileSync(join(folder, 'figure.csv'), 'utf8')).toBe(csv);
  const compared = rl('compare', folder);
  expect(compared.text).toContain(sentence);
  expect(compared.code).toBe(0);

  const context = await browser.newContext({ baseURL: baseURL ?? '', reducedMotion: 'reduce' });
  const other = await context.newPage();
  await open(other, '#env=pendulum&algo=ppo');
  await other.getByRole('button', { name: 'Share' }).click();
  const [chooser] = await Promise.all([other.waitForEvent('filechooser'), other.getByRole('button', { name: 'Open a folder' }).click()]);
  await chooser.setFiles(folder);
  await expect.poll(() => other.evaluate(() => (window as { __lab?: { runs: readonly unknown[] } }).__lab?.runs.length)).toBe(9);
  await other.evaluate(() => {
    location.hash = '#/compare?colour=algo&facet=env';
  });
  await expect(conclusions(other)).toContainText(sentence);
  await other.reload();
  await expect(conclusions(other)).toContainText(sentence);
  await context.close();

  // One number of one seed is changed by hand: the run, the seed and the number are named.
  const run = readdirSync(folder).find((name) => name.startsWith('cliff') || name.includes('catch')) ?? '';
  const one = join(home, 'one');
  mkdirSync(one);
  const kept = Object.entries(entries).filter(([name]) => name.startsWith(`${run}/`));
  expect(kept.length).toBeGreaterThan(0);
  for (const [name, data] of kept) {
    const at = join(one, name.slice(run.length + 1));
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, data);
  }
  const whole = rl('verify', one);
  expect([whole.code, /(\d+) of \1 runs are the same/.test(whole.text)]).toEqual([0, true]);
  const at = join(one, 'seed-1001', 'result.json');
  const result = JSON.parse(readFileSync(at, 'utf8')) as { evalReturn: number };
  writeFileSync(at, JSON.stringify({ ...result, evalReturn: result.evalReturn + 0.5 }));
  const caught = rl('verify', one);
  expect(caught.code).toBe(1);
  expect(caught.text).toMatch(/seed 1001: differs: .*evalReturn/);
});
