/**
 * Group policy gradient on worlds: each start is played by a group of rows, from one saved state, and what an episode earned beyond the mean of
 * its group makes its actions more likely; there is no critic. What is done to language-model agents by turns is done here by steps, with a
 * small network on what the world shows.
 *   A = (R - mean) / (deviation + 1e-4) of the group (GRPO, Shao et al. 2024), the same for every step of the episode
 *     + stepWeight times the same of discounted returns-to-go among all steps of the group from the same state (GiGPO, Feng et al. 2025);
 *       states are the same where the agent stands in the same place and sees the same
 *   horizon: training episodes are cut after so many steps; it may begin at `growFrom` and grow in a straight line until the share `growUntil` of the budget
 *     (ScalingInter, Xi et al. 2025, in stages there)
 *   bandCoef: a penalty on entropies outside bandLow .. bandHigh times their mean over all updates so far, weighing more and more, in a
 *     straight line over the budget, beside the entropy bonus (after EPO, Xu et al. 2025)
 * Old log-probabilities are those of acting, from the same kernels. Discrete actions, one agent, one reward. Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog.ts';
import { fail } from '#contract/errors.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { saveGroups } from '#core/state/params.ts';
import { groupAdvantages, isUniform, stratifiedAdvantages } from '#math/groups.ts';
import { discountedReturns } from '#math/returns.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkFinite, checkOneReward } from '../api/guards.ts';
import { episodeMetrics, episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { networkPolicy } from '../lib/network-policy.ts';
import { createWorldCollector, type WorldEpisodes } from './lib/world-groups.ts';
import { compileWorldLearner, compileWorldPolicy, savedWorldPolicy, worldNetwork } from './lib/world-network.ts';

const own = 'own choice';

const config = z.strictObject({
  lr: fields.lr(1e-3, own),
  starts: fields.integer(8, {
    min: 1,
    max: 256,
    title: 'starts',
    description: 'Different starts per update.',
    source: own,
    group: 'rollout',
    depth: 'teach',
  }),
  group: fields.integer(8, {
    min: 2,
    max: 64,
    title: 'group size',
    description: 'Episodes from each start.',
    source: 'GiGPO',
    group: 'rollout',
    depth: 'teach',
  }),
  horizon: fields.integer(128, {
    min: 1,
    max: 2000,
    title: 'horizon',
    unit: 'steps',
    description: 'Training episodes are cut after so many steps.',
    source: own,
    group: 'rollout',
  }),
  growFrom: fields.integer(0, {
    min: 0,
    max: 2000,
    title: 'horizon grows from',
    unit: 'steps',
    description: 'The horizon at the beginning; 0: it is the same from the beginning on.',
    source: 'off in GRPO',
    group: 'rollout',
    depth: 'research',
  }),
  growUntil: fields.real(0.5, {
    above: 0,
    max: 1,
    title: 'horizon has grown at',
    description: 'Share of the budget after which the horizon is at its full length.',
    source: own,
    group: 'rollout',
    depth: 'research',
  }),
  epochs: fields.epochs(2, own),
  batchSize: fields.batchSize(256, own, { unit: 'steps', description: 'Steps of a minibatch; the last one of an epoch may hold fewer.' }),
  stepWeight: fields.real(0, {
    min: 0,
    max: 10,
    title: 'weight of state groups',
    description: 'Of the advantage among steps of a group from the same state; 0: every step of an episode counts alike.',
    source: 'GiGPO: 1',
    group: 'loss',
    live: true,
  }),
  gamma: fields.gamma(0.95, 'GiGPO', { description: 'Discount of what followed a step, for groups of the same state.' }),
  clip: fields.clipRange(0.2, 'GRPO'),
  entropyCoef: fields.entropyCoef(0.01, own),
  bandCoef: fields.real(0, {
    min: 0,
    max: 10,
    title: 'weight of the entropy band',
    description: 'Of how far entropies lie outside a band around their mean so far, at the end of the budget; 0 at its beginning.',
    source: 'off in GRPO',
    group: 'loss',
    depth: 'research',
  }),
  bandLow: fields.real(0.8, {
    min: 0,
    max: 1,
    title: 'band from',
    description: 'Lower end of the band, as a share of the mean so far.',
    source: own,
    group: 'loss',
    depth: 'research',
  }),
  bandHigh: fields.real(1.2, {
    min: 1,
    max: 10,
    title: 'band to',
    description: 'Upper end of the band, as a share of the mean so far.',
    source: own,
    group: 'loss',
    depth: 'research',
  }),
  maxGradNorm: fields.maxGradNorm(1, own),
  hidden: fields.hidden([64, 64], 'CleanRL ppo.py'),
});
type Config = z.infer<typeof config>;

const presets: readonly Preset[] = [
  { id: 'gigpo', title: 'GiGPO: groups of the same state inside groups', config: { stepWeight: 1 } },
  { id: 'growing', title: 'ScalingInter: from 8 steps to 128', config: { growFrom: 8 } },
  { id: 'epo', title: 'EPO: entropy held in a band around its mean', config: { bandCoef: 0.1 } },
];

const metrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'earned', title: 'episodes that earned', description: 'Share of the episodes of the last update that earned more than 0.' },
  { id: 'uniformGroups', title: 'uniform groups', description: 'Share of groups whose episodes all earned the same: they teach nothing.' },
  {
    id: 'sharedStates',
    title: 'steps from shared states',
    description: 'Share of the steps of the last update whose state another step of their group began from.',
  },
  { id: 'horizon', title: 'horizon', description: 'Steps after which episodes were cut in the last update.', unit: 'steps' },
  { id: 'policyLoss', title: 'policy loss', description: 'Of the last minibatch.' },
  { id: 'entropy', title: 'entropy', description: 'Mean over the steps of the last update.', unit: 'nats' },
  { id: 'clipFraction', title: 'clip fraction', description: 'Share of steps whose ratio was limited, in the last minibatch.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Before clipping, of the last minibatch.' },
];

/** Steps after which training episodes are cut. `done`: share of the budget that is spent. */
export function horizonAt({ horizon, growFrom, growUntil }: Pick<Config, 'horizon' | 'growFrom' | 'growUntil'>, done: number): number {
  if (growFrom === 0) return horizon;
  return Math.floor(growFrom + (horizon - growFrom) * Math.min(1, done / growUntil));
}

