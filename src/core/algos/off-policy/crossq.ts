/**
 * CrossQ (Bhatt et al. 2024): SAC without target critics. Batch renormalisation in the critics, over (s, a) and (s', a') side by side in one
 * batch, keeps both on one scale, and wide critics learn faster from each update.
 *   [Q(s, a); Q(s', a')] = critics([s, a; s', a']), one pass, statistics over both halves;  a' drawn from pi
 *   y = r + d [min(Q1, Q2)(s', a') - alpha ln pi(a' | s')], held still; d is gamma, 0 after a termination
 *   L = sum over critics of mean (Q(s, a) - y)^2
 *   J(pi) = mean[alpha ln pi(a | s) - min(Q1, Q2)(s, a)],  a = tanh(mean + std noise), the critics by their running statistics
 *   J(alpha) as in SAC (sac.ts)
 * Normalised is what enters each layer of a critic (nets/batch-renorm.ts). Differs from sb3-contrib: there the policy is normalised too, before
 * every layer and after the last; here it has no normalisation. Several agents that are alike share the
 * networks and are rows like parallel environments. Truncated episodes bootstrap. Policy, temperature and learner: lib/soft.ts.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     act: before learningStarts uniformly in the box, then a = tanh(mean + std noise)
 *     store the transition
 *     once learningStarts steps are played, every trainEvery steps, gradientSteps times
 *       draw a minibatch of transitions uniformly
 *       values of (s, a) and (s', a') in one pass of both critics
 *       one step of the critics towards y, and the running statistics move
 *       every actorEvery updates, actorUpdates times, on the same observations
 *         one step of the policy on J(pi)
 *         if autoTemperature: a step of alpha on J(alpha)
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { concat, mean, minimum, sliceAxis, stopGradient } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, ParamGroup, Tensor } from '#core/engine/types.ts';
import { batchRenorm, type Renorm } from '#core/nets/batch-renorm.ts';
import { column, dense } from '#core/nets/mlp.ts';
import type { Rng } from '#math/rng.ts';
import { livingRows } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { extensionsOf } from '../extensions/index.ts';
import * as ac from './lib/actor-critic.ts';
import { type SoftCritics, softFields } from './lib/soft.ts';
import { softActorCritic } from './sac.ts';

const source = 'sb3-contrib CrossQ';
const extensions = extensionsOf({ loop: 'replay', networks: 'other' });
const { tau: _unused, ...common } = softFields(source, { lr: 1e-3, actorEvery: 3 });

const config = z.strictObject({
  ...common,
  hidden: fields.hidden([256, 256], source, { description: 'Units of each layer of the actor; ReLU between them.' }),
  criticHidden: fields.hidden([1024, 1024], source, {
    title: 'hidden layers of the critics',
    description: 'Units of each layer of the critics; 2048 in the paper.',
  }),
  normRate: fields.real(0.01, {
    above: 0,
    max: 1,
    title: 'rate of the running statistics',
    description: 'Share that running means and variances move with each update.',
    source,
    depth: 'research',
    log: true,
    group: 'variant',
  }),
  plainUpdates: fields.integer(100_000, {
    min: 0,
    max: 10_000_000,
    title: 'updates without renormalisation',
    description: 'So long batches are normalised by themselves alone.',
    source,
    depth: 'research',
    group: 'variant',
  }),
});
type Config = z.infer<typeof config>;
const { tau: _tau, ...probeConfig } = ac.probeConfig;

interface Layer {
  readonly norm: Renorm;
  readonly product: (x: Tensor) => Tensor;
}

function critics(engine: Engine, rng: Rng, inputs: number, c: Config): SoftCritics {
  const critic = engine.group('critic');
  const statistics = engine.group('statistics');
  const sizes = [inputs, ...c.criticHidden, 1];
  const options = { rate: c.normRate, eps: 1e-3, plain: c.plainUpdates };
  const layersOf = (group: ParamGroup, name: string): Layer[] =>
    sizes.slice(1).map((units, i) => ({
      norm: batchRenorm(group, statistics, `${name}.${i}.norm`, sizes[i]!, options),
      product: dense(group, `${name}.${i}`, rng, sizes[i]!, units, { init: 'torch', act: i < sizes.length - 2 ? 'relu' : 'none' }),
    }));
  const both = ['q1', 'q2'].map((name) => layersOf(critic, name)) as [Layer[], Layer[]];
  const values = (x: Tensor, mode: 'learn' | 'settled'): [Tensor, Tensor] => {
    const one = (layers: Layer[]): Tensor => column(layers.reduce((h, { norm, product }) => product(norm[mode](h)), x));
    return [one(both[0]), one(both[1])];
  };
  const smaller: SoftCritics['value'] = (features, action) => minimum(...values(concat([features, action], 1), 'settled'));
  return {
    critic,
    kept: { statistics },
    optimiser: adam({ beta1: 0.5 }),
    learn(x) {
      const M = x.action.shape[0]!;
      const joint = concat([concat([x.features, x.nextFeatures], 0), concat([x.action, x.nextAction], 0)], 1);
      const all = values(joint, 'learn');
      const [now1, now2] = all.map((q) => sliceAxis(q, 0, 0, M)) as [Tensor, Tensor];
      const [next1, next2] = all.map((q) => sliceAxis(q, 0, M, M)) as [Tensor, Tensor];
      const y = stopGradient(ac.bootstrapped(x.reward, x.discount, ac.softValue(next1, next2, x.nextLogProb, x.alpha)));
      return { loss: ac.criticLoss([now1, now2], y), qMean: mean(now1) };
    },
    climb: smaller,
    value: smaller,
  };
}

export const crossq = defineAlgo<Config>({
  spec: {
    id: 'crossq',
    version: 2,
    changes: [livingRows(2)],
    title: 'CrossQ',
    summary: 'SAC without target networks: batch normalisation over this state and the next takes their place.',
    source: {
      title: 'CrossQ: Batch Normalization in Deep Reinforcement Learning for Greater Sample Efficiency and Simplicity',
      authors: 'Bhatt et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/1902.05605',
    },
    config,
    extensions,
    presets: [
      { id: 'paper', title: 'Bhatt et al. 2024: critics of 2048-2048', config: { criticHidden: [2048, 2048], learningStarts: 5000 } },
      {
        id: 'small',
        title: '64-64, batch 64: quick on any machine',
        config: { batchSize: 64, hidden: [64, 64], criticHidden: [64, 64] },
      },
    ],
    action: 'box',
    learner: 'network',
    agents: 'many',
    trial: { env: 'pendulum', steps: 700, config: { ...ac.trialConfig, criticHidden: [8] } },
    probes: ac.boxProbes,
    probeConfig: { ...probeConfig, criticHidden: [32] },
    metrics: ac.sacMetrics,
  },

  ...softActorCritic<Config>({ title: 'CrossQ', critics, extensions }),
});
