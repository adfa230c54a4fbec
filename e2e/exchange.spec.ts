/** What leaves the page for other programs, and what of theirs it opens. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { zipSync } from 'fflate';
import { scalarRecord, versionRecord } from '#contract/foreign/tensorboard-write.ts';
import { configHash, curve, dropFile, expect, mainButton, open, runs, stage, test, trainToEnd } from './lab.ts';

const menuOf = (page: Page, name: string) => page.getByRole('button', { name: `Actions for ${name}` });

test('a trained policy leaves as an ONNX model, with the Python that runs it', async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo&steps=4096&seeds=1&depth=lab');
  const { name } = await trainToEnd(page);
  await menuOf(page, name).click();
  await page.getByRole('button', { name: 'Policy as ONNX' }).click();
  const dialog = page.getByRole('dialog', { name: 'Policy as ONNX' });
  await expect(dialog).toContainText('obs [batch, 4]');
  await expect(dialog).toContainText('probabilities [batch, 2]');
  await expect(dialog.getByRole('region', { name: 'Python' })).toContainText('InferenceSession("ppo-on-cartpole.onnx")');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: /^Download/ }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('ppo-on-cartpole.onnx');
  const bytes = readFileSync(await file.path());
  expect(bytes.subarray(0, 2)).toEqual(Buffer.from([8, 8])); // ir_version = 8
  expect(bytes.includes('Softmax')).toBe(true);
  await page.keyboard.press('Escape');

  // The policy's own file comes back on another visit and plays as it did.
  await menuOf(page, name).click();
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Policy', exact: true }).click()]);
  const text = readFileSync(await saved.path());
  await expect(page.getByText(/the policy at step 4,\d{3}, always its best action/)).toBeVisible();
  const other = await page.context().newPage();
  await open(other, '#env=cliff-walking&algo=q-learning');
  await dropFile(other, saved.suggestedFilename(), text);
  await expect(other.getByText(/the policy at step 4,\d{3}, always its best action/)).toBeVisible();
  expect(await configHash(other)).not.toBe('');
  expect((await stage(other)).mode).toBe('replay');
  await dropFile(other, saved.suggestedFilename(), text.toString().replace('"seed":1', '"seed":2'));
  await expect(other.getByRole('dialog')).toContainText('damaged');
});

test('logs of other programs become curves beside the own ones, and stay for the next visit', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo&steps=4096&seeds=1&depth=lab');
  await expect(mainButton(page, 'Train')).toBeEnabled();
  await dropFile(page, 'progress.csv', 'rollout/ep_rew_mean,time/total_timesteps\n20,2048\n35.5,4096\n');
  await expect(page.getByRole('row', { name: /progress \(imported\)/ })).toContainText('imported: Stable-Baselines3');
  await expect.poll(async () => (await runs(page)).length).toBe(1);
  const values = () =>
    page.evaluate(() => {
      const lab = (
        window as unknown as {
          __lab: { runs: { id: string }[]; curve(id: string, seed: number, metric: string): { values: number[] } | null };
        }
      ).__lab;
      return Array.from(lab.curve(lab.runs[0]?.id ?? '', 1, 'episodicReturn')?.values ?? []);
    });
  expect(await values()).toEqual([20, 35.5]);
  await page.reload();
  await expect.poll(values).toEqual([20, 35.5]);
  expect(await curve(page, 1)).toBeNull(); // it is no run that is open

  await dropFile(page, 'some.csv', 'step,loss\n1,2\n2,high\n');
  await expect(page.getByText('1 cell of "loss" left out, no number: the first is in line 3.')).toBeVisible();
  await dropFile(page, 'bad.csv', 'a,b\n1,2\n');
  await expect(page.getByRole('dialog')).toContainText('This table has no column of steps');
});

test(
  'a folder with five runs of CleanRL opens as five seeds, and a file of another kind is named',
  { tag: '@night' },
  async ({ page }, info) => {
    const folder = info.outputPath('runs');
    for (const seed of [1, 2, 3, 4, 5]) {
      const run = join(folder, `CartPole-v1__ppo__${seed}__1700000000`);
      mkdirSync(run, { recursive: true });
      const records = [versionRecord(1), ...[100, 200].map((step) => scalarRecord(1, step, [['charts/episodic_return', seed]]))];
      writeFileSync(join(run, 'events.out.tfevents.1700000000.host.1.0'), Buffer.concat(records));
    }
    await open(page, '#env=cartpole&algo=ppo&steps=4096&seeds=1&depth=lab');
    await expect(mainButton(page, 'Train')).toBeEnabled();
    await page.getByRole('button', { name: 'Share' }).click();
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Open a folder' }).click()]);
    await chooser.setFiles(folder);
    await expect(page.getByText('5 runs opened: "CartPole-v1__ppo, seed 1"')).toBeVisible();
    for (const seed of [1, 5]) await expect(page.getByRole('row', { name: new RegExp(`CartPole-v1__ppo, seed ${seed} `) })).toBeVisible();
    await dropFile(page, 'policy.onnx', '\x08\x08\x12\x07pytorch');
    await expect(page.getByRole('dialog')).toContainText('"policy.onnx" is an ONNX model, which is not read here.');
  },
);

test('an episode is saved as a film', { tag: '@night' }, async ({ page }) => {
  await open(page, '#env=cartpole&algo=ppo&depth=lab');
  await page.getByRole('combobox', { name: 'Policy to watch' }).selectOption('expert');
  await expect(page.getByText('0 / 500')).toBeVisible();
  await page.getByRole('button', { name: 'Save as a video' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as a video' });
  await dialog.getByLabel('Size').selectOption('720 × 720');
  await dialog.getByLabel('Speed').selectOption('4×');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Make the film' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^cartpole\.(webm|mp4)$/);
  const bytes = readFileSync(await file.path());
  expect(bytes.length).toBeGreaterThan(5000);
  expect(file.suggestedFilename()).toMatch(/webm$/); // what this browser writes first
  expect(bytes.subarray(0, 4)).toEqual(Buffer.from([0x1a, 0x45, 0xdf, 0xa3]));
  // 500 steps, thirty a second, at four times the speed, and 0.7 s on the last one: the Duration element (0x4489, a double), ms.
  const at = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88]));
  expect(at).toBeGreaterThan(0);
  expect(Math.abs(bytes.readDoubleBE(at + 3) - 4867)).toBeLessThan(50);
  await expect(dialog.getByRole('button', { name: 'Make the film' })).toBeEnabled();
});

/** Characters of the longest text that the page's own thread has parsed or decoded since it opened. */
const longestText = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { readonly longestText: number }).longestText);