/**
 * The advantage of every step that was played, [rows * longest] in the places of `last`, and the share of steps whose state is shared. Groups
 * of `group` rows.
 */
export function stepAdvantages(
  last: Pick<WorldEpisodes, 'longest' | 'lengths' | 'returns' | 'rewards' | 'keys'>,
  { group, stepWeight, gamma }: Pick<Config, 'group' | 'stepWeight' | 'gamma'>,
): { readonly advantages: Float64Array; readonly shared: number } {
  const { longest, lengths, returns, rewards, keys } = last;
  const rows = lengths.length;
  const whole = groupAdvantages(returns, group, { baseline: 'mean', scale: 'group' });
  const advantages = new Float64Array(rows * longest);
  let [steps, shared] = [0, 0];
  for (let first = 0; first < rows; first += group) {
    const places: number[] = [];
    const following: number[] = [];
    for (let row = first; row < first + group; row++) {
      const [from, length] = [row * longest, lengths[row]!];
      following.push(...discountedReturns(rewards.subarray(from, from + length), new Uint8Array(length), gamma));
      for (let t = 0; t < length; t++) places.push(from + t);
    }
    const states = places.map((place) => keys[place]!);
    const times = new Map<number, number>();
    for (const state of states) times.set(state, (times.get(state) ?? 0) + 1);
    const among = stratifiedAdvantages(following, states, { eps: 1e-4, ddof: 1 });
    places.forEach((place, i) => {
      advantages[place] = whole[Math.floor(place / longest)]! + stepWeight * among[i]!;
      shared += Number((times.get(states[i]!) ?? 0) > 1);
    });
    steps += places.length;
  }
  return { advantages, shared: shared / steps };
}

