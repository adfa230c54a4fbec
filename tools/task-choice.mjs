/**
 * Records what the world `task-choice` plays on: PPO on CartPole trained with each of twenty values of a setting and tested with all of them.
 *   node tools/task-choice.mjs [--out FOLDER] [--seeds 12] [--first 3013] [--jobs N]     trains what is missing, writes recorded.json (then `npm run format`)
 * About a core-minute for every seed of a setting; what was trained stays in FOLDER.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const FILE = 'src/core/envs/grids/lib/task-choice/recorded.json';
const COUNT = 20;
/** Fields of CartPole with their usual values: from half of these to ten times as much, in equal steps, as in the paper. */
const SETTINGS = {
  'pole length': { field: 'halfLength', usual: 0.5 },
  'cart mass': { field: 'cartMass', usual: 1 },
  'pole mass': { field: 'poleMass', usual: 0.1 },
};

const { values: options } = parseArgs({
  options: {
    out: { type: 'string', default: 'node_modules/.cache/rl-workbench/task-choice' },
    seeds: { type: 'string', default: '12' },
    first: { type: 'string', default: '3013' },
    jobs: { type: 'string', default: '1' },
  },
});

const settings = {};
for (const [name, { field, usual }] of Object.entries(SETTINGS)) {
  const values = Array.from({ length: COUNT }, (_, i) => Number((usual * 0.5 * (i + 1)).toPrecision(3)));
  const folder = join(options.out, field);
  mkdirSync(folder, { recursive: true });
  const run = { steps: 20_000, seeds: Number(options.seeds), seedStart: Number(options.first) };
  const config = { v: 1, env: { id: 'cartpole' }, algo: { id: 'ppo' }, run };
  const plan = { kind: 'transfer', version: 1, title: name, config, field: `env.${field}`, train: values, test: values, episodes: 2 };
  const file = join(folder, 'plan.json');
  writeFileSync(file, JSON.stringify(plan));
  const done = spawnSync(process.execPath, ['tools/rl.mjs', 'transfer', file, '--out', folder, '--jobs', options.jobs], {
    stdio: 'inherit',
  });
  if (done.status !== 0) process.exit(done.status ?? 1);
  const { tested } = JSON.parse(readFileSync(join(folder, 'transfer.json'), 'utf8'));
  const returns = Array.from({ length: run.seeds }, (_, k) => {
    const places = new Array(COUNT * COUNT).fill('');
    for (const { row, column, seed, score } of tested)
      if (seed === run.seedStart + k)
        places[row * COUNT + column] = Math.round(score * 2)
          .toString(36)
          .padStart(2, '0');
    if (places.includes('')) throw new Error(`Seed ${run.seedStart + k} of ${name} was not tested everywhere.`);
    return places.join('');
  });
  // a pole of half this length is a hinge to its middle: the whole one is twice as long
  settings[name] = { values: name === 'pole length' ? values.map((value) => Number((2 * value).toPrecision(3))) : values, returns };
}
writeFileSync(FILE, `${JSON.stringify({ count: COUNT, settings }, null, 1)}\n`);
