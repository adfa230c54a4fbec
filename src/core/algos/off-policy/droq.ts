/**
 * DroQ (Hiraoka et al. 2022, "Dropout Q-Functions for Doubly Efficient Reinforcement Learning"): SAC with twenty updates of the critics for every
 * step of the environment. Dropout and layer normalisation in the critics keep so many updates from over-estimating. With ten plain critics
 * in their place, two of which are drawn for each target, it is REDQ (Chen et al. 2021).
 *   h <- relu(layerNorm(dropout(h W + b))) in every hidden layer of every critic, target critics too
 *   y = r + d [min over the drawn critics of Q'(s', a') - alpha ln pi(a' | s')],  a' drawn from pi; d is gamma, 0 after a termination
 *   L = sum over critics of mean (Q - y)^2
 *   J(pi) = mean[alpha ln pi(a | s) - mean over critics of Q(s, a)],  a = tanh(mean + std noise)
 *   J(alpha) as in SAC (sac.ts)
 * Policies act and show values without dropout. Several agents that are alike share the networks and are rows like parallel environments.
 * Truncated episodes bootstrap. Policy, temperature and learner: lib/soft.ts.
 * Pseudo-code:
 *   target critics = critics
 *   repeat until the budget is spent
 *     act: before learningStarts uniformly in the box, then a = tanh(mean + std noise)
 *     store the transition
 *     once learningStarts steps are played, every trainEvery steps, gradientSteps times
 *       draw a minibatch of transitions, the hidden units to drop, and targetCritics of the critics
 *       one step of all critics towards y
 *       every actorEvery updates, actorUpdates times, on the same observations
 *         one step of the policy on J(pi)
 *         if autoTemperature: a step of alpha on J(alpha)
 *       target critics += tau (critics - target critics)
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import { add, amin, concat, mean, mul, relu, reshape, sliceAxis, stack, sub, where } from '#core/engine/ops.ts';
import type { Engine, ParamGroup, Tensor } from '#core/engine/types.ts';
import { column, dense, norm } from '#core/nets/mlp.ts';
import * as fn from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { livingRows } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { extensionsOf } from '../extensions/index.ts';
import * as ac from './lib/actor-critic.ts';
import { type SoftCritics, softFields } from './lib/soft.ts';
import { softActorCritic } from './sac.ts';

const source = 'Hiraoka et al. 2022';
const extensions = extensionsOf({ loop: 'replay', networks: 'other' });

const config = z.strictObject({
  ...softFields(source, { gradientSteps: 20, actorEvery: 20, learningStarts: 5000 }),
  dropout: fields.real(0.01, {
    min: 0,
    max: 0.9,
    title: 'dropout',
    description: 'Share of hidden units of the critics that are left out in an update.',
    source,
    depth: 'teach',
    slider: [0, 0.1],
    group: 'variant',
  }),
  layerNorm: z.boolean().default(true).meta({
    title: 'layer normalisation',
    description: 'In the hidden layers of the critics, behind the dropout.',
    source,
    depth: 'teach',
    group: 'variant',
  }),
  critics: fields.integer(2, {
    min: 1,
    max: 20,
    title: 'critics',
    description: 'Networks that predict the value; the policy climbs their mean.',
    source,
    slider: [1, 10],
    group: 'variant',
  }),
  targetCritics: fields.integer(2, {
    min: 1,
    max: 20,
    title: 'critics in a target',
    description: 'Drawn anew for every update; the smallest of their values counts.',
    source,
    slider: [1, 10],
    depth: 'research',
    group: 'variant',
  }),
});
type Config = z.infer<typeof config>;

/** Q(s, a) [M]. `factors` [M x all hidden units] multiply them layer by layer; missing: none is dropped. */
type DroppedCritic = (features: Tensor, action: Tensor, factors: Tensor | undefined) => Tensor;

export function droppedCritic(
  group: ParamGroup,
  name: string,
  rng: Rng,
  inputs: number,
  c: Pick<Config, 'hidden' | 'layerNorm'>,
): DroppedCritic {
  const sizes = [inputs, ...c.hidden];
  const layers = c.hidden.map((units, i) => {
    const product = dense(group, `${name}.${i}`, rng, sizes[i]!, units, { init: 'torch' });
    return { units, product, normalise: c.layerNorm ? norm(group, `${name}.${i}.norm`, units) : (h: Tensor) => h };
  });
  const head = dense(group, `${name}.${layers.length}`, rng, sizes[layers.length]!, 1, { init: 'torch' });
  return (features, action, factors) => {
    const M = action.shape[0]!;
    let from = 0;
    let h = concat([features, action], 1);
    for (const { units, product, normalise } of layers) {
      h = product(h);
      if (factors !== undefined) h = mul(h, reshape(sliceAxis(factors, 0, from, M * units), [M, units]));
      from += M * units;
      h = relu(normalise(h));
    }
    return column(head(h));
  };
}

