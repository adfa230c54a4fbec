/** The notebook of examples/, run cell after cell by Python itself: what a reader runs is what is tested. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hasModules, PYTHON } from './python.ts';

const NEEDED = ['gymnasium', 'numpy', 'onnxruntime', 'matplotlib'] as const;

interface Notebook {
  readonly nbformat: number;
  readonly cells: readonly { readonly cell_type: string; readonly source: readonly string[]; readonly outputs?: readonly unknown[] }[];
}
const notebook = JSON.parse(readFileSync('examples/train-and-plot.ipynb', 'utf8')) as Notebook;
const code = notebook.cells.filter(({ cell_type }) => cell_type === 'code');

test('the notebook is stored without outputs, which would be of one machine', () => {
  expect(notebook.nbformat).toBe(4);
  for (const { outputs } of code) expect(outputs).toEqual([]);
});

test.skipIf(!hasModules(...NEEDED))(
  `the notebook trains, draws, plays in Gymnasium and verifies (skipped where RL_TEST_PYTHON has no ${NEEDED.join(', ')})`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rl-notebook-'));
    const script = code.map(({ source }) => source.join('')).join('\n\n');
    const { stdout } = await promisify(execFile)(PYTHON, ['-c', script], {
      cwd: folder,
      env: { ...process.env, MPLBACKEND: 'agg', RLW_HOME: resolve('.'), RLW_RUN: join(folder, 'run'), RLW_STEPS: '12288' },
    });
    const [, mean = 'none'] = /mean return in Gymnasium: ([\d.]+)/.exec(stdout) ?? [];
    expect(stdout).toMatch(/IQM of the return at the end: \d/);
    expect(Number(mean)).toBeGreaterThan(60); // random play: 22
    expect(readFileSync(join(folder, 'curve.png')).subarray(1, 4).toString()).toBe('PNG');
    expect(stdout).toContain('5 of 5 runs are the same');
  },
  300_000,
);
