// A method of one's own with a network: a one-step actor-critic, checked and trained. Run: node own-method.js
import { train } from 'rl-workbench';
import * as kit from 'rl-workbench/algo-kit';
import { cartpole } from 'rl-workbench/envs/cartpole';
import { categorical, Rng } from 'rl-workbench/math';
import { checkAlgo } from 'rl-workbench/testing';
import { z } from 'zod';

const B = 32; // environments side by side
const config = z.strictObject({ lr: kit.fields.lr(3e-3, 'own choice'), gamma: kit.fields.gamma(0.97, 'own choice', { live: false }) });
const network = (engine, meta, rng) => kit.policyNetwork(engine, meta, { hidden: [32], activation: 'tanh', sharedTrunk: false }, rng);
const acting = (engine, net) => (rows) => engine.compile(net.inputs(rows), net.outputs, { name: 'act' });

const actorCritic = kit.defineAlgo({
  spec: {
    ...{ id: 'my-actor-critic', version: 1, title: 'One-step actor-critic', summary: 'Learns from every step at once.' },
    source: {
      title: 'Neuronlike adaptive elements that can solve difficult learning control problems',
      authors: 'Barto et al.',
      year: 1983,
    },
    ...{ config, presets: [], action: 'discrete', learner: 'network', agents: 'one', trial: { env: 'cartpole', steps: 4096 } },
    ...{ probes: [{ on: ['bandit', 'cued'], steps: 30_000 }], probeConfig: { lr: 0.02 } },
    metrics: [...kit.episodeMetrics, { id: 'loss', title: 'loss', description: 'Of policy and critic.' }],
  },
  async *train(run, resume) {
    const { meta, config: c } = run;
    const [engine, env] = [await run.makeEngine(), run.makeEnv(B)];
    const net = network(engine, meta, run.rng.split('init'));
    const act = acting(engine, net)(B);
    const shapes = { ...net.inputs(B), action: net.actionShape(B), target: [B] };
    const loss = (x, g) => {
      const { logProb, value } = net.evaluate(x, x.action, g);
      const error = kit.sub(x.target, value);
      return { loss: kit.sub(kit.mean(kit.square(error)), kit.mean(kit.mul(kit.stopGradient(error), logProb))) };
    };
    const learn = engine.compile(shapes, loss, { minimise: 'loss', group: net.group, with: kit.adam(), maxGradNorm: 1, name: 'learn' });
    const sampling = run.rng.split('sampling');
    const state = kit.registerState({ counters: { step: 0 }, parts: { env, engine }, arrays: { sampling } });
    const policy = () => kit.networkPolicy({ meta, compile: acting(engine, net) });
    const point = kit.safePoint({ state, engine, snapshot: () => kit.saveGroups(engine, { net: net.group }), policy });
    if (resume === undefined) env.reset();
    else state.load(resume);
    const actions = kit.createActions(meta, B);
    while (state.counters.step < run.steps) {
      for (let t = 0; t < 32; t++) {
        act.in.obs.set(env.buffers.obs);
        learn.in.obs.set(env.buffers.obs);
        act.run();
        for (let b = 0; b < B; b++) actions[b] = categorical(act.out.logits, b * meta.actionCount, meta.actionCount, sampling.uniform());
        env.step(actions);
        kit.nextObservations(env.buffers, meta, act.in.obs); // where an episode ended, its own last one
        act.run();
        const { reward, terminated } = env.buffers;
        for (let b = 0; b < B; b++) learn.in.target[b] = reward[b] + c.gamma * (1 - terminated[b]) * act.out.value[b];
        learn.in.action.set(actions);
        learn.in.lr[0] = c.lr;
        learn.run();
      }
      state.counters.step += 32 * B;
      yield { step: state.counters.step, metrics: { ...kit.episodeRow(env), loss: learn.out.loss[0] }, ...point };
    }
  },
  async policy({ meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const net = network(engine, meta, Rng.from(0));
    kit.loadGroups(engine, { net: net.group }, saved);
    return kit.networkPolicy({ meta, compile: acting(engine, net), dispose: () => engine.dispose() });
  },
});

for (const { verdict, title, words } of await checkAlgo(actorCritic, { env: cartpole, steps: 4096 })) console.log(verdict, title, words);
for await (const { result } of train({ env: cartpole, algo: actorCritic, steps: 150_000 }))
  if (result !== null) console.log('greedy return', result.evalReturn);
