/**
 * PPO over options (Sutton, Precup & Singh 1999): the environment offers skills (EnvEntry.skills), run by controllers, and a policy over
 * these options is learned. An agent chooses every `decisionInterval` steps, and as soon as a moment calls for it; all agents share one
 * network and see only their own observation. A choice that lasts k steps earns R, and then what follows it:
 *   R = sum_{j<k} gamma^j r_j,   then   gamma^k V(s')
 *   delta = R + gamma^k V(s') - V(s),   A = delta + gamma^k lambda A',   A' of the same agent's next choice
 * The clipped objective (lib/ppo/common.ts) learns from finished choices, advantages over these (lib/strategist-decisions.ts). With
 * `random` or `fixed` choices nothing is learned. Choices that are still open when an update comes are closed after it: their ratio starts
 * near 1 instead of at 1.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     until rolloutDecisions choices of every agent of B environments are finished, on average
 *       every agent without a skill draws one from pi(skill | o); keep ln pi and V(o)
 *         random: uniformly; fixed: always the same
 *       every agent performs its skill for one step; R += gamma^j r, if normaliseReward: r scaled
 *       close choices that lasted decisionInterval steps and, if moments, those that met an event
 *       close all choices of an episode that ended; at a time limit R += gamma^k V(final observation)
 *     advantages A over choices, backwards; the open ones give the values after the last
 *     if strategy is learned: for each epoch, for each shuffled minibatch of choices
 *       standardise A over the minibatch
 *       one step of Adam on PPO's clipped loss
 * Throws LabError('nan-loss').
 */

import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import type { ExtraCard } from '#contract/session/session.ts';
import { logSoftmax, standardise } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import type { EnvMeta, Skills } from '#core/envs/api/types.ts';
import { categoricalEntropy, categoricalLogProb } from '#core/nets/heads.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { log } from '#math/functions.ts';
import { RewardScaler, RunningMoments } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { argmax, categorical } from '#math/sampling.ts';
import { annealed } from '#math/schedules.ts';
import { explainedVariance } from '#math/stats.ts';
import { kind, variant } from '../../envs/api/variant.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkSameAgents } from '../api/guards.ts';
import { episodeRow, skillMetrics, skillShares } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy, Run } from '../api/types.ts';
import { type PolicyNetwork, policyNetwork, policyOfNetwork } from '../lib/network-policy.ts';
import {
  CLIP_NORMALISED,
  checkMinibatches,
  checkNormalised,
  checkUpdate,
  commonFields as common,
  lossInputs,
  minibatchEpochs,
  ppoLoss,
  ppoMetrics,
  savedPacked,
  type UpdateReport,
} from '../lib/ppo/common.ts';
import { close, createDecisions, earn, open, openDecisions, semiMarkovGae } from './lib/strategist-decisions.ts';

const options = 'Sutton, Precup & Singh 1999';

