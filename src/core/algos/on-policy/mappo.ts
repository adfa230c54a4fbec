/**
 * Multi-agent PPO (Yu et al. 2022): actors as in IPPO, but critics that are trained with more than an agent sees: the environment's
 * global state or the observations of all agents. Acting needs no critic, so agents still act on their own view alone.
 *   L = -mean min(r A, clip(r, 1 - e, 1 + e) A) - entropyCoef mean H(pi) + valueCoef L_V,   r = pi(a|o) / pi_old(a|o)
 *   L_V = mean max(h(V(x) - R), h(V_old + clip(V(x) - V_old, -e, e) - R)),   h(z) = z^2 / 2 or Huber's, x: what the critic sees
 * Defaults are those that JaxMARL's mappo_rnn_mpe and ippo_ff_mpe share; the preset `on-policy` is the authors' own. With a `cell` actor
 * and critic remember, each with layers of its own (lib/ppo/networks.ts); recurrent IPPO is recurrent-ppo.ts.
 * Differs from the authors' code: one gradient limit for actor and critic together.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     for T steps of B environments
 *       every agent draws its action from pi(a|o) on its own observation o
 *       its critic values x: the global state and o, or the observations of all, o first
 *       its reward: its own, or by teamReward the team's sum, mean or a mixture
 *     for each network, from the steps of the agents it serves
 *       advantages A by GAE(lambda), returns R = A + V
 *       if valueNorm: the critic learns returns standardised by their running mean and deviation
 *       for each epoch, for each shuffled minibatch
 *         with a cell: whole environments, in sequences from the states they were played with
 *         over entities: whole steps, so that what an agent sees is encoded once for the values of all
 *         standardise A, over the minibatch or over the rollout
 *         one step of Adam on L, actor and critic together
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { kind, variant } from '../../envs/api/variant.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { teamExtensionsOf } from '../extensions/index.ts';
import { checkMinibatches, commonFields, ppoMetrics } from '../lib/ppo/common.ts';
import type { CriticInputKind } from '../lib/ppo/networks.ts';
import { checkTeam, memoryFields, policyFromTeam, type TeamConfig, teamFields, timedUpdate, trainTeam } from '../lib/ppo/team.ts';

const source = 'JaxMARL ippo_ff_mpe';
const config = z.strictObject({
  ...commonFields,
  envs: fields.numEnvs(16, source),
  ...teamFields,
  body: fields.body(),
  criticSees: z.enum(['state', 'joint']).default('joint').meta({
    title: 'critic input',
    description: 'Global state and own observation, or the observations of all agents, its own first.',
    source: 'MAPPO; joint in JaxMARL for particles',
    depth: 'teach',
    group: 'team',
  }),
  memory: variant('none', [kind('none', {}), kind('gru', memoryFields), kind('lstm', memoryFields)], {
    title: 'recurrent cell',
    description: 'Recurrent cell, one in the actor and one in the critic; none: feed-forward networks.',
    source: 'GRU in MAPPO; none in its feed-forward form',
    group: 'network',
  }),
});
type Config = z.infer<typeof config>;

/** A team without a recurrent cell has no `memory`. */
function asTeam({ memory, ...c }: Config): Omit<Config, 'memory'> & TeamConfig {
  return memory.kind === 'none' ? c : { ...c, memory };
}

/** Over entities every observation is encoded once per step, for the values of all agents. */
const criticOf = ({ body, criticSees }: Config): CriticInputKind => (body.kind === 'dense' ? criticSees : 'step');