export const groupWorlds = defineAlgo<Config>({
  spec: {
    id: 'group-worlds',
    version: 1,
    title: 'Group policy gradient on worlds',
    summary: 'Plays each start many times and makes what did better than its group more likely, without a critic.',
    source: {
      title: 'Group-in-Group Policy Optimization for LLM Agent Training',
      authors: 'Feng et al.',
      year: 2025,
      url: 'https://arxiv.org/abs/2505.10978',
    },
    config,
    presets,
    action: 'discrete',
    learner: 'network',
    agents: 'one',
    trial: {
      env: 'minigrid-empty',
      steps: 1200,
      config: { starts: 2, group: 4, horizon: 32, growFrom: 8, stepWeight: 1, bandCoef: 0.1, batchSize: 64, hidden: [8] },
    },
    probes: [
      { on: ['bandit', 'cued', 'masked'], steps: 8000 },
      { on: ['delayed'], steps: 12_000 },
    ],
    probeConfig: { lr: 1e-2, starts: 4, hidden: [16], batchSize: 64, entropyCoef: 0.001 },
    metrics,
  },

  fits(meta, c) {
    checkOneReward(meta, 'Group policy gradient on worlds');
    if (c.growFrom > c.horizon)
      throw fail(
        'incompatible',
        'A horizon that grows cannot begin beyond its full length.',
        'Lower where it grows from.',
        'algo.growFrom',
      );
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const { obsSize: O, actionCount: N } = meta;
    const engine = await run.makeEngine();
    const rows = c.starts * c.group;
    const env = run.makeEnv(rows);
    const longest = meta.maxSteps > 0 ? Math.min(c.horizon, meta.maxSteps) : c.horizon;
    const net = worldNetwork(engine, meta, c.hidden, run.rng.split('init'));
    const learn = compileWorldLearner(engine, net, c, c.batchSize);
    const sampling = run.rng.split('sampling');
    const shuffling = run.rng.split('shuffling');
    const seeds = run.rng.split('starts');
    const collector = createWorldCollector(engine, env, net, { group: c.group, longest, sampling, seeds });
    const { last } = collector;
    const state = registerState({
      counters: { step: 0, updates: 0, entropySum: 0 },
      parts: { env, engine },
      arrays: { sampling, shuffling, starts: seeds },
    });
    const { counters } = state;
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, { net: net.group }),
      policy: () => networkPolicy({ meta, compile: (n) => compileWorldPolicy(engine, net, n) }),
    });
    if (resume === undefined) env.reset();
    else state.load(resume);

    while (counters.step < run.steps) {
      const done = counters.step / run.steps;
      const horizon = Math.min(longest, horizonAt(c, done));

      // 1. One episode in every row.
      const steps = await collector.collect(horizon);

      // 2. Advantages of all steps.
      const { advantages, shared } = stepAdvantages(last, c);
      const order = new Int32Array(steps);
      let n = 0;
      for (let row = 0; row < rows; row++) for (let t = 0; t < last.lengths[row]!; t++) order[n++] = row * longest + t;

      // 3. Epochs over shuffled steps.
      const feed = learn.in;
      feed.lr[0] = c.lr;
      feed.low[0] = c.clip;
      feed.high[0] = c.clip;
      feed.entropyCoef[0] = c.entropyCoef;
      const usual = counters.updates === 0 ? Number.NaN : counters.entropySum / counters.updates;
      feed.bandCoef?.fill(counters.updates === 0 ? 0 : c.bandCoef * done);
      feed.bandLow?.fill(counters.updates === 0 ? 0 : c.bandLow * usual);
      feed.bandHigh?.fill(counters.updates === 0 ? 0 : c.bandHigh * usual);
      let entropy = 0;
      for (let epoch = 0; epoch < c.epochs; epoch++) {
        shuffling.shuffle(order);
        entropy = 0;
        for (let from = 0; from < steps; from += c.batchSize) {
          const count = Math.min(c.batchSize, steps - from);
          gatherRows(order, from, count, last.obs, O, feed.obs);
          if (feed.mask !== undefined) gatherRows(order, from, count, last.masks, N, feed.mask);
          gatherRows(order, from, count, last.actions, 1, feed.action);
          gatherRows(order, from, count, last.logProbs, 1, feed.old);
          for (let k = 0; k < count; k++) feed.advantage[k] = advantages[order[from + k]!]!;
          // places behind the last step hold older ones, which weigh nothing
          feed.present.fill(0).fill(1, 0, count);
          feed.weight.fill(0).fill(1 / count, 0, count);
          const pending = learn.run();
          if (pending) await pending;
          entropy += learn.out.entropySum[0]! / steps;
        }
      }
      counters.step += steps;
      counters.updates++;
      counters.entropySum += entropy;
      const { step } = counters;
      const report = { policyLoss: learn.out.loss[0]!, gradNorm: learn.out.gradNorm[0]!, entropy };
      checkFinite(step, report);
      let [earned, uniform] = [0, 0];
      for (const found of last.returns) earned += Number(found > 0) / rows;
      for (let first = 0; first < rows; first += c.group) uniform += Number(isUniform(last.returns, first, c.group)) / c.starts;
      yield {
        step,
        metrics: {
          ...episodeRow(env),
          ...report,
          earned,
          uniformGroups: uniform,
          sharedStates: shared,
          horizon,
          clipFraction: learn.out.clipFraction[0]!,
        },
        ...point,
      };
    }
  },

  policy: savedWorldPolicy,

  benchmark({ config: c, meta, engine }) {
    const learn = compileWorldLearner(engine, worldNetwork(engine, meta, c.hidden, Rng.from(0)), c, c.batchSize);
    return { run: () => learn.run() };
  },
});
