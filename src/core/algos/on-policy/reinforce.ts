/**
 * REINFORCE (Williams 1992; Sutton and Barto 2018, sections 13.3 and 13.4): plays whole episodes and makes every action more likely in
 * proportion to the return that followed it, less what was to be expected there (the baseline, a learned value). No bootstrapping anywhere.
 *   L = -mean (G - b(s)) ln pi(a|s) + mean (V(s) - G)^2 / 2 - entropyCoef mean H(pi)
 *   G = r + gamma r' + .. to the end of the episode, b = V or 0
 * An episode that a time limit cut counts as it was. One that does not fit into `longest` steps is learned from as far as it fits.
 * Discrete actions, one agent.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     play one environment with pi, keeping s, a, r and V(s)
 *       until `episodes` episodes have ended or `longest` steps are full
 *     returns G backwards from the end of each episode, the unfinished one from its last step
 *     advantages G - V(s); if baseline is off: G
 *     one step of Adam on L over these steps, the norm of its gradient at most maxGradNorm
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { add, mul, neg, reshape, square, sub } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import { categoricalEntropy, categoricalLogProb } from '#core/nets/heads.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { discountedReturns } from '#math/returns.ts';
import { Rng } from '#math/rng.ts';
import { categorical } from '#math/sampling.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkFinite, checkOneReward } from '../api/guards.ts';
import { episodeMetrics, episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { compileActor, type PolicyNetwork, policyNetwork, policyOfNetwork } from '../lib/network-policy.ts';
import { CLIP_NORMALISED, weightedMean } from '../lib/ppo/common.ts';

const source = 'own choice';
const config = z.strictObject({
  lr: fields.lr(3e-3, source, { description: 'Step size of Adam.' }),
  gamma: fields.gamma(0.99, source, { live: false }),
  baseline: z.boolean().default(true).meta({
    title: 'baseline',
    description: 'Returns count by how much they are above the learned value of the state; off: by themselves.',
    source: 'Sutton and Barto 2018, section 13.4',
    depth: 'teach',
  }),
  episodes: fields.integer(4, {
    min: 1,
    max: 64,
    title: 'episodes per update',
    description: 'Whole episodes that are played before each step of gradient; Williams learns after every one.',
    source,
    slider: [1, 16],
  }),
  longest: fields.integer(2000, {
    min: 10,
    max: 20_000,
    title: 'steps per update',
    unit: 'steps',
    description: 'At most so many steps of experience go into one update; it learns earlier when they are full.',
    source,
    log: true,
    slider: [100, 10_000],
    depth: 'stored',
  }),
  entropyCoef: fields.entropyCoef(0, source),
  maxGradNorm: fields.maxGradNorm(1, source, { slider: [0.1, 10], log: true }),
  hidden: fields.hidden([64], source, { description: 'Units of each layer, the same for policy and value.' }),
});
type Config = z.infer<typeof config>;

const networkOf = ({ hidden }: Config) => ({ hidden, activation: 'tanh', sharedTrunk: false }) as const;

/** Rows of weight 0 are not there: an update has as many as there were steps. */
function compileLearner(engine: Engine, net: PolicyNetwork, c: Config) {
  const rows = c.longest;
  return engine.compile(
    { ...net.inputs(rows), action: [rows], advantage: [rows], target: [rows], weight: [rows], entropyCoef: [1] },
    (x, g) => {
      const { head, value } = net.apply(x, g);
      const policyLoss = neg(weightedMean(mul(x.advantage, categoricalLogProb(head, x.action)), x.weight));
      const valueLoss = mul(weightedMean(square(sub(value, x.target)), x.weight), 0.5);
      const entropy = weightedMean(categoricalEntropy(head), x.weight);
      return { loss: reshape(sub(add(policyLoss, valueLoss), mul(x.entropyCoef, entropy)), []), policyLoss, valueLoss, entropy };
    },
    { minimise: 'loss', group: net.group, with: adam(), maxGradNorm: c.maxGradNorm, name: 'reinforce learn' },
  );
}

