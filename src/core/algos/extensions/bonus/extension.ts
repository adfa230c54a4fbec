/** `bonus`: a reward beside that of the environment for what is new. PPO: counts, RND and ICM with a value of their own; DQN: counts. */
import { type Begun, defineExtension, type Host, type Places } from '../../api/extension.ts';
import { type BonusSettings, type CountSettings, countFields, intrinsicFields, intrinsicMetrics, statesSeen } from './settings.ts';

type On<S extends { readonly kind: string }> = Exclude<S, { readonly kind: 'none' }>;

export const bonus = defineExtension<BonusSettings | CountSettings>({
  id: 'bonus',
  field: ({ networks }) => (networks === 'policy' ? intrinsicFields.bonus : networks === 'q' ? countFields.bonus : null),
  metrics: ({ loop }) => (loop === 'rollout' ? intrinsicMetrics : [statesSeen]),
  async load() {
    const [{ intrinsicReward }, { countedReward }] = await Promise.all([import('./intrinsic.ts'), import('./counts.ts')]);
    const places = (host: Host, setting: BonusSettings | CountSettings): Places => {
      if (host.loop === 'rollout') return intrinsicReward(host, setting as On<BonusSettings>);
      return host.loop === 'replay' ? countedReward(host, setting as On<CountSettings>) : {};
    };
    return (setting): Begun => ({ attach: (host) => ({ places: () => places(host, setting) }) });
  },
});
