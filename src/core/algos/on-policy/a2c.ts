/**
 * Advantage actor-critic (A2C; Mnih et al. 2016, the synchronous form): one step of gradient on a few steps of many copies, then they are
 * forgotten. PPO without clipping, minibatches and epochs.
 *   L = -mean A ln pi(a|s) + valueCoef mean (V(s) - R)^2 / 2 - entropyCoef mean H(pi),   A = GAE(lambda), R = A + V(s)
 * A time limit bootstraps from the value of its last observation, a termination from nothing. Defaults are Stable-Baselines3's: RMSprop,
 * eight copies of five steps, lambda 1. Differs: the half in the value error, which Stable-Baselines3 does not have; `valueCoef` 0.5 here is
 * 0.25 there, and 1 here is its default. Any action space, any number of alike agents.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     for T steps of B environments
 *       draw a from pi(a|s), step the environments
 *       keep s, a, r and V(s); where a time limit ended an episode, V of its last observation
 *     V of the observations that follow the last step
 *     advantages A by GAE(lambda), returns R = A + V
 *     step size: lr; if annealLr: falling linearly to 0 over the budget
 *     one step of RMSprop on L over all T B steps, the norm of its gradient at most maxGradNorm
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { Engine } from '#core/engine/types.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { gae } from '#math/gae.ts';
import { Rng } from '#math/rng.ts';
import { annealed } from '#math/schedules.ts';
import { explainedVariance } from '#math/stats.ts';
import { livingRows } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkFinite, checkSameAgents, checkTrunk } from '../api/guards.ts';
import { episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { compileActor, type PolicyNetwork, policyNetwork, policyOfNetwork } from '../lib/network-policy.ts';
import { CLIP_NORMALISED } from '../lib/ppo/common.ts';
import { actorCriticMetrics, compileLearner, createRollout, learnFrom, valuesBy } from './lib/actor-critic.ts';

const source = 'Stable-Baselines3 A2C';
const config = z.strictObject({
  lr: fields.lr(7e-4, source, { description: 'Initial step size of RMSprop.' }),
  annealLr: fields.annealLr(false, source),
  gamma: fields.gamma(0.99, source),
  lambda: fields.gaeLambda(1, source),
  envs: fields.numEnvs(8, 'rl-baselines3-zoo A2C', { max: 1024 }),
  rolloutSteps: fields.rolloutSteps(5, source),
  entropyCoef: fields.entropyCoef(0, source),
  valueCoef: fields.valueCoef(0.5, source),
  maxGradNorm: fields.maxGradNorm(0.5, source, { slider: [0.1, 10], log: true }),
  hidden: fields.hidden([64, 64], source, { description: 'Units of each layer, in policy and critic.' }),
  criticHidden: fields.criticHidden(source),
  activation: fields.activation('tanh', source),
  layerNorm: fields.hiddenNorm(source),
  sharedTrunk: z.boolean().default(false).meta({
    title: 'shared trunk',
    description: 'Policy and value share their hidden layers.',
    depth: 'lab',
  }),
});
type Config = z.infer<typeof config>;

const learnerOf = (engine: Engine, net: PolicyNetwork, c: Config, rows: number, many: boolean) =>
  compileLearner(engine, net, { rows, maxGradNorm: c.maxGradNorm, name: 'a2c learn', many });

export const a2c = defineAlgo<Config>({
  spec: {
    id: 'a2c',
    version: 2,
    changes: [livingRows(2)],
    title: 'A2C',
    summary: 'An actor and the critic that judges it, improved together after every few steps.',
    source: {
      title: 'Asynchronous Methods for Deep Reinforcement Learning',
      authors: 'Mnih et al.',
      year: 2016,
      url: 'https://arxiv.org/abs/1602.01783',
    },
    config,
    presets: [{ id: 'shared-trunk', title: 'One trunk for policy and value', config: { sharedTrunk: true } }],
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: { env: 'cartpole', steps: 1280, config: { envs: 4, rolloutSteps: 8, hidden: [8] } },
    probes: [
      { on: ['bandit', 'cued', 'masked', 'team'], steps: 12_000 },
      { on: ['delayed'], steps: 12_000 },
    ],
    probeConfig: { lr: 3e-3, gamma: 0.9, hidden: [16] },
    metrics: actorCriticMetrics,
  },

  fits(meta, c) {
    checkSameAgents(meta, 'A2C');
    checkTrunk(c);
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const rows = c.envs * meta.agentCount;
    const total = c.rolloutSteps * rows;
    const net = policyNetwork(engine, meta, c, run.rng.split('init'));
    const act = compileActor(engine, net, rows, 'a2c act');
    const learn = learnerOf(engine, net, c, total, meta.agentCount > 1);
    const sampling = run.rng.split('sampling');
    const [advantages, targets] = [new Float32Array(total), new Float32Array(total)];
    const rollout = createRollout({ env, net, act, valuesAt: valuesBy(act), steps: c.rolloutSteps, sampling, masksDead: true });
    const state = registerState({ counters: { step: 0, updates: 0 }, parts: { env, engine }, arrays: { sampling } });
    const { counters } = state;
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, { net: net.group }),
      policy: () => policyOfNetwork(engine, meta, net, null, CLIP_NORMALISED),
    });
    if (resume === undefined) env.reset();
    else state.load(resume);
    // Five steps are too few for a row of curves: some 500 steps between two.
    const updatesPerRow = Math.max(1, Math.ceil(500 / (c.rolloutSteps * c.envs)));

    while (counters.step < run.steps) {
      await rollout.collect();
      const { gamma, lambda, entropyCoef, valueCoef } = c;
      gae({ ...rollout, rows, gamma, lambda, bootstrapAtTruncation: true }, advantages, targets);
      const lr = c.annealLr ? annealed(c.lr, run.steps, counters.step) : c.lr;
      const report = await learnFrom(learn, rollout, { advantages, targets, entropyCoef, valueCoef, lr });
      counters.step += c.rolloutSteps * c.envs;
      counters.updates++;
      const { step } = counters;
      checkFinite(step, report);
      if (counters.updates % updatesPerRow !== 0 && step < run.steps) continue;
      yield {
        step,
        metrics: { ...episodeRow(env), ...report, explainedVariance: explainedVariance(rollout.values, targets), learningRate: lr },
        ...point,
      };
    }
  },

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const net = policyNetwork(engine, meta, c, Rng.from(0));
    loadGroups(engine, { net: net.group }, saved);
    return policyOfNetwork(engine, meta, net, null, CLIP_NORMALISED, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const net = policyNetwork(engine, meta, c, Rng.from(0));
    const learn = learnerOf(engine, net, c, c.envs * meta.agentCount * c.rolloutSteps, meta.agentCount > 1);
    return { run: () => learn.run() };
  },
});
