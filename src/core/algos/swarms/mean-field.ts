/**
 * Mean-field control of swarms (Dec-POMFC: Cui, Hauck, Fabian, Koeppl 2024). The swarm is one decision process: in each step one rule
 * is chosen, and every member follows it on what it sees itself. A member's view y (one or two numbers of its observation) becomes
 * kernel weights phi(y), and a rule is one action per kernel centre. The state is the mean of phi over the swarm, which does not depend on
 * how many there are, and so does not the policy: trained on a hundred members it steers a thousand.
 *   phi_k(y) = exp(-|y - c_k|^2 / 2 h^2) / sum,   centres c_k on a grid over [-1, 1]
 *   state_k: K times the mean of phi_k(y) over the members;   a member does sum_k phi_k(y) rule_k;   reward: the members' mean
 * The rule is learned by PPO (ppo.ts). With `knows` nothing, the rule is one for all times: members need no information about the swarm.
 * Pseudo-code:
 *   if trainOn is given: train on that swarm, evaluate on the one of the environment
 *   repeat until the budget is spent
 *     for T steps of B swarms
 *       state = K times the mean of phi(y) over the members; if knows is nothing: all 0
 *       draw a rule, one action per kernel centre, from the Gaussian policy on the state
 *       every member does sum_k phi_k(y) rule_k, clipped to its box
 *       reward = mean of the members' rewards
 *     PPO on states, rules and rewards of the swarms: GAE(lambda), epochs of minibatches, clipped loss
 */
import { z } from 'zod';
import { fail } from '#contract/kit/errors.ts';
import type { EnvMeta, StepBuffers } from '../../envs/api/types.ts';
import type { VectorEnv } from '../../envs/api/vector-env.ts';
import { defineAlgo } from '../api/define.ts';
import type { ActQuery, Policy } from '../api/types.ts';
import { ppoMetrics } from '../lib/ppo/common.ts';
import { ppo, ppoConfig } from '../on-policy/ppo.ts';
import { embed, follow, Kernels } from './lib/kernels.ts';

const { lr, annealLr, gamma, lambda, envs, rolloutSteps, minibatches, epochs, clip, entropyCoef, valueCoef, maxGradNorm, hidden } =
  ppoConfig.shape;

const config = z.strictObject({
  knows: z.enum(['mean field', 'nothing']).default('mean field').meta({
    title: 'policy input',
    description: 'The mean field of all members’ observations, or nothing: one open-loop rule for all times.',
    source: 'Cui et al. 2024',
    depth: 'teach',
    group: 'swarm',
  }),
  numbers: z.array(z.int().min(0).max(1000)).min(1).max(2).default([0, 1]).meta({
    title: 'observed dimensions',
    description: 'Indices of one or two numbers of a member’s observation; about -1 to 1.',
    depth: 'stored',
    group: 'swarm',
  }),
  centres: z
    .int()
    .min(2)
    .max(15)
    .default(5)
    .meta({
      title: 'kernel centres',
      description: 'Kernels along each of these numbers.',
      source: 'own choice',
      slider: [3, 9],
      depth: 'stored',
      group: 'swarm',
    }),
  bandwidth: z
    .number()
    .min(0.05)
    .max(5)
    .default(0.4)
    .meta({
      title: 'kernel bandwidth',
      description: 'How far a kernel reaches, in units of the observation.',
      source: 'own choice',
      slider: [0.1, 1],
      depth: 'stored',
      group: 'swarm',
    }),
  trainOn: z.record(z.string(), z.json()).default({}).meta({
    title: 'train on',
    description:
      'What is different in the swarm that is trained on: {"particles": 100, "box": 5}. Evaluations play the environment as it is.',
    source: 'own choice: whether a rule learned on few steers many',
    depth: 'research',
    group: 'swarm',
  }),
  lr: lr.default(1e-3),
  annealLr,
  gamma: gamma.default(0.95),
  lambda,
  envs: envs.default(8),
  rolloutSteps: rolloutSteps.default(100),
  minibatches,
  epochs: epochs.default(10),
  clip,
  entropyCoef: entropyCoef.default(0),
  valueCoef,
  maxGradNorm,
  hidden,
});
type Config = z.infer<typeof config>;

