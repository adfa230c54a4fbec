/**
 * Deep Q-network (Mnih et al. 2015) as CleanRL's dqn.py runs it: one environment, uniform replay, Adam, a target network copied every
 * few hundred steps, linearly decaying epsilon. Variants: double Q (van Hasselt et al. 2016), dueling heads, n-step returns,
 * prioritised replay, distributions of returns and noisy layers (nets/value-network.ts; all of them together are Rainbow, Hessel et al.
 * 2018), Munchausen targets (Vieillard, Pietquin & Geist 2020). Bonuses, hindsight goals and what keeps earlier tasks are extensions
 * (extensions/index.ts), called at the places that api/extension.ts names; the loop is lib/replay/transitions.ts.
 *   y = r + gamma max_b Qtarget(s', b)                      loss: mean of (Q(s, a) - y)^2, or of its Huber form
 *   double: y = r + gamma Qtarget(s', argmax_b Q(s', b))
 *   Munchausen: pi = softmax(Qtarget / tau),
 *   y = r + alpha max(-1, tau ln pi(a|s)) + gamma sum_b pi(b|s') (Qtarget(s', b) - tau ln pi(b|s'))
 * Only `terminated` stops the bootstrap; a time limit does not.
 * Differs: Adam adds 1e-8 to the root also for distributions (CleanRL c51.py: 0.01 / batch size); implicit quantiles choose the next action by
 * the same 8 levels that value it (the paper and Dopamine draw 32 further ones for the choice).
 * Pseudo-code:
 *   target network = network
 *   repeat until the budget is spent
 *     act epsilon-greedily on Q, epsilon falling linearly; if noisy: with noise drawn for the weights
 *     store (s, a, r, s'); if prioritised: at the largest priority so far
 *     once learningStarts steps are played
 *       every trainEvery steps, gradientSteps times
 *         draw n-step transitions uniformly; if prioritised: by priority, with importance weights
 *         y = sum of the n rewards + gamma^n max_b Qtarget(s', b), or as double or Munchausen say
 *         one step of Adam on the loss; if prioritised: new priorities from the errors
 *           categorical: cross-entropy to the projected target distribution; quantiles: quantile Huber
 *       every targetEvery steps: target network += tau (network - target network)
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import { ZOO_LUNAR_LANDER_DQN } from '#contract/papers/published.ts';
import type { VersionChange } from '#contract/run/versions.ts';
import { updateTarget } from '#core/nets/target.ts';
import { Rng } from '#math/rng.ts';
import { argmax, randomAction } from '#math/sampling.ts';
import { linear } from '#math/schedules.ts';
import type { Engine } from '../../engine/types.ts';
import { kind, variant } from '../../envs/api/variant.ts';
import type { VectorEnv } from '../../envs/api/vector-env.ts';
import { drawNoise } from '../../nets/noisy.ts';
import { savedNumber } from '../../state/checkpoint.ts';
import { loadGroups, saveGroups } from '../../state/params.ts';
import { Priorities } from '../../state/priorities.ts';
import { sampleBatch } from '../../state/sample-batch.ts';
import { allUpdatesDue, convolution, finalMasks } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkBody, checkFilters, checkSameAgents } from '../api/guards.ts';
import { episodeMetrics, RowMeans } from '../api/metrics.ts';
import type { ExtendedMethod } from '../api/standing.ts';
import type { Run } from '../api/types.ts';
import { extensionsOf } from '../extensions/index.ts';
import { networkPolicy } from '../lib/network-policy.ts';
import { type ReplayLearner, TransitionStore, trainReplayed } from '../lib/replay/transitions.ts';
import { compileActor, compileLearner, networks, savedGroups } from './lib/dqn-programs.ts';
import { checkVariants, variantFields } from './lib/dqn-variants.ts';

const source = 'CleanRL dqn.py';
const extensions = extensionsOf({ loop: 'replay', networks: 'q' });

const config = z.strictObject({
  lr: fields.lr(2.5e-4, source),
  gamma: fields.gamma(0.99, source),
  epsilonStart: fields.epsilonStart(1, source),
  epsilonEnd: fields.epsilonEnd(0.05, source),
  epsilonFraction: fields.epsilonFraction(0.5, source),
  double: z.boolean().default(false).meta({
    title: 'double Q',
    description: 'The online network selects the next action, the target network evaluates it.',
    source: 'van Hasselt et al. 2016; off in CleanRL dqn.py',
    depth: 'teach',
    group: 'variant',
  }),
  dueling: z.boolean().default(false).meta({
    title: 'dueling heads',
    description: 'Separate heads for the value of the state and the advantage of each action.',
    source: 'Wang et al. 2016; off in CleanRL dqn.py',
    group: 'variant',
  }),
  nStep: fields.integer(1, {
    min: 1,
    max: 100,
    title: 'n-step returns',
    unit: 'steps',
    description: 'Rewards summed before the bootstrap; Rainbow uses 3.',
    source,
    slider: [1, 10],
    group: 'variant',
  }),
  prioritised: variant(
    'off',
    [
      kind('off', {}),
      kind('on', {
        alpha: fields.real(0.6, {
          min: 0,
          max: 1,
          title: 'priority exponent (alpha)',
          description: '0 is uniform, 1 fully proportional to the absolute TD error.',
          source: 'Schaul et al. 2016, proportional',
          depth: 'research',
          group: 'variant',
        }),
        beta: fields.real(0.4, {
          min: 0,
          max: 1,
          title: 'importance-sampling exponent (beta)',
          description: 'At the start; grows linearly to 1 at the end of the budget.',
          source: 'Schaul et al. 2016, proportional',
          depth: 'research',
          group: 'variant',
        }),
      }),
    ],
    {
      title: 'prioritised replay',
      description: 'Transitions of large TD error are replayed more often.',
      source: 'Schaul et al. 2016; off in CleanRL dqn.py',
      group: 'variant',
    },
  ),
  ...variantFields,
  loss: z.enum(['mse', 'huber']).default('mse').meta({
    title: 'loss',
    description: 'Squared error, or Huber: squared near 0 and linear beyond 1. Distributions have losses of their own.',
    source,
    group: 'optimisation',
  }),
  envs: fields.numEnvs(1, source, { max: 256, slider: [1, 16], group: 'replay' }),
  bufferSize: fields.bufferSize(10_000, source, { max: 100_000, slider: [1000, 100_000] }),
  learningStarts: fields.learningStarts(10_000, source),
  batchSize: fields.batchSize(128, source),
  trainEvery: fields.trainEvery(10, source, { slider: [1, 64] }),
  gradientSteps: fields.gradientSteps(1, source),
  targetEvery: fields.targetEvery(500, source),
  tau: fields.tau(1, source),
  maxGradNorm: fields.orNull(
    fields.maxGradNorm(10, source, {
      description: 'Longer gradients are scaled down to this norm. Empty: never, as in CleanRL; Stable-Baselines3 uses 10.',
      depth: 'research',
    }),
    'off',
  ),
  filters: fields.filters(0, '16 in MinAtar (Young & Tian 2019)'),
  hidden: fields.hidden([120, 84], source),
  body: fields.body(),
});
type DqnConfig = z.infer<typeof config>;

/** Heads, noise and targets that may be chosen since. */
const variants = (version: number): VersionChange => ({
  version,
  what: 'Distributions of returns, noisy layers and Munchausen targets may be chosen.',
  before: {
    distribution: 'none',
    atoms: 51,
    valueMin: -10,
    valueMax: 10,
    noisy: false,
    noisySigma: 0.5,
    munchausen: false,
    munchausenAlpha: 0.9,
    munchausenTemperature: 0.03,
  },
  rerun: false,
});

