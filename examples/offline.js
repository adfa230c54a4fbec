// Record play of mixed quality, keep it as a file, and learn from it alone: no step is taken while learning. Run: node offline.js
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { train } from 'rl-workbench';
import { behaviourCloning } from 'rl-workbench/algos/behaviour-cloning';
import { decodeDataset, encodeDataset, recordDataset } from 'rl-workbench/data';
import { catchBall } from 'rl-workbench/envs/catch';

const [script] = catchBall.policyNames; // the best known way to play
const recorded = await recordDataset({
  entry: catchBall,
  config: catchBall.parse({}),
  players: [{ kind: 'script', name: script }, { kind: 'random' }],
  steps: 4000,
  seed: 1,
  errors: 0.1,
  greedy: true,
  title: 'half good, half random',
  licence: 'CC0-1.0',
});
const file = join(tmpdir(), 'catch.rlds');
writeFileSync(file, encodeDataset(recorded));

const bytes = readFileSync(file);
const hash = createHash('sha256').update(bytes).digest('hex'); // runs name a dataset by its hash
const { episodes, steps } = recorded.header;
console.log(`${episodes} episodes, ${steps} steps`);

const config = { dataset: hash, share: 0.5 }; // the better half
const options = { env: catchBall, algo: behaviourCloning, config, steps: 500, dataset: async () => decodeDataset(bytes) };
for await (const { result } of train(options)) if (result !== null) console.log('greedy return', result.evalReturn);
