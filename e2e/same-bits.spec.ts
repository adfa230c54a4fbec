import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, follow, open, test, trainToEnd } from './lab.ts';

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

for (const [env, algo, steps, tag] of [
  ['cartpole', 'ppo', 20_480, []],
  ['cartpole', 'dqn', 15_000, ['@night']],
  ['minigrid-empty', 'ppo', 8192, ['@night']],
  ['frozen-lake', 'q-learning', 20_000, ['@night']],
] as const) {
  test(`${algo} on ${env}: the same parameters in Node and in Chromium`, { tag: [...tag] }, async ({ page }) => {
    const link = `#env=${env}&algo=${algo}&steps=${steps}&seeds=2`;
    const node = inNode(['--config', link]);
    await open(page, link);
    const run = await trainToEnd(page);
    const pick = ({ parameterHash, finalReturn, evalReturn }: Omit<Seed, 'seed'>): unknown => ({ parameterHash, finalReturn, evalReturn });
    expect(run.seeds.map((seed) => seed.result && pick(seed.result))).toEqual(node.map(pick));
  });
}

/** Methods, each in an environment of its own; what Node gave is recorded (`npm run hashes` compares it there). */
const FEW = ['recurrent-ppo', 'sac-discrete', 'qmix'];
const REST = ['ppo-cartpole', 'dqn', 'pqn', 'sarsa', 'td3', 'ippo', 'happo', 'mappo', 'mansa'];
const cases = JSON.parse(readFileSync('tools/hashes.json', 'utf8')) as readonly {
  readonly id: string;
  readonly link: string;
  readonly seeds: readonly Seed[];
}[];

for (const [what, ids, tag] of [
  ['three methods in three environments', FEW, ['@night']],
  ['nine methods more', REST, ['@night']],
  ['bodies of Box2D, with wind and over obstacles', ['box2d-lander', 'box2d-walker'], ['@night']],
  [
    'transformers on tokens, from nothing, from a copied start and from pretrained weights',
    ['group-rl', 'group-rl-cloned', 'group-rl-stories', 'group-rl-stories-2'],
    ['@night'],
  ],
] as const) {
  test(`${what}: the parameters that are recorded`, { tag: [...tag] }, async ({ page }) => {
    test.setTimeout(600_000);
    await open(page);
    const given: Record<string, unknown> = {};
    const recorded: Record<string, unknown> = {};
    for (const id of ids) {
      await test.step(id, async () => {
        const { link, seeds } = cases.find((candidate) => candidate.id === id)!;
        await follow(page, link);
        const run = await trainToEnd(page, 120_000);
        given[id] = run.seeds.map(({ result }) => [result?.parameterHash, result?.finalReturn, result?.evalReturn]);
        recorded[id] = seeds.map(({ parameterHash, finalReturn, evalReturn }) => [parameterHash, finalReturn, evalReturn]);
      });
    }
    expect(given).toEqual(recorded);
  });
}
