/**
 * `stateGroups`: groups of the same state inside of groups (GiGPO, Feng et al. 2025): the advantage of a step is that of its episode in its group, plus `weight`
 * times the same of discounted returns-to-go among all steps of the group from the same state. States are the same where the agent stands in
 * the same place and sees the same.
 */
import { kind, variant } from '../../../envs/api/variant.ts';
import { defineExtension } from '../../api/extension.ts';
import * as fields from '../../api/fields.ts';

/** The setting, which views of a group read too. */
export const field = variant(
  'off',
  [
    kind('off', {}),
    kind('on', {
      weight: fields.real(1, {
        above: 0,
        max: 10,
        title: 'weight of state groups',
        description: 'Of the advantage among steps of a group from the same state.',
        source: 'GiGPO: 1',
        group: 'loss',
        live: true,
      }),
      gamma: fields.gamma(0.95, 'GiGPO', { description: 'Discount of what followed a step, for groups of the same state.' }),
    }),
  ],
  {
    title: 'state groups',
    description: 'Steps of a group from the same state are compared with each other too; off: every step of an episode counts alike.',
    source: 'GiGPO',
    group: 'loss',
  },
);

export const stateGroups = defineExtension<ReturnType<(typeof field)['parse']>>({
  id: 'stateGroups',
  field: ({ loop }) => (loop === 'groups' ? field : null),
  presets: [{ id: 'gigpo', title: 'GiGPO: groups of the same state inside groups', config: { stateGroups: 'on' } }],
  async load() {
    const { addStateGroups } = await import('./state-groups.ts');
    return (setting) => ({
      attach: (host) => ({
        places() {
          if (host.loop !== 'groups' || setting.kind === 'off') return {};
          return {
            compared: ({ advantages, episodes }) =>
              addStateGroups(advantages, episodes, { group: host.group, weight: setting.weight, gamma: setting.gamma }),
          };
        },
      }),
    });
  },
});
