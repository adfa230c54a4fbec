// Which predator earns the team's return? Shapley values of a trained team, with intervals. Run: node explain.js
import { registryOf, train } from 'rl-workbench';
import { ippo } from 'rl-workbench/algos/ippo';
import { predatorPrey } from 'rl-workbench/envs/predator-prey';
import { AGENTS, getExplainer, requestOf } from 'rl-workbench/explain';

let snapshot = null;
for await (const { policy, result } of train({ env: predatorPrey, algo: ippo, steps: 4000, seed: 1 })) {
  snapshot = policy ?? snapshot;
  if (result !== null) console.log(`trained: team return ${result.evalReturn}`);
}
if (snapshot === null) throw new Error('no policy');

// What is asked of the explainer, and about whom: here the whole team is the policy that was trained.
const request = requestOf(AGENTS, { maxSteps: 20_000 }, { env: snapshot.env, team: { snapshot } });
const registry = registryOf([predatorPrey], [ippo]);

// Answers come while they grow more certain; the last one is the best.
let last = null;
for await (const answer of getExplainer(AGENTS.id).explain(request, { registry })) last = answer;
console.log(last.title);
console.log(last.words);
console.log(JSON.stringify(last.data).slice(0, 300));
