/**
 * Independent PPO (de Witt et al. 2020): every agent learns by PPO from what it sees and gets itself; agents that are alike share a
 * network. Against ppo.ts: teams of unlike agents, rewards of the team, dead agents that do not count. Defaults are JaxMARL's
 * ippo_ff_mpe (16 x 128, 64-64 tanh).
 *   L = -mean min(r A, clip(r, 1 - e, 1 + e) A) - entropyCoef mean H(pi) + valueCoef L_V,   r = pi(a|o) / pi_old(a|o)
 *   L_V = mean max((V - R)^2, (V_old + clip(V - V_old, -e, e) - R)^2) / 2;   without clipValue mean (V - R)^2 / 2
 * Pseudo-code:
 *   repeat until the budget is spent
 *     play T steps of B environments, every agent acting on its own view; keep ln pi(a|o) and V(o)
 *       if shapingUntil > 0: add the environment's shaped reward, its weight falling linearly to 0
 *       an agent's reward: its own, or by teamReward the team's sum, mean or a mixture
 *       if deathEnds: an agent's own return ends with its death
 *     for each network, from the steps of the agents it serves
 *       advantages A by GAE(lambda), returns R = A + V
 *       if valueNorm: the critic learns returns standardised by their running mean and deviation
 *       for each epoch, for each shuffled minibatch
 *         standardise A, over the minibatch or over the rollout
 *         one step of Adam on L; dead agents do not count
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { teamExtensionsOf } from '../extensions/index.ts';
import { commonFields, ppoMetrics } from '../lib/ppo/common.ts';
import { checkTeam, policyFromTeam, teamFields, timedUpdate, trainTeam } from '../lib/ppo/team.ts';

const source = 'JaxMARL ippo_ff_mpe';
const config = z.strictObject({
  ...commonFields,
  envs: fields.numEnvs(16, source),
  ...teamFields,
  body: fields.body(),
});
type Config = z.infer<typeof config>;

const presets: readonly Preset[] = [
  { id: 'simple-spread', title: 'Spread: discount 0.9, step size 0.001', config: { gamma: 0.9, lr: 1e-3 } },
  {
    id: 'entities',
    title: 'Spread: attention over what is seen, for teams of any size',
    config: { gamma: 0.9, lr: 1e-3, body: { kind: 'entities', units: 16, heads: 2, blocks: 1 } },
  },
  {
    id: 'overcooked',
    title: 'Cramped room: shaped reward annealed over half of the budget',
    config: { lr: 1e-3, shapingUntil: 0.5 },
  },
  {
    id: 'independent',
    title: 'No parameter sharing: a network per agent',
    config: { sharing: 'independent' },
  },
];

const extensions = teamExtensionsOf({ loop: 'team', networks: 'other', reward: 'own' });

export const ippo = defineAlgo<Config>({
  spec: {
    id: 'ippo',
    version: 2,
    changes: [{ version: 2, what: 'Death ends no return where the environment’s agents come back.', rerun: true }],
    title: 'IPPO',
    summary: 'Every agent of a team learns by PPO from its own view; agents that are alike share a network.',
    source: {
      title: 'Is Independent Learning All You Need in the StarCraft Multi-Agent Challenge?',
      authors: 'de Witt et al.',
      year: 2020,
      url: 'https://arxiv.org/abs/2011.09533',
    },
    config,
    extensions,
    presets,
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: { env: 'mpe-simple-tag', steps: 1280, config: { envs: 4, rolloutSteps: 16, minibatches: 2, epochs: 2, hidden: [8] } },
    probes: [
      { on: ['bandit', 'cued', 'masked', 'team', 'climbing'], steps: 6000 },
      { on: ['delayed'], steps: 8000 },
      { on: ['roles'], steps: 10_000 },
      { on: ['xorTeam'], steps: 10_000, config: { agentId: true } },
      { on: ['pointingTeam'], steps: 12_000, atLeast: 0.97 },
    ],
    probeConfig: { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16] },
    metrics: ppoMetrics,
  },

  fits: (meta, c) => checkTeam(meta, c, 'IPPO'),

  train: (run, resume) => trainTeam(run, run.config, 'own', resume, extensions),

  policy: (context, saved) => policyFromTeam(context, context.config, 'own', saved),

  benchmark: ({ config: c, meta, engine }) => timedUpdate(engine, meta, c, 'own'),
});
