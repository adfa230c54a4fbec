/**
 * Trust region policy optimisation (TRPO; Schulman et al. 2015): the step that gains most on the surrogate within a small KL divergence
 * from the policy that played; to first order the natural policy gradient (Kakade 2001). Its value network learns apart, by regression.
 *   maximise L = mean r A,   r = pi(a|s) / pi_old(a|s),   while mean KL(pi_old || pi) <= targetKl
 *   g = grad L,   x = (F + cgDamping I)^-1 g,   step sqrt(2 targetKl / x'(F + cgDamping I) x) x
 * F is the Fisher matrix, the second derivative of the mean KL at pi = pi_old. Its products are exact and need no matrix: gradients are
 * nodes of the same graph and are differentiated once more, F v = grad (grad KL . v). Central differences of grad KL (which would do with
 * first order) need a step size and lose half the digits of float32. The system is solved by conjugate gradients.
 * The KL is the paper's, old policy first; Stable-Baselines3 measures it the other way round, with the same F. With lineSearchSteps 0 the
 * step is taken as it is: the natural gradient of a length fixed in KL (truncated natural policy gradient, Duan et al. 2016). Defaults are
 * those of Stable-Baselines3's contrib package. Time limits bootstrap. Any action space, any number of alike agents; rows of dead agents do not
 * count.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     play T steps of B environments with pi, keeping s, a, r, ln pi(a|s) and V(s)
 *     advantages A by GAE(lambda), returns R = A + V; A standardised over the rollout
 *     g: gradient of L by the parameters of pi
 *     x: at most cgMaxSteps conjugate gradients on (F + cgDamping I) x = g
 *     step = sqrt(2 targetKl / x'(F + cgDamping I) x) x
 *     if lineSearchSteps is 0: pi += step
 *     otherwise try pi + step, its length times lineSearchShrink after every failure
 *       accept the first with mean KL <= targetKl and a larger L
 *       none of lineSearchSteps: pi stays as it was
 *     for each epoch, for each shuffled minibatch
 *       one step of Adam on mean (V(s) - R)^2 / 2
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { gradients } from '#core/engine/autodiff.ts';
import { concat, exp, mul, reshape, sliceAxis, square, standardise, stopGradient, sub, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import { sizeOf } from '#core/engine/shapes.ts';
import type { Engine, Graph, Tensor } from '#core/engine/types.ts';
import { categoricalKl, gaussianKl } from '#core/nets/heads.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { loadGroups, readVector, saveGroups, writeVector } from '#core/state/params.ts';
import { conjugateGradient } from '#math/conjugate-gradient.ts';
import { gae } from '#math/gae.ts';
import { dot } from '#math/linear.ts';
import { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { explainedVariance } from '#math/stats.ts';
import { livingRows } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkFinite, checkSameAgents } from '../api/guards.ts';
import { episodeMetrics, episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { compileActor, type NetworkInputs, type PolicyNetwork, policyNetwork, policyOfNetwork } from '../lib/network-policy.ts';
import { averagesOf, CLIP_NORMALISED, checkMinibatches, minibatchEpochs, standardiseMasked } from '../lib/ppo/common.ts';
import { gatherMasks, livingInputs } from '../lib/ppo/living.ts';
import { actorCriticMetrics, createRollout, type Rollout, valuesBy } from './lib/actor-critic.ts';

const source = 'sb3-contrib TRPO';
const config = z.strictObject({
  targetKl: fields.real(0.01, {
    above: 0,
    max: 10,
    title: 'target KL',
    description: 'How far one update may move the policy: mean KL divergence from the one that played.',
    source,
    live: true,
    log: true,
    slider: [1e-3, 0.1],
    depth: 'teach',
    group: 'loss',
  }),
  cgMaxSteps: fields.integer(15, {
    min: 1,
    max: 1000,
    title: 'conjugate gradient steps',
    description: 'At most so many products with the Fisher matrix to find the direction of an update.',
    source,
    slider: [1, 50],
    live: true,
    depth: 'research',
    group: 'optimisation',
  }),
  cgDamping: fields.real(0.1, {
    min: 0,
    max: 1000,
    title: 'damping',
    description: 'Added to the diagonal of the Fisher matrix; large: the direction of the plain gradient.',
    source,
    slider: [0, 1],
    live: true,
    depth: 'research',
    group: 'optimisation',
  }),
  lineSearchSteps: fields.integer(10, {
    min: 0,
    max: 100,
    title: 'line search steps',
    description: 'So many lengths of the step are tried before the update is given up; 0: the natural gradient, its step taken as it is.',
    source,
    slider: [0, 20],
    group: 'optimisation',
  }),
  lineSearchShrink: fields.real(0.8, {
    above: 0,
    max: 0.99,
    title: 'line search shrinking',
    description: 'What the step is multiplied by each time it is refused.',
    source,
    slider: [0.3, 0.95],
    depth: 'research',
    group: 'optimisation',
  }),
  lr: fields.lr(1e-3, source, { description: 'Step size of Adam on the value; the policy has none.' }),
  criticEpochs: fields.epochs(10, source, {
    title: 'value epochs',
    description: 'Passes over each rollout by the value network.',
    depth: 'research',
  }),
  minibatches: fields.minibatches(16, `${source}: of 128 steps`, { description: 'Parts of the rollout that the value learns from.' }),
  gamma: fields.gamma(0.99, source),
  lambda: fields.gaeLambda(0.95, source),
  envs: fields.numEnvs(1, source),
  rolloutSteps: fields.rolloutSteps(2048, source),
  hidden: fields.hidden([64, 64], source, { description: 'Units of each layer, the same for policy and value.' }),
  activation: fields.activation('tanh', source),
});
type Config = z.infer<typeof config>;

const makeNetwork = (engine: Engine, meta: Parameters<typeof policyNetwork>[1], c: Config, rng: Rng) =>
  policyNetwork(engine, meta, { ...c, sharedTrunk: false }, rng);

/** What the actions are drawn from, side by side: logits [rows, N], or means and log stds [rows, 2 D]. */
function distribution(net: PolicyNetwork, x: NetworkInputs, g: Graph): Tensor {
  const out = net.outputs(x, g);
  return 'logits' in out ? out.logits : concat([out.mean, out.logStd]);
}

