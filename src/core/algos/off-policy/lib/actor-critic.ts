/**
 * What off-policy actor-critics share: settings, metrics, critics, noise, and their equations as tensor expressions.
 * Rows are [M]. `d` is the discount of the next state, 0 where the episode terminated; a truncated one bootstraps.
 *   SAC    y = r + d [min(Q1', Q2')(s', a') - alpha ln pi(a' | s')]                  (Haarnoja et al. 2018)
 *          J(pi) = mean[alpha ln pi(a | s) - min(Q1, Q2)(s, a)],  a = tanh(mean + std noise)
 *          J(alpha) = -mean[ln alpha (ln pi + H)] (Stable-Baselines3) or -mean[alpha (ln pi + H)] (CleanRL): the same fixed point
 *   TD3    y = r + d min(Q1', Q2')(s', a'),  a' = clip(mu'(s') + clip(noise, -c, c), low, high)   (Fujimoto et al. 2018)
 *   DDPG   the same with one critic and no noise                                                     (Lillicrap et al. 2016)
 */
import type { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import {
  add,
  amax,
  clip,
  concat,
  cos,
  div,
  eq,
  exp,
  log,
  mean,
  minimum,
  mul,
  neg,
  type Operand,
  reshape,
  sin,
  sliceAxis,
  softmax,
  sqrt,
  square,
  stopGradient,
  sub,
  sum,
  tanh,
} from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Shape, Tensor } from '#core/engine/types.ts';
import { squashedGaussian } from '#core/nets/heads.ts';
import { column, type MlpOptions, mlp, type Net } from '#core/nets/mlp.ts';
import { descend } from '#core/nets/target.ts';
import { log as logOf } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import * as fields from '../../api/fields.ts';
import { episodeMetrics } from '../../api/metrics.ts';

/** Words of the variant that learns the entropy weight. */
export const automaticTemperature = (source: string) =>
  ({
    title: 'automatic temperature',
    description: 'The weight of the entropy is learned, so that the entropy of the policy stays near its target.',
    source,
    depth: 'teach',
    group: 'entropy',
  }) as const;

/** The entropy weight, the same for continuous and discrete actions. */
export const temperatureField = (source: string) =>
  fields.real(1, {
    above: 0,
    max: 100,
    title: 'temperature',
    description: 'Weight of the entropy: at the start, or always if it is not automatic.',
    source,
    depth: 'teach',
    log: true,
    slider: [0.01, 1],
    group: 'entropy',
  });

/** Noise of a deterministic policy. */
export const explorationNoise = (source: string, words: { readonly description: string; readonly depth?: 'teach' }) =>
  fields.real(0.1, {
    min: 0,
    max: 2,
    title: 'exploration noise',
    source,
    live: true,
    slider: [0, 0.5],
    group: 'exploration',
    ...words,
  });

export const sacMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'criticLoss', title: 'critic loss', description: 'Squared error of both critics, added, mean since the last row.' },
  { id: 'actorLoss', title: 'policy loss', description: 'Mean of alpha log pi - min Q: falls as the policy finds better actions.' },
  { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the replayed actions.' },
  { id: 'entropy', title: 'entropy', description: 'Entropy of the action distribution, in the units of the actions.', unit: 'nats' },
  { id: 'temperature', title: 'temperature', description: 'Weight of the entropy now.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the critics’ gradient.' },
];

/** Settings of the networks of actor and critics; the layers of the critics are those of the actor where they have none of their own. */
export const networkFields = (source: string) => ({
  hidden: fields.hidden([256, 256], source, { description: 'Units of each layer, in actor and critics.' }),
  criticHidden: fields.criticHidden(source),
  activation: fields.activation('relu', source),
  layerNorm: fields.hiddenNorm(source),
});
type NetworkSettings = z.infer<z.ZodObject<ReturnType<typeof networkFields>>>;

/** Hidden layers as these settings have them, with torch's initialisation. */
export const layersOf = (c: Pick<NetworkSettings, 'activation' | 'layerNorm'>): MlpOptions => ({
  act: c.activation,
  layerNorm: c.layerNorm,
  init: 'torch',
});

/** Q(s, a) by a network over both side by side: obs [M, O'], action [M, D] -> [M]. */
type Critic = (obs: Tensor, action: Tensor) => Tensor;

