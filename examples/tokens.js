// A small transformer that writes its answer token by token: cloned from worked answers first, then by reward. Run: node tokens.js
import { createActions, loadPolicy, makeEnv, Rng, train } from 'rl-workbench';
import { tokenPpo } from 'rl-workbench/algos/token-ppo';
import { tReason } from 'rl-workbench/envs/t-reason';

const config = { width: 32, layers: 1, heads: 2, rows: 32, minibatches: 2, cloneSteps: 100 };
let snapshot = null;
for await (const { step, policy, result } of train({ env: tReason, algo: tokenPpo, config, steps: 12_000, evalEpisodes: 50 })) {
  snapshot = policy ?? snapshot;
  if (result !== null) console.log(`after ${step} tokens: mean score ${result.evalReturn}`);
}

// The policy writes one answer: every step of the environment is one token.
const { policy, free } = await loadPolicy(snapshot, { env: tReason, algo: tokenPpo });
const world = makeEnv(tReason, { seed: 7 });
const actions = createActions(world.meta, 1);
const { labels } = world.meta.agents[0].action;
const rng = Rng.from(1);
let hidden = policy.initial(1);
const written = [];
do {
  const { obs, mask } = world.buffers;
  const act = await policy.act({ obs, mask, agent: Int32Array.of(0), hidden, rng, rows: 1, greedy: true });
  hidden = act.hidden;
  actions.set(act.actions);
  written.push(labels[actions[0]]);
  world.step(actions);
} while (!world.buffers.terminated[0] && !world.buffers.truncated[0]);
console.log('it writes:', written.join(' '), '| reward', world.buffers.reward[0]);
free();