/** The config of PPO: its own fields, those that this form does not show at their defaults. */
function settingsOf({ knows: _k, numbers: _n, centres: _c, bandwidth: _b, trainOn: _t, ...rest }: Config) {
  return ppoConfig.parse({ ...rest, clipValue: false });
}

/** The settings as a live object: each field as it is in `config` at the time it is read. */
function liveSettings(config: Config): ReturnType<typeof settingsOf> {
  const live = { ...settingsOf(config) };
  const now: { readonly [field: string]: unknown } = config;
  for (const [field, value] of Object.entries(live))
    Object.defineProperty(live, field, { enumerable: true, get: () => now[field] ?? value });
  return live;
}

/** The swarm as one agent: sees the mean field [K], chooses a rule [K, D]. */
function swarmMeta(meta: EnvMeta, kernels: number): EnvMeta {
  const { turns: _, ...rest } = meta;
  const size = kernels * meta.actionSize;
  return {
    ...rest,
    agents: [
      {
        count: 1,
        names: ['swarm'],
        obs: { kind: 'box', shape: [kernels], low: 0, high: 1e6 },
        action: { kind: 'box', size, low: new Array(size).fill(-1e6), high: new Array(size).fill(1e6), labels: [] },
      },
    ],
    agentCount: 1,
    obsSize: kernels,
    actionSize: size,
    globalSize: 0,
  };
}

function swarmEnv(inner: VectorEnv, c: Config): VectorEnv {
  const { meta, batch } = inner;
  const kernels = new Kernels(c);
  const K = kernels.count;
  const A = meta.agentCount;
  const D = meta.actionSize;
  const scratch = new Float64Array(K);
  const actions = new Float32Array(batch * A * D);
  const buffers: StepBuffers = {
    obs: new Float32Array(batch * K),
    reward: new Float32Array(batch),
    terminated: inner.buffers.terminated,
    truncated: inner.buffers.truncated,
    finalObs: new Float32Array(batch * K),
  };
  const look = (from: Float32Array, to: Float32Array, row: number): void => {
    if (c.knows === 'mean field') embed(kernels, meta, from, row * A, A, scratch, to, row * K);
  };
  const lookAll = (): void => {
    for (let row = 0; row < batch; row++) look(inner.buffers.obs, buffers.obs, row);
  };
  return {
    ...inner,
    meta: swarmMeta(meta, K),
    buffers,
    reset() {
      inner.reset();
      lookAll();
    },
    step(rules) {
      for (let i = 0; i < batch * A; i++) {
        kernels.weigh(inner.buffers.obs, i * meta.obsSize, scratch);
        follow(meta, scratch, rules, Math.floor(i / A) * K * D, actions, i * D);
      }
      inner.step(actions);
      for (let row = 0; row < batch; row++) {
        let sum = 0;
        for (let i = row * A; i < (row + 1) * A; i++) sum += inner.buffers.reward[i]!;
        buffers.reward[row] = sum / A;
        if (buffers.terminated[row] !== 0 || buffers.truncated[row] !== 0) look(inner.buffers.finalObs, buffers.finalObs, row);
      }
      lookAll();
    },
    load(saved) {
      inner.load(saved);
      lookAll();
    },
  };
}

/** Every run of rows with rising agent numbers is one swarm. */
function swarmsOf({ rows, agent }: ActQuery): readonly { readonly first: number; readonly size: number }[] {
  const found: { first: number; size: number }[] = [];
  let first = 0;
  for (let row = 1; row <= rows; row++) {
    if (row < rows && agent[row]! > agent[row - 1]!) continue;
    found.push({ first, size: row - first });
    first = row;
  }
  return found;
}