/** Of several agents: 1 where the row's was alive. */
interface Masked {
  readonly policyMask?: Tensor | undefined;
}

/** KL(old || now) of each row [rows]. */
function divergence({ discrete }: PolicyNetwork, old: Tensor, now: Tensor): Tensor {
  if (discrete) return categoricalKl(old, now);
  const D = old.shape[1]! / 2;
  const part = (of: Tensor, from: number) => sliceAxis(of, 1, from, D);
  return gaussianKl(part(old, 0), part(old, D), part(now, 0), part(now, D));
}

const flat = (parts: readonly Tensor[]): Tensor => concat(parts.map((t) => reshape(t, [sizeOf(t.shape)])));

/** The policy's parameters as one row [P], and what moves them: programs over `rows` rows; `many`: those of dead agents do not count. */
export function openTrustRegion(engine: Engine, net: PolicyNetwork, rows: number, many = false) {
  const params = net.group.params.filter(({ name }) => !name.startsWith('critic'));
  const size = params.reduce((n, { shape }) => n + sizeOf(shape), 0);
  const action = net.actionShape(rows);
  const { policyMask } = livingInputs(rows, many);
  const steps = { ...net.inputs(rows), policyMask, action, oldLogProb: [rows], advantage: [rows] } as const;
  const surrogate = (x: NetworkInputs & Masked & { readonly [K in 'action' | 'oldLogProb' | 'advantage']: Tensor }, g: Graph) => {
    const { logProb, entropy } = net.evaluate(x, x.action, g);
    const { average } = averagesOf(x);
    const advantage = x.policyMask === undefined ? standardise(x.advantage) : standardiseMasked(x.advantage, x.policyMask, 0);
    return { surrogate: average(mul(exp(sub(logProb, x.oldLogProb)), advantage)), entropy: average(entropy) };
  };
  const slope = engine.compile(
    steps,
    (x, g) => {
      const found = surrogate(x, g);
      const by = params.map((param) => g.read(param));
      return { ...found, gradient: flat(gradients(found.surrogate, by)), drawnFrom: distribution(net, x, g) };
    },
    { name: 'trpo gradient' },
  );
  const curvature = engine.compile(
    { ...net.inputs(rows), policyMask, direction: [size] },
    (x, g) => {
      const by = params.map((param) => g.read(param));
      const now = distribution(net, x, g);
      const kl = averagesOf(x).average(divergence(net, stopGradient(now), now));
      return { product: flat(gradients(sum(mul(flat(gradients(kl, by)), x.direction)), by)) };
    },
    { name: 'trpo Fisher product' },
  );
  const drawnFrom = [rows, slope.out.drawnFrom.length / rows];
  const trial = engine.compile(
    { ...steps, drawnFrom },
    (x, g) => ({ ...surrogate(x, g), kl: averagesOf(x).average(divergence(net, x.drawnFrom, distribution(net, x, g))) }),
    { name: 'trpo trial' },
  );

  return {
    curvature,
    /** From now on the policy as it is counts as the old one: L, its gradient [P] and the parameters [P]. */
    async begin(
      rollout: Pick<Rollout, 'obs' | 'masks' | 'actions' | 'logProbs'> & { readonly living?: Rollout['living'] },
      advantages: Float32Array,
    ) {
      for (const { in: feed } of [slope, trial]) {
        feed.action.set(rollout.actions);
        feed.oldLogProb.set(rollout.logProbs);
        feed.advantage.set(advantages);
      }
      for (const { in: feed } of [slope, trial, curvature]) {
        feed.obs.set(rollout.obs);
        feed.mask?.set(rollout.masks);
        if (rollout.living != null) feed.policyMask?.set(rollout.living.policyMask);
      }
      const pending = slope.run();
      if (pending) await pending;
      trial.in.drawnFrom.set(slope.out.drawnFrom);
      const parameters = await readVector(engine, params);
      return { surrogate: slope.out.surrogate[0]!, gradient: Float64Array.from(slope.out.gradient), parameters };
    },
    /** F v [P] at the parameters as they are: those that `begin` found, unless they were moved. */
    async fisher(v: Float64Array): Promise<Float64Array> {
      curvature.in.direction.set(v);
      const pending = curvature.run();
      if (pending) await pending;
      return Float64Array.from(curvature.out.product);
    },
    place: (parameters: Float64Array): void => writeVector(engine, params, parameters),
    /** The parameters as they are against the old policy. */
    async measure() {
      const pending = trial.run();
      if (pending) await pending;
      const { out } = trial;
      return { surrogate: out.surrogate[0]!, kl: out.kl[0]!, entropy: out.entropy[0]! };
    },
  };
}
export type TrustRegion = ReturnType<typeof openTrustRegion>;

