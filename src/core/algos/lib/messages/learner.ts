/**
 * PPO over teams that communicate: T steps of B environments, GAE per agent, epochs of shuffled minibatches of whole teams. Used by
 * CommNet, DIAL and HAMMER, which differ in their network only. Messages of the step before are part of what an agent carries
 * (`state`), so that gradients reach their senders up to L - 1 steps earlier. Throws LabError('nan-loss').
 */

import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { add, broadcastTo, concat, exp, mul, neg, reshape, sliceAxis, square, sub, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, Tensor, Views } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import type { Actions, EnvMeta, StepBuffers } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { categoricalEntropy, categoricalLogProb } from '#core/nets/heads.ts';
import { type RegisteredState, registerState } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { exp as exponential } from '#math/functions.ts';
import { gae } from '#math/gae.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { HALF_LOG_TWO_PI, normal, sampleCategories } from '#math/sampling.ts';
import { annealed } from '#math/schedules.ts';
import { explainedVariance } from '#math/stats.ts';
import { defineAlgo } from '../../api/define.ts';
import * as fields from '../../api/fields.ts';
import { checkOneReward } from '../../api/guards.ts';
import { episodeRow } from '../../api/metrics.ts';
import { safePoint } from '../../api/safe-point.ts';
import type { Extensions } from '../../api/standing.ts';
import type { AlgoEntry, AlgoSpec, Progress, Run } from '../../api/types.ts';
import {
  checkMinibatches,
  checkUpdate,
  commonFields,
  type Evaluation,
  type HeadViews,
  lossInputs,
  minibatchEpochs,
  ppoLoss,
  ppoMetrics,
  type Settings,
  standardiseMasked,
  weightedMean,
} from '../ppo/common.ts';
import { actingStep, legal, stepInputs, type TeamNetwork, usedNumbers } from './networks.ts';
import { choiceKl, communicatingPolicy } from './policy.ts';

/** Settings that all learners of messages share: PPO's (lib/ppo/common.ts) with values that suit small teams, and parameter sharing. */

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
  description: 'Silent: the same learner, but no message is delivered.',
  source: 'own choice: the value of communication',
  depth: 'teach',
  group: 'messages',
});

export type CommsConfig = Settings<typeof commsFields> & { readonly channel: 'learned' | 'random' | 'silent' };

export const commsMetrics: readonly MetricCard[] = [
  ...ppoMetrics,
  {
    id: 'listening',
    title: 'influence of messages',
    description: 'KL between the action distributions with and without messages, mean over agents; 0 while messages change nothing.',
    unit: 'nats',
  },
];

/** Throws LabError where a team that communicates cannot train. `unit`: steps in a row that gradients flow through. */
export function checkTeam(meta: EnvMeta, title: string, c: CommsConfig, unit: number): void {
  if (meta.agentCount < 2) {
    throw fail('incompatible', `${title} is about agents that send each other messages; here is only one.`, 'Choose a team.', 'env.id');
  }
  if (meta.turns === true) {
    throw fail('incompatible', `${title} needs all agents to act at once; here they take turns.`, 'Choose another environment.', 'env.id');
  }
  const kinds = new Set(meta.agents.map(({ action }) => action.kind));
  if (kinds.size > 1) {
    throw fail('incompatible', `${title} needs all actions discrete or all continuous.`, 'Choose another environment.', 'env.id');
  }
  checkOneReward(meta, title);
  if (c.rolloutSteps % unit !== 0) {
    const fix = `Choose a rollout that is a multiple of ${unit}.`;
    throw fail('config-invalid', `A rollout of ${c.rolloutSteps} steps cannot be cut into pieces of ${unit}.`, fix, 'algo.rolloutSteps');
  }
  const units = (c.envs * c.rolloutSteps) / unit;
  checkMinibatches(units, c.minibatches, `A rollout of ${units} pieces`);
}

/** How a rollout is laid out: T steps of B environments, units of L steps, columns of the state and of the noise. */
interface RolloutSize {
  readonly steps: number;
  readonly numEnvs: number;
  readonly unit: number;
  readonly state: number;
  readonly noise: number;
}