const strategistConfig = z.strictObject({
  strategy: variant(
    'learned',
    [
      kind('learned', {}),
      kind('random', {}),
      kind('fixed', {
        skill: z.string().max(64).default('').meta({
          title: 'fixed skill',
          description: 'The name of the skill; empty: the first.',
          depth: 'teach',
          group: 'decisions',
        }),
      }),
    ],
    {
      title: 'policy over skills',
      description: 'Learned, uniformly random, or always the same skill: the last two are baselines.',
      source: 'own choice',
      depth: 'teach',
      group: 'decisions',
    },
  ),
  decisionInterval: z
    .int()
    .min(1)
    .max(1000)
    .default(25)
    .meta({
      title: 'maximum option length',
      unit: 'steps',
      description: 'A skill ends at the latest after this many steps.',
      source: 'own choice',
      depth: 'teach',
      slider: [1, 100],
      group: 'decisions',
    }),
  moments: z.boolean().default(true).meta({
    title: 'terminate at events',
    description: 'A skill also ends at an event of the environment: a touch, a turn.',
    source: options,
    group: 'decisions',
  }),
  lr: fields.lr(1e-3, 'own choice'),
  annealLr: common.annealLr,
  gamma: fields.gamma(0.99, 'CleanRL ppo.py', { description: 'Weight of a reward one environment step later, however long skills last.' }),
  lambda: fields.gaeLambda(0.95, 'CleanRL ppo.py', { description: 'Per decision: 0: one-step TD errors; 1: Monte Carlo returns.' }),
  bootstrapAtTruncation: common.bootstrapAtTruncation,
  envs: fields.numEnvs(16, 'own choice'),
  rolloutDecisions: z
    .int()
    .min(1)
    .max(4096)
    .default(32)
    .meta({
      title: 'rollout',
      unit: 'decisions',
      description: 'Finished decisions of each agent of each copy, on average, between two updates.',
      source: 'own choice',
      slider: [4, 256],
      log: true,
      depth: 'research',
      group: 'rollout',
    }),
  minibatches: common.minibatches,
  epochs: common.epochs,
  clip: common.clip,
  clipValue: fields.clipValue(false, 'own choice'),
  entropyCoef: common.entropyCoef,
  valueCoef: common.valueCoef,
  maxGradNorm: common.maxGradNorm,
  hidden: common.hidden,
  activation: common.activation,
  normaliseObs: common.normaliseObs,
  normaliseReward: fields.normaliseReward(true, 'own choice'),
});
type StrategistConfig = z.infer<typeof strategistConfig>;

const strategistPresets: readonly Preset[] = [
  { id: 'random', title: 'uniformly random skills', config: { strategy: 'random' } },
  { id: 'fixed', title: 'always the first skill', config: { strategy: 'fixed' } },
];

/** Beside these every skill has a column of its own: its share of the steps (metrics.ts). */
const strategistMetrics: readonly MetricCard[] = [
  ...ppoMetrics,
  {
    id: 'decisionLength',
    title: 'option length',
    description: 'Mean number of environment steps until the next choice.',
    unit: 'steps',
  },
];

/** The skills that the environment offers, and their names. Throws LabError('incompatible') if there are none. */
function skillsOf({ meta, envEntry, envConfig }: Pick<Run<unknown>, 'meta' | 'envEntry' | 'envConfig'>): {
  readonly names: readonly string[];
  readonly skills: Skills;
} {
  const names = meta.skills;
  const skills = envEntry.skills(envConfig);
  if (names !== undefined && skills !== null) return { names, skills };
  throw fail('incompatible', 'A strategist chooses among skills, and this environment offers none.', 'Try drone volleyball.', 'env.id');
}

/** The same agents, whose actions are skills: what the network is made for. */
function skillMeta(meta: EnvMeta): EnvMeta {
  const labels = meta.skills ?? [];
  const action = { kind: 'discrete', n: labels.length, labels } as const;
  return { ...meta, agents: meta.agents.map((group) => ({ ...group, action })), actionSize: 1, actionCount: labels.length, masked: false };
}

/** ln p of every skill where the choice is not learned; null where it is. */
function givenChances({ strategy }: StrategistConfig, names: readonly string[]): Float32Array | null {
  if (strategy.kind === 'learned') return null;
  if (strategy.kind === 'random') return new Float32Array(names.length).fill(-log(names.length));
  const always = strategy.skill === '' ? 0 : names.indexOf(strategy.skill);
  return Float32Array.from(names, (_, i) => (i === always ? 0 : -1e8));
}

function compileActing(engine: Engine, net: PolicyNetwork, rows: number) {
  return engine.compile(
    net.inputs(rows),
    (x, g) => {
      const { head, value } = net.apply(x, g);
      return { logits: head, value, logProbs: logSoftmax(head) };
    },
    { name: 'strategist act' },
  );
}

const networkOf = (engine: Engine, meta: EnvMeta, c: StrategistConfig, rng: Rng): PolicyNetwork =>
  policyNetwork(engine, meta, { ...c, sharedTrunk: false }, rng);

