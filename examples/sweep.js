// Two methods, three step sizes, five seeds each: interquartile means with intervals. Run: node sweep.js
import { train } from 'rl-workbench';
import { a2c } from 'rl-workbench/algos/a2c';
import { ppo } from 'rl-workbench/algos/ppo';
import { catchBall } from 'rl-workbench/envs/catch';
import { bootstrapInterval, iqm, Rng } from 'rl-workbench/math';

const STEPS = 6000;
const SEEDS = [1, 2, 3, 4, 5];

async function finalReturn(algo, lr, seed) {
  let result = null;
  for await (const progress of train({ env: catchBall, algo, config: { lr }, steps: STEPS, seed })) result = progress.result;
  return result.evalReturn;
}

const table = [];
for (const algo of [a2c, ppo]) {
  for (const lr of [3e-4, 1e-3, 3e-3]) {
    const returns = [];
    for (const seed of SEEDS) returns.push(await finalReturn(algo, lr, seed));
    const { low, high } = bootstrapInterval(
      returns.map((score) => [score]),
      iqm,
      Rng.from(1),
    );
    table.push({ method: algo.id, lr, iqm: iqm(returns).toFixed(2), low: low.toFixed(2), high: high.toFixed(2) });
  }
}
console.table(table);
// Choosing the best of several rows on the seeds that made them flatters it: report new seeds for the winner (docs/sweeps.md).