/** 0 with this chance, else 1 / (1 - chance), each by itself. The gaps between zeros are geometric: few draws where zeros are rare. */
export function fillDropout(rng: Rng, chance: number, into: Float32Array): void {
  into.fill(1 / (1 - chance));
  if (chance === 0) return;
  const stay = fn.log(1 - chance);
  const gap = (): number => Math.floor(fn.log(1 - rng.uniform()) / stay);
  for (let at = gap(); at < into.length; at += 1 + gap()) into[at] = 0;
}

/** Marks `count` of all places with 1, the others with 0. */
function fillDrawn(rng: Rng, count: number, into: Float32Array): void {
  into.fill(0);
  for (let left = count, i = 0; left > 0; i++) {
    if (rng.uniform() * (into.length - i) >= left) continue;
    into[i] = 1;
    left--;
  }
}

function critics(engine: Engine, rng: Rng, inputs: number, c: Config): SoftCritics {
  const N = c.critics;
  const critic = engine.group('critic');
  const target = engine.group('target');
  const each = c.dropout === 0 ? 0 : c.batchSize * c.hidden.reduce((a, b) => a + b, 0); // factors of one critic
  const drawn = c.targetCritics < N ? N : 0;
  /** [M] of each critic. */
  const criticsIn = (group: ParamGroup, from: Rng): ((features: Tensor, action: Tensor, factors?: Tensor) => Tensor[]) => {
    const nets = Array.from({ length: N }, (_, n) => droppedCritic(group, `q${n + 1}`, from, inputs, c));
    return (features, action, factors) =>
      nets.map((net, n) => net(features, action, factors === undefined ? undefined : sliceAxis(factors, 0, n * each, each)));
  };
  const q = criticsIn(critic, rng);
  const targetQ = criticsIn(target, Rng.from(0)); // overwritten by copies before the first use
  const average = (values: readonly Tensor[]): Tensor => mul(values.reduce(add), 1 / N);
  const part = (draws: Tensor | undefined, from: number, size: number): Tensor | undefined =>
    draws === undefined || size === 0 ? undefined : sliceAxis(draws, 0, from, size);
  const learning = 2 * N * each + drawn;
  const fillFactors = (draws: Rng, into: Float32Array): void => fillDropout(draws, c.dropout, into);
  return {
    critic,
    target,
    learn(x) {
      const next = stack(targetQ(x.nextFeatures, x.nextAction, part(x.draws, 0, N * each)), 1); // [M, N]
      const chosen = part(x.draws, 2 * N * each, drawn);
      const least = amin(chosen === undefined ? next : where(chosen, next, 1e30), -1);
      const y = ac.bootstrapped(x.reward, x.discount, sub(least, mul(x.nextLogProb, x.alpha)));
      const values = q(x.features, x.action, part(x.draws, N * each, N * each));
      return { loss: ac.criticLoss(values, y), qMean: mean(values[0]!) };
    },
    climb: (features, action, draws) => average(q(features, action, draws)),
    value: (features, action) => average(q(features, action)),
    draws: {
      learn: {
        size: learning,
        fill(rng, into) {
          fillFactors(rng, into.subarray(0, 2 * N * each));
          if (drawn > 0) fillDrawn(rng, c.targetCritics, into.subarray(2 * N * each));
        },
      },
      climb: { size: N * each, fill: fillFactors },
    },
  };
}

export const droq = defineAlgo<Config>({
  spec: {
    id: 'droq',
    version: 2,
    changes: [livingRows(2)],
    title: 'DroQ',
    summary: 'SAC with twenty updates a step, held in check by dropout and layer normalisation.',
    source: {
      title: 'Dropout Q-Functions for Doubly Efficient Reinforcement Learning',
      authors: 'Hiraoka et al.',
      year: 2022,
      url: 'https://arxiv.org/abs/2110.02034',
    },
    config,
    extensions,
    presets: [
      {
        id: 'redq',
        title: 'REDQ (Chen et al. 2021): ten plain critics, two in a target',
        config: { critics: 10, dropout: 0, layerNorm: false },
      },
      {
        id: 'small',
        title: '64-64, batch 64: quick on any machine',
        config: { learningStarts: 500, batchSize: 64, hidden: [64, 64] },
      },
    ],
    action: 'box',
    learner: 'network',
    agents: 'many',
    trial: { env: 'pendulum', steps: 700, config: { ...ac.trialConfig, gradientSteps: 2, actorEvery: 2 } },
    probes: ac.boxProbes,
    probeConfig: { ...ac.probeConfig, gradientSteps: 2, actorEvery: 2 },
    metrics: ac.sacMetrics,
  },

  ...softActorCritic<Config>({
    title: 'DroQ',
    critics,
    extensions,
    check(_meta, c) {
      if (c.targetCritics > c.critics)
        throw fail(
          'config-invalid',
          'A target takes more critics than there are.',
          'Take fewer, or train more critics.',
          'algo.targetCritics',
        );
    },
  }),
});