function compileLearner(engine: Engine, net: PolicyNetwork, c: StrategistConfig, agents: number) {
  const rows = (c.envs * agents * c.rolloutDecisions) / c.minibatches;
  return engine.compile(
    { ...net.inputs(rows), ...lossInputs(rows, c.clipValue), action: [rows] },
    (x, g) => {
      const { head, value } = net.apply(x, g);
      const entropy = categoricalEntropy(head); // before ln p: gradients are summed in the order of the expressions
      const found = { entropy, logProb: categoricalLogProb(head, x.action), value };
      return ppoLoss(x, found, { advantage: standardise(x.advantage, 1, 1e-8) });
    },
    { minimise: 'loss', group: net.group, with: adam({ eps: 1e-5 }), maxGradNorm: c.maxGradNorm, name: 'strategist learn' },
  );
}

const REMEMBERED = 3; // skill + 1 (0: none yet), steps with it, moment

/**
 * `inner` gives logits over skills [rows, N] and values; where `given` [N] holds ln p of each skill, these are used instead, and drawn
 * from even if the greedy choice is asked for: chance has no best. The extras say what it would choose now and what it performs.
 */
function skilledPolicy(
  inner: Policy,
  meta: EnvMeta,
  skills: Skills,
  c: { readonly decisionInterval: number; readonly moments: boolean },
  given: Float32Array | null,
): Policy {
  const { obsSize: O, actionSize: D, skills: names = [] } = meta;
  const N = names.length;
  const extras: readonly ExtraCard[] = [
    {
      id: 'skillLogits',
      kind: 'logits',
      title: 'skills',
      description: 'Probability of each skill if it chose now.',
      labels: names,
      chosen: 'skill',
    },
    { id: 'skill', kind: 'choice', title: 'current skill', description: 'The skill it performs in this step.', labels: names },
  ];
  return {
    extras,
    initial: (rows) => new Float32Array(rows * REMEMBERED),
    async act(query) {
      const { rows, obs, rng } = query;
      const { logits: own, value } = await inner.act({ ...query, greedy: true });
      const logits = given === null ? own : new Float32Array(rows * N);
      if (logits === undefined) throw new Error('The network of a strategist gives logits of the skills.');
      const hidden = query.hidden.slice();
      const skill = new Float32Array(rows);
      const actions = meta.actionCount > 0 ? new Int32Array(rows * D) : new Float32Array(rows * D);
      for (let row = 0; row < rows; row++) {
        if (given !== null) logits.set(given, row * N);
        const at = row * REMEMBERED;
        const moment = skills.moment(obs, row * O);
        const ended = hidden[at] === 0 || hidden[at + 1]! >= c.decisionInterval || (c.moments && moment !== hidden[at + 2]);
        if (ended) {
          const best = query.greedy && given === null;
          hidden[at] = 1 + (best ? argmax(logits, row * N, N) : categorical(logits, row * N, N, rng.uniform()));
          hidden[at + 1] = 0;
          hidden[at + 2] = moment;
        }
        hidden[at + 1]!++;
        skill[row] = hidden[at]! - 1;
        skills.act(skill[row]!, obs, row * O, actions, row * D);
      }
      return { actions, hidden, extras: { skillLogits: logits, skill }, ...(value && given === null && { value }) };
    },
    dispose: () => inner.dispose(),
  };
}