/** Arrays of one rollout of whole teams, time-major: T steps of B environments x A agents. A unit of learning is L steps of one environment. */
function createRollout(meta: EnvMeta, size: RolloutSize) {
  const rows = size.numEnvs * meta.agentCount;
  const total = size.steps * rows;
  const numbers = (width: number): Float32Array => new Float32Array(total * width);
  return {
    obs: numbers(meta.obsSize), // [T, B, A, O]
    actions: numbers(meta.actionSize), // [T, B, A, D]
    masks: numbers(meta.masked ? meta.actionCount : 0), // [T, B, A, N], empty where nothing is masked
    noise: numbers(size.noise), // [T, B, A, Z]
    states: new Float32Array((size.steps / size.unit) * rows * size.state), // [T / L, B, A, S] before the first step of a unit
    starts: new Float32Array(size.steps * size.numEnvs), // [T, B] 1 where an episode begins
    logProbs: numbers(1), // [T, B, A], likewise all below
    values: numbers(1),
    rewards: numbers(1),
    terminated: new Uint8Array(total),
    truncated: new Uint8Array(total),
    finalValues: numbers(1),
    policyMask: numbers(1), // 1 where the agent learns and was alive
    valueMask: numbers(1), // 1 where its value is learned
    advantages: numbers(1),
    targets: numbers(1),
    lastValues: new Float32Array(rows), // [B, A]
  };
}