function swarmPolicy(chooser: Policy, meta: EnvMeta, c: Config): Policy {
  const kernels = new Kernels(c);
  const K = kernels.count;
  const D = meta.actionSize;
  const scratch = new Float64Array(K);
  const none = new Float32Array(0);
  return {
    initial: () => none,
    async act(query) {
      const swarms = swarmsOf(query);
      const obs = new Float32Array(swarms.length * K);
      if (c.knows === 'mean field')
        swarms.forEach(({ first, size }, s) => {
          embed(kernels, meta, query.obs, first, size, scratch, obs, s * K);
        });
      const { rng, greedy } = query;
      const chosen = await chooser.act({ obs, agent: new Int32Array(swarms.length), hidden: none, rows: swarms.length, rng, greedy });
      const actions = new Float32Array(query.rows * D);
      const value = new Float32Array(query.rows);
      swarms.forEach(({ first, size }, s) => {
        for (let row = first; row < first + size; row++) {
          kernels.weigh(query.obs, row * meta.obsSize, scratch);
          follow(meta, scratch, chosen.actions, s * K * D, actions, row * D);
          value[row] = chosen.value?.[s] ?? 0;
        }
      });
      return { actions, mean: actions, hidden: none, value };
    },
    dispose: () => chooser.dispose(),
  };
}

export const meanField = defineAlgo<Config>({
  spec: {
    id: 'mean-field',
    version: 1,
    title: 'Mean-field control',
    summary: 'One shared mean-field policy, trained with few agents and run with many.',
    source: {
      title: 'Learning Decentralized Partially Observable Mean Field Control for Artificial Collective Behavior',
      authors: 'Cui, Hauck, Fabian, Koeppl',
      year: 2024,
      url: 'https://arxiv.org/abs/2307.06175',
    },
    config,
    presets: [
      {
        id: 'hundred',
        title: 'Vicsek: learn on 100 members',
        config: { knows: 'nothing', trainOn: { particles: 100, box: 5, learners: 100, maxSteps: 200 } },
      },
      { id: 'fixed-rule', title: 'one rule for all times', config: { knows: 'nothing' } },
    ],
    action: 'box',
    learner: 'network',
    agents: 'many',
    trial: {
      env: 'vicsek-swarm',
      envConfig: { particles: 12, learners: 12, box: 1.7, maxSteps: 40 },
      steps: 320,
      config: { envs: 4, rolloutSteps: 40, minibatches: 4, centres: 3, hidden: [16] },
    },
    probes: [],
    metrics: ppoMetrics,
  },

  fits(meta, c) {
    const refuse = (message: string): never => {
      throw fail('incompatible', message, 'Choose a swarm all of whose members learn.', 'env.id');
    };
    if (meta.agents.length > 1) refuse('Mean-field control is about members that are all alike; here there are several roles.');
    const { obs, action } = meta.agents[0]!;
    if (action.kind !== 'box' || action.size === 0) refuse('Mean-field control needs members with continuous actions.');
    if (meta.rewards.length > 1) refuse('Mean-field control needs one reward.');
    if (obs.kind === 'box' && c.numbers.every((i) => i < meta.obsSize)) return;
    throw fail('config-invalid', `A member sees ${meta.obsSize} numbers.`, 'Choose among them.', 'algo.numbers');
  },

  async *train(run, resume) {
    const c = run.config;
    const envConfig = run.envEntry.parse({ ...run.envConfig, ...c.trainOn });
    const small = run.envEntry.meta(envConfig);
    const trainer = ppo.train(
      {
        ...run,
        config: liveSettings(c),
        envConfig,
        meta: swarmMeta(small, new Kernels(c).count),
        makeEnv: (batch) => swarmEnv(Object.keys(c.trainOn).length === 0 ? run.makeEnv(batch) : run.makeEnv(batch, envConfig), c),
      },
      resume,
    );
    for await (const progress of trainer) yield { ...progress, policy: async () => swarmPolicy(await progress.policy(), run.meta, c) };
  },

  async policy(context, saved) {
    const c = context.config;
    const meta = swarmMeta(context.meta, new Kernels(c).count);
    return swarmPolicy(await ppo.policy({ ...context, config: settingsOf(c), meta }, saved), context.meta, c);
  },
});
