// Train PPO on CartPole, watch it learn, and evaluate what was learned. Run: node train.js
import { evaluate, loadPolicy, train } from 'rl-workbench';
import { ppo } from 'rl-workbench/algos/ppo';
import { cartpole } from 'rl-workbench/envs/cartpole';

const run = train({
  env: cartpole,
  algo: ppo,
  config: { entropyCoef: 0.005 }, // what differs from the defaults
  steps: 60_000,
  seed: 1,
  evalEvery: 20_000,
  now: () => performance.now(),
});

let last = null;
for await (const progress of run) {
  const { evalReturn } = progress.metrics;
  if (evalReturn !== undefined && progress.result === null) console.log(`step ${progress.step}: greedy return ${evalReturn}`);
  last = progress;
}

// The same options give the same hash in every process and browser.
console.log('parameters', last.result.parameterHash);

const { policy, free } = await loadPolicy(last.policy, { env: cartpole, algo: ppo });
const { score, lengths } = await evaluate(policy, cartpole, {}, { episodes: 20 });
free();
console.log(`20 episodes: mean return ${score}, longest ${Math.max(...lengths)} steps`);