/** Entities have no cell, a global state is no list of things, minibatches are whole steps. Throws LabError('config-invalid'). */
function checkCritic(meta: EnvMeta, { body, memory, criticSees, envs, rolloutSteps, minibatches }: Config): void {
  if (body.kind === 'dense') return;
  checkMinibatches(envs * rolloutSteps, minibatches, `A rollout of ${envs * rolloutSteps} steps of whole teams`);
  if (memory.kind !== 'none')
    throw fail('config-invalid', 'A body of entities has no recurrent cell.', 'Choose one of the two.', 'algo.memory');
  if (criticSees === 'state' && meta.globalSize > 0) {
    const why = 'The global state has as many numbers as the team is large; entities take any team.';
    throw fail('config-invalid', why, 'Let the critic see the observations of all agents (joint).', 'algo.criticSees');
  }
}

const presets: readonly Preset[] = [
  { id: 'simple-spread', title: 'Spread: discount 0.9, step size 0.001', config: { gamma: 0.9, lr: 1e-3 } },
  {
    id: 'simple-spread-apart',
    title: 'Spread: the same, a network for every agent and one reward for all',
    config: { gamma: 0.9, lr: 1e-3, sharing: 'independent', teamReward: 'mean' },
  },
  {
    id: 'recurrent',
    title: 'JaxMARL mappo_rnn_mpe (GRU)',
    config: { memory: { kind: 'gru', units: 128 }, lr: 2e-3, hidden: [128], activation: 'relu' },
  },
  {
    id: 'on-policy',
    title: 'on-policy repository, particles (128 x 25)',
    config: {
      lr: 7e-4,
      annealLr: false,
      envs: 128,
      rolloutSteps: 25,
      minibatches: 1,
      epochs: 10,
      valueCoef: 1,
      maxGradNorm: 10,
      huberDelta: 10,
      valueNorm: true,
      layerNorm: true,
      activation: 'relu',
      advantages: 'rollout',
      teamReward: 'sum',
    },
  },
];

const extensions = teamExtensionsOf({ loop: 'team', networks: 'other', reward: 'own' });

export const mappo = defineAlgo<Config>({
  spec: {
    id: 'mappo',
    version: 3,
    changes: [
      { version: 2, what: 'Death ends no return where the environment’s agents come back.', rerun: true },
      {
        version: 3,
        what: 'Over entities the critic encodes what each agent sees once per step, and minibatches are whole steps.',
        whereNot: { body: 'dense' },
        rerun: true,
      },
    ],
    title: 'MAPPO',
    summary: 'A team learns by PPO with critics that see more than any agent does.',
    source: {
      title: 'The Surprising Effectiveness of PPO in Cooperative Multi-Agent Games',
      authors: 'Yu et al.',
      year: 2022,
      url: 'https://arxiv.org/abs/2103.01955',
    },
    config,
    extensions,
    presets,
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: { env: 'mpe-simple-spread', steps: 1280, config: { envs: 4, rolloutSteps: 16, minibatches: 2, epochs: 2, hidden: [8] } },
    probes: [
      { on: ['bandit'], steps: 4000 },
      { on: ['climbing'], steps: 6000, config: { criticSees: 'state' } },
      { on: ['roles'], steps: 10_000 },
      { on: ['xorTeam'], steps: 10_000, config: { sharing: 'independent' } },
      { on: ['memoryOne'], steps: 10_000, config: { lr: 1e-2, memory: { kind: 'gru', units: 16 } } },
      { on: ['pointingTeam'], steps: 12_000, atLeast: 0.97 },
    ],
    probeConfig: { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16] },
    metrics: ppoMetrics,
  },

  fits(meta, c) {
    checkTeam(meta, asTeam(c), 'MAPPO');
    checkCritic(meta, c);
    if (c.memory.kind === 'none' || !c.layerNorm) return;
    throw fail('config-invalid', 'The memory cell keeps its own scale.', 'Switch one of the two off.', 'algo.layerNorm');
  },

  train: (run, resume) => trainTeam(run, asTeam(run.config), criticOf(run.config), resume, extensions),

  policy: (context, saved) => policyFromTeam(context, asTeam(context.config), criticOf(context.config), saved),

  benchmark: ({ config: c, meta, engine }) => timedUpdate(engine, meta, asTeam(c), criticOf(c)),
});