/** Step [P]: the longest along the natural gradient that moves the policy by `targetKl`, to second order. Zeros for a gradient of zeros. */
export async function naturalStep(
  region: TrustRegion,
  gradient: Float64Array,
  c: Pick<Config, 'targetKl' | 'cgMaxSteps' | 'cgDamping'>,
): Promise<Float64Array> {
  const product = async (v: Float64Array) => (await region.fisher(v)).map((f, i) => f + c.cgDamping * v[i]!);
  const x = await conjugateGradient(product, gradient, c.cgMaxSteps);
  const curved = dot(x, await product(x));
  const length = curved > 0 ? Math.sqrt((2 * c.targetKl) / curved) : 0;
  return x.map((value) => length * value);
}

/** Moves the policy by `step`, as far as the line search allows; `backtracks`: tries that were refused. */
export async function takeStep(
  region: TrustRegion,
  from: { readonly surrogate: number; readonly parameters: Float64Array },
  step: Float64Array,
  c: Pick<Config, 'targetKl' | 'lineSearchSteps' | 'lineSearchShrink'>,
) {
  let length = 1;
  for (let backtracks = 0; backtracks < Math.max(1, c.lineSearchSteps); backtracks++) {
    region.place(from.parameters.map((value, i) => value + length * step[i]!));
    const found = await region.measure();
    const better = found.kl <= c.targetKl && found.surrogate > from.surrogate;
    if (better || c.lineSearchSteps === 0) return { ...found, backtracks };
    length *= c.lineSearchShrink;
  }
  region.place(from.parameters);
  return { ...(await region.measure()), backtracks: c.lineSearchSteps };
}

/** Only the parameters of the value are in its loss, so that Adam leaves the policy alone. */
const compileCritic = (engine: Engine, net: PolicyNetwork, rows: number, many: boolean) =>
  engine.compile(
    { obs: net.inputs(rows).obs, valueMask: livingInputs(rows, many).valueMask, target: [rows] },
    (x, g) => {
      const { value } = net.apply({ obs: x.obs, mask: undefined }, g);
      return { valueLoss: mul(averagesOf(x).valueAverage(square(sub(value, x.target))), 0.5) };
    },
    { minimise: 'valueLoss', group: net.group, with: adam({ eps: 1e-5 }), name: 'trpo value' },
  );

const common = new Set(['valueLoss', 'entropy', 'explainedVariance']);

