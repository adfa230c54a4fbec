/**
 * IMPALA (Espeholt et al. 2018) on one machine: actors act with parameters that are some updates old, as they do when many machines collect
 * for one learner, and V-trace corrects for what the newer policy would have done. With no lag it is A2C with n-step returns.
 *   L = -mean A ln pi(a|s) + valueCoef mean (V(s) - v)^2 / 2 - entropyCoef mean H(pi),   A and v by V-trace (math/vtrace.ts)
 *   rho = min(rhoBar, pi(a|s) / mu(a|s)),   c = lambda min(cBar, pi(a|s) / mu(a|s)),   mu: the policy that acted
 *   v = V(s) + rho (r + gamma V(s') - V(s)) + gamma c (v' - V(s')),   A = rho (r + gamma v' - V(s))
 * Differs from the paper: RMSprop adds 1e-5 to the root (0.1 there), and gradients are limited to a norm of 0.5 (40 there).
 * Any action space, any number of alike agents.
 * Pseudo-code:
 *   actors' parameters = the learner's
 *   repeat until the budget is spent
 *     every actorLag updates (0: always): actors' parameters = the learner's
 *     play T steps of B environments with the actors' policy mu, keeping ln mu(a|s)
 *     V of what follows the rollout, and of final observations at time limits, by the learner
 *     ln pi(a|s) and V(s) of all steps by the learner
 *     if correction is none: every ratio pi / mu counts as 1
 *     targets v and advantages A by V-trace, backwards through the rollout
 *     one step of RMSprop on L over all T B steps; if annealLr: its size falls linearly to 0
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { Engine } from '#core/engine/types.ts';
import { updateTarget } from '#core/nets/target.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { exp } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { annealed } from '#math/schedules.ts';
import { explainedVariance } from '#math/stats.ts';
import { vtrace } from '#math/vtrace.ts';
import { livingRows } from '../api/changes.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkFinite, checkSameAgents } from '../api/guards.ts';
import { episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { compileActor, type PolicyNetwork, policyNetwork, policyOfNetwork } from '../lib/network-policy.ts';
import { CLIP_NORMALISED } from '../lib/ppo/common.ts';
import { actorCriticMetrics, compileLearner, createRollout, learnFrom, valuesBy } from './lib/actor-critic.ts';

const source = 'Espeholt et al. 2018, appendix D';
const own = 'own choice: small networks';
const config = z.strictObject({
  lr: fields.lr(3e-3, own, { description: 'Initial step size of RMSprop.' }),
  annealLr: fields.annealLr(true, source),
  gamma: fields.gamma(0.99, source),
  lambda: fields.gaeLambda(1, source, {
    title: 'trace lambda',
    description: 'Times every trace coefficient; below 1 later steps count less.',
  }),
  actorLag: fields.integer(4, {
    min: 0,
    max: 1000,
    title: 'actor lag',
    unit: 'updates',
    description: 'Updates between two copies of the learner’s parameters to the actors; 0: they always act with the newest.',
    source: own,
    depth: 'teach',
    slider: [0, 64],
    group: 'rollout',
  }),
  correction: z.enum(['v-trace', 'none']).default('v-trace').meta({
    title: 'correction',
    description: 'V-trace weighs by how likely the newer policy would have acted so; none takes old actions for its own.',
    source,
    depth: 'teach',
    group: 'returns',
  }),
  rhoBar: fields.real(1, {
    above: 0,
    max: 100,
    title: 'rho limit',
    description: 'Largest weight of a TD error; decides which policy’s value is learned.',
    source,
    depth: 'research',
    group: 'returns',
  }),
  cBar: fields.real(1, {
    above: 0,
    max: 100,
    title: 'c limit',
    description: 'Largest trace coefficient; decides how fast, not what is learned.',
    source,
    depth: 'research',
    group: 'returns',
  }),
  envs: fields.numEnvs(8, own, { max: 1024 }),
  rolloutSteps: fields.rolloutSteps(20, source),
  entropyCoef: fields.entropyCoef(0.01, source),
  valueCoef: fields.valueCoef(0.5, source),
  maxGradNorm: fields.maxGradNorm(0.5, 'Stable-Baselines3 A2C; 40 in the paper', { slider: [0.1, 100], log: true }),
  hidden: fields.hidden([64, 64], own, { description: 'Units of each layer, the same for policy and value.' }),
});
type Config = z.infer<typeof config>;

const networkOf = ({ hidden }: Config) => ({ hidden, activation: 'tanh', sharedTrunk: false }) as const;

const learnerOf = (engine: Engine, net: PolicyNetwork, c: Config, rows: number, many: boolean) =>
  compileLearner(engine, net, { rows, maxGradNorm: c.maxGradNorm, name: 'impala learn', many });

/** ln pi of the actions taken and the values, both [rows], by the newest parameters. */
const compileJudge = (engine: Engine, net: PolicyNetwork, rows: number) =>
  engine.compile(
    { ...net.inputs(rows), action: net.actionShape(rows) },
    (x, g) => {
      const { logProb, value } = net.evaluate(x, x.action, g);
      return { logProb, value };
    },
    { name: 'impala judge' },
  );

