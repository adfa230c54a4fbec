/**
 * Deep Q-learning of a team from replayed episodes: config, networks, learner and training loop of IQL, VDN and QMIX, which differ
 * only in the mixer. Let q_i(o_i, a_i) be the agents' values and mix(q_1 .. q_A, s) the mixer's:
 *   IQL    every agent by itself:  y_i = r_i + gamma max_b q_i'(o_i', b)          loss: half the mean of (q_i - y_i)^2
 *   mixer  one team value:         y = sum_i r_i + gamma mix'(max_b q_i'(o_i', b), s')   loss: half the mean of (mix(q) - y)^2
 * A team's step counts whole, with what agents that have died are shown and paid.
 * Primes mark the target network; with double Q the online network selects b. Only `terminated` stops the bootstrap.
 * A recurrent network learns from whole episodes (or pieces of at most `recurrent.sequence` steps) unrolled from zero states, online and
 * target network alike; without a GRU it learns from single steps. Padded steps have weight 0.
 */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { adam, radam } from '#core/engine/optimisers.ts';
import type { Engine } from '#core/engine/types.ts';
import { nextMasks } from '#core/envs/api/buffers.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import type { BodySettings } from '#core/nets/body.ts';
import type { MakeMixer } from '#core/nets/mixing.ts';
import { updateTarget } from '#core/nets/target.ts';
import { registerState, type StateLayout, savedNumber } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { EpisodeMemory, type EpisodeShape } from '#core/state/replay-episodes.ts';
import { RunningMoments } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { annealed, linear } from '#math/schedules.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import { finalMasks } from '../../api/changes.ts';
import { defineAlgo } from '../../api/define.ts';
import * as fields from '../../api/fields.ts';
import { checkBody } from '../../api/guards.ts';
import { episodeMetrics, episodeRow, RowMeans } from '../../api/metrics.ts';
import { safePoint } from '../../api/safe-point.ts';
import type { AlgoEntry, AlgoSpec, Policy, PolicyContext, Progress, Run } from '../../api/types.ts';
import {
  checkDiscreteTeam,
  compileActor,
  compileLearner,
  selectActions,
  sequenceLength,
  type TeamNetworks,
  teamNetworks,
  teamQPolicy,
  teamReward,
} from './team-q.ts';

const source = 'JaxMARL ql_rnn, MPE';

