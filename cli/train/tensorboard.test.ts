/** Logs of runs, read back by the reader of the page. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { curvesToCsv } from '#contract/files/curves-csv.ts';
import { readEvents } from '#contract/foreign/tensorboard.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import { hasModules, PYTHON } from '../../tools/python.ts';
import { EventLog, logFinished, logFolder } from './tensorboard.ts';

const home = mkdtempSync(join(tmpdir(), 'rl-logs-'));
afterAll(() => rmSync(home, { recursive: true }));

const config = runConfigSchema.parse({ env: { id: 'cliff-walking' }, algo: { id: 'q-learning' }, run: { steps: 400 } });
const columnsOf = (path: string) =>
  readEvents([{ name: path, bytes: new Uint8Array(readFileSync(path)) }]).flatMap(({ columns }) => columns);
const readAll = (folder: string) =>
  readdirSync(folder).flatMap((name) =>
    columnsOf(join(folder, name)).map(({ metric, steps, values }) => [metric, [...steps], [...values]]),
  );

test('rows of a run as they come; a resumed run has a second file beside the first', () => {
  const at = logFolder(home, config, 7);
  expect(at).toMatch(/cliff-walking-q-learning-[0-9a-f]{12}.seed-7$/);
  const log = new EventLog(at, config);
  log.addRows(['episodicReturn', 'episodes'], Float64Array.of(100, -50, 3, 200, -25, Number.NaN));
  log.flush();
  new EventLog(at, config).flush();
  expect(readdirSync(at)).toHaveLength(2);
  const [first = ''] = readdirSync(at).sort();
  expect(columnsOf(join(at, first)).map(({ metric }) => metric)).toEqual(['episodicReturn', 'episodes']);
});

test('a run that is over, from its curves, once', () => {
  const folder = join(home, 'run');
  mkdirSync(join(folder, 'seed-2'), { recursive: true });
  const column = (metric: string, values: readonly number[]) => ({
    seed: 2,
    metric,
    steps: Float64Array.of(100, 200),
    values: Float64Array.from(values),
  });
  writeFileSync(join(folder, 'seed-2/curve.csv'), curvesToCsv('cli', [column('episodicReturn', [1, 2]), column('loss', [0.5, 0.25])]));
  const logs = join(home, 'logs');
  logFinished(logs, { config, seed: 2, folder });
  logFinished(logs, { config, seed: 2, folder });
  expect(readAll(logFolder(logs, config, 2))).toEqual([
    ['episodicReturn', [100, 200], [1, 2]],
    ['loss', [100, 200], [0.5, 0.25]],
  ]);
});

const READ = `
import glob, json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
log = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0, "tensors": 0})
log.Reload()
tags = log.Tags()
print(json.dumps({"scalars": {tag: [[e.step, e.value] for e in log.Scalars(tag)] for tag in sorted(tags["scalars"])}, "texts": tags["tensors"]}))
`;

const tensorboard = hasModules('tensorboard');

test.skipIf(!tensorboard)(
  "TensorBoard's own reader finds the same numbers (skipped where RL_TEST_PYTHON has no tensorboard)",
  () => {
    const at = logFolder(join(home, 'theirs'), config, 3);
    const log = new EventLog(at, config);
    log.addRows(['episodicReturn', 'loss'], Float64Array.of(100, -50, 0.5, 200, -25, Number.NaN, 300, -12.5, 0.25));
    log.flush();
    const said = execFileSync(PYTHON, ['-c', READ, at], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    expect(JSON.parse(said.trim().split('\n').at(-1) ?? '')).toEqual({
      scalars: {
        episodicReturn: [
          [100, -50],
          [200, -25],
          [300, -12.5],
        ],
        loss: [
          [100, 0.5],
          [300, 0.25],
        ],
      },
      texts: ['config'],
    });
  },
  60_000,
);

test.skipIf(!tensorboard)(
  "a resumed log is read as TensorBoard's own reader does (skipped where RL_TEST_PYTHON has no tensorboard)",
  () => {
    for (const name of ['resumed-one-file', 'resumed__ppo__1__1700000001', 'CartPole-v1__ppo__7__1700000000']) {
      const folder = resolve('src/contract/foreign/field', name);
      const said = execFileSync(PYTHON, ['-c', READ, folder], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      const { scalars } = JSON.parse((said.trim().split('\n').at(-1) ?? '').replaceAll('NaN', 'null')) as {
        readonly scalars: Readonly<Record<string, readonly (readonly [number, number | null])[]>>;
      };
      const files = readdirSync(folder).map((own) => ({ name: `${name}/${own}`, bytes: new Uint8Array(readFileSync(join(folder, own))) }));
      const [run, ...more] = readEvents(files);
      expect(more).toEqual([]);
      const ours = (run?.columns ?? []).map(({ steps, values }) => [...steps].map((step, i) => [step, values[i]]));
      expect(ours).toEqual(Object.values(scalars).map((points) => points.filter(([, value]) => value !== null)));
    }
  },
  60_000,
);
