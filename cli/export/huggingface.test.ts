/** The folder for model hubs: its metadata are YAML that cannot be broken out of, its numbers those of the run, its model the seed's in the middle. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodePolicyFile, type Summary } from '#contract/files/files.ts';
import { decodeLink } from '#contract/link/link.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { completeRun, createSession, loadRun } from '#core/run/loaded.ts';
import { UsageError } from '../kit/failure.ts';
import { seedFolder, writeWhole } from '../kit/seed-folder.ts';
import { createRunFolder } from '../train/run-folder.ts';
import { metadata, middleSeed } from './huggingface.ts';
import { writeModelFolder } from './model-folder.ts';

const home = mkdtempSync(join(tmpdir(), 'rl-card-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const context = { typedIn: home, project: resolve('.') };

const config = completeRun({
  env: { id: 'cartpole' },
  algo: { id: 'ppo', config: { lr: 0.001 } },
  run: { steps: 512, seeds: 3, evalEpisodes: 2 },
});
const one = (seed: number, evalReturn: number | null) => ({
  seed,
  finalReturn: seed,
  evalReturn,
  steps: 512,
  seconds: 1,
  stepsPerSecond: 512,
  parameterHash: `${seed}`.repeat(16),
});
const summary: Summary = {
  type: 'summary',
  env: 'cartpole',
  algo: 'ppo',
  config,
  executor: 'wasm',
  seeds: [one(1, 30), one(2, 10), one(3, 20)],
  iqm: { finalReturn: 2, evalReturn: 20 },
  ci95: { finalReturn: null, evalReturn: [11, 29] },
};

/** The run folder as train --out leaves it, with a policy of seed 3. */
beforeAll(async () => {
  const folder = join(home, 'run');
  createRunFolder(folder, config);
  writeWhole(join(folder, 'summary.json'), JSON.stringify(summary));
  await loadRun(config);
  const session = createSession({ config, seed: 3, now: () => 0 });
  for await (const event of session) {
    if (event.kind !== 'policy') continue;
    mkdirSync(seedFolder(folder, 3), { recursive: true });
    writeWhole(join(seedFolder(folder, 3), 'policy.json'), encodePolicyFile(event.snapshot));
  }
}, 60_000);

test('the seed in the middle of the evaluations is taken; of two the lower', () => {
  expect(middleSeed(summary)).toBe(3);
  expect(middleSeed({ ...summary, seeds: [one(1, 5), one(2, 4)] })).toBe(2);
  expect(middleSeed({ ...summary, seeds: [one(1, null), one(2, 4)] })).toBe(2);
});

test('model, policy, config, film and a card that says what was measured and how to do it again', async () => {
  writeFileSync(join(home, 'film.webm'), 'film');
  const { files, seed, why } = await writeModelFolder({ run: 'run', huggingface: 'card', film: 'film.webm' }, context);
  expect([seed, why]).toEqual([3, null]);
  expect(readdirSync(join(home, 'card')).sort()).toEqual([...files].sort());
  expect([...files].sort()).toEqual(['README.md', 'policy.json', 'policy.onnx', 'replay.webm', 'run.json']);
  const card = readFileSync(join(home, 'card', 'README.md'), 'utf8');
  for (const said of [
    'interquartile mean of **20 (95 % interval 11 to 29)**',
    'seed 3',
    configHash(config),
    '"lr": 0.001',
    'InferenceSession("policy.onnx")',
    '![An episode](replay.webm)',
  ])
    expect(card).toContain(said);
  const link = /`(#1\.[^`]+)`/.exec(card)?.[1] ?? '';
  expect(decodeLink(link)?.config).toMatchObject({ env: { id: 'cartpole' }, algo: { id: 'ppo', config: { lr: 0.001 } } });
});

test('a run of a sweep has no summary: it is made of the results of its seeds, all of them', async () => {
  rmSync(join(home, 'run', 'summary.json'));
  const asked = { run: 'run', huggingface: 'of-results' };
  const write = () => writeModelFolder(asked, context);
  for (const { seed, ...numbers } of summary.seeds) {
    await expect(write()).rejects.toThrow(`results of ${seed - 1} of 3 seeds`);
    mkdirSync(seedFolder(join(home, 'run'), seed), { recursive: true });
    const perAgent = [numbers.finalReturn];
    writeWhole(join(seedFolder(join(home, 'run'), seed), 'result.json'), JSON.stringify({ seed, ...numbers, perAgent, evalLoops: 0 }));
  }
  expect(await write()).toMatchObject({ seed: 3, why: null });
  expect(readFileSync(join(home, 'of-results', 'README.md'), 'utf8')).toContain('seed 3');
});

test('every line of the metadata is a name and JSON, whatever a title holds', () => {
  const titles = { env: 'A "quoted"\n---\nname: x', algo: 'PPO: #1' };
  const lines = metadata({ config, summary, seed: 3, titles, link: null, onnx: null, why: null, film: null, version: '1' }).split('\n');
  expect([lines[0], lines.at(-1)]).toEqual(['---', '---']);
  const fields = new Map(
    lines.slice(1, -1).map((line) => [line.slice(0, line.indexOf(':')), JSON.parse(line.slice(line.indexOf(':') + 1)) as unknown]),
  );
  expect(fields.get('library_name')).toBe('rl-workbench');
  expect(fields.get('model-index')).toMatchObject([
    {
      name: `PPO: #1 on ${titles.env}`,
      results: [
        {
          task: { type: 'reinforcement-learning' },
          dataset: { type: 'cartpole' },
          metrics: [{ type: 'mean_reward', value: '20 [11, 29]' }],
        },
      ],
    },
  ]);
});

test.each([
  [{ run: 'nowhere', huggingface: 'other' }, 'is not a folder that train --out made'],
  [{ run: 'run', huggingface: 'other', film: 'nowhere.webm' }, 'There is no film'],
  [{ run: 'run', huggingface: 'other', film: 'run/run.json' }, 'is no film'],
  [{ run: 'run', huggingface: 'run-with-card' }, 'already holds a README.md'],
])('%j is refused: %s', async (asked, message) => {
  mkdirSync(join(home, 'run-with-card'), { recursive: true });
  writeFileSync(join(home, 'run-with-card', 'README.md'), '');
  await expect(writeModelFolder(asked, context)).rejects.toThrow(message);
  await expect(writeModelFolder(asked, context)).rejects.toBeInstanceOf(UsageError);
});
