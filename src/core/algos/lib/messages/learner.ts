/**
 * PPO over teams that talk (objective.ts): T steps of B copies, GAE per agent, epochs of shuffled minibatches of whole teams. Used by
 * CommNet, DIAL and HAMMER, which differ in their network only. Messages of the step before are part of what an agent carries
 * (`state`), so that gradients reach who sent them up to L - 1 steps earlier. Throws LabError('nan-loss').
 */

import { z } from 'zod';
import type { MetricCard, Preset, Source, Trial } from '#contract/catalog.ts';
import { fail } from '#contract/errors.ts';
import type { Saved } from '#contract/events.ts';
import type { JsonObject } from '#contract/json.ts';
import { add, broadcastTo, concat, exp, logSoftmax, mul, neg, pick, reshape, sliceAxis, square, sub, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Program, Tensor, Views } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import type { Actions, EnvMeta, StepBuffers } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { readParams, writeParams } from '#core/state/params.ts';
import { joinSaved, partOf, restoreRng } from '#core/state/saved.ts';
import { exp as exponential } from '#math/functions.ts';
import { gae } from '#math/gae.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { categorical, HALF_LOG_TWO_PI, normal } from '#math/sampling.ts';
import { annealed } from '#math/schedules.ts';
import { explainedVariance } from '#math/stats.ts';
import { defineAlgo } from '../../api/define.ts';
import * as fields from '../../api/fields.ts';
import { episodeRow } from '../../api/metrics.ts';
import type { AlgoEntry, Policy, ProbeTask, Progress, Run } from '../../api/types.ts';
import {
  checkUpdate,
  clippedSurrogate,
  clippedValueError,
  commonFields,
  minibatchEpochs,
  mixRewards,
  ppoMetrics,
  type RewardMix,
  rewardFields,
  standardiseMasked,
  weightedMean,
} from '../ppo/common.ts';
import { actingStep, legal, stepInput, type TeamNetwork, usedNumbers } from './networks.ts';
import { changeOfMind, talkingPolicy } from './policy.ts';

/** Settings that all learners of messages share: PPO's (ppo-config.ts) with values that suit small teams, the channel, who shares a network. */

const TUNED = 'tuned here on MPE';

const { annealLr, lambda, epochs, clip, valueCoef, adamEps, bootstrapAtTruncation } = commonFields;

export const commsFields = {
  width: z
    .int()
    .min(4)
    .max(1024)
    .default(64)
    .meta({
      title: 'width',
      description: 'Units of every hidden layer; of CommNet also the length of a message.',
      source: TUNED,
      slider: [16, 256],
      group: 'network',
    }),
  sharing: fields.sharing(),
  agentId: fields.agentId(),
  ...rewardFields,
  lr: fields.lr(1e-3, TUNED),
  annealLr,
  gamma: fields.gamma(0.9, 'JaxMARL on MPE'),
  lambda,
  bootstrapAtTruncation,
  envs: fields.numEnvs(16, 'JaxMARL on MPE'),
  rolloutSteps: fields.rolloutSteps(128, 'JaxMARL on MPE'),
  minibatches: fields.minibatches(4, TUNED),
  epochs,
  clip,
  clipValue: fields.clipValue(false, TUNED),
  entropyCoef: fields.entropyCoef(0.01, TUNED),
  valueCoef,
  normaliseAdvantages: fields.normaliseAdvantages(true, 'CleanRL ppo.py'),
  maxGradNorm: fields.maxGradNorm(0.5, TUNED),
  adamEps,
};

export const channelField = z.enum(['learned', 'silent']).default('learned').meta({
  title: 'channel',
  description: 'Silent: the same learner, but nobody hears anything.',
  source: 'own choice: what talking is worth',
  depth: 'teach',
  group: 'messages',
});