/** Feeds a learning program with the units order[from .. from + count - 1]; `picked` [L * count] is scratch. */
function feedUnits(
  rollout: ReturnType<typeof createRollout>,
  meta: EnvMeta,
  size: RolloutSize,
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
      const block = Math.floor(unit / size.numEnvs);
      picked[l * count + u] = (block * size.unit + l) * size.numEnvs + (unit % size.numEnvs);
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
 * to the messages it received, of the same step or up to L - 1 steps before. Rows are [L, U, A]. Inputs besides the loss's: `state` before
 * the first step, `starts` 1 where an episode begins, and the masks of rows that count; dead agents have policyMask 0.
 */
export function compileTeamLearner(engine: Engine, net: TeamNetwork, meta: EnvMeta, c: CommsConfig, teams: number, steps: number) {
  const { agentCount: A, actionCount: N, actionSize: D, obsSize: O } = meta;
  const { stateSize: S, noiseSize: Z } = net;
  const rows = steps * teams * A;
  return engine.compile(
    {
      ...lossInputs(rows, c.clipValue),
      obs: [steps, teams * A, O],
      action: N > 0 ? [rows] : [rows, D],
      mask: N > 0 && meta.masked ? [rows, N] : null,
      noise: Z > 0 ? [steps, teams * A, Z] : null,
      state: S > 0 ? [teams, A, S] : null,
      starts: S > 0 && steps > 1 ? [steps, teams] : null,
      policyMask: [rows],
      valueMask: [rows],
    },
    (x, g) => {
      const { obs, noise, starts } = x;
      const gate = g.constant(new Float32Array(teams * A).fill(c.channel === 'silent' ? 0 : 1), [teams, A]);
      const at = (all: Tensor, l: number): Tensor => reshape(sliceAxis(all, 0, l, 1), [teams, A, -1]);
      let state = x.state;
      const heads: Tensor[] = [];
      const values: Tensor[] = [];
      for (let l = 0; l < steps; l++) {
        if (state && starts && l > 0) state = mul(state, reshape(sub(1, sliceAxis(starts, 0, l, 1)), [teams, 1, 1]));
        const out = net.apply({ obs: at(obs, l), gate, state, noise: noise && at(noise, l) }, true);
        heads.push(reshape(out.head, [teams * A, -1]));
        values.push(reshape(out.value, [teams * A]));
        state = out.state;
      }
      const found =
        N > 0 ? discreteChoices(concat(heads, 0), x.action, x.mask) : continuousChoices(g, concat(heads, 0), x.action, net, meta);
      const { policyMask, valueMask } = x;
      return ppoLoss(
        x,
        { ...found, value: concat(values, 0) },
        {
          average: (all) => weightedMean(all, policyMask),
          valueAverage: (all) => weightedMean(all, valueMask),
          advantage: c.normaliseAdvantages ? standardiseMasked(x.advantage, policyMask) : x.advantage,
        },
      );
    },
    { minimise: 'loss', group: net.group, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm, name: 'team learn' },
  );
}

/** ln p of the actions and the entropy, [rows] each, of logits [rows, N]. */
function discreteChoices(head: Tensor, action: Tensor, mask: Tensor | undefined): Evaluation {
  const logits = legal(head, mask);
  return { logProb: categoricalLogProb(logits, action), entropy: categoricalEntropy(logits) };
}

/** The same of means [rows, D], of which each agent has as many numbers as its action. */
function continuousChoices(g: Graph, head: Tensor, action: Tensor, net: TeamNetwork, meta: EnvMeta): Evaluation {
  const { agentCount: A, actionSize: D } = meta;
  const rows = head.shape[0]!;
  const used = g.constant(usedNumbers(meta, net), [1, A, D]);
  const spread = reshape(net.logStd(g), [1, A, D]);
  const z = mul(sub(reshape(action, [rows / A, A, D]), reshape(head, [rows / A, A, D])), exp(neg(spread)));
  const density = add(mul(square(z), 0.5), add(spread, HALF_LOG_TWO_PI));
  const logProb = reshape(neg(sum(mul(density, used), -1)), [rows]);
  const own = sum(mul(add(spread, HALF_LOG_TWO_PI + 0.5), used), -1); // [1, A]
  return { logProb, entropy: reshape(broadcastTo(own, [rows / A, A]), [rows]) };
}

export type BuildTeam = (engine: Engine, rng: Rng) => TeamNetwork;

/** What a phase is made of. */
export interface PhaseTeam {
  readonly engine: Engine;
  readonly net: TeamNetwork;
  readonly env: VectorEnv;
}

/** What runs beside a team on the same steps, and may learn from them. */
export interface Beside {
  /** State of the method besides its networks. */
  readonly state?: RegisteredState<object>;
  /** The actions [B, A, D] of every step before it is taken. */
  before(actions: Actions): Promise<void>;
  /** Every step after it is taken, and after `rewards`. */
  after?(): Promise<void>;
  /** After a rollout, before the team learns from it. */
  learn?(lr: number): Promise<void>;
}

/** A learner that begins where another stopped, or of which only some agents learn. */
export interface Phase {
  /** Environment steps done before it begins. */
  readonly from: number;
  /** [A] whether the agent learns; the others act as they are. */
  readonly learns: readonly boolean[];
  /** What agents are trained on [B, A], in place. */
  rewards(mixed: Float32Array): void;
  /** Called before a saved state is loaded, so that its networks may be in the same engine. */
  beside?(team: PhaseTeam): Beside;
  /** Further metrics of the last rollout. */
  metrics?(): Readonly<Record<string, number>>;
}

/** The acting program of B teams; the channel is as noisy as in training. */
const compileActing = (engine: Engine, net: TeamNetwork, meta: EnvMeta, teams: number) =>
  engine.compile(stepInputs(net, meta, teams, true), (x, g) => actingStep(x, g, net, meta, true), { name: 'team act' });

/** Draws actions of all rows into `actions` (as learned from) and `into` (as the environment wants them), and ln p of each. */
function drawActions(
  out: HeadViews,
  meta: EnvMeta,
  used: Float32Array,
  bounds: readonly (readonly [Float32Array, Float32Array])[],
  rng: Rng,
  actions: Float32Array,
  logProbs: Float32Array,
  at: number,
  rows: number,
  into: Actions,
): void {
  const { actionCount: N, actionSize: D, agentCount: A } = meta;
  if ('logProbs' in out) {
    sampleCategories(out.logProbs, N, rows, rng, actions, logProbs, at);
    into.set(actions.subarray(at, at + rows));
    return;
  }
  for (let row = 0; row < rows; row++) {
    const agent = row % A;
    const [low, high] = bounds[agent]!;
    let logProb = 0;
    for (let d = 0; d < D; d++) {
      const i = row * D + d;
      if (used[agent * D + d] === 0) continue;
      const noise = normal(rng);
      const a = out.mean[i]! + exponential(out.logStd[i]!) * noise;
      actions[at * D + i] = a; // learned from as drawn; only the environment gets it clipped
      into[i] = Math.min(high[d]!, Math.max(low[d]!, a));
      logProb -= 0.5 * noise * noise + out.logStd[i]! + HALF_LOG_TWO_PI;
    }
    logProbs[at + row] = logProb;
  }
}

/** Mean KL of all agents' action distributions with and without messages, in the state that `act` has just answered. */
async function influenceOfMessages(act: ReturnType<typeof compileActing>, meta: EnvMeta): Promise<number> {
  const { out } = act;
  const before = 'logits' in out ? { logits: out.logits.slice() } : { mean: out.mean.slice(), logStd: out.logStd.slice() };
  const { gate } = act.in;
  gate.fill(0);
  const pending = act.run();
  if (pending) await pending;
  gate.fill(1);
  let sum = 0;
  for (let row = 0; row < gate.length; row++) sum += choiceKl(before, act.out, row, meta.actionCount, meta.actionSize);
  return sum / gate.length;
}

export async function* trainTeam<C extends CommsConfig>(
  run: Run<C>,
  resume: Saved | undefined,
  build: BuildTeam,
  unit: number,
  extensions: Extensions,
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
  const act = compileActing(engine, net, meta, B);
  const units = (T / unit) * B;
  const teams = units / c.minibatches;
  const learn = compileTeamLearner(engine, net, meta, c, teams, unit);
  const sampling = run.rng.split('sampling');
  const shuffling = run.rng.split('shuffling');
  const size = { steps: T, numEnvs: B, unit, state: S, noise: Z };
  const rollout = createRollout(meta, size);
  const order = Int32Array.from({ length: units }, (_, i) => i);
  const picked = new Int32Array(unit * teams);
  const envActions = createActions(meta, B);
  const mixed = new Float32Array(rows);
  const also = (await extensions.begin(c, { engine, meta }))
    .attach({ loop: 'team', networks: 'other', engine, meta, env, rng: run.rng, learned: [] })
    .places();
  const used = usedNumbers(meta, net);
  const bounds = meta.agents.flatMap(({ count, action }) => {
    const pair =
      action.kind === 'box' ? ([Float32Array.from(action.low), Float32Array.from(action.high)] as const) : ([used, used] as const);
    return Array.from({ length: count }, () => pair);
  });
  // A dead agent's later rewards are not its own: its return ends there. A team's reward, or an adversary's, goes on.
  const deathEnds = phase === undefined && also.rewards === undefined && meta.agentsReturn !== true;
  const carried = new Float32Array(rows * S); // by each agent of each environment
  const starts = new Float32Array(B).fill(1);
  const beside = phase?.beside?.({ engine, net, env });
  const state = registerState(
    {
      counters: { step: phase?.from ?? 0 },
      parts: { env, engine, ...(beside?.state && { beside: beside.state }) },
      arrays: { order, state: carried, starts, sampling, shuffling },
    },
    ...also.states,
  );
  const { counters } = state;
  const point = safePoint({
    state,
    engine,
    snapshot: () => saveGroups(engine, { net: net.group, ...(net.frozen && { frozen: net.frozen }) }),
    policy: () => communicatingPolicy({ engine, meta, net, silent: c.channel === 'silent' }),
  });
  if (resume === undefined) env.reset();
  else state.load(resume);

  const forward = async (obs: Float32Array, { mask }: StepBuffers): Promise<void> => {
    act.in.obs.set(obs);
    act.in.state?.set(carried);
    if (mask !== undefined) act.in.mask?.set(mask);
    const pending = act.run();
    if (pending) await pending;
  };

  while (counters.step < run.steps) {
    act.in.gate.fill(c.channel === 'silent' ? 0 : 1);

    // 1. Collect T steps of every environment with the current policy.
    for (let t = 0; t < T; t++) {
      const at = t * rows;
      rollout.obs.set(buffers.obs, at * meta.obsSize);
      if (t % unit === 0) rollout.states.set(carried, (t / unit) * rows * S);
      rollout.starts.set(starts, t * B);
      if (buffers.mask !== undefined) rollout.masks.set(buffers.mask, at * meta.actionCount);
      for (let i = 0; i < rows; i++) {
        const learns = phase === undefined || phase.learns[i % A] === true;
        const alive = buffers.alive?.[i] ?? 1;
        rollout.policyMask[at + i] = learns ? alive : 0;
        rollout.valueMask[at + i] = learns && !(deathEnds && alive === 0) ? 1 : 0;
      }
      const { noise } = act.in;
      if (noise !== undefined) {
        for (let i = 0; i < noise.length; i++) noise[i] = normal(sampling);
        rollout.noise.set(noise, at * Z);
      }
      await forward(buffers.obs, buffers);
      rollout.values.set(act.out.value, at);
      if (act.out.state !== undefined) carried.set(act.out.state);
      drawActions(act.out, meta, used, bounds, sampling, rollout.actions, rollout.logProbs, at, rows, envActions);
      if (beside !== undefined) await beside.before(envActions);
      env.step(envActions);
      mixed.set(buffers.reward);
      also.rewards?.(mixed);
      phase?.rewards(mixed);
      if (beside?.after !== undefined) await beside.after();
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
        // A truncated episode is worth the value of its own final observation.
        await forward(buffers.finalObs, buffers);
        rollout.finalValues.set(act.out.value, at);
      }
      for (let b = 0; b < B; b++) if (starts[b] !== 0) carried.fill(0, b * A * S, (b + 1) * A * S);
    }
    await forward(buffers.obs, buffers);
    rollout.lastValues.set(act.out.value);
    const listening = c.channel === 'silent' || net.messageSize === 0 ? 0 : await influenceOfMessages(act, meta);

    // 2. Advantages and value targets.
    const { gamma, lambda, bootstrapAtTruncation } = c;
    gae({ ...rollout, rows, gamma, lambda, bootstrapAtTruncation }, rollout.advantages, rollout.targets);

    // 3. Epochs of shuffled minibatches of whole teams.
    const lr = c.annealLr ? annealed(c.lr, run.steps, counters.step) : c.lr;
    if (beside?.learn !== undefined) await beside.learn(lr);
    const report = await minibatchEpochs(
      learn,
      teams,
      { ...c, lr },
      () => shuffling.shuffle(order),
      (from) => feedUnits(rollout, meta, size, order, from, teams, picked, learn.in),
    );
    counters.step += T * B;
    const { step } = counters;
    checkUpdate(step, report);

    yield {
      step,
      metrics: {
        ...episodeRow(env),
        ...report,
        ...phase?.metrics?.(),
        ...also.metrics?.(),
        explainedVariance: explainedVariance(rollout.values, rollout.targets),
        learningRate: lr,
        listening,
      },
      ...point,
    };
  }
}

