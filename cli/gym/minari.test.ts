/** python/rlw_minari.py: datasets as Minari folders and back, the same numbers. Skipped where RL_TEST_PYTHON has no h5py. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { datasetFromNpz, datasetToNpz } from '#contract/files/dataset-npz.ts';
import { loadEnv } from '#core/envs/all.ts';
import { recordDataset } from '#core/run/record.ts';

const SCRIPT = resolve('python/rlw_minari.py');
const home = mkdtempSync(join(tmpdir(), 'rl-minari-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const h5py = hasModules('h5py');

const run = (...args: string[]): string => execFileSync(PYTHON, [SCRIPT, ...args], { cwd: home, encoding: 'utf8', stdio: 'pipe' });

/** What the folder holds, read by h5py alone. */
const LOOK = `
import h5py, json, sys
with h5py.File(sys.argv[1] + "/data/main_data.hdf5") as f:
    e = [f["episode_%d" % i] for i in range(len(f))]
    print(json.dumps({"shapes": [[list(g[k].shape) for k in ("observations", "actions", "rewards", "terminations", "truncations")] for g in e],
      "ids": [int(g.attrs["id"]) for g in e], "steps": [int(g.attrs["total_steps"]) for g in e],
      "last": [[bool(g["terminations"][-1]), bool(g["truncations"][-1])] for g in e]}))
`;

import { hasModules, PYTHON } from '../../tools/python.ts';

describe.skipIf(!h5py)('Minari folders (skipped where RL_TEST_PYTHON has no h5py)', () => {
  test.each([
    ['cartpole', { maxSteps: 20 }],
    ['pendulum', { maxSteps: 30 }],
  ])(
    '%s: laid out as Minari publishes it, and back with the same numbers',
    async (id, settings) => {
      const entry = await loadEnv(id);
      const config = entry.parse(settings);
      const data = await recordDataset({
        entry,
        config,
        players: [{ kind: 'random' }],
        steps: 90,
        seed: 1,
        errors: 0,
        greedy: true,
        title: 'play',
        licence: 'CC0-1.0',
      });
      writeFileSync(join(home, `${id}.npz`), datasetToNpz(data));
      run('to', `${id}.npz`, `${id}/random-v0`);
      const metadata = JSON.parse(
        readFileSync(join(home, id, 'random-v0/data/metadata.json'), 'utf8').replaceAll(/-?Infinity/g, '0'),
      ) as Record<string, unknown>;
      const { steps, obsSize, actionCount } = data.header;
      expect(metadata).toMatchObject({ data_format: 'hdf5', total_steps: steps, dataset_id: 'random-v0', description: 'play' });
      expect(JSON.parse(metadata.action_space as string)).toMatchObject(
        actionCount > 0 ? { type: 'Discrete', n: 2, start: 0 } : { type: 'Box', shape: [1] },
      );
      const seen = JSON.parse(execFileSync(PYTHON, ['-c', LOOK, join(home, id, 'random-v0')], { encoding: 'utf8' })) as {
        shapes: number[][][];
        ids: number[];
        steps: number[];
        last: boolean[][];
      };
      expect(seen.steps.reduce((a, b) => a + b)).toBe(steps);
      expect(seen.ids).toEqual(seen.steps.map((_, i) => i));
      for (const [i, count] of seen.steps.entries()) {
        expect(seen.shapes[i]?.[0]).toEqual([count + 1, obsSize]);
        expect(seen.shapes[i]?.slice(2)).toEqual([[count], [count], [count]]);
        expect(seen.last[i]?.filter(Boolean)).toHaveLength(1);
      }
      run('from', `${id}/random-v0`, 'back.npz');
      const target = { env: { id, version: entry.version, config }, agents: 1, obsSize, actionSize: data.header.actionSize, actionCount };
      const back = datasetFromNpz(new Uint8Array(readFileSync(join(home, 'back.npz'))), 'back.npz', target);
      for (const name of ['observations', 'actions', 'rewards', 'terminals', 'timeouts'] as const)
        expect([...back[name]]).toEqual([...data[name]]);
    },
    60_000,
  );

  test.each([
    [['to', 'nowhere.npz', 'x'], 'nowhere.npz'],
    [['from', 'nowhere', 'x.npz'], 'is no Minari folder'],
    [['from'], 'usage'],
  ])('%j is refused', (args, words) => {
    expect(() => run(...args)).toThrow(words);
  });
});