export const reinforce = defineAlgo<Config>({
  spec: {
    id: 'reinforce',
    version: 1,
    title: 'REINFORCE',
    summary: 'Plays whole episodes and makes actions more likely by the return that followed them.',
    source: {
      title: 'Simple Statistical Gradient-Following Algorithms for Connectionist Reinforcement Learning',
      authors: 'Williams',
      year: 1992,
      url: 'https://doi.org/10.1007/BF00992696',
    },
    config,
    presets: [
      { id: 'plain', title: 'Without a baseline', config: { baseline: false } },
      { id: 'each-episode', title: 'Learns after every episode', config: { episodes: 1, lr: 1e-3 } },
    ],
    action: 'discrete',
    learner: 'network',
    agents: 'one',
    trial: { env: 'cartpole', steps: 1200, config: { episodes: 2, longest: 200, hidden: [8] } },
    probes: [
      { on: ['bandit', 'cued', 'masked'], steps: 8000 },
      { on: ['delayed'], steps: 12_000 },
    ],
    probeConfig: { lr: 1e-2, gamma: 0.9, hidden: [16], episodes: 8, longest: 64 },
    metrics: [
      ...episodeMetrics,
      { id: 'policyLoss', title: 'policy loss', description: 'Mean of -(G - b) ln pi of the last update.' },
      {
        id: 'valueLoss',
        title: 'value loss',
        description: 'Half the mean squared error of the baseline; without one it is learned and not used.',
      },
      { id: 'entropy', title: 'entropy', description: 'Of the action distribution; ln(number of actions) is uniform.', unit: 'nats' },
      { id: 'gradNorm', title: 'gradient norm', description: 'Before clipping, of the last update.' },
    ],
  },

  fits(meta) {
    checkOneReward(meta, 'REINFORCE');
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(1);
    const { buffers } = env;
    const [O, N] = [meta.obsSize, meta.actionCount];
    const net = policyNetwork(engine, meta, networkOf(c), run.rng.split('init'));
    const act = compileActor(engine, net, 1, 'reinforce act');
    const learn = compileLearner(engine, net, c);
    const sampling = run.rng.split('sampling');
    const obs = new Float32Array(c.longest * O);
    const masks = new Float32Array(meta.masked ? c.longest * N : 0).fill(1);
    const [actions, values, weights] = [new Float32Array(c.longest), new Float32Array(c.longest), new Float32Array(c.longest)];
    const rewards = new Float64Array(c.longest);
    const ended = new Uint8Array(c.longest);
    const envActions = createActions(meta, 1);
    const state = registerState({ counters: { step: 0 }, parts: { env, engine }, arrays: { sampling } });
    const { counters } = state;
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, { net: net.group }),
      policy: () => policyOfNetwork(engine, meta, net, null, CLIP_NORMALISED),
    });
    if (resume === undefined) env.reset();
    else state.load(resume);

    while (counters.step < run.steps) {
      // 1. Whole episodes; safe points are between updates, so that nothing of them need be saved.
      let count = 0;
      for (let done = 0; done < c.episodes && count < c.longest; count++) {
        obs.set(buffers.obs, count * O);
        act.in.obs.set(buffers.obs);
        if (act.in.mask !== undefined && buffers.mask !== undefined) {
          act.in.mask.set(buffers.mask);
          masks.set(act.in.mask, count * N);
        }
        const acted = act.run();
        if (acted) await acted;
        if (!('logits' in act.out)) throw new Error('REINFORCE draws discrete actions');
        values[count] = act.out.value[0]!;
        const chosen = categorical(act.out.logits, 0, N, sampling.uniform());
        actions[count] = chosen;
        envActions[0] = chosen;
        env.step(envActions);
        rewards[count] = buffers.reward[0]!;
        ended[count] = buffers.terminated[0]! | buffers.truncated[0]!;
        done += ended[count]!;
      }

      // 2. What followed each step, and one step of gradient.
      const returns = discountedReturns(rewards.subarray(0, count), ended.subarray(0, count), c.gamma);
      const feed = learn.in;
      weights.fill(0).fill(1, 0, count);
      for (let t = 0; t < count; t++) {
        feed.target[t] = returns[t]!;
        feed.advantage[t] = returns[t]! - (c.baseline ? values[t]! : 0);
      }
      feed.target.fill(0, count);
      feed.advantage.fill(0, count);
      feed.obs.set(obs);
      feed.mask?.set(masks);
      feed.action.set(actions);
      feed.weight.set(weights);
      feed.entropyCoef[0] = c.entropyCoef;
      feed.lr[0] = c.lr;
      const pending = learn.run();
      if (pending) await pending;
      counters.step += count;
      const { out } = learn;
      const report = { policyLoss: out.policyLoss[0]!, valueLoss: out.valueLoss[0]!, entropy: out.entropy[0]!, gradNorm: out.gradNorm[0]! };
      const { step } = counters;
      checkFinite(step, report);
      yield { step, metrics: { ...episodeRow(env), ...report }, ...point };
    }
  },

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const net = policyNetwork(engine, meta, networkOf(c), Rng.from(0));
    loadGroups(engine, { net: net.group }, saved);
    return policyOfNetwork(engine, meta, net, null, CLIP_NORMALISED, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const net = policyNetwork(engine, meta, networkOf(c), Rng.from(0));
    const learn = compileLearner(engine, net, c);
    return { run: () => learn.run() };
  },
});