export function critic(group: ParamGroup, name: string, rng: Rng, inputs: number, c: NetworkSettings): Critic {
  const net = mlp(group, name, rng, [inputs, ...(c.criticHidden ?? c.hidden), 1], layersOf(c));
  return (obs, action) => column(net(concat([obs, action], 1)));
}

/** With `outputs` of each critic, before they are joined to one: a head for each task, say. */
export function criticNets(group: ParamGroup, rng: Rng, inputs: number, outputs: number, c: NetworkSettings): readonly [Net, Net] {
  const sizes = [inputs, ...(c.criticHidden ?? c.hidden), outputs];
  return [mlp(group, 'q1', rng, sizes, layersOf(c)), mlp(group, 'q2', rng, sizes, layersOf(c))];
}

/** Two critics that differ in their first weights only; the smaller of their values counts. */
export function criticPair(
  group: ParamGroup,
  rng: Rng,
  inputs: number,
  c: NetworkSettings,
): (obs: Tensor, action: Tensor) => [Tensor, Tensor] {
  const first = critic(group, 'q1', rng, inputs, c);
  const second = critic(group, 'q2', rng, inputs, c);
  return (obs, action) => [first(obs, action), second(obs, action)];
}

/** r + discount * next: all [M]. */
export const bootstrapped = (reward: Tensor, discount: Tensor, next: Tensor): Tensor => add(reward, mul(discount, next));

/** SAC's value of a state: min(q1, q2) - alpha ln pi. */
export const softValue = (q1: Tensor, q2: Tensor, logProb: Tensor, alpha: Operand): Tensor => sub(minimum(q1, q2), mul(logProb, alpha));

/** The same where every action can be counted: sum_a pi (min(q1, q2) - alpha ln pi), all [M, N]; forbidden ones (ln pi near -1e8) add 0. */
export function discreteSoftValue(logProbs: Tensor, q1: Tensor, q2: Tensor, alpha: Operand): Tensor {
  return sum(mul(exp(logProbs), softValue(q1, q2, logProbs, alpha)), -1);
}

/** Mean squared error of each critic, added up. */
export const criticLoss = (critics: readonly Tensor[], target: Tensor): Tensor =>
  critics.map((q) => mean(square(sub(q, target)))).reduce((a, b) => add(a, b));

/** `log`: the slope is that of ln alpha times the gap, as Stable-Baselines3; `exp`: of alpha times the gap, as CleanRL. */
export function temperatureLoss(logAlpha: Tensor, logProb: Tensor, targetEntropy: Operand, form: 'log' | 'exp'): Tensor {
  const gap = add(mean(logProb), targetEntropy);
  return mul(mul(form === 'log' ? logAlpha : exp(logAlpha), gap), -1);
}

/** The learned weight of the entropy. Parameters are in a group of their own. */
export function temperature(engine: Engine, start: number) {
  const group = engine.group('temperature');
  const logAlpha = group.param('logAlpha', [1], Float32Array.of(logOf(start)));
  return {
    alpha: (g: Graph): Tensor => exp(g.read(logAlpha)),
    /** A step towards the target entropy from the mean ln pi of a minibatch; answers the weight before it. */
    compile(form: 'log' | 'exp') {
      const program = engine.compile(
        { logProb: [1], targetEntropy: [1] },
        (x, g) => {
          const loss = temperatureLoss(g.read(logAlpha), x.logProb, x.targetEntropy, form);
          return { loss: reshape(loss, []), alpha: exp(g.read(logAlpha)) };
        },
        { minimise: 'loss', group, with: adam(), name: 'temperature' },
      );
      return async (logProb: number, targetEntropy: number, lr: number): Promise<number> => {
        program.in.logProb[0] = logProb;
        program.in.targetEntropy[0] = targetEntropy;
        const pending = descend(program, lr);
        if (pending) await pending;
        return program.out.alpha[0]!;
      };
    },
  };
}

/** Log std from a raw output: cut to [-20, 2] (Stable-Baselines3) or bent into [-5, 2] by a tanh (CleanRL). */
export const boundedLogStd = (raw: Tensor, form: 'clamp' | 'tanh'): Tensor =>
  form === 'clamp' ? clip(raw, -20, 2) : add(mul(add(tanh(raw), 1), 3.5), -5);

