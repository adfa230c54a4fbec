/** The Python of docs/exchange.md that sends JSON lines to Weights & Biases, run on a real run with a stand-in of its package. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const home = mkdtempSync(join(tmpdir(), 'rl-wandb-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Takes what W&B takes: numbers by name, at steps that do not fall. */
const STAND_IN = `
import json, math
class Run:
    step = 0
    def log(self, numbers, step):
        assert type(step) is int and step >= self.step, (step, self.step)
        assert numbers and all(type(name) is str and type(x) in (int, float) and math.isfinite(x) for name, x in numbers.items()), numbers
        self.step = step
        print(json.dumps({"step": step, **numbers}))
def init(project): return Run()
`;

const python = ((): boolean => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!python)(
  'every line that it sends is a number at a step (skipped where there is no python3)',
  () => {
    const [, script] = /```python\n(import json, sys, wandb\n[\s\S]*?)```/.exec(readFileSync('docs/exchange.md', 'utf8')) ?? [];
    writeFileSync(join(home, 'send.py'), script ?? '');
    writeFileSync(join(home, 'wandb.py'), STAND_IN);
    const lines = execFileSync(
      process.execPath,
      [resolve('tools/rl.mjs'), 'train', '--config', 'ppo-cartpole', '--seeds', '1', '--steps', '30000', '--json'],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, INIT_CWD: home } },
    );
    const progress = lines.split('\n').filter((line) => line.startsWith('{"type":"progress"'));
    expect(progress.length).toBeGreaterThan(0);
    const sent = execFileSync('python3', ['send.py'], { cwd: home, encoding: 'utf8', input: lines });
    const logged = sent
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly step: number; readonly 'return/seed 1': number });
    const due = progress
      .map((line) => JSON.parse(line) as { readonly step: number; readonly episodicReturn: number | null })
      .filter(({ episodicReturn }) => episodicReturn !== null)
      .map(({ step, episodicReturn }) => ({ step, 'return/seed 1': episodicReturn }));
    expect(logged).toEqual(due);
  },
  120_000,
);
