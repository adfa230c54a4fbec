/** `teamReward`: what an agent learns from, its own reward, the team's sum or mean, or a mixture (mix.ts). */
import { kind, variant } from '../../../envs/api/variant.ts';
import { defineExtension } from '../../api/extension.ts';
import * as fields from '../../api/fields.ts';
import type { RewardMix } from './mix.ts';

const orientation = fields.real(45, {
  min: 0,
  max: 90,
  title: 'social value orientation',
  unit: 'degrees',
  description: '0 weighs the own reward only, 90 only the mean of the others.',
  source: 'McKee et al. 2020',
  slider: [0, 90],
  depth: 'research',
  group: 'team',
});
const envy = fields.real(5, {
  min: 0,
  max: 100,
  title: 'inequity aversion alpha',
  description: 'Weight of what others get more (disadvantageous inequity).',
  source: 'Hughes et al. 2018',
  depth: 'research',
  group: 'team',
});
const guilt = fields.real(0.05, {
  min: 0,
  max: 100,
  title: 'inequity aversion beta',
  description: 'Weight of what others get less (advantageous inequity).',
  source: 'Hughes et al. 2018',
  depth: 'research',
  group: 'team',
});

const ofAgents = variant(
  'own',
  [kind('own', {}), kind('sum', {}), kind('mean', {}), kind('orientation', { orientation }), kind('inequity', { envy, guilt })],
  {
    title: 'team reward',
    description: 'What an agent learns from: its own reward, the team’s sum or mean, or a mixture.',
    group: 'team',
  },
);

/**
 * Of methods that learn from one reward of the whole team. Their flat settings had the numbers of the mixtures too, where they did nothing;
 * configs of that time may hold them (ADR 15).
 */
const ofTeam = variant(
  'mean',
  [kind('mean', {}), kind('sum', {})],
  {
    title: 'team reward',
    description: 'All agents learn from one reward: the team’s mean or sum.',
    source: 'the agents of a cooperative game share one reward',
    group: 'team',
  },
  { orientation, envy, guilt },
);

export const teamReward = defineExtension<RewardMix>({
  id: 'teamReward',
  field: (stand) => (stand.loop !== 'team' ? null : stand.reward === 'shared' ? ofTeam : ofAgents),
  async load() {
    const { mixRewards } = await import('./mix.ts');
    return (setting) => ({
      attach: ({ env, meta }) => ({
        places() {
          const given = new Float32Array(env.batch * meta.agentCount);
          return {
            rewards(rewards) {
              given.set(rewards);
              mixRewards(setting, given, meta.agentCount, rewards);
            },
          };
        },
      }),
    });
  },
});