/** Drops a file on the page and waits until this text stands in a dialog or a row. */
async function dropAndRead(page: Page, name: string, content: Buffer, text: string): Promise<void> {
  const bytes = content.toString('base64');
  const data = await page.evaluateHandle(
    ([file, base64]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], file));
      return transfer;
    },
    [name, bytes] as const,
  );
  await page.dispatchEvent('main', 'drop', { dataTransfer: data });
  await expect(page.getByText(text).first()).toBeVisible();
  await page.keyboard.press('Escape');
}

test('files that are made to take long are read in a worker, none on the thread of the page', { tag: '@night' }, async ({ page }) => {
  await page.addInitScript(() => {
    const seen = { longestText: 0 };
    Object.defineProperty(window, 'longestText', { get: () => seen.longestText });
    const note = (text: unknown): void => {
      seen.longestText = Math.max(seen.longestText, String(text).length);
    };
    const parse = JSON.parse;
    JSON.parse = (text, reviver) => {
      note(text);
      return parse(text, reviver);
    };
    const decode = TextDecoder.prototype.decode;
    TextDecoder.prototype.decode = function (...given) {
      const text = decode.apply(this, given);
      note(text);
      return text;
    };
    const read = Blob.prototype.text;
    Blob.prototype.text = async function () {
      const text = await read.call(this);
      note(text);
      return text;
    };
  });
  await open(page, '#env=cartpole&algo=ppo&steps=4096&seeds=1&depth=lab');
  await expect(mainButton(page, 'Train')).toBeEnabled();
  const lists = (count: number): string => `[${Array.from({ length: count }, () => '[]').join(',')}]`;
  const zip = (file: string): Buffer => Buffer.from(zipSync({ 'project.json': new TextEncoder().encode(file) }));
  const rows = Array.from({ length: 400_000 }, (_, i) => `${i % 97},${i}`).join('\n');
  const before = await longestText(page);
  for (const [name, content, text] of [
    ['bomb.zip', zip(`{"kind":"project","version":2,"runs":${lists(1_200_000)}}`), 'This file cannot be opened'],
    [
      'full.zip',
      zip(`{"kind":"project","version":2,"savedAt":"2026-01-02T03:04:05Z","runs":${lists(200_000)}}`),
      'This file cannot be opened',
    ],
    [
      'config.json',
      Buffer.from(`{"env":{"id":"cartpole","config":{"a":${lists(200_000)}}},"algo":{"id":"ppo"}}`),
      'This file cannot be opened',
    ],
    ['progress.csv', Buffer.from(`rollout/ep_rew_mean,time/total_timesteps\n${rows}\n`), 'progress (imported)'],
  ] as const)
    await dropAndRead(page, name, content, text);
  // the smallest of the files holds 600,000 characters; what opened the page is no more than its catalogue
  expect(await longestText(page)).toBe(before);
  // a text that the page's thread does read is seen
  await page.evaluate((length) => new Response(new Blob(['x'.repeat(length)])).blob().then((blob) => blob.text()), before + 1);
  expect(await longestText(page)).toBe(before + 1);
});
