/** `hindsight`: transitions are replayed as if a place reached later in their episode had been the goal (hindsight.ts). */
import { fail } from '#contract/kit/errors.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import { defineExtension, isOn } from '../../api/extension.ts';
import * as fields from '../../api/fields.ts';

const field = variant(
  'off',
  [
    kind('off', {}),
    kind('on', {
      goals: fields.integer(4, {
        min: 1,
        max: 64,
        title: 'hindsight goals (k)',
        description: 'Replayed transitions with a goal that was reached later, for each one with the goal of its episode.',
        source: 'Andrychowicz et al. 2017, "future" with k = 4',
        slider: [1, 8],
        group: 'replay',
      }),
    }),
  ],
  {
    title: 'hindsight goals',
    description: 'Replays steps as if a place reached later in the episode had been the goal. For environments with goals.',
    source: 'Andrychowicz et al. 2017; off in the methods’ own settings',
    depth: 'teach',
    group: 'replay',
  },
);
type HindsightSetting = { readonly kind: 'off' } | { readonly kind: 'on'; readonly goals: number };

/** Throws LabError('incompatible') where there are no goals to exchange, or where something is paid beside the reward of the goal. */
export const hindsight = defineExtension<HindsightSetting>({
  id: 'hindsight',
  field: ({ loop }) => (loop === 'replay' ? field : null),
  check({ goals }, _setting, method) {
    if (isOn(method, 'bonus'))
      throw fail(
        'incompatible',
        'With hindsight goals, rewards are computed anew and a bonus would be lost.',
        'Turn one of them off.',
        'algo.bonus',
      );
    if (goals !== undefined) return;
    throw fail(
      'incompatible',
      'Hindsight goals need an environment that observes a goal; this one does not.',
      'Turn hindsight off, or choose a task with goals: bit flip, or reach, push, and pick and place.',
      'algo.hindsight',
    );
  },
  async load() {
    const { Hindsight } = await import('./hindsight.ts');
    return (setting) => ({
      attach: (host) => ({
        places() {
          if (setting.kind === 'off' || host.loop !== 'replay') return {};
          const { replay, config: c } = host;
          const goals = new Hindsight(host.env.env, host.meta, setting.goals);
          return { sampledRow: (rng, id, row, batch) => goals.relabel(rng, replay, id, row, c.nStep ?? 1, c.gamma, batch) };
        },
      }),
    });
  },
});