export interface CommsConfig extends RewardMix {
  readonly lr: number;
  readonly annealLr: boolean;
  readonly gamma: number;
  readonly lambda: number;
  readonly bootstrapAtTruncation: boolean;
  readonly envs: number;
  readonly rolloutSteps: number;
  readonly minibatches: number;
  readonly epochs: number;
  readonly clip: number;
  readonly clipValue: boolean;
  readonly entropyCoef: number;
  readonly valueCoef: number;
  readonly normaliseAdvantages: boolean;
  readonly maxGradNorm: number;
  readonly adamEps: number;
  readonly channel: 'learned' | 'random' | 'silent';
}

export const commsMetrics: readonly MetricCard[] = [
  ...ppoMetrics,
  {
    id: 'listening',
    title: 'listening',
    description: 'How much messages change what agents do: KL of their choices with and without them; 0 while nobody listens.',
    unit: 'nats',
  },
];

/** What teams that talk can train on. Throws LabError. */

export function checkTeam(meta: EnvMeta, title: string, c: CommsConfig, unit: number): void {
  if (meta.agentCount < 2) {
    throw fail('incompatible', `${title} is about agents that talk to each other; here is only one.`, 'Choose a team.', 'env.id');
  }
  if (meta.turns === true) {
    throw fail('incompatible', `${title} needs everybody to act at once; here they take turns.`, 'Choose another environment.', 'env.id');
  }
  const kinds = new Set(meta.agents.map(({ action }) => action.kind));
  if (kinds.size > 1) {
    throw fail('incompatible', `${title} needs all actions discrete or all continuous.`, 'Choose another environment.', 'env.id');
  }
  if (meta.rewards.length > 1) {
    throw fail(
      'incompatible',
      `${title} needs one reward; this environment gives ${meta.rewards.join(', ')}.`,
      'Choose another environment.',
      'env.id',
    );
  }
  if (c.rolloutSteps % unit !== 0) {
    const fix = `Choose a rollout that is a multiple of ${unit}.`;
    throw fail('config-invalid', `A rollout of ${c.rolloutSteps} steps cannot be cut into pieces of ${unit}.`, fix, 'algo.rolloutSteps');
  }
  const units = (c.envs * c.rolloutSteps) / unit;
  if (units % c.minibatches === 0) return;
  throw fail(
    'config-invalid',
    `A rollout of ${units} pieces cannot be split into ${c.minibatches} equal minibatches.`,
    `Choose minibatches that divide ${units}.`,
    'algo.minibatches',
  );
}

/** Arrays of one rollout of whole teams, time-major: T steps of B copies x A agents. A unit of learning is L steps of one copy. */

export interface TeamRollout {
  readonly obs: Float32Array; // [T, B, A, O]
  readonly actions: Float32Array; // [T, B, A, D]
  readonly masks: Float32Array; // [T, B, A, N], empty where nothing is masked
  readonly noise: Float32Array; // [T, B, A, Z]
  readonly states: Float32Array; // [T / L, B, A, S] before the first step of a unit
  readonly starts: Float32Array; // [T, B] 1 where an episode begins
  readonly logProbs: Float32Array; // [T, B, A], likewise all below
  readonly values: Float32Array;
  readonly rewards: Float32Array;
  readonly terminated: Uint8Array;
  readonly truncated: Uint8Array;
  readonly finalValues: Float32Array;
  readonly policyMask: Float32Array; // 1 where the agent learns and was alive
  readonly valueMask: Float32Array; // 1 where its value is learned
  readonly advantages: Float32Array;
  readonly targets: Float32Array;
  readonly lastValues: Float32Array; // [B, A]
}