export const impala = defineAlgo<Config>({
  spec: {
    id: 'impala',
    version: 2,
    changes: [livingRows(2)],
    title: 'IMPALA',
    summary: 'Learns from actors that lag behind, and corrects for it with V-trace.',
    source: {
      title: 'IMPALA: Scalable Distributed Deep-RL with Importance Weighted Actor-Learner Architectures',
      authors: 'Espeholt et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1802.01561',
    },
    config,
    presets: [
      { id: 'far-behind', title: 'Actors 32 updates behind', config: { actorLag: 32 } },
      { id: 'uncorrected', title: 'Actors 32 updates behind, no correction', config: { actorLag: 32, correction: 'none' } },
    ],
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: { env: 'cartpole', steps: 1280, config: { envs: 4, rolloutSteps: 8, actorLag: 3, hidden: [8] } },
    probes: [
      { on: ['bandit', 'cued', 'masked', 'team'], steps: 20_000 },
      { on: ['delayed'], steps: 20_000 },
    ],
    probeConfig: { lr: 3e-3, gamma: 0.9, hidden: [16], rolloutSteps: 5, actorLag: 2 },
    metrics: [
      ...actorCriticMetrics,
      { id: 'ratio', title: 'policy ratio', description: 'Mean of pi / mu over the last rollout; 1 where the actors are up to date.' },
    ],
  },

  fits(meta) {
    checkSameAgents(meta, 'IMPALA');
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const rows = c.envs * meta.agentCount;
    const total = c.rolloutSteps * rows;
    const net = policyNetwork(engine, meta, networkOf(c), run.rng.split('init'));
    const behind = policyNetwork(engine, meta, networkOf(c), Rng.from(0), 'actors'); // overwritten by a copy before its first use
    const follow = engine.polyak(behind.group, net.group);
    const act = compileActor(engine, behind, rows, 'impala act');
    const newest = compileActor(engine, net, rows, 'impala value');
    const judge = compileJudge(engine, net, total);
    const learn = learnerOf(engine, net, c, total, meta.agentCount > 1);
    const sampling = run.rng.split('sampling');
    const [advantages, targets, logRatios] = [new Float32Array(total), new Float32Array(total), new Float64Array(total)];
    const rollout = createRollout({ env, net, act, valuesAt: valuesBy(newest), steps: c.rolloutSteps, sampling, masksDead: true });
    const state = registerState({ counters: { step: 0, updates: 0 }, parts: { env, engine }, arrays: { sampling } });
    const { counters } = state;
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, { net: net.group }),
      policy: () => policyOfNetwork(engine, meta, net, null, CLIP_NORMALISED),
    });
    if (resume === undefined) {
      env.reset();
      await updateTarget(follow, 1);
    } else state.load(resume);
    const updatesPerRow = Math.max(1, Math.ceil(500 / (c.rolloutSteps * c.envs)));

    while (counters.step < run.steps) {
      // 1. The actors play with what they were last given.
      if (c.actorLag === 0 || counters.updates % c.actorLag === 0) await updateTarget(follow, 1);
      await rollout.collect();

      // 2. The learner says what it thinks of it, and corrects.
      judge.in.obs.set(rollout.obs);
      judge.in.mask?.set(rollout.masks);
      judge.in.action.set(rollout.actions);
      const judged = judge.run();
      if (judged) await judged;
      let ratio = 0;
      for (let i = 0; i < total; i++) {
        const difference = judge.out.logProb[i]! - rollout.logProbs[i]!;
        ratio += exp(difference) / total;
        logRatios[i] = c.correction === 'none' ? 0 : difference;
      }
      const values = judge.out.value;
      const { gamma, lambda, rhoBar, cBar, entropyCoef, valueCoef } = c;
      vtrace({ ...rollout, values, logRatios, rows, gamma, lambda, rhoBar, cBar }, advantages, targets);
      const explained = explainedVariance(values, targets);

      // 3. One step of gradient.
      const lr = c.annealLr ? annealed(c.lr, run.steps, counters.step) : c.lr;
      const report = await learnFrom(learn, rollout, { advantages, targets, entropyCoef, valueCoef, lr });
      counters.step += c.rolloutSteps * c.envs;
      counters.updates++;
      const { step } = counters;
      checkFinite(step, report);
      if (counters.updates % updatesPerRow !== 0 && step < run.steps) continue;
      yield { step, metrics: { ...episodeRow(env), ...report, explainedVariance: explained, learningRate: lr, ratio }, ...point };
    }
  },

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const net = policyNetwork(engine, meta, networkOf(c), Rng.from(0));
    loadGroups(engine, { net: net.group }, saved);
    return policyOfNetwork(engine, meta, net, null, CLIP_NORMALISED, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const net = policyNetwork(engine, meta, networkOf(c), Rng.from(0));
    const learn = learnerOf(engine, net, c, c.envs * meta.agentCount * c.rolloutSteps, meta.agentCount > 1);
    return { run: () => learn.run() };
  },
});