/** A registry entry of a method in which agents communicate: settings and network are its own, the learner is common. */
export interface CommsMethod<C extends CommsConfig>
  extends Pick<AlgoSpec<C>, 'id' | 'title' | 'summary' | 'source' | 'config' | 'presets' | 'trial' | 'probes' | 'probeConfig'> {
  /** Those of the loop `team`. */
  readonly extensions: Extensions;
  /** Steps in a row that gradients flow through. */
  unit(c: C): number;
  network(engine: Engine, meta: EnvMeta, c: C, rng: Rng): TeamNetwork;
}

export function defineComms<C extends CommsConfig>({ unit, network, extensions, ...card }: CommsMethod<C>): AlgoEntry {
  return defineAlgo<C>({
    spec: {
      ...card,
      extensions,
      version: 2,
      changes: [{ version: 2, what: 'Returns end with an agent’s death; advantages are standardised over the living.', rerun: true }],
      action: 'any',
      learner: 'network',
      agents: 'many',
      metrics: commsMetrics,
    },
    fits: (meta, c) => checkTeam(meta, card.title, c, unit(c)),
    train: (run, resume) => {
      const c = run.config;
      return trainTeam(run, resume, (engine, rng) => network(engine, run.meta, c, rng), unit(c), extensions);
    },
    async policy({ config: c, meta, makeEngine }, saved) {
      const engine = await makeEngine();
      const net = network(engine, meta, c, Rng.from(0));
      loadGroups(engine, { net: net.group }, saved);
      return communicatingPolicy({ engine, meta, net, silent: c.channel === 'silent', dispose: () => engine.dispose() });
    },
    benchmark({ config: c, meta, engine }) {
      const steps = unit(c);
      const learn = compileTeamLearner(
        engine,
        network(engine, meta, c, Rng.from(0)),
        meta,
        c,
        (c.envs * c.rolloutSteps) / steps / c.minibatches,
        steps,
      );
      return { run: () => learn.run() };
    },
  });
}
