import { execFileSync } from 'node:child_process';
import { expect, open, test, trainToEnd } from './lab.ts';

interface Seed {
  readonly seed: number;
  readonly parameterHash: string;
  readonly finalReturn: number;
  readonly evalReturn: number;
}

/** The same config on the command line. */
function inNode(args: readonly string[]): readonly Seed[] {
  const out = execFileSync(process.execPath, ['tools/rl.mjs', 'train', ...args, '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return (JSON.parse(out.trim().split('\n').at(-1) ?? '') as { seeds: readonly Seed[] }).seeds;
}

for (const [env, algo, steps] of [
  ['cartpole', 'ppo', 20_480],
  ['cartpole', 'dqn', 15_000],
  ['minigrid-empty', 'ppo', 8192],
  ['frozen-lake', 'q-learning', 20_000],
] as const) {
  test(`${algo} on ${env}: the same parameters in Node and in Chromium`, async ({ page }) => {
    const node = inNode(['--env', env, '--algo', algo, '--steps', String(steps), '--seeds', '2']);
    await open(page, `#env=${env}&algo=${algo}&steps=${steps}&seeds=2`);
    const run = await trainToEnd(page);
    const pick = ({ parameterHash, finalReturn, evalReturn }: Omit<Seed, 'seed'>): unknown => ({ parameterHash, finalReturn, evalReturn });
    expect(run.seeds.map((seed) => seed.result && pick(seed.result))).toEqual(node.map(pick));
  });
}