/** Defaults are JaxMARL's ql_rnn on its particle worlds. */
export const qLearningTeamFields = {
  lr: fields.lr(0.005, source, { description: 'Step size of the optimiser at the start.' }),
  annealLr: fields.annealLr(true, source),
  optimiser: z.enum(['adam', 'radam']).default('radam').meta({
    title: 'optimiser',
    description: 'RAdam takes smaller first steps, until its second moments are reliable; Adam does not.',
    source: 'RAdam in JaxMARL, Adam in EPyMARL',
    depth: 'research',
    group: 'optimisation',
  }),
  maxGradNorm: fields.maxGradNorm(25, source),
  gamma: fields.gamma(0.9, source),
  standardiseReward: z.boolean().default(false).meta({
    title: 'standardise rewards',
    description: 'Subtract the running mean, divide by the running standard deviation.',
    source: 'EPyMARL; off in JaxMARL',
    group: 'returns',
  }),
  epsilonStart: fields.epsilonStart(1, source),
  epsilonEnd: fields.epsilonEnd(0.05, source),
  epsilonFraction: fields.epsilonFraction(0.1, source),
  double: z.boolean().default(true).meta({
    title: 'double Q',
    description: 'The online network selects the next actions, the target network evaluates them.',
    source: 'EPyMARL',
    group: 'variant',
  }),
  recurrent: variant(
    'on',
    [
      kind('off', {}),
      kind('on', {
        units: fields.integer(64, {
          min: 1,
          max: 512,
          title: 'GRU units',
          description: 'Size of the recurrent state.',
          source,
          slider: [16, 256],
          log: true,
          group: 'network',
        }),
        sequence: fields.integer(25, {
          min: 1,
          max: 64,
          title: 'sequence length',
          unit: 'steps',
          description: 'Steps the network is unrolled over; longer episodes are cut into pieces that start from a zero state.',
          source: 'the length of episodes in MPE',
          group: 'network',
        }),
      }),
    ],
    {
      title: 'recurrent network',
      description: 'A GRU, trained on whole episodes; off: a feed-forward network, trained on single steps.',
      source,
      depth: 'teach',
      group: 'network',
    },
  ),
  hidden: fields.hidden([64], source, { description: 'Units of each layer before the GRU.' }),
  sharing: fields.sharing(),
  agentId: fields.agentId(true, source),
  envs: fields.numEnvs(8, source, { max: 256, log: true, group: 'replay' }),
  rolloutSteps: fields.rolloutSteps(26, source, { max: 2048, slider: [1, 128], group: 'replay' }),
  gradientSteps: fields.gradientSteps(1, source, { max: 256, slider: [1, 16], log: false }),
  bufferSize: fields.bufferSize(5000, source, {
    unit: 'episodes',
    description: 'The newest that are kept: episodes, or single steps without a GRU.',
    min: 10,
    max: 200_000,
    slider: [100, 100_000],
  }),
  batchSize: fields.batchSize(32, source, { unit: 'episodes', description: 'Episodes (or single steps) per update.', slider: [8, 512] }),
  learningStarts: fields.learningStarts(10_000, source),
  targetEvery: fields.targetEvery(200, source, {
    unit: 'updates',
    description: 'Updates of the online network between two of the target network.',
    slider: [1, 1000],
  }),
  tau: fields.tau(1, source),
} as const;
export const qLearningTeamConfig = z.strictObject(qLearningTeamFields);
export type QLearningTeamConfig = z.infer<typeof qLearningTeamConfig> & Pick<BodySettings, 'body'>;

/** Whole published settings beside the defaults. */
export const qLearningTeamPresets: readonly Preset[] = [
  {
    id: 'epymarl',
    title: 'EPyMARL settings',
    config: {
      lr: 5e-4,
      annealLr: false,
      optimiser: 'adam',
      maxGradNorm: 10,
      gamma: 0.99,
      standardiseReward: true,
      envs: 1,
      rolloutSteps: 25,
      learningStarts: 800,
      targetEvery: 200,
    },
  },
  {
    id: 'jaxmarl-feed-forward',
    title: 'JaxMARL settings without a GRU (vdn_ff)',
    config: { recurrent: { kind: 'off' }, hidden: [64, 64], envs: 32, rolloutSteps: 16, bufferSize: 100_000 },
  },
];

export const qLearningTeamMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'loss', title: 'loss', description: 'Half the squared error of the value predictions, mean since the last row.' },
  { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the replayed actions: runs away when values are over-estimated.' },
  { id: 'tdError', title: 'TD error (absolute)', description: 'Mean absolute temporal-difference error.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the gradient before clipping.' },
  { id: 'epsilon', title: 'epsilon', description: 'Share of uniformly random actions now.' },
  { id: 'learningRate', title: 'learning rate', description: 'Step size of the optimiser now.' },
];

/** What the replay buffer stores of a step: all observations, followed by the global state where the environment has one. */
export function replayShape(meta: EnvMeta, c: QLearningTeamConfig, mixed: boolean): EpisodeShape {
  const { agentCount: A, obsSize: O, actionCount: N, globalSize: G } = meta;
  return {
    capacity: c.bufferSize,
    rows: c.envs,
    length: sequenceLength(c),
    obsSize: A * O + G,
    actionSize: A,
    rewardSize: mixed ? 1 : A,
    maskSize: meta.masked ? A * N : 0,
  };
}

const MAX_BYTES = 768 * 1024 * 1024;

