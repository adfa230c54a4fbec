import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { activeRun, configHash, curve, expect, open, ready, runs, test, trainToEnd } from './lab.ts';

const RL = 'tools/rl.mjs';

test('a bundle of the page verifies on the command line and opens as a folder, and a folder of the command line opens in the page', {
  tag: '@night',
}, async ({ page, browser, baseURL }) => {
  const home = mkdtempSync(join(tmpdir(), 'rl-container-'));
  try {
    await open(page, '#env=cliff-walking&algo=q-learning&steps=3000&seeds=2');
    await trainToEnd(page);
    const mine = await activeRun(page);
    const wanted = await curve(page, 1);
    await page.getByRole('button', { name: 'Save the curves' }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /^Bundle/ }).click()]);
    const bytes = await readFile(await file.path());
    const entries = unzipSync(new Uint8Array(bytes));
    const text = (name: string): string => new TextDecoder().decode(entries[name]);
    expect(text('README.md')).toContain(`npm run rl -- verify ${file.suggestedFilename()}`);
    expect(text('README.md')).toContain(`Config \`${mine?.hash}\``);
    expect(text('CITATION.bib')).toContain(`@misc{rlworkbench-${mine?.hash},`);
    expect(text('figure.svg')).toContain('<svg');

    const zip = join(home, 'bundle.zip');
    writeFileSync(zip, bytes);
    const verified = spawnSync(process.execPath, [RL, 'verify', zip], { encoding: 'utf8' });
    expect([verified.status, verified.stdout]).toEqual([0, expect.stringContaining('2 of 2 runs are the same')]);

    // Unpacked it is a folder as the command line writes it.
    for (const [name, data] of Object.entries(entries)) {
      mkdirSync(dirname(join(home, 'bundle', name)), { recursive: true });
      writeFileSync(join(home, 'bundle', name), data);
    }
    const options = ['--env', 'frozen-lake', '--algo', 'sarsa', '--steps', '2000', '--seeds', '2'];
    execFileSync(process.execPath, [RL, 'train', ...options, '--out', join(home, 'line')]);
    const context = await browser.newContext({ baseURL: baseURL ?? '', reducedMotion: 'reduce' });
    const other = await context.newPage();
    await open(other, '#env=cartpole&algo=ppo');
    const choose = async (folder: string): Promise<void> => {
      await other.getByRole('button', { name: 'Share' }).click();
      const [chooser] = await Promise.all([
        other.waitForEvent('filechooser'),
        other.getByRole('button', { name: 'Open a folder' }).click(),
      ]);
      await chooser.setFiles(folder);
    };
    await choose(join(home, 'bundle'));
    await expect.poll(async () => (await runs(other)).map((run) => run.hash)).toEqual([mine?.hash]);
    await expect.poll(() => curve(other, 1)).toEqual(wanted);
    await expect.poll(() => configHash(other)).toBe(mine?.hash);
    await choose(join(home, 'line'));
    await expect.poll(async () => (await runs(other)).map((run) => run.name)).toContain('SARSA on Frozen lake');
    await other.reload();
    await ready(other);
    await expect.poll(async () => (await runs(other)).length).toBe(2);

    // A folder without runs says so and changes nothing.
    mkdirSync(join(home, 'empty'));
    writeFileSync(join(home, 'empty', 'notes.txt'), 'x');
    await choose(join(home, 'empty'));
    await expect(other.getByText('There is no run here, only 1 .txt.')).toBeVisible();
    expect(await runs(other)).toHaveLength(2);
    await context.close();
  } finally {
    rmSync(home, { recursive: true });
  }
});
