/**
 * Soft actor-critic (Haarnoja et al. 2018, "Algorithms and Applications") for continuous actions in a box: replayed transitions, the
 * smaller of two critics, a tanh-squashed Gaussian policy, and a temperature that keeps its entropy near a target.
 *   y = r + d [min(Q1', Q2')(s', a') - alpha ln pi(a' | s')],  a' drawn from pi;  d is gamma, 0 after a termination
 *   J(pi) = mean[alpha ln pi(a | s) - min(Q1, Q2)(s, a)],  a = tanh(mean + std noise)
 *   J(alpha) = -mean[ln alpha (ln pi + H)] (Stable-Baselines3) or -mean[alpha (ln pi + H)] (CleanRL)
 * Agents that are alike share one policy and one pair of critics; each is a row of the batch, as a parallel environment is. Truncated episodes
 * bootstrap.
 * Where tasks follow one another: elastic weight consolidation, rehearsal with cloning, resets of dormant units, changes of task found by a
 * jump of the loss; heads or packed masks where the observation says which task it is (lib/continual, lib/remedies.ts).
 * Equations: lib/actor-critic.ts; policy, temperature and learner: lib/soft.ts. Differs from Stable-Baselines3: ln pi is that of the environment's action, not of the squashed one.
 * Pseudo-code:
 *   target critics = critics
 *   repeat until the budget is spent
 *     act: before learningStarts uniformly in the box, then a = tanh(mean + std noise)
 *     store the transition
 *     once learningStarts steps are played, every trainEvery steps, gradientSteps times
 *       draw a minibatch of transitions uniformly; with hindsight, most get a goal that was reached later in their episode
 *       one step of both critics on mean (Q1 - y)^2 + mean (Q2 - y)^2
 *       every actorEvery updates, actorUpdates times, on the same observations
 *         one step of the policy on J(pi)
 *         against forgetting: both losses += the penalty on weights, or the distances from what was kept
 *         if autoTemperature: a step of alpha on J(alpha), H by default minus the action dimensions
 *       target critics += tau (critics - target critics)
 * Throws LabError('nan-loss').
 */

import { z } from 'zod';
import { RLTOOLS_QUADROTOR } from '#contract/published.ts';
import { concat, mean, minimum, sliceAxis } from '#core/engine/ops.ts';
import type { Engine, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { column, type Net } from '#core/nets/mlp.ts';
import { Rng } from '#math/rng.ts';
import { livingRows } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import { toldTasks } from '../lib/continual/heads.ts';
import { PackedMasks } from '../lib/continual/packed-masks.ts';
import { checkForgetting, forgettingPenalty, headsOf, packedOf, replayForgettingFields } from '../lib/continual/settings.ts';
import * as ac from './lib/actor-critic.ts';
import { checkRemedies } from './lib/remedies.ts';
import { inTasks, type SoftCritics, softActorCritic, softFields, softProbes } from './lib/soft.ts';

const source = 'Stable-Baselines3 SAC';
const config = z.strictObject({ ...softFields(source), ...replayForgettingFields, ...ac.networkFields(source) });
type Config = z.infer<typeof config>;

function critics(engine: Engine, rng: Rng, inputs: number, c: Config, meta: EnvMeta): SoftCritics {
  const critic = engine.group('critic');
  const target = engine.group('target');
  const told = headsOf(c.forgetting) || packedOf(c.forgetting) !== null ? toldTasks(meta) : null;
  const outputs = headsOf(c.forgetting) && told !== null ? told.codes.length : 1;
  const nets = ac.criticNets(critic, rng, inputs, outputs, c);
  const targets = ac.criticNets(target, Rng.from(0), inputs, outputs, c); // overwritten by a copy before the first use
  const packed = packedOf(c.forgetting) === null || told === null ? null : new PackedMasks(engine, critic, told.codes.length);
  const seen = (both: Tensor): Tensor => sliceAxis(both, 1, 0, inputs - meta.actionSize);
  const pair = ([one, other]: readonly [Net, Net], { params }: ParamGroup) => {
    const ofTasks = (net: Net): Net => (told === null ? net : inTasks(net, told, packed === null ? null : { packed, params }, seen));
    const [q1, q2] = [ofTasks(one), ofTasks(other)];
    return (features: Tensor, action: Tensor): [Tensor, Tensor] => {
      const both = concat([features, action], 1);
      return [column(q1(both)), column(q2(both))];
    };
  };
  const q = pair(nets, critic);
  const targetQ = pair(targets, target);
  const smaller: SoftCritics['value'] = (features, action) => minimum(...q(features, action));
  return {
    critic,
    target,
    both: q,
    packed,
    learn(x) {
      const next = ac.softValue(...targetQ(x.nextFeatures, x.nextAction), x.nextLogProb, x.alpha);
      const y = ac.bootstrapped(x.reward, x.discount, next);
      const both = q(x.features, x.action);
      return { loss: ac.criticLoss(both, y), qMean: mean(both[0]) };
    },
    climb: smaller,
    value: smaller,
  };
}

export const sac = defineAlgo<Config>({
  spec: {
    id: 'sac',
    version: 2,
    changes: [livingRows(2)],
    title: 'SAC',
    summary: 'Learns continuous actions from replayed transitions, with a reward for entropy.',
    source: {
      title: 'Soft Actor-Critic Algorithms and Applications',
      authors: 'Haarnoja et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1812.05905',
    },
    config,
    presets: [
      {
        id: 'cleanrl',
        title: 'CleanRL sac_continuous_action.py',
        config: { criticLr: 1e-3, learningStarts: 5000, actorEvery: 2, actorUpdates: 2, autoTemperature: { loss: 'exp' }, logStd: 'tanh' },
      },
      {
        id: 'spinning-up',
        title: 'Spinning Up (fixed temperature 0.2)',
        config: {
          lr: 1e-3,
          criticLr: 1e-3,
          batchSize: 100,
          learningStarts: 10_000,
          trainEvery: 50,
          gradientSteps: 50,
          autoTemperature: 'off',
          temperature: 0.2,
        },
      },
      {
        id: 'pendulum',
        title: 'RL Zoo settings for Pendulum (20,000 steps)',
        config: { lr: 1e-3, criticLr: 1e-3 },
      },
      { id: 'drone-hover', title: 'Drone hover, one speed for all motors (30,000 steps)', config: { hidden: [64, 64] } },
      {
        id: 'small',
        title: '64-64, batch 64: quick on any machine',
        config: { lr: 1e-3, criticLr: 1e-3, batchSize: 64, hidden: [64, 64] },
      },
      {
        id: 'hindsight',
        title: 'Hindsight goals: RL Zoo settings for FetchReach, 64-64 (10,000 steps)',
        config: { lr: 1e-3, criticLr: 1e-3, gamma: 0.95, learningStarts: 1000, hidden: [64, 64], hindsight: { kind: 'on' } },
      },
      {
        id: 'learning-to-fly',
        title: 'RLtools settings for the quadrotor (280,000 steps)',
        config: RLTOOLS_QUADROTOR,
      },
    ],
    action: 'box',
    learner: 'network',
    agents: 'many',
    trial: { env: 'pendulum', steps: 700, config: ac.trialConfig },
    probes: softProbes,
    probeConfig: ac.probeConfig,
    metrics: [...ac.sacMetrics, forgettingPenalty],
  },

  ...softActorCritic<Config>('SAC', critics, ac.layersOf, (meta, c) => {
    checkForgetting(meta, c.forgetting);
    checkRemedies(meta, c);
  }),
});