/** A browser tab must hold the replay buffer and, while it is saved, a copy of it. Throws LabError('config-invalid'). */
export function checkReplaySize({ capacity, length: L, obsSize, actionSize, rewardSize, maskSize }: EpisodeShape): void {
  const bytesEach = (L + 1) * (4 * obsSize + maskSize) + 4 * L * (actionSize + rewardSize);
  if (capacity * bytesEach <= MAX_BYTES) return;
  const megabytes = Math.round((capacity * bytesEach) / 2 ** 20);
  throw fail(
    'config-invalid',
    `The replay buffer would take ${megabytes} MB; a page should not use more than ${MAX_BYTES / 2 ** 20}.`,
    `Keep at most ${Math.floor(MAX_BYTES / bytesEach)} episodes.`,
    'algo.bufferSize',
  );
}

/** Networks, programs, replay buffer and recurrent states of one learner. It may learn from actions that another one selected. */
export interface TeamLearner {
  readonly nets: TeamNetworks;
  /** The replay buffer holds enough for a minibatch. */
  readonly ready: boolean;
  /** Copies the online into the target network; once, at the start of a new run. */
  start(): Promise<void>;
  /** Runs the online network on the current observations; await the promise, if any, before qValues(). */
  forward(): Promise<void> | undefined;
  /** Result of forward(), [B, A, N], illegal actions at -1e8. Also advances the recurrent states, so call it once per step. */
  qValues(): Float32Array;
  /** After env.step(actions [B, A]): stores the transitions. */
  add(actions: Int32Array): void;
  /** `gradientSteps` updates. */
  update(learningRate: number): Promise<void>;
  /** Means over the updates since the last row, NaN if there were none. Throws LabError('nan-loss') if one is not finite. */
  readonly means: RowMeans<'loss' | 'qMean' | 'tdError' | 'gradNorm'>;
  /** What to register for checkpoints: all but the networks, which are saved with the engine. */
  readonly state: StateLayout;
}

const UNCLIPPED = 1e30;

/** `c` may be live. Streams `init` and `replay` are split off `rng`; `prefix` as in teamNetworks. */
export function teamLearner(
  engine: Engine,
  env: VectorEnv,
  c: QLearningTeamConfig,
  makeMixer: MakeMixer | null,
  rng: Rng,
  prefix = '',
): TeamLearner {
  const { meta, buffers, batch: B } = env;
  const { agentCount: A, obsSize: O, globalSize: G } = meta;
  const mixed = makeMixer !== null;
  const nets = teamNetworks(engine, meta, c, makeMixer, rng.split('init'), prefix);
  const S = nets.q.stateSize;
  const act = compileActor(engine, nets, meta, B);
  const learn = compileLearner(engine, nets, meta, c, c.optimiser === 'adam' ? adam() : radam());
  const targetUpdate = engine.polyak(nets.target, nets.online);
  const replaying = rng.split('replay');
  const shape = replayShape(meta, c, mixed);
  const replay = new EpisodeMemory(shape);
  const moments = c.standardiseReward ? new RunningMoments(shape.rewardSize) : null;
  const obs = new Float32Array(B * shape.obsSize);
  const nextObs = new Float32Array(B * shape.obsSize);
  const mask = buffers.mask?.slice();
  const nextMask = buffers.mask?.slice();
  const rewards = new Float32Array(B * shape.rewardSize);
  const state = new Float32Array(B * A * S); // recurrent states
  const counters = { updates: 0 };
  const means = new RowMeans(['loss', 'qMean', 'tdError', 'gradNorm']);

  return {
    nets,
    means,
    state: { counters, parts: { memory: replay }, arrays: { replaying, state, moments } },
    get ready() {
      return replay.size >= c.batchSize;
    },
    start: async () => updateTarget(targetUpdate, 1),
    forward() {
      act.in.obs.set(buffers.obs);
      act.in.state?.set(state);
      if (buffers.mask !== undefined) {
        act.in.mask?.set(buffers.mask);
        mask?.set(buffers.mask);
      }
      writeRows(obs, buffers.obs, buffers.state, B, A * O, G);
      return act.run();
    },
    qValues() {
      if (act.out.state !== undefined) state.set(act.out.state);
      return act.out.q;
    },
    add(actions) {
      const { terminated, truncated, reward } = buffers;
      writeRows(nextObs, buffers.obs, buffers.state, B, A * O, G);
      for (let b = 0; b < B; b++) {
        if (mixed) rewards[b] = teamReward(reward, b * A, A);
        else for (let a = 0; a < A; a++) rewards[b * A + a] = reward[b * A + a]!;
        if (terminated[b] === 0 && truncated[b] === 0) continue;
        writeRow(nextObs, buffers.finalObs, buffers.finalState, b, A * O, G); // from before the reset
        state.fill(0, b * A * S, (b + 1) * A * S);
      }
      nextMasks(buffers, meta, nextMask);
      moments?.update(rewards, B);
      replay.add({ obs, action: actions, reward: rewards, nextObs, terminated, truncated, mask, nextMask });
    },
    async update(learningRate) {
      const { in: feed, out } = learn; // read anew: compiling another program in between may have moved them
      feed.lr[0] = learningRate;
      feed.gamma[0] = c.gamma;
      for (let k = 0; k < c.gradientSteps; k++) {
        for (let m = 0; m < c.batchSize; m++) replay.read(replay.draw(replaying), m, c.batchSize, feed);
        moments?.normalise(feed.reward, feed.reward, UNCLIPPED);
        const read = k === c.gradientSteps - 1; // reading is a round trip on a GPU
        const pending = learn.run({ read });
        if (pending) await pending;
        counters.updates++;
        if (counters.updates % c.targetEvery === 0) await updateTarget(targetUpdate, c.tau);
        if (!read) continue;
        means.add('loss', out.loss[0]!);
        means.add('qMean', out.qMean[0]!);
        means.add('tdError', out.errorMean[0]!);
        means.add('gradNorm', out.gradNorm[0]!);
      }
    },
  };
}