/**
 * A squashed Gaussian's draw in (-1, 1)^D, and ln pi of the action half * draw + centre that the environment gets: stretching
 * by `half` takes ln(half) from the log-density of every dimension.
 */
export function scaledSquashedGaussian(
  meanOf: Tensor,
  logStd: Tensor,
  noise: Tensor,
  half: Tensor,
): { readonly action: Tensor; readonly logProb: Tensor } {
  const { action, logProb } = squashedGaussian(meanOf, logStd, noise);
  return { action, logProb: sub(logProb, sum(log(half))) };
}

/** TD3's target action in [-1, 1]^D: noise [M, D] is N(0, 1), `spread` its standard deviation, clipped at +-`limit`. */
export const smoothedAction = (action: Tensor, noise: Tensor, spread: Operand, limit: number): Tensor =>
  clip(add(action, clip(mul(noise, spread), -limit, limit)), -1, 1);

// Noise. A program makes it from uniform numbers: drawing thousands of normal numbers one by one would cost as much as the matrices of a
// small network.

/** Uniform numbers in (0, 1): multiples of 2^-23 shifted by half of one, never 0 and never 1, exact in float32. */
export function fillUniform(rng: Rng, out: Float32Array): void {
  for (let i = 0; i < out.length; i++) out[i] = ((rng.next() >>> 9) + 0.5) * 1.1920928955078125e-7;
}

/** Shape of the uniform numbers for gaussianNoise. */
export const uniformShape = (rows: number, size: number): Shape => [2, Math.ceil((rows * size) / 2)];

/** Standard normal [rows, size] by Box-Muller, both halves used, from uniform numbers of uniformShape. */
export function gaussianNoise(uniform: Tensor, rows: number, size: number): Tensor {
  const count = rows * size;
  const pairs = uniform.shape[1]!;
  const radius = sqrt(mul(log(sliceAxis(uniform, 0, 0, 1)), -2));
  const angle = mul(sliceAxis(uniform, 0, 1, 1), 2 * Math.PI);
  const normal = reshape(concat([mul(radius, cos(angle)), mul(radius, sin(angle))], 1), [2 * pairs]);
  return reshape(sliceAxis(normal, 0, 0, count), [rows, size]);
}

/** Gumbel(0, 1) from uniforms: -ln(-ln u). */
export const gumbelNoise = (uniform: Tensor): Tensor => neg(log(neg(log(uniform))));

// Discrete actions that gradients can pass (Jang et al. 2017, Maddison et al. 2017).

/** A relaxed one-hot draw: softmax((logits + gumbel) / temperature), all [M, N]. */
export const gumbelSoftmax = (logits: Tensor, gumbel: Tensor, temperature: number): Tensor =>
  softmax(div(add(logits, gumbel), temperature));

/** The largest entry of each row as 1, the others 0. */
export const hardened = (soft: Tensor): Tensor => eq(soft, amax(soft, -1, true));

/** One-hot forward, the relaxed draw's slope backward. */
export const straightThrough = (soft: Tensor): Tensor => add(hardened(soft), sub(soft, stopGradient(soft)));

/** What an actor-critic for actions in a box must solve. */
export const boxProbes = [
  { on: ['pointing'], steps: 5000, atLeast: 0.93 },
  { on: ['aimedBefore'], steps: 4000, atLeast: 0.9 },
  { on: ['pointingTeam'], steps: 4000, atLeast: 0.85 },
] as const;

/** Settings that let the probes' runs be short. */
export const probeConfig = {
  hidden: [32],
  lr: 3e-3,
  criticLr: 3e-3,
  gamma: 0.9,
  tau: 0.05,
  batchSize: 64,
  learningStarts: 100,
  bufferSize: 5000,
  trainEvery: 2,
};

/** And those that let the trials be. */
export const trialConfig = { envs: 2, hidden: [8], batchSize: 16, learningStarts: 100, bufferSize: 300 };

/** The two generators of every method here, and what else it draws. */
export const streamsOf = (rng: Rng) => ({ exploring: rng.split('exploration'), replaying: rng.split('replay') });