export const trpo = defineAlgo<Config>({
  spec: {
    id: 'trpo',
    version: 2,
    changes: [livingRows(2)],
    title: 'TRPO',
    summary: 'Improves the policy as far as a limit on the KL divergence to the old policy allows.',
    source: {
      title: 'Trust Region Policy Optimization',
      authors: 'Schulman et al.',
      year: 2015,
      url: 'https://arxiv.org/abs/1502.05477',
    },
    config,
    presets: [{ id: 'natural-gradient', title: 'Natural policy gradient: no line search', config: { lineSearchSteps: 0 } }],
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: { env: 'cartpole', steps: 1280, config: { envs: 4, rolloutSteps: 32, minibatches: 2, criticEpochs: 2, hidden: [8] } },
    probes: [
      { on: ['bandit', 'cued', 'masked', 'team'], steps: 6000 },
      { on: ['delayed'], steps: 8000 },
      { on: ['pointing'], steps: 12_000, atLeast: 0.98 },
    ],
    probeConfig: { envs: 8, rolloutSteps: 16, minibatches: 2, lr: 1e-2, gamma: 0.9, hidden: [16] },
    metrics: [
      ...episodeMetrics,
      { id: 'surrogate', title: 'surrogate gain', description: 'Of the mean of r A, A standardised, by the last update.' },
      {
        id: 'kl',
        title: 'KL divergence',
        description: 'Mean over the rollout, from the policy that played to the updated one.',
        unit: 'nats',
      },
      { id: 'backtracks', title: 'refused steps', description: 'Of the line search; as many as its steps: the policy stayed as it was.' },
      { id: 'gradNorm', title: 'gradient norm', description: 'Of the surrogate, by the parameters of the policy.' },
      ...actorCriticMetrics.filter(({ id }) => common.has(id)),
    ],
  },

  fits(meta, c) {
    checkSameAgents(meta, 'TRPO');
    checkMinibatches(c.envs * c.rolloutSteps * meta.agentCount, c.minibatches);
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const rows = c.envs * meta.agentCount;
    const total = c.rolloutSteps * rows;
    const size = total / c.minibatches;
    const net = makeNetwork(engine, meta, c, run.rng.split('init'));
    const many = meta.agentCount > 1;
    const act = compileActor(engine, net, rows, 'trpo act');
    const region = openTrustRegion(engine, net, total, many);
    const critic = compileCritic(engine, net, size, many);
    const sampling = run.rng.split('sampling');
    const shuffling = run.rng.split('shuffling');
    const [advantages, targets] = [new Float32Array(total), new Float32Array(total)];
    const order = Int32Array.from({ length: total }, (_, i) => i);
    const rollout = createRollout({ env, net, act, valuesAt: valuesBy(act), steps: c.rolloutSteps, sampling, masksDead: true });
    const state = registerState({ counters: { step: 0 }, parts: { env, engine }, arrays: { order, sampling, shuffling } });
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
      await rollout.collect();
      const { gamma, lambda } = c;
      gae({ ...rollout, rows, gamma, lambda, bootstrapAtTruncation: true }, advantages, targets);

      // 1. One step of the policy within the trust region.
      const from = await region.begin(rollout, advantages);
      const gradNorm = Math.sqrt(dot(from.gradient, from.gradient));
      const { surrogate, kl, entropy, backtracks } = await takeStep(region, from, await naturalStep(region, from.gradient, c), c);

      // 2. The value, by regression on the returns.
      const { valueLoss = 0 } = await minibatchEpochs(
        critic,
        size,
        { ...c, epochs: c.criticEpochs, targetKl: null, clip: 0, entropyCoef: 0, valueCoef: 1 },
        () => shuffling.shuffle(order),
        (at) => {
          gatherRows(order, at, size, rollout.obs, meta.obsSize, critic.in.obs);
          gatherRows(order, at, size, targets, 1, critic.in.target);
          gatherMasks(rollout.living, order, at, size, critic.in);
        },
      );
      counters.step += c.rolloutSteps * c.envs;
      const { step } = counters;
      const report = { surrogate: surrogate - from.surrogate, kl, gradNorm, valueLoss };
      checkFinite(step, report);
      yield {
        step,
        metrics: { ...episodeRow(env), ...report, backtracks, entropy, explainedVariance: explainedVariance(rollout.values, targets) },
        ...point,
      };
    }
  },

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const net = makeNetwork(engine, meta, c, Rng.from(0));
    loadGroups(engine, { net: net.group }, saved);
    return policyOfNetwork(engine, meta, net, null, CLIP_NORMALISED, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const net = makeNetwork(engine, meta, c, Rng.from(0));
    const { curvature } = openTrustRegion(engine, net, c.envs * meta.agentCount * c.rolloutSteps);
    return { run: () => curvature.run() };
  },
});