/** A bonus that may be chosen since. */
const bonuses = (version: number): VersionChange => ({
  version,
  what: 'A bonus for what was seldom seen may be paid beside the reward.',
  before: { bonus: 'none', bonusWeight: 1, hashBits: 32 },
  rerun: false,
});

const presets: readonly Preset[] = [
  { id: 'lunar-lander', title: 'RL Zoo settings for LunarLander (100,000 steps)', config: ZOO_LUNAR_LANDER_DQN },
  {
    id: 'rainbow-lite',
    title: 'Double, dueling, 3-step, prioritised',
    config: { double: true, dueling: true, nStep: 3, prioritised: { kind: 'on' } },
  },
  {
    id: 'rainbow',
    title: 'Rainbow: all of it, 51 atoms from -10 to 10 (rewards clipped as in Atari), noisy layers',
    config: {
      double: true,
      dueling: true,
      nStep: 3,
      prioritised: { kind: 'on', alpha: 0.5 },
      distribution: { kind: 'categorical' },
      noisy: { kind: 'on' },
      epsilonStart: 0,
      epsilonEnd: 0,
    },
  },
  {
    id: 'rainbow-unclipped',
    title: 'Rainbow where rewards are not clipped: 101 atoms from -100 to 100',
    config: {
      double: true,
      dueling: true,
      nStep: 3,
      prioritised: { kind: 'on', alpha: 0.5 },
      distribution: { kind: 'categorical', atoms: 101, low: -100, high: 100 },
      noisy: { kind: 'on' },
      epsilonStart: 0,
      epsilonEnd: 0,
    },
  },
  {
    id: 'hindsight',
    title: 'Hindsight goals, for tasks with goals (60,000 steps)',
    config: {
      lr: 1e-3,
      gamma: 0.98,
      epsilonFraction: 0.3,
      hidden: [256],
      bufferSize: 100_000,
      learningStarts: 1000,
      trainEvery: 4,
      targetEvery: 500,
      hindsight: { kind: 'on' },
    },
  },
  {
    id: 'c51',
    title: 'C51 (CleanRL c51.py: 101 atoms from -100 to 100)',
    config: { distribution: { kind: 'categorical', atoms: 101, low: -100, high: 100 } },
  },
  {
    id: 'munchausen-iqn',
    title: 'Munchausen with implicit quantiles',
    config: { munchausen: { kind: 'on' }, distribution: { kind: 'implicit quantile' } },
  },
  {
    id: 'cartpole-fast',
    title: 'RL Zoo settings for CartPole (50,000 steps)',
    config: {
      lr: 2.3e-3,
      batchSize: 64,
      bufferSize: 100_000,
      learningStarts: 1000,
      targetEvery: 10,
      trainEvery: 256,
      gradientSteps: 128,
      epsilonFraction: 0.16,
      epsilonEnd: 0.04,
      hidden: [256, 256],
      loss: 'huber',
      maxGradNorm: 10,
    },
  },
];

const metrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'loss', title: 'loss', description: 'Error of the value predictions, mean since the last row.' },
  { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the replayed actions: runs away when values are over-estimated.' },
  { id: 'tdError', title: 'TD error (absolute)', description: 'Mean absolute temporal-difference error.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the gradient before clipping.' },
  { id: 'epsilon', title: 'epsilon', description: 'Share of uniformly random actions now.' },
  {
    id: 'targetsClipped',
    title: 'targets outside the atoms',
    description: 'Categorical distribution: share of the chances of the targets that lie beyond the outermost atoms and count as those.',
  },
  { id: 'targetCopies', title: 'target copies', description: 'Copies of the network into its target since the last row.' },
];

const STEPS_PER_ITERATION = 500;

/** Inputs of programs that are drawn. */
interface Draws {
  readonly noise?: Float32Array | undefined;
  readonly targetNoise?: Float32Array | undefined;
  readonly taus?: Float32Array | undefined;
  readonly targetTaus?: Float32Array | undefined;
}

function learner({ config: c, meta, rng, steps }: Run<DqnConfig>, engine: Engine, env: VectorEnv, extended: ExtendedMethod): ReplayLearner {
  const { buffers, batch: B } = env;
  const { actionCount: N } = meta;
  const nets = networks(engine, meta, c, rng.split('init'), extended.parts);
  const store = new TransitionStore(meta, buffers, { capacity: c.bufferSize, numEnvs: B, currentMask: c.munchausen.kind === 'on' });
  const { buffer: replay } = store;
  const added = extended.attach({
    loop: 'replay',
    networks: 'q',
    engine,
    meta,
    env,
    rng,
    replay,
    learned: [{ name: 'q', group: nets.online }],
    config: c,
    q: (obs) => nets.q.apply(obs, { noise: null, taus: null }).q,
  });
  const act = compileActor(engine, nets, meta, B, true);
  const learn = compileLearner(engine, nets, meta, c, added);
  const also = added.places();
  const targetUpdate = engine.polyak(nets.target, nets.online);
  const exploring = rng.split('exploration');
  const replaying = rng.split('replay');
  const drawing = c.noisy.kind === 'on' || c.distribution.kind === 'implicit quantile' ? rng.split('draws') : null;
  /** Noise of weights and levels of quantiles, for one run of a program. */
  const draw = (inputs: Draws): void => {
    if (drawing === null) return;
    for (const noise of [inputs.noise, inputs.targetNoise]) if (noise !== undefined) drawNoise(drawing, noise);
    for (const taus of [inputs.taus, inputs.targetTaus])
      if (taus !== undefined) for (let i = 0; i < taus.length; i++) taus[i] = drawing.uniform();
  };
  const { sampledRow } = also;
  const relabel = sampledRow && ((id: number, k: number): void => sampledRow(replaying, id, k, learn.in));
  const { prioritised } = c;
  const priorities = prioritised.kind === 'on' ? new Priorities(c.bufferSize, prioritised.alpha) : null;
  const beta = prioritised.kind === 'on' ? prioritised.beta : 1;
  const actions = new Int32Array(B);
  const ids = new Float64Array(c.batchSize); // transition numbers of the minibatch
  const means = new RowMeans<string>(['loss', 'qMean', 'tdError', 'gradNorm', 'targetsClipped', ...added.reported]);
  const counters = { step: 0 };
  let copies = 0; // since the last row: states are saved right behind one
  const epsilon = (): number => linear(c.epsilonStart, c.epsilonEnd, c.epsilonFraction * steps, counters.step);

  return {
    store,
    state: { counters, arrays: { exploring, replaying, drawing, priorities } },
    extended: also,
    means,
    stepsPerRow: STEPS_PER_ITERATION,
    stored: actions,
    copyTargets: async () => updateTarget(targetUpdate, 1),
    /** Epsilon-greedily; the network runs only if some environment needs it. */
    async act() {
      const eps = epsilon();
      let anyGreedy = false;
      for (let row = 0; row < B; row++) {
        actions[row] = exploring.uniform() < eps ? randomAction(exploring, N, buffers.mask, row * N) : -1;
        if (actions[row] === -1) anyGreedy = true;
      }
      if (anyGreedy) {
        act.in.obs.set(buffers.obs);
        if (buffers.mask !== undefined) act.in.mask?.set(buffers.mask);
        draw(act.in);
        const pending = act.run();
        if (pending) await pending;
        const { q } = act.out;
        for (let row = 0; row < B; row++) if (actions[row] === -1) actions[row] = argmax(q, row * N, N, buffers.mask, row * N);
      }
      if (priorities !== null) for (let row = 0; row < B; row++) priorities.addNew(replay.total + row);
      return actions;
    },
    async update(k) {
      await also.beforeUpdate?.();
      sampleBatch(replay, priorities, replaying, c, linear(beta, 1, 1, counters.step / steps), ids, learn.in, relabel);
      draw(learn.in);
      also.sampled?.('q', learn.in);
      learn.in.lr[0] = c.lr;
      const read = priorities !== null || also.afterUpdate !== undefined || k % c.gradientSteps === 0; // reading is a round trip on a GPU
      const pending = learn.run({ read });
      if (pending) await pending;
      if (!read) return;
      const { out } = learn;
      priorities?.updateAll(ids, out.error);
      also.afterUpdate?.('q', out);
      means.add('loss', out.loss[0]!);
      means.add('qMean', out.qMean[0]!);
      means.add('tdError', out.errorMean[0]!);
      means.add('gradNorm', out.gradNorm[0]!);
      means.addAll(['targetsClipped', ...added.reported], out);
    },
    async afterStep(before) {
      const passed = (every: number): boolean => Math.floor(counters.step / every) > Math.floor(before / every);
      if (passed(c.targetEvery)) {
        await updateTarget(targetUpdate, c.tau);
        copies++;
      }
    },
    metrics() {
      const targetCopies = copies;
      copies = 0;
      return { epsilon: epsilon(), targetCopies };
    },
    snapshot: () => saveGroups(engine, savedGroups(nets), { epsilon: epsilon() }),
    policy: () => networkPolicy({ meta, epsilon, compile: (rows) => compileActor(engine, nets, meta, rows) }),
  };
}

