/**
 * Group policy gradient on worlds: each start is played by a group of rows, from one saved state, and what an episode earned beyond the
 * mean of its group makes its actions more likely; there is no critic. What is done to language-model agents by turns is done here by
 * steps, with a small network on what the world shows.
 *   A = (R - mean) / (deviation + 1e-4) of the group (GRPO, Shao et al. 2024), the same for every step of the episode
 *   L = mean over steps of -min(rho A, clip(rho, 1 - clip, 1 + clip) A) - entropyCoef H,   rho = pi / pi_old
 * Published rules are extensions (extensions/index.ts), called at the places that api/extension.ts names: state groups (gigpo), strata (stratified),
 * valuable groups again (vspo), self-imitation (spear), a horizon that grows (scaling-inter), entropy in a band (epo), a cloned start (cloning).
 * Old log-probabilities are those of acting, from the same kernels. Discrete actions, one agent, one reward.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     save the state at each start; play it `group` times with pi (if branching: some rows branch off), cut after `horizon` steps
 *     A of the episodes in their group, for each of their steps
 *     for each epoch, for each shuffled minibatch of steps
 *       descend L with Adam, norm clipped
 * Throws LabError('nan-loss').
 */
import type { Engine } from '#core/engine/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { freshOptimiser, saveGroups } from '#core/state/params.ts';
import { passAtK } from '#math/decoding.ts';
import { groupAdvantages, isUniform } from '#math/groups.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { defineAlgo } from '../api/define.ts';
import type { EpisodeNumbers, GroupEpisodes, GroupUpdate, Views } from '../api/extension.ts';
import { checkFinite, checkOneReward } from '../api/guards.ts';
import { episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { type ExtendedPrograms, NOTHING_ADDED } from '../api/standing.ts';
import { groupExtensionsOf } from '../extensions/index.ts';
import { networkPolicy } from '../lib/network-policy.ts';
import { createWorldCollector, type GroupWatcher } from './lib/world-groups.ts';
import {
  compileWorldCloner,
  compileWorldLearner,
  compileWorldPolicy,
  savedWorldPolicy,
  type WorldNetwork,
  worldNetwork,
} from './lib/world-network.ts';
import { type Config, config, metrics, presets } from './lib/world-settings.ts';

/** Of pass@k. */
const TRIES = 5;

/** The advantage of every step that was played, that of its episode among the `group` rows of its group: [rows * longest] in the places of `last`. */
export function stepAdvantages(last: Pick<GroupEpisodes, 'longest' | 'lengths' | 'returns'>, group: number): Float64Array {
  const { longest, lengths, returns } = last;
  const whole = groupAdvantages(returns, group, { baseline: 'mean', scale: 'group' });
  const advantages = new Float64Array(lengths.length * longest);
  for (let row = 0; row < lengths.length; row++) advantages.fill(whole[row]!, row * longest, row * longest + lengths[row]!);
  return advantages;
}

/** Share of the steps whose state another step of their group began from. */
export function sharedStates(last: Pick<GroupEpisodes, 'longest' | 'lengths' | 'keys'>, group: number): number {
  let [steps, shared] = [0, 0];
  for (let g = 0; g < last.lengths.length / group; g++) {
    const states = Array.from(stepsOf(last, [g], group), (place) => last.keys[place]!);
    const times = new Map<number, number>();
    for (const state of states) times.set(state, (times.get(state) ?? 0) + 1);
    for (const state of states) shared += Number((times.get(state) ?? 0) > 1);
    steps += states.length;
  }
  return shared / steps;
}

/** What the groups of an update found: of five tries from the same start, and how many of their episodes differ in what was done. */
export function triesOf({ returns, lengths, shared, actions, longest }: GroupEpisodes, group: number) {
  let [passFive, distinct] = [0, 0];
  const groups = returns.length / group;
  for (let first = 0; first < returns.length; first += group) {
    let [own, right] = [0, 0];
    const ways = new Set<string>();
    for (let row = first; row < first + group; row++) {
      ways.add(actions.subarray(row * longest, row * longest + lengths[row]!).join());
      if (shared[row]! > 0) continue;
      own++;
      right += Number(returns[row]! > 0);
    }
    passFive += passAtK(own, right, Math.min(TRIES, own)) / groups;
    distinct += ways.size / returns.length;
  }
  return { passFive, distinct };
}

/** Places of the steps of these groups, one behind the other. */
function stepsOf(
  { lengths, longest }: Pick<GroupEpisodes, 'lengths' | 'longest'>,
  groups: readonly number[],
  group: number,
): Int32Array<ArrayBuffer> {
  const places: number[] = [];
  for (const g of groups)
    for (let row = g * group; row < (g + 1) * group; row++) for (let t = 0; t < lengths[row]!; t++) places.push(row * longest + t);
  return Int32Array.from(places);
}

/** Learns once from every step that was demonstrated, in minibatches of `rows`; gives the loss of the last one. */
export async function cloneEpisodes(
  cloner: ReturnType<typeof compileWorldCloner>,
  last: GroupEpisodes,
  { rows, lr, rng }: { readonly rows: number; readonly lr: number; readonly rng: Rng },
): Promise<number> {
  const feed = cloner.in;
  const [O, N] = [last.obs.length, last.masks.length].map((size) => size / last.actions.length) as [number, number];
  const order = stepsOf(
    last,
    Array.from(last.lengths, (_, row) => row),
    1,
  );
  rng.shuffle(order);
  feed.lr[0] = lr;
  for (let from = 0; from < order.length; from += rows) {
    const count = Math.min(rows, order.length - from);
    gatherRows(order, from, count, last.obs, O, feed.obs);
    if (feed.mask !== undefined) gatherRows(order, from, count, last.masks, N, feed.mask);
    gatherRows(order, from, count, last.actions, 1, feed.action);
    feed.weight.fill(0).fill(1 / count, 0, count);
    const pending = cloner.run();
    if (pending) await pending;
  }
  return cloner.out.loss[0]!;
}

/** Steps of the longest episode that a group can hold. */
export const longestOf = ({ horizon }: Pick<Config, 'horizon'>, { maxSteps }: VectorEnv['meta']): number =>
  maxSteps > 0 ? Math.min(horizon, maxSteps) : horizon;

/** What plays the groups of a run, with a stream of random numbers for each purpose; `forks`: of branches, null where nothing branches. */
export function groupsOf(
  c: Pick<Config, 'group' | 'horizon' | 'branching'>,
  { engine, env, net, rng }: { readonly engine: Engine; readonly env: VectorEnv; readonly net: WorldNetwork; readonly rng: Rng },
  watcher?: GroupWatcher,
) {
  const longest = longestOf(c, env.meta);
  const [sampling, seeds] = [rng.split('sampling'), rng.split('starts')];
  const forks = c.branching.kind === 'on' ? rng.split('branching') : null;
  const branching = c.branching.kind === 'on' && forks !== null ? { ...c.branching, rng: forks } : null;
  const collector = createWorldCollector(engine, env, net, {
    ...{ group: c.group, longest, sampling, seeds, branching },
    ...(watcher !== undefined && { watcher }),
  });
  return { collector, longest, sampling, seeds, forks };
}

const extensions = groupExtensionsOf({ loop: 'groups', networks: 'other' });

export const groupWorlds = defineAlgo<Config>({
  spec: {
    id: 'group-worlds',
    version: 4,
    changes: [
      {
        version: 2,
        what: 'Episodes may be compared with those of as many steps alone, uniform groups replaced by valuable ones, and own successes replayed.',
        before: { strataWeight: 0, copies: 0, shapingUntil: 0, replay: 0, covarianceClip: 0 },
        rerun: false,
      },
      {
        version: 3,
        what: 'Episodes of a group may branch off each other, and clipped steps keep gradients.',
        before: { branching: 0, branchChance: 0.5, branchPenalty: 0, preserve: false },
        rerun: false,
      },
      {
        version: 4,
        what: 'It may first copy the scripted novice of a world.',
        before: { cloneSteps: 0, cloneLr: 1e-3 },
        rerun: false,
      },
    ],
    title: 'Group policy gradient on worlds',
    summary: 'Plays each start many times and makes the episodes above their group’s mean return more likely, without a critic.',
    source: {
      title: 'Group-in-Group Policy Optimization for LLM Agent Training',
      authors: 'Feng et al.',
      year: 2025,
      url: 'https://arxiv.org/abs/2505.10978',
    },
    config,
    extensions,
    presets,
    action: 'discrete',
    learner: 'network',
    agents: 'one',
    trial: {
      env: 'minigrid-empty',
      steps: 1200,
      config: {
        starts: 2,
        group: 4,
        horizon: 32,
        growth: { kind: 'on', from: 8 },
        stateGroups: 'on',
        strataWeight: 0.5,
        copies: 1,
        replay: 0.5,
        covarianceClip: 0.05,
        branching: { kind: 'on', penalty: 0.5 },
        preserve: true,
        band: 'on',
        batchSize: 64,
        hidden: [8],
      },
    },
    probes: [
      { on: ['bandit', 'cued', 'masked'], steps: 8000 },
      { on: ['delayed'], steps: 12_000 },
    ],
    probeConfig: { lr: 1e-2, starts: 4, hidden: [16], batchSize: 64, entropyCoef: 0.001 },
    metrics,
  },

  fits: (meta) => checkOneReward(meta, 'Group policy gradient on worlds'),

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const { obsSize: O, actionCount: N } = meta;
    const engine = await run.makeEngine();
    const rows = c.starts * c.group;
    const env = run.makeEnv(rows);
    const net = worldNetwork(engine, meta, c.hidden, run.rng.split('init'));
    const extended = await extensions.begin(c, { engine, meta });
    const added: ExtendedPrograms = extended.attach({
      ...{ loop: 'groups', networks: 'other', engine, meta, env, rng: run.rng, learned: [{ name: 'policy', group: net.group }] },
      ...{ group: c.group, size: c.batchSize },
      copying: {
        teachers: run.envEntry.policies(run.envConfig),
        async demonstrate(teacher) {
          const played = await collector.collect(longest, 0, (actions) => teacher.act(env.env, env.buffers, actions));
          env.episodes.forget();
          return played;
        },
        program() {
          const cloner = compileWorldCloner(engine, net, c, c.batchSize);
          return async (_, lr) => ({ loss: await cloneEpisodes(cloner, last, { rows: c.batchSize, lr, rng: shuffling }) });
        },
        begin: () => freshOptimiser(engine),
      },
      async learnFrom(fill) {
        feed.entropyCoef[0] = 0;
        for (const name of Object.keys(added.inputs('policy'))) views[name]?.fill(0);
        fill(feed);
        const pending = learn.run();
        if (pending) await pending;
      },
    });
    const learn = compileWorldLearner(engine, net, c, c.batchSize, added);
    const feed = learn.in;
    const views: Views = feed;
    const also = added.places();
    const shuffling = run.rng.split('shuffling');
    const { collector, longest, sampling, seeds, forks } = groupsOf(c, { engine, env, net, rng: run.rng });
    const { last } = collector;
    const state = registerState(
      {
        counters: { step: 0, updates: 0, entropySum: 0 },
        parts: { env, engine },
        arrays: { sampling, shuffling, starts: seeds, ...(forks !== null && { forks }) },
      },
      ...also.states,
    );
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
      const first = await also.before?.();
      if (first != null) {
        counters.step += first.steps;
        checkFinite(counters.step, first.metrics);
        yield { step: counters.step, metrics: { ...episodeRow(env), ...first.metrics }, ...point };
        continue;
      }
      const done = counters.step / run.steps;
      const numbers: EpisodeNumbers = { horizon: c.horizon, help: 0 };
      also.beforeEpisodes?.(numbers, done);
      const horizon = Math.min(longest, numbers.horizon);

      // 1. One episode in every row.
      const steps = await collector.collect(horizon, numbers.help);

      // 2. Advantages of all steps.
      const usual = counters.updates === 0 ? Number.NaN : counters.entropySum / counters.updates;
      const update: GroupUpdate = {
        ...{ episodes: last, advantages: stepAdvantages(last, c.group), groups: Array.from({ length: c.starts }, (_, g) => g) },
        ...{ updates: counters.updates, usualEntropy: usual, done },
      };
      const { advantages } = update;
      also.compared?.(update);
      const order = stepsOf(last, update.groups, c.group);
      const taught = order.length;
      const silent = new Set<number>();
      also.silenced?.(update, order, silent);
      let teaching = 0; // steps
      for (const at of order) teaching += advantages[at] !== 0 && !silent.has(at) ? 1 : 0;

      // 3. Epochs over shuffled steps.
      feed.lr[0] = c.lr;
      feed.low[0] = c.clip;
      feed.high[0] = c.clip;
      feed.entropyCoef[0] = c.entropyCoef;
      let entropy = 0;
      for (let epoch = 0; epoch < c.epochs; epoch++) {
        shuffling.shuffle(order);
        entropy = 0;
        for (let from = 0; from < taught; from += c.batchSize) {
          const count = Math.min(c.batchSize, taught - from);
          gatherRows(order, from, count, last.obs, O, feed.obs);
          if (feed.mask !== undefined) gatherRows(order, from, count, last.masks, N, feed.mask);
          gatherRows(order, from, count, last.actions, 1, feed.action);
          gatherRows(order, from, count, last.logProbs, 1, feed.old);
          for (let k = 0; k < count; k++) feed.advantage[k] = advantages[order[from + k]!]!;
          // places behind the last step hold older ones, which weigh nothing
          feed.present.fill(0).fill(1, 0, count);
          feed.weight.fill(0).fill(1 / count, 0, count);
          for (let k = 0; k < count && silent.size > 0; k++) if (silent.has(order[from + k]!)) feed.weight[k] = 0;
          also.sampled?.('policy', views);
          const pending = learn.run();
          if (pending) await pending;
          also.afterUpdate?.('policy', learn.out);
          entropy += learn.out.entropySum[0]! / taught;
        }
      }
      const report = { policyLoss: learn.out.loss[0]!, gradNorm: learn.out.gradNorm[0]!, entropy };
      const clipFraction = learn.out.clipFraction[0]!;

      // 4. What extensions learn beside it.
      await also.afterGroups?.(update, taught);
      const before = counters.step;
      counters.step += steps;
      counters.updates++;
      counters.entropySum += entropy;
      const { step } = counters;
      await also.afterUpdates?.({ before, now: step, next: step + steps }, null);
      checkFinite(step, report);
      let [earned, uniform] = [0, 0];
      const stray = Number.isNaN(usual) ? 0 : Math.abs(entropy - usual);
      let branched = 0;
      for (const from of last.shared) branched += Number(from > 0) / rows;
      for (const found of last.returns) earned += Number(found > 0) / rows;
      for (let first = 0; first < rows; first += c.group) uniform += Number(isUniform(last.returns, first, c.group)) / c.starts;
      yield {
        step,
        metrics: {
          ...episodeRow(env),
          ...report,
          earned,
          uniformGroups: uniform,
          taught: taught === 0 ? 0 : teaching / taught,
          sharedStates: sharedStates(last, c.group),
          ...triesOf(last, c.group),
          branched,
          entropyStray: stray,
          horizon,
          clipFraction,
          ...also.metrics?.(),
        },
        ...point,
      };
    }
  },

  policy: savedWorldPolicy,

  benchmark({ config: c, meta, engine }) {
    const learn = compileWorldLearner(engine, worldNetwork(engine, meta, c.hidden, Rng.from(0)), c, c.batchSize, NOTHING_ADDED);
    return { run: () => learn.run() };
  },
});