export function createRollout(
  meta: EnvMeta,
  size: { readonly steps: number; readonly copies: number; readonly unit: number; readonly state: number; readonly noise: number },
): TeamRollout {
  const rows = size.copies * meta.agentCount;
  const total = size.steps * rows;
  const numbers = (width: number): Float32Array => new Float32Array(total * width);
  return {
    obs: numbers(meta.obsSize),
    actions: numbers(meta.actionSize),
    masks: numbers(meta.masked ? meta.actionCount : 0),
    noise: numbers(size.noise),
    states: new Float32Array((size.steps / size.unit) * rows * size.state),
    starts: new Float32Array(size.steps * size.copies),
    logProbs: numbers(1),
    values: numbers(1),
    rewards: numbers(1),
    terminated: new Uint8Array(total),
    truncated: new Uint8Array(total),
    finalValues: numbers(1),
    policyMask: numbers(1),
    valueMask: numbers(1),
    advantages: numbers(1),
    targets: numbers(1),
    lastValues: new Float32Array(rows),
  };
}

/** Feeds a learning program with the units order[from .. from + count - 1]; `picked` [L * count] is scratch. */
export function feedUnits(
  rollout: TeamRollout,
  meta: EnvMeta,
  size: { readonly copies: number; readonly unit: number; readonly state: number; readonly noise: number },
  order: Int32Array,
  from: number,
  count: number,
  picked: Int32Array,
  feed: Views,
): void {
  const A = meta.agentCount;
  for (let l = 0; l < size.unit; l++)
    for (let u = 0; u < count; u++) {
      const unit = order[from + u]!;
      const block = Math.floor(unit / size.copies);
      picked[l * count + u] = (block * size.unit + l) * size.copies + (unit % size.copies);
    }
  const rows = size.unit * count;
  const into = (name: string, source: Float32Array, width: number): void => {
    const out = feed[name];
    if (out !== undefined) gatherRows(picked, 0, rows, source, width, out);
  };
  into('obs', rollout.obs, A * meta.obsSize);
  into('action', rollout.actions, A * meta.actionSize);
  into('mask', rollout.masks, A * meta.actionCount);
  into('noise', rollout.noise, A * size.noise);
  into('starts', rollout.starts, 1);
  into('oldLogProb', rollout.logProbs, A);
  into('oldValue', rollout.values, A);
  into('advantage', rollout.advantages, A);
  into('target', rollout.targets, A);
  into('policyMask', rollout.policyMask, A);
  into('valueMask', rollout.valueMask, A);
  if (feed.state !== undefined) gatherRows(order, from, count, rollout.states, A * size.state, feed.state);
}

/**
 * PPO's loss over whole teams (lib/ppo/common.ts, row by row): U teams, L steps in a row each, so that gradients flow from what an agent did
 * to what another one told it, in the same step or up to L - 1 steps before. Rows are [L, U, A]. Inputs: obs, action, mask, noise,
 * `state` [U, A, S] before the first step, `starts` [L, U] 1 where an episode begins, oldLogProb, oldValue, advantage, target,
 * policyMask, valueMask, and the scalars clip, entropyCoef, valueCoef. Dead agents have policyMask 0.
 */

export interface TeamLossOptions {
  readonly normaliseAdvantages: boolean;
  readonly clipValue: boolean;
  readonly silent: boolean;
}