export const dqn = defineAlgo<DqnConfig>({
  spec: {
    id: 'dqn',
    version: 6,
    changes: [allUpdatesDue(2), finalMasks(3), convolution(4), variants(5), bonuses(6)],
    title: 'DQN',
    summary: 'Learns the value of every action with a network, from replayed experience.',
    source: {
      title: 'Human-level control through deep reinforcement learning',
      authors: 'Mnih et al.',
      year: 2015,
      url: 'https://doi.org/10.1038/nature14236',
    },
    config,
    extensions,
    presets,
    action: 'discrete',
    learner: 'network',
    agents: 'one',
    trial: { env: 'cartpole', steps: 1000, config: { hidden: [16], learningStarts: 100, bufferSize: 300, batchSize: 16, targetEvery: 50 } },
    probes: [
      { on: ['bandit'], steps: 2000 },
      { on: ['cued'], steps: 3000 },
      { on: ['delayed', 'masked'], steps: 4000 },
    ],
    probeConfig: {
      lr: 3e-3,
      gamma: 0.9,
      hidden: [16],
      learningStarts: 100,
      bufferSize: 1000,
      batchSize: 32,
      trainEvery: 2,
      targetEvery: 50,
      epsilonFraction: 0.5,
    },
    metrics,
  },

  fits(meta, c) {
    checkSameAgents(meta, 'DQN');
    checkFilters(meta, c.filters);
    checkBody(meta, c);
    checkVariants(c);
  },

  train: (run, resume) => trainReplayed(run, resume, (engine, env, extended) => learner(run, engine, env, extended), extensions),

  async policy({ config, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const { parts } = await extensions.begin(config, { engine, meta });
    const nets = networks(engine, meta, config, Rng.from(0), parts);
    loadGroups(engine, savedGroups(nets), saved);
    const epsilon = savedNumber(saved, 'epsilon');
    return networkPolicy({
      meta,
      epsilon: () => epsilon,
      compile: (rows) => compileActor(engine, nets, meta, rows),
      dispose: () => engine.dispose(),
    });
  },

  benchmark({ config, meta, engine }) {
    const learn = compileLearner(engine, networks(engine, meta, config, Rng.from(0)), meta, config);
    return { run: () => learn.run(), seen: () => [learn.in.obs] };
  },
});
