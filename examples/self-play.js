// A policy that plays against its own past, measured against random play and against the exact player. Run: node self-play.js
import { evaluate, loadPolicy, train } from 'rl-workbench';
import { selfPlay } from 'rl-workbench/algos/self-play';
import { ticTacToe } from 'rl-workbench/envs/tic-tac-toe';

let snapshot = null;
for await (const { step, metrics, policy, result } of train({ env: ticTacToe, algo: selfPlay, steps: 30_000, seed: 1 })) {
  snapshot = policy ?? snapshot;
  if (result !== null) console.log(`after ${step} steps`, metrics);
}

// A seat that a scripted policy or random play holds is a setting of the environment; the score is then the learner's.
const { policy, free } = await loadPolicy(snapshot, { env: ticTacToe, algo: selfPlay });
for (const opponent of ['random', ...ticTacToe.policyNames]) {
  const config = { seats: { 'second player': opponent } };
  const { perAgent } = await evaluate(policy, ticTacToe, ticTacToe.parse(config), { episodes: 100 });
  console.log(`against ${opponent}: mean result ${perAgent[0].toFixed(2)} (1 wins, 0 draws, -1 loses)`);
}
free();