/** The loss and its parts over U teams x L steps. */
export function teamLoss(
  g: Graph,
  net: TeamNetwork,
  meta: EnvMeta,
  teams: number,
  steps: number,
  options: TeamLossOptions,
): { readonly [name: string]: Tensor } {
  const { agentCount: A, actionCount: N, actionSize: D, obsSize: O } = meta;
  const { stateSize: S, noiseSize: Z } = net;
  const rows = steps * teams * A;
  const discrete = N > 0;
  const obs = g.input('obs', [steps, teams * A, O]);
  const noise = stepInput(g, 'noise', [steps, teams * A, Z], Z > 0);
  const starts = stepInput(g, 'starts', [steps, teams], S > 0 && steps > 1);
  const gate = g.constant(new Float32Array(teams * A).fill(options.silent ? 0 : 1), [teams, A]);
  const at = (x: Tensor, l: number): Tensor => reshape(sliceAxis(x, 0, l, 1), [teams, A, -1]);

  let state = stepInput(g, 'state', [teams, A, S], S > 0);
  const heads: Tensor[] = [];
  const values: Tensor[] = [];
  for (let l = 0; l < steps; l++) {
    if (state && starts && l > 0) state = mul(state, reshape(sub(1, sliceAxis(starts, 0, l, 1)), [teams, 1, 1]));
    const out = net.apply({ obs: at(obs, l), gate, ...(state && { state }), ...(noise && { noise: at(noise, l) }) }, true);
    heads.push(reshape(out.head, [teams * A, -1]));
    values.push(reshape(out.value, [teams * A]));
    state = out.state;
  }
  const head = concat(heads, 0);
  const value = concat(values, 0);

  const row = (name: string): Tensor => g.input(name, [rows]);
  let logProb: Tensor;
  let entropy: Tensor; // [rows]
  if (discrete) {
    const mask = stepInput(g, 'mask', [rows, N], meta.masked);
    const logp = logSoftmax(legal(head, mask));
    logProb = pick(logp, row('action'));
    entropy = neg(sum(mul(exp(logp), logp), -1));
  } else {
    const used = g.constant(usedNumbers(meta, net), [1, A, D]);
    const spread = reshape(net.logStd(g), [1, A, D]);
    const action = reshape(g.input('action', [rows, D]), [steps * teams, A, D]);
    const z = mul(sub(action, reshape(head, [steps * teams, A, D])), exp(neg(spread)));
    const density = add(mul(square(z), 0.5), add(spread, HALF_LOG_TWO_PI));
    logProb = reshape(neg(sum(mul(density, used), -1)), [rows]);
    const own = sum(mul(add(spread, HALF_LOG_TWO_PI + 0.5), used), -1); // [1, A]
    entropy = reshape(broadcastTo(own, [steps * teams, A]), [rows]);
  }
  const policyMask = row('policyMask');
  const advantage = options.normaliseAdvantages ? standardiseMasked(row('advantage'), policyMask) : row('advantage');
  const clip = g.input('clip', [1]);
  const policy = clippedSurrogate(logProb, row('oldLogProb'), advantage, clip, (x) => weightedMean(x, policyMask));
  const error = clippedValueError(value, row('oldValue'), row('target'), options.clipValue ? clip : null, null);
  const valueTerm = weightedMean(error, row('valueMask'));
  const bonus = weightedMean(entropy, policyMask);
  const weighted = sub(mul(g.input('valueCoef', [1]), valueTerm), mul(g.input('entropyCoef', [1]), bonus));
  return {
    loss: reshape(add(policy.loss, weighted), []),
    policyLoss: policy.loss,
    valueLoss: valueTerm,
    entropy: bonus,
    approxKl: policy.kl,
    clipFraction: policy.clipFraction,
  };
}

export type BuildTeam = (engine: Engine, rng: Rng) => TeamNetwork;

/** A learner that begins where another stopped, or teaches only some of a team. */
export interface Phase {
  /** Environment steps done before it begins. */
  readonly from: number;
  /** [A] who learns; the others act as they are. */
  readonly learns: readonly boolean[];
  /** What agents are paid [B, A], in place. */
  rewards(mixed: Float32Array): void;
  /** Makes what looks at the actions [B, A, D] of every step before it is taken. */
  foresee?(team: { readonly engine: Engine; readonly net: TeamNetwork; readonly env: VectorEnv }): (actions: Actions) => Promise<void>;
  /** What it tells of the last rollout. */
  metrics?(): Readonly<Record<string, number>>;
}

