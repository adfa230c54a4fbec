/** One question of a researcher from end to end: three methods, three environments, two settings in one file; table, sentence, figure, reopened elsewhere, verified. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';

const RL = resolve('tools/rl.mjs');
const home = mkdtempSync(join(tmpdir(), 'rl-question-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function rl(...args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((done) => {
    const env = { ...process.env, INIT_CWD: home };
    execFile(process.execPath, [RL, ...args], { env, cwd: home, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const { code } = (error ?? {}) as { code?: number | string };
      done({ code: error ? (typeof code === 'number' ? code : -1) : 0, stdout, stderr });
    });
  });
}

/** Files below a folder by their paths. */
function filesOf(folder: string, below = ''): { [path: string]: Uint8Array } {
  return Object.fromEntries(
    readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry): [string, Uint8Array][] => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      return entry.isDirectory() ? Object.entries(filesOf(folder, path)) : [[path, new Uint8Array(readFileSync(join(folder, path)))]];
    }),
  );
}

test('@night the file of docs/sweeps.md, asked, compared, moved as one zip, verified, and caught when one number was changed', async () => {
  const [, text] = /^```json methods.json\n([\s\S]*?)^```$/m.exec(readFileSync('docs/sweeps.md', 'utf8')) ?? [];
  const asked = JSON.parse(text ?? '{}') as { config: { run: object }; envs: unknown[]; algos: unknown[] };
  expect([asked.envs.length, asked.algos.length]).toEqual([3, 3]);
  const small = { ...asked, config: { ...asked.config, run: { steps: 512, evalEpisodes: 2 } }, seeds: { tuning: 1 } };
  writeFileSync(join(home, 'methods.json'), JSON.stringify(small));

  const swept = await rl('sweep', 'methods.json', '--out', 'asked');
  expect([swept.code, swept.stderr.includes('failed')]).toEqual([0, false]);
  const sentence = /^.*CartPole.*Catch.*MiniGrid Empty.*$/m.exec(swept.stdout)?.[0]?.trim();
  expect(sentence).toBeDefined();

  const compared = await rl('compare', 'asked', '--svg', 'figure.svg', '--csv', 'runs.csv');
  expect(compared.code).toBe(0);
  expect(compared.stdout).toContain(sentence); // the words of both are one
  expect(readFileSync(join(home, 'figure.svg'), 'utf8')).toMatch(/^<svg[\s\S]*CartPole[\s\S]*<\/svg>\s*$/);
  expect(readFileSync(join(home, 'runs.csv'), 'utf8').trim().split('\n')).toHaveLength(1 + 3 * 3 * 5);

  // The whole as one file, opened in another place.
  const zip = zipSync(filesOf(join(home, 'asked')), { level: 1 });
  const elsewhere = join(home, 'elsewhere');
  for (const [path, bytes] of Object.entries(unzipSync(zip))) {
    const at = join(elsewhere, path);
    cpSync(join(home, 'asked', path), at, { recursive: true });
    expect(new Uint8Array(readFileSync(at))).toEqual(bytes);
  }
  const part = (await rl('compare', 'elsewhere')).stdout;
  expect(part).toContain(sentence);

  const verified = await rl('verify', 'elsewhere/catch/a2c');
  expect([verified.code, /(\d+) of \1 runs are the same/.test(verified.stdout)]).toEqual([0, true]);

  const [run] = readdirSync(join(elsewhere, 'catch/a2c/runs'));
  const folder = join(elsewhere, 'catch/a2c/runs', run ?? '');
  const seed = readdirSync(folder).find((name) => name.startsWith('seed-')) ?? '';
  const file = join(folder, seed, 'result.json');
  expect(existsSync(file)).toBe(true);
  const result = JSON.parse(readFileSync(file, 'utf8')) as { finalReturn: number };
  writeFileSync(file, JSON.stringify({ ...result, finalReturn: result.finalReturn + 0.5 }));
  const caught = await rl('verify', 'elsewhere/catch/a2c');
  expect(caught.code).toBe(1);
  expect(caught.stdout).toMatch(new RegExp(`seed ${seed.slice(5)}: differs: .*finalReturn`));
}, 600_000);
