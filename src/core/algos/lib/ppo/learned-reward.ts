/**
 * PPO (common.ts) on a reward that is learned while it plays: from answers about its play (preferences/), or by telling its play from an
 * expert's (data/gail.ts). In turn: a rollout is played; what learns the reward sees it and says what its rows are worth; PPO climbs that.
 * What the environment pays is handed on, for raters and for measuring, and never learned from here. Several agents that are alike share
 * the network. Rows of dead agents do not count (living.ts): what learns the reward gets zeros for what they saw, did and were paid (not for what
 * those are paid that come back). Throws LabError('nan-loss').
 */
import type { Saved } from '#contract/run/events.ts';
import { standardise } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import type { Actions, EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { registerState, type StateLayout } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { gae } from '#math/gae.ts';
import { RunningMoments } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { annealed } from '#math/schedules.ts';
import { explainedVariance } from '#math/stats.ts';
import * as fields from '../../api/fields.ts';
import { episodeRow } from '../../api/metrics.ts';
import { safePoint } from '../../api/safe-point.ts';
import type { Policy, PolicyContext, Progress, Run } from '../../api/types.ts';
import { boxOf, checkRecordable } from '../box.ts';
import { compileActor, type PolicyNetwork, policyNetwork, policyOfNetwork } from '../network-policy.ts';
import * as ppo from './common.ts';
import { createLiving, gatherMasks, livingInputs } from './living.ts';

/** The newest rollout as raters and learned rewards see it, time-major: T steps of `rows` (environments x agents). */
export interface Played {
  readonly obs: Float32Array; // [T, rows, O] as the environment gave them
  readonly action: Float32Array; // [T, rows, D] in units of learners: numbers of actions, or points in [-1, 1]
  readonly reward: Float32Array; // [T, rows] what the environment paid
  readonly ended: Uint8Array; // [T, rows] 1: the episode ended with this step, the next row begins another
  readonly next: Float32Array; // [rows, O] what is seen behind the last step
  readonly alive?: Float32Array; // [T, rows] 1: the agent lived when it acted; missing: all did
  readonly steps: number; // T
  readonly rows: number;
}

interface RewardWords {
  /** "reward" */
  readonly name?: string;
  /** What the step size is of, and whose layers those are. */
  readonly learner?: string;
  readonly layersOf?: string;
  /** What an update is, and when updates take place. */
  readonly update: string;
  readonly updates?: number;
  readonly slider?: [number, number];
  readonly hidden?: readonly number[];
  readonly hiddenSource?: string;
}

/** A short run of a method that learns its reward from answers, for the tests that every method passes. */
export const trialConfig = {
  ...{ envs: 4, rolloutSteps: 64, minibatches: 4, epochs: 2, hidden: [8] },
  ...{ rewardHidden: [8], rewardUpdates: 10, answers: 12, segment: 10 },
};

/** Settings of networks that learn a reward from answers. */
export function rewardFields(words: RewardWords) {
  const own = 'own choice';
  const { name = 'reward', learner = 'the reward networks', layersOf = learner, update, hidden = [64, 64], hiddenSource = own } = words;
  const group = 'reward';
  return {
    rewardUpdates: fields.integer(words.updates ?? 100, {
      min: 1,
      max: 10_000,
      title: `${name} updates`,
      description: update,
      slider: words.slider ?? [10, 500],
      log: true,
      source: own,
      group,
      depth: 'stored',
    }),
    rewardLr: fields.lr(1e-3, own, {
      title: `${name} learning rate`,
      description: `Step size of Adam for ${learner}.`,
      depth: 'stored',
      group,
    }),
    rewardHidden: fields.hidden(hidden, hiddenSource, {
      title: `${name} layers`,
      description: `Units of each layer of ${layersOf}.`,
      group,
      depth: hiddenSource === own ? 'stored' : 'research',
    }),
  };
}

/** Looks on while a rollout is played, for rewards that depend on more than observations and actions. */
export interface Watch {
  /** The environments stand at the start of a run. */
  begin(env: VectorEnv): void;
  /** After step t of the rollout; where an episode ended the next has begun. `obs` [rows, O] and `action` [rows, D] are those of the step. */
  step(env: VectorEnv, t: number, obs: Float32Array, action: Float32Array): void;
}

/** The policy that climbs the reward; its observations are normalised by `moments`. */
export interface Learner {
  readonly net: PolicyNetwork;
  readonly moments: RunningMoments | null;
  /** Another network of the same shape, in a group of this name. */
  copy(name: string): PolicyNetwork;
}

export interface LearnedReward {
  /** State of the learned reward, saved beside environment, engine and policy. */
  readonly state: StateLayout;
  readonly watch?: Watch;
  /** What the policy is shown, [rows, O], in place of what is there. */
  sees?(obs: Float32Array): Promise<Float32Array>;
  /** The world gets other actions than those that were drawn: changes them in place, [rows, D] in its own units. `obs` [rows, O] as the environment gave them. */
  through?(obs: Float32Array, actions: Actions): Promise<void>;
  /** Learns from a rollout that began at environment step `step`; the rewards [T, rows] of its rows, and what is reported. */
  judge(played: Played, step: number): Promise<{ readonly rewards: Float32Array; readonly metrics: { readonly [id: string]: number } }>;
}

const NET = { sharedTrunk: false } as const;

function compileLearner(engine: Engine, net: PolicyNetwork, c: ppo.CommonSettings, rows: number, many: boolean) {
  return engine.compile(
    { ...net.inputs(rows), ...ppo.lossInputs(rows, c.clipValue), ...livingInputs(rows, many), action: net.actionShape(rows) },
    (x, g) => {
      const { policyMask } = x;
      const advantage = policyMask === undefined ? standardise(x.advantage, 1, 1e-8) : ppo.standardiseMasked(x.advantage, policyMask);
      return ppo.ppoLoss(x, net.evaluate(x, x.action, g), { advantage, ...ppo.averagesOf(x) });
    },
    { minimise: 'loss', group: net.group, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm, name: 'ppo learn' },
  );
}

/** `makeReward` is called once, after the policy's own programs are there. Throws LabError('nan-loss'), and what `makeReward` throws. */
export async function* trainOnLearnedReward(
  run: Run<ppo.CommonSettings>,
  resume: Saved | undefined,
  makeReward: (engine: Engine, total: number, learner: Learner) => Promise<LearnedReward>,
): AsyncGenerator<Progress, void, void> {
  const c = run.config; // fields marked live may change between iterations
  const { meta } = run;
  const engine = await run.makeEngine();
  const env = run.makeEnv(c.envs);
  const { buffers } = env;
  const [O, A, N, T] = [meta.obsSize, meta.agentCount, meta.actionCount, c.rolloutSteps];
  const D = meta.actionSize;
  const rows = c.envs * A;
  const total = T * rows;
  const size = total / c.minibatches;
  const net = policyNetwork(engine, meta, { ...c, ...NET }, run.rng.split('init'));
  const act = compileActor(engine, net, rows, 'ppo act');
  const learn = compileLearner(engine, net, c, size, A > 1);
  const moments = c.normaliseObs ? new RunningMoments(O) : null;
  const reward = await makeReward(engine, total, {
    net,
    moments,
    copy: (name) => policyNetwork(engine, meta, { ...c, ...NET }, Rng.from(0), name),
  });
  const [sampling, shuffling] = [run.rng.split('sampling'), run.rng.split('shuffling')];
  const { centre, half } = boxOf(meta);
  /** Of number k of an environment's actions, within its bounds. */
  const unitOf = (action: number, k: number): number => Math.min(1, Math.max(-1, (action - centre[k]!) / half[k]!));
  const floats = (width = 1): Float32Array => new Float32Array(total * width);
  const [obs, actions, logProbs, values, truth] = [floats(O), floats(D), floats(), floats(), floats()]; // obs as the network saw them
  const [plain, taken] = [floats(O), floats(D)]; // as the reward sees them
  const ended = new Uint8Array(total);
  const [terminated, truncated] = [new Uint8Array(total), new Uint8Array(total)];
  const [finalValues, advantages, targets, lastValues] = [floats(), floats(), floats(), new Float32Array(rows)];
  const living = createLiving(env, T);
  const next = new Float32Array(rows * O);
  const order = Int32Array.from({ length: total }, (_, i) => i);
  const envActions = createActions(meta, c.envs);
  const state = registerState(
    { counters: { step: 0 }, parts: { env, engine }, arrays: { order, sampling, shuffling, moments } },
    reward.state,
  );
  const { counters } = state;
  const point = safePoint({
    state,
    engine,
    snapshot: () => saveGroups(engine, { net: net.group }, {}, moments === null ? {} : { moments: moments.pack() }),
    policy: () => policyOfNetwork(engine, meta, net, moments, ppo.CLIP_NORMALISED),
  });
  if (resume === undefined) {
    env.reset();
    reward.watch?.begin(env);
  } else state.load(resume);

  const shown = (observations: Float32Array): Float32Array | Promise<Float32Array> => reward.sees?.(observations) ?? observations;
  const valuesOf = async (observations: Float32Array): Promise<Float32Array> => {
    if (moments === null) act.in.obs.set(observations);
    else moments.normalise(observations, act.in.obs, ppo.CLIP_NORMALISED);
    const pending = act.run();
    if (pending) await pending;
    return act.out.value;
  };

  while (counters.step < run.steps) {
    // 1. Play, and keep what the reward is learned from beside what PPO needs.
    for (let t = 0; t < T; t++) {
      const at = t * rows;
      const seen = await shown(buffers.obs);
      moments?.update(seen, rows);
      values.set(await valuesOf(seen), at);
      obs.set(act.in.obs, at * O);
      plain.set(buffers.obs, at * O);
      living?.before();
      ppo.sampleActions(act.out, net.discrete ? N : D, rows, sampling, actions, logProbs, at);
      for (let i = 0; i < rows * D; i++) {
        const drawn = actions[at * D + i]!; // learned from as drawn; only the environment gets it clipped
        const k = i % (A * D);
        const unit = net.discrete ? drawn : unitOf(drawn, k);
        taken[at * D + i] = unit;
        envActions[i] = net.discrete ? drawn : centre[k]! + half[k]! * unit;
      }
      for (let row = 0; row < rows; row++) {
        if (buffers.alive?.[row] !== 0) continue;
        plain.fill(0, (at + row) * O, (at + row + 1) * O);
        taken.fill(0, (at + row) * D, (at + row + 1) * D);
      }
      if (reward.through !== undefined) {
        await reward.through(plain.subarray(at * O, (at + rows) * O), envActions);
        for (let i = 0; i < rows * D; i++) taken[at * D + i] = net.discrete ? envActions[i]! : unitOf(envActions[i]!, i % (A * D));
      }
      env.step(envActions);
      reward.watch?.step(env, t, plain.subarray(at * O, (at + rows) * O), taken.subarray(at * D, (at + rows) * D));
      for (let row = 0; row < rows; row++) {
        const b = Math.floor(row / A);
        truth[at + row] = buffers.reward[row]!;
        terminated[at + row] = buffers.terminated[b]!;
        truncated[at + row] = buffers.terminated[b] === 0 ? buffers.truncated[b]! : 0;
        ended[at + row] = buffers.terminated[b]! | buffers.truncated[b]!;
      }
      living?.after(at, terminated, truncated);
      living?.valueMask.subarray(at, at + rows).forEach((learned, row) => {
        if (learned === 0) truth[at + row] = 0;
      });
      if (c.bootstrapAtTruncation && buffers.truncated.includes(1)) finalValues.set(await valuesOf(await shown(buffers.finalObs)), at);
    }
    lastValues.set(await valuesOf(await shown(buffers.obs)));
    next.set(buffers.obs);
    buffers.alive?.forEach((alive, row) => {
      if (alive === 0) next.fill(0, row * O, (row + 1) * O);
    });

    // 2. Learn the reward, and what it says of the rollout.
    const played = {
      obs: plain,
      action: taken,
      reward: truth,
      ended,
      next,
      steps: T,
      rows,
      ...(living !== null && { alive: living.policyMask }),
    };
    const { rewards, metrics } = await reward.judge(played, counters.step);

    // 3. PPO on it.
    const { gamma, lambda, bootstrapAtTruncation } = c;
    gae(
      { rewards, values, terminated, truncated, finalValues, lastValues, rows, gamma, lambda, bootstrapAtTruncation },
      advantages,
      targets,
    );
    const lr = c.annealLr ? annealed(c.lr, run.steps, counters.step) : c.lr;
    const report = await ppo.minibatchEpochs(
      learn,
      size,
      { ...c, lr },
      () => shuffling.shuffle(order),
      (from) => {
        const batch = learn.in;
        gatherRows(order, from, size, obs, O, batch.obs);
        gatherRows(order, from, size, actions, D, batch.action);
        gatherRows(order, from, size, logProbs, 1, batch.oldLogProb);
        gatherRows(order, from, size, advantages, 1, batch.advantage);
        gatherRows(order, from, size, targets, 1, batch.target);
        gatherMasks(living, order, from, size, batch);
        if (batch.oldValue !== undefined) gatherRows(order, from, size, values, 1, batch.oldValue);
      },
    );
    counters.step += T * c.envs;
    const { step } = counters;
    ppo.checkUpdate(step, report);
    yield {
      step,
      metrics: { ...episodeRow(env), ...report, ...metrics, explainedVariance: explainedVariance(values, targets), learningRate: lr },
      ...point,
    };
  }
}

/** Rows of a program that looks at a rollout. */
export const CHUNK = 256;

/** Runs a program of CHUNK rows over `count` rows; `take` reads its outputs, `some` of them rows from `from` on. */
export async function overChunks(
  program: { readonly in: { readonly obs: Float32Array; readonly action: Float32Array }; run(): Promise<void> | undefined },
  { obs, action }: Pick<Played, 'obs' | 'action'>,
  count: number,
  take: (from: number, some: number) => void,
  prepare?: (obs: Float32Array) => void,
): Promise<void> {
  const [O, D] = [program.in.obs.length / CHUNK, program.in.action.length / CHUNK];
  for (let from = 0; from < count; from += CHUNK) {
    const some = Math.min(CHUNK, count - from);
    program.in.obs.fill(0);
    program.in.action.fill(0);
    program.in.obs.set(obs.subarray(from * O, (from + some) * O));
    program.in.action.set(action.subarray(from * D, (from + some) * D));
    prepare?.(program.in.obs);
    const pending = program.run();
    if (pending) await pending;
    take(from, some);
  }
}

/** Throws LabError('incompatible') where nothing can be recorded, or PPO cannot learn. */
export function checkLearnedReward(meta: EnvMeta, c: ppo.CommonSettings, title: string): void {
  checkRecordable(meta, title);
  ppo.checkNormalised(meta, c.normaliseObs);
  ppo.checkMinibatches(c.envs * c.rolloutSteps * meta.agentCount, c.minibatches);
}

/** The policy of a snapshot. */
export async function learnedRewardPolicy(
  { config: c, meta, makeEngine }: PolicyContext<ppo.CommonSettings>,
  saved: Saved,
): Promise<Policy> {
  const engine = await makeEngine();
  const net = policyNetwork(engine, meta, { ...c, ...NET }, Rng.from(0));
  loadGroups(engine, { net: net.group }, saved);
  const moments = ppo.savedPacked(saved, 'moments', new RunningMoments(meta.obsSize));
  return policyOfNetwork(engine, meta, net, moments, ppo.CLIP_NORMALISED, () => engine.dispose());
}

/** One step of PPO's gradient, for benchmarks. */
export function learnedRewardBenchmark(c: ppo.CommonSettings, meta: EnvMeta, engine: Engine) {
  const net = policyNetwork(engine, meta, { ...c, ...NET }, Rng.from(0));
  const learn = compileLearner(engine, net, c, (c.envs * meta.agentCount * c.rolloutSteps) / c.minibatches, meta.agentCount > 1);
  return { run: () => learn.run() };
}