/** Observations of a team, followed by the global state if there is one, of environment b. */
function writeRow(out: Float32Array, obs: Float32Array, state: Float32Array | undefined, b: number, width: number, G: number): void {
  const at = b * (width + G);
  for (let j = 0; j < width; j++) out[at + j] = obs[b * width + j]!;
  if (state !== undefined) for (let j = 0; j < G; j++) out[at + width + j] = state[b * G + j]!;
}

function writeRows(out: Float32Array, obs: Float32Array, state: Float32Array | undefined, B: number, width: number, G: number): void {
  if (G === 0) out.set(obs);
  else for (let b = 0; b < B; b++) writeRow(out, obs, state, b, width, G);
}

/** Environment steps between two rows of metrics. */
export const STEPS_PER_ROW = 1000;

/** Throws LabError('incompatible') or LabError('config-invalid') naming what does not fit. */
export function checkFits(meta: EnvMeta, c: QLearningTeamConfig, title: string, mixed: boolean): void {
  checkDiscreteTeam(meta, title);
  checkBody(meta, c);
  checkReplaySize(replayShape(meta, c, mixed));
}

/** The training loop: act epsilon-greedily for `rolloutSteps` steps, then update from replayed episodes. Throws LabError('nan-loss'). */
export async function* trainTeam(
  run: Run<QLearningTeamConfig>,
  resume: Saved | undefined,
  makeMixer: MakeMixer | null,
): AsyncGenerator<Progress, void, void> {
  const c = run.config; // fields marked live may change between iterations
  const { meta } = run;
  const engine = await run.makeEngine();
  const env = run.makeEnv(c.envs);
  const { buffers } = env;
  const learner = teamLearner(engine, env, c, makeMixer, run.rng);
  const { sharing, online, q } = learner.nets;
  const exploring = run.rng.split('exploration');
  const actions = new Int32Array(env.batch * meta.agentCount);
  const state = registerState({ counters: { step: 0 }, parts: { env, engine }, arrays: { exploring } }, learner.state);
  const progress = state.counters;
  const epsilon = (): number => linear(c.epsilonStart, c.epsilonEnd, c.epsilonFraction * run.steps, progress.step);
  const point = safePoint({
    state,
    engine,
    snapshot: () => saveGroups(engine, { net: online }, { epsilon: epsilon() }),
    policy: () => teamQPolicy(engine, q, sharing, meta, epsilon),
  });

  if (resume === undefined) {
    env.reset();
    await learner.start();
  } else state.load(resume);

  while (progress.step < run.steps) {
    let learningRate = c.lr;
    const until = Math.min(run.steps, progress.step + STEPS_PER_ROW);
    while (progress.step < until) {
      // 1. Act and store.
      const eps = epsilon();
      for (let t = 0; t < c.rolloutSteps; t++) {
        const pending = learner.forward();
        if (pending) await pending;
        selectActions({ q: learner.qValues(), mask: buffers.mask, epsilon: eps, rng: exploring, sharing, meta }, actions);
        env.step(actions);
        learner.add(actions);
        progress.step += env.batch;
      }

      // 2. Learn from replayed episodes.
      if (progress.step <= c.learningStarts || !learner.ready) continue;
      learningRate = c.annealLr ? annealed(c.lr, run.steps, progress.step) : c.lr;
      await learner.update(learningRate);
    }
    const { step } = progress;
    yield { step, metrics: { ...episodeRow(env), ...learner.means.take(step), epsilon: epsilon(), learningRate }, ...point };
  }
}