export function compileTeamLearner(engine: Engine, net: TeamNetwork, meta: EnvMeta, c: CommsConfig, teams: number, unit: number): Program {
  const { normaliseAdvantages, clipValue, channel } = c;
  return engine.compile((g) => teamLoss(g, net, meta, teams, unit, { normaliseAdvantages, clipValue, silent: channel === 'silent' }), {
    minimise: 'loss',
    group: net.group,
    with: adam({ eps: c.adamEps }),
    maxGradNorm: c.maxGradNorm,
    name: 'team learn',
  });
}

/** Draws actions of all rows into `actions` (as learned from) and `out` (as the environment wants them), and ln p of each. */
function drawActions(
  said: Program['out'],
  meta: EnvMeta,
  used: Float32Array,
  bounds: readonly (readonly [Float32Array, Float32Array])[],
  rng: Rng,
  actions: Float32Array,
  logProbs: Float32Array,
  at: number,
  rows: number,
  out: { [i: number]: number },
): void {
  const { actionCount: N, actionSize: D, agentCount: A } = meta;
  for (let row = 0; row < rows; row++) {
    if (N > 0) {
      const a = categorical(said.logProbs!, row * N, N, rng.uniform());
      out[row] = a;
      actions[at + row] = a;
      logProbs[at + row] = said.logProbs![row * N + a]!;
      continue;
    }
    const agent = row % A;
    const [low, high] = bounds[agent]!;
    let logProb = 0;
    for (let d = 0; d < D; d++) {
      const i = row * D + d;
      if (used[agent * D + d] === 0) continue;
      const noise = normal(rng);
      const a = said.mean![i]! + exponential(said.logStd![i]!) * noise;
      actions[at * D + i] = a; // learned from as drawn; only the environment gets it clipped
      out[i] = Math.min(high[d]!, Math.max(low[d]!, a));
      logProb -= 0.5 * noise * noise + said.logStd![i]! + HALF_LOG_TWO_PI;
    }
    logProbs[at + row] = logProb;
  }
}

/** Mean KL of everybody's choice with and without messages, in the situation that `act` has just answered. */
async function listening(act: Program, meta: EnvMeta): Promise<number> {
  const { logits, mean, logStd } = act.out;
  const before = {
    ...(logits && { logits: logits.slice() }),
    ...(mean && logStd && { mean: mean.slice(), logStd: logStd.slice() }),
  };
  act.in.gate!.fill(0);
  const muted = act.run();
  if (muted) await muted;
  act.in.gate!.fill(1);
  const rows = act.in.gate!.length;
  let sum = 0;
  for (let row = 0; row < rows; row++) sum += changeOfMind(before, act.out, row, meta.actionCount, meta.actionSize);
  return sum / rows;
}