export const strategist = defineAlgo<StrategistConfig>({
  spec: {
    id: 'strategist',
    version: 1,
    title: 'Strategist over skills (PPO)',
    summary: 'Learns when to perform which skill of the environment, instead of every motor command.',
    source: {
      title: 'Between MDPs and semi-MDPs: a framework for temporal abstraction in reinforcement learning',
      authors: 'Sutton, Precup and Singh',
      year: 1999,
      url: 'https://doi.org/10.1016/S0004-3702(99)00052-1',
    },
    config: strategistConfig,
    presets: strategistPresets,
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: { env: 'drone-volleyball', steps: 2048, config: { envs: 2, rolloutDecisions: 8, minibatches: 2, epochs: 2, hidden: [8] } },
    probes: [],
    metrics: strategistMetrics,
    metricsOf: skillMetrics,
  },

  fits(meta, c) {
    const { skills: names } = meta;
    if (names === undefined) {
      throw fail('incompatible', 'A strategist chooses among skills, and this environment offers none.', 'Try drone volleyball.', 'env.id');
    }
    checkSameAgents(meta, 'The strategist');
    if (c.strategy.kind === 'fixed' && c.strategy.skill !== '' && !names.includes(c.strategy.skill)) {
      throw fail('config-invalid', `There is no skill "${c.strategy.skill}" here.`, `Skills: ${names.join(', ')}.`, 'algo.strategy.skill');
    }
    checkNormalised(meta, c.normaliseObs);
    const rows = c.envs * meta.agentCount * c.rolloutDecisions;
    checkMinibatches(rows, c.minibatches, `${rows} decisions`);
  },

  async *train(run, resume) {
    const c = run.config; // fields marked live may change between iterations
    const meta = skillMeta(run.meta);
    const { names, skills } = skillsOf(run);
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const { buffers } = env;
    const { obsSize: O, actionCount: N, agentCount: A } = meta;
    const D = run.meta.actionSize;
    const rows = c.envs * A;
    const wanted = rows * c.rolloutDecisions;
    const given = givenChances(c, names);
    const net = networkOf(engine, meta, c, run.rng.split('init'));
    const act = compileActing(engine, net, rows);
    const learn = compileLearner(engine, net, c, A);
    const sampling = run.rng.split('sampling');
    const shuffling = run.rng.split('shuffling');
    const moments = c.normaliseObs ? new RunningMoments(O) : null;
    const scaler = c.normaliseReward ? new RewardScaler(rows, c.gamma) : null;
    const decisions = createDecisions(rows, O, wanted + rows); // the last step may close one of every row
    const { closed } = decisions;
    const advantages = new Float32Array(wanted + rows);
    const targets = new Float32Array(wanted + rows);
    const actions = createActions(run.meta, c.envs);
    const rewards = new Float32Array(rows);
    const over = new Uint8Array(rows); // the episode of this row ended
    const used = new Float64Array(N); // steps spent with each skill
    const state = registerState({
      counters: { step: 0 },
      parts: { env, engine, open: openDecisions(decisions) },
      arrays: { sampling, shuffling, moments, rewardMoments: scaler?.moments ?? null, rewardFilter: scaler?.filter ?? null },
    });
    const { counters } = state;
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, { net: net.group }, {}, moments === null ? {} : { moments: moments.pack() }),
      policy: () => skilledPolicy(policyOfNetwork(engine, meta, net, moments, CLIP_NORMALISED), run.meta, skills, c, given),
    });
    if (resume === undefined) env.reset();
    else state.load(resume);

    const forward = async (seen: Float32Array): Promise<void> => {
      act.in.obs.set(seen);
      moments?.normalise(seen, act.in.obs, CLIP_NORMALISED);
      const pending = act.run();
      if (pending) await pending;
    };
    /** Every row whose skill has ended chooses the next one. */
    const decide = async (): Promise<void> => {
      if (!decisions.skill.includes(-1)) return;
      moments?.update(buffers.obs, rows);
      await forward(buffers.obs);
      const { logProbs, value } = act.out;
      for (let row = 0; row < rows; row++) {
        if (decisions.skill[row] !== -1) continue;
        const [chances, at] = given === null ? [logProbs, row * N] : [given, 0];
        const skill = categorical(chances, at, N, sampling.uniform());
        open(decisions, row, skill, skills.moment(buffers.obs, row * O), chances[at + skill]!, value[row]!, act.in.obs);
      }
    };
    while (counters.step < run.steps) {
      // 1. Play until enough choices have been finished.
      decisions.count = 0;
      used.fill(0);
      while (decisions.count < wanted) {
        await decide();
        for (let row = 0; row < rows; row++) {
          used[decisions.skill[row]!]!++;
          skills.act(decisions.skill[row]!, buffers.obs, row * O, actions, row * D);
        }
        env.step(actions);
        counters.step += c.envs;
        let clockEnded = false;
        for (let row = 0; row < rows; row++) {
          const copy = Math.floor(row / A);
          over[row] = buffers.terminated[copy]! | buffers.truncated[copy]!;
          if (over[row] !== 0 && buffers.terminated[copy] === 0) clockEnded = true;
          rewards[row] = buffers.reward[row]!;
        }
        scaler?.scale(rewards, over, rewards, CLIP_NORMALISED);
        if (clockEnded && c.bootstrapAtTruncation) await forward(buffers.finalObs);
        for (let row = 0; row < rows; row++) {
          earn(decisions, row, rewards[row]!, c.gamma);
          if (over[row] !== 0) {
            const goesOn = c.bootstrapAtTruncation && buffers.terminated[Math.floor(row / A)] === 0;
            close(decisions, row, goesOn ? act.out.value[row]! : 0);
            continue;
          }
          const late = decisions.steps[row]! >= c.decisionInterval;
          if (late || (c.moments && skills.moment(buffers.obs, row * O) !== decisions.moment[row])) close(decisions, row, null);
        }
      }
      await decide(); // what is open now is worth what comes after the last ones

      // 2. Learn from the finished ones: some epochs of shuffled minibatches on the clipped objective.
      const { count } = decisions;
      const { step } = counters;
      const steps = closed.steps.subarray(0, count).reduce((a, b) => a + b, 0);
      const lr = c.annealLr ? annealed(c.lr, run.steps, step) : c.lr;
      let report: UpdateReport = {};
      if (given === null) {
        semiMarkovGae(decisions, c.lambda, advantages, targets);
        const order = Int32Array.from({ length: count }, (_, i) => i);
        const shuffle = (): void => shuffling.shuffle(order); // each epoch leaves others of the few surplus ones out
        const size = wanted / c.minibatches;
        report = await minibatchEpochs(learn, size, { ...c, lr }, shuffle, (from) => {
          const feed = learn.in;
          gatherRows(order, from, size, closed.obs, O, feed.obs);
          gatherRows(order, from, size, closed.skill, 1, feed.action);
          gatherRows(order, from, size, closed.logProb, 1, feed.oldLogProb);
          gatherRows(order, from, size, advantages, 1, feed.advantage);
          gatherRows(order, from, size, targets, 1, feed.target);
          if (feed.oldValue !== undefined) gatherRows(order, from, size, closed.value, 1, feed.oldValue);
        });
        checkUpdate(step, report);
      }
      const learned = { ...report, explainedVariance: explainedVariance(closed.value.subarray(0, count), targets.subarray(0, count)) };

      yield {
        step,
        metrics: {
          ...episodeRow(env),
          ...(given === null && { ...learned, learningRate: lr }),
          decisionLength: steps / count,
          ...skillShares(run.meta, used),
        },
        ...point,
      };
    }
  },

  async policy(context, saved) {
    const { config: c, meta } = context;
    const engine = await context.makeEngine();
    const { names, skills } = skillsOf(context);
    const seen = skillMeta(meta);
    const net = networkOf(engine, seen, c, Rng.from(0));
    loadGroups(engine, { net: net.group }, saved);
    const moments = savedPacked(saved, 'moments', new RunningMoments(meta.obsSize));
    const inner = policyOfNetwork(engine, seen, net, moments, CLIP_NORMALISED, () => engine.dispose());
    return skilledPolicy(inner, meta, skills, c, givenChances(c, names));
  },

  benchmark({ config: c, meta, engine }) {
    const learn = compileLearner(engine, networkOf(engine, skillMeta(meta), c, Rng.from(0)), c, meta.agentCount);
    return { run: () => learn.run() };
  },
});