/** The policy from a snapshot, on its own engine; acting does not need the mixer. */
export async function loadTeamPolicy({ config, meta, makeEngine }: PolicyContext<QLearningTeamConfig>, saved: Saved): Promise<Policy> {
  const engine = await makeEngine();
  const nets = teamNetworks(engine, meta, config, null, Rng.from(0));
  loadGroups(engine, { net: nets.online }, saved);
  const epsilon = savedNumber(saved, 'epsilon');
  return teamQPolicy(engine, nets.q, nets.sharing, meta, () => epsilon, true);
}

/** One update on zeros, for the comparison of executors. */
export function teamBenchmark(
  engine: Engine,
  meta: EnvMeta,
  c: QLearningTeamConfig,
  makeMixer: MakeMixer | null,
): { run(): Promise<void> | undefined } {
  const learn = compileLearner(engine, teamNetworks(engine, meta, c, makeMixer, Rng.from(0)), meta, c, adam());
  return { run: () => learn.run() };
}

/** Settings that let the probes' runs be short. */
export const teamProbeConfig = {
  envs: 4,
  rolloutSteps: 4,
  recurrent: { kind: 'on', units: 8, sequence: 4 },
  hidden: [16],
  lr: 1e-2,
  batchSize: 32,
  bufferSize: 500,
  learningStarts: 100,
  targetEvery: 20,
  epsilonFraction: 0.5,
  epsilonEnd: 0.1,
};

type Own<C> = Pick<AlgoSpec<C>, 'id' | 'title' | 'summary' | 'source' | 'config' | 'presets' | 'probes' | 'probeConfig'>;

/** A method from what it has of its own: its mixer, null for learners that are independent of each other. */
export function teamMethod<C extends QLearningTeamConfig>(own: Own<C>, mixerOf: (c: C) => MakeMixer | null): AlgoEntry {
  return defineAlgo<C>({
    spec: {
      probeConfig: teamProbeConfig,
      ...own,
      version: 2,
      changes: [finalMasks(2)],
      action: 'discrete',
      learner: 'network',
      agents: 'many',
      trial: {
        env: 'mpe-simple-spread',
        steps: 1024,
        config: { envs: 4, rolloutSteps: 4, batchSize: 32, bufferSize: 500, learningStarts: 100 },
      },
      metrics: qLearningTeamMetrics,
    },
    fits: (meta, c) => checkFits(meta, c, own.title, mixerOf(c) !== null),
    train: (run, resume) => trainTeam(run, resume, mixerOf(run.config)),
    policy: loadTeamPolicy,
    benchmark: ({ config, meta, engine }) => teamBenchmark(engine, meta, config, mixerOf(config)),
  });
}