export async function* trainTeam<C extends CommsConfig>(
  run: Run<C>,
  resume: Saved | undefined,
  build: BuildTeam,
  unit: number,
  phase?: Phase,
): AsyncGenerator<Progress, void, void> {
  const c = run.config; // fields marked live may change between iterations
  const { meta } = run;
  const engine = await run.makeEngine();
  const env = run.makeEnv(c.envs);
  const { buffers } = env;
  const A = meta.agentCount;
  const B = c.envs;
  const T = c.rolloutSteps;
  const rows = B * A;
  const net = build(engine, run.rng.split('init'));
  const { stateSize: S, noiseSize: Z } = net;
  const act = engine.compile((g) => actingStep(g, net, meta, B, true), { name: 'team act' });
  const units = (T / unit) * B;
  const teams = units / c.minibatches;
  const learn = compileTeamLearner(engine, net, meta, c, teams, unit);
  const sampling = run.rng.split('sampling');
  const shuffling = run.rng.split('shuffling');
  const size = { steps: T, copies: B, unit, state: S, noise: Z };
  const rollout = createRollout(meta, size);
  const order = Int32Array.from({ length: units }, (_, i) => i);
  const picked = new Int32Array(unit * teams);
  const envActions = createActions(meta, B);
  const mixed = new Float32Array(rows);
  const used = usedNumbers(meta, net);
  const bounds = meta.agents.flatMap(({ count, action }) => {
    const pair =
      action.kind === 'box' ? ([Float32Array.from(action.low), Float32Array.from(action.high)] as const) : ([used, used] as const);
    return Array.from({ length: count }, () => pair);
  });
  // A dead agent's later rewards are not its own: its return ends there. A team's reward, or an adversary's, goes on.
  const deathEnds = phase === undefined && c.teamReward === 'own' && meta.agentsReturn !== true;
  const state = new Float32Array(rows * S); // carried by each agent of each copy
  const starts = new Float32Array(B).fill(1);
  let step = phase?.from ?? 0;

  if (resume === undefined) env.reset();
  else {
    env.load(partOf(resume, 'env'));
    engine.load(partOf(resume, 'engine'));
    order.set(resume.arrays.order as Int32Array);
    state.set(resume.arrays.state as Float32Array);
    starts.set(resume.arrays.starts as Float32Array);
    restoreRng(sampling, resume.arrays.sampling);
    restoreRng(shuffling, resume.arrays.shuffling);
    step = resume.meta.step as number;
  }
  let shared: Policy | undefined;
  const foresee = phase?.foresee?.({ engine, net, env });

  const look = async (obs: Float32Array, { mask }: StepBuffers): Promise<void> => {
    act.in.obs!.set(obs);
    act.in.state?.set(state);
    if (act.in.mask !== undefined) act.in.mask.set(mask!);
    const pending = act.run();
    if (pending) await pending;
  };

  while (step < run.steps) {
    act.in.gate!.fill(c.channel === 'silent' ? 0 : 1);

    // 1. Collect T steps of every copy with the current policy.
    for (let t = 0; t < T; t++) {
      const at = t * rows;
      rollout.obs.set(buffers.obs, at * meta.obsSize);
      if (t % unit === 0) rollout.states.set(state, (t / unit) * rows * S);
      rollout.starts.set(starts, t * B);
      if (meta.masked) rollout.masks.set(buffers.mask!, at * meta.actionCount);
      for (let i = 0; i < rows; i++) {
        const learns = phase === undefined || phase.learns[i % A] === true;
        const alive = buffers.alive?.[i] ?? 1;
        rollout.policyMask[at + i] = learns ? alive : 0;
        rollout.valueMask[at + i] = learns && !(deathEnds && alive === 0) ? 1 : 0;
      }
      if (Z > 0) {
        for (let i = 0; i < rows * Z; i++) act.in.noise![i] = normal(sampling);
        rollout.noise.set(act.in.noise!, at * Z);
      }
      await look(buffers.obs, buffers);
      rollout.values.set(act.out.value!, at);
      if (act.out.state) state.set(act.out.state);
      drawActions(act.out, meta, used, bounds, sampling, rollout.actions, rollout.logProbs, at, rows, envActions);
      if (foresee !== undefined) await foresee(envActions);
      env.step(envActions);
      mixRewards(c, buffers.reward, A, mixed);
      phase?.rewards(mixed);
      rollout.rewards.set(mixed, at);
      let clockEnded = false;
      for (let b = 0; b < B; b++) {
        const over = buffers.terminated[b]!;
        const late = over === 0 ? buffers.truncated[b]! : 0;
        if (late !== 0) clockEnded = true;
        starts[b] = over | late;
        for (let i = b * A; i < (b + 1) * A; i++) {
          const died = deathEnds && over === 0 && late === 0 && buffers.alive?.[i] === 0;
          rollout.terminated[at + i] = died ? 1 : over;
          rollout.truncated[at + i] = late;
        }
      }
      if (clockEnded && c.bootstrapAtTruncation) {
        // What the episode would still have been worth: the value of its own last observation.
        await look(buffers.finalObs, buffers);
        rollout.finalValues.set(act.out.value!, at);
      }
      for (let b = 0; b < B; b++) if (starts[b] !== 0) state.fill(0, b * A * S, (b + 1) * A * S);
    }
    await look(buffers.obs, buffers);
    rollout.lastValues.set(act.out.value!);
    const heard = c.channel === 'silent' || net.messageSize === 0 ? 0 : await listening(act, meta);

    // 2. Advantages and value targets.
    const { gamma, lambda, bootstrapAtTruncation } = c;
    gae({ ...rollout, rows, gamma, lambda, bootstrapAtTruncation }, rollout.advantages, rollout.targets);

    // 3. Epochs of shuffled minibatches of whole teams.
    const lr = c.annealLr ? annealed(c.lr, run.steps, step) : c.lr;
    const report = await minibatchEpochs(
      learn,
      teams,
      { ...c, lr },
      () => shuffling.shuffle(order),
      (from) => feedUnits(rollout, meta, size, order, from, teams, picked, learn.in),
    );
    step += T * B;
    checkUpdate(step, report);

    yield {
      step,
      metrics: {
        ...episodeRow(env),
        ...report,
        ...phase?.metrics?.(),
        explainedVariance: explainedVariance(rollout.values, rollout.targets),
        learningRate: lr,
        listening: heard,
      },
      snapshot: async () =>
        joinSaved({}, { net: await readParams(engine, net.group), ...(net.frozen && { frozen: await readParams(engine, net.frozen) }) }),
      save: async () =>
        joinSaved(
          { step },
          { env: env.save(), engine: await engine.save() },
          {
            order: order.slice(),
            state: state.slice(),
            starts: starts.slice(),
            sampling: sampling.state.slice(),
            shuffling: shuffling.state.slice(),
          },
        ),
      policy: () => (shared ??= talkingPolicy({ engine, meta, net, silent: c.channel === 'silent' })),
      hash: () => engine.hash(),
    };
  }
}

/** A registry entry of a method in which agents talk: settings and network are its own, the learner is common (learner.ts). */

export interface CommsMethod<C extends CommsConfig> {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly config: z.ZodType<C>;
  readonly presets: readonly Preset[];
  readonly trial: Trial;
  readonly probes: readonly ProbeTask[];
  readonly probeConfig: JsonObject;
  /** Steps in a row that gradients flow through. */
  unit(c: C): number;
  network(engine: Engine, meta: EnvMeta, c: C, rng: Rng): TeamNetwork;
}

export function defineComms<C extends CommsConfig>(method: CommsMethod<C>): AlgoEntry {
  const { id, title, summary, source, config, presets, trial, probes, probeConfig } = method;
  return defineAlgo<C>({
    spec: {
      id,
      version: 2,
      changes: [{ version: 2, what: 'Returns end with an agent’s death; advantages are standardised over the living.', rerun: true }],
      title,
      summary,
      source,
      config,
      presets,
      trial,
      probes,
      probeConfig,
      action: 'any',
      learner: 'network',
      agents: 'many',
      metrics: commsMetrics,
    },
    fits: (meta, c) => checkTeam(meta, title, c, method.unit(c)),
    train: (run, resume) => {
      const c = run.config;
      return trainTeam(run, resume, (engine, rng) => method.network(engine, run.meta, c, rng), method.unit(c));
    },
    async policy({ config: c, meta, makeEngine }, saved) {
      const engine = await makeEngine();
      const net = method.network(engine, meta, c, Rng.from(0));
      writeParams(engine, net.group, partOf(saved, 'net'));
      return talkingPolicy({ engine, meta, net, silent: c.channel === 'silent', dispose: () => engine.dispose() });
    },
    benchmark({ config: c, meta, engine }) {
      const net = method.network(engine, meta, c, Rng.from(0));
      const unit = method.unit(c);
      const learn = compileTeamLearner(engine, net, meta, c, (c.envs * c.rolloutSteps) / unit / c.minibatches, unit);
      return { run: () => learn.run() };
    },
  });
}
