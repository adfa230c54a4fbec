/**
 * `levels`: on which levels an on-policy method learns. A level is the state in which an episode begins. Each rollout every copy stays on one level:
 * a new one, as the environment draws it, or one that was kept because it teaches (prioritised level replay, Jiang et al. 2021a), without learning
 * from new ones where that is asked for (robust PLR, Jiang et al. 2021b), and may be edited then (ACCEL, Parker-Holder et al. 2022); or all rollouts
 * play the same few levels.
 */
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import { defineExtension } from '../../api/extension.ts';
import { type LevelSetting, levelsField } from './settings.ts';

const metrics: readonly MetricCard[] = [
  { id: 'levelsKept', title: 'levels kept', description: 'Starts that training may play again.' },
  { id: 'levelScore', title: 'mean score of levels', description: 'Mean of what the kept levels are worth to learn from.' },
  { id: 'levelReplay', title: 'kept levels played', description: '1 where the last rollout played kept levels, 0 where new ones.' },
  {
    id: 'newLevelReturn',
    title: 'return on new levels',
    description: 'Mean return of the episodes that ended in the last rollout of new levels.',
  },
];

/** Discount, lambda and steps are jaxued's; half as many copies and a larger step size reach in a million steps what it reaches in many more. */
const MAZES = { envs: 16, rolloutSteps: 256, minibatches: 8, epochs: 4, lr: 5e-4, gamma: 0.995, lambda: 0.98, entropyCoef: 0.001 } as const;

/** Most bytes of kept states. */
const MOST_BYTES = 64 * 1024 * 1024;

export const levels = defineExtension<LevelSetting>({
  id: 'levels',
  field: ({ loop }) => (loop === 'rollout' ? levelsField : null),
  metrics: () => metrics,
  presets: [
    {
      id: 'robust-plr',
      title: 'Robust prioritised level replay (16 x 256)',
      config: { ...MAZES, levels: { kind: 'replay' } },
    },
    {
      id: 'frontier-levels',
      title: 'Levels at the frontier: half of the episodes are solved (16 x 256)',
      config: { ...MAZES, levels: { kind: 'replay', score: 'frontier', learnFromNew: true } },
    },
    {
      id: 'accel',
      title: 'ACCEL: replay of levels that are edited (16 x 256)',
      config: { ...MAZES, levels: { kind: 'edited' } },
    },
    {
      id: 'fixed-levels',
      title: 'Two hundred levels and no others (16 x 256)',
      config: { ...MAZES, levels: { kind: 'fixed', count: 200 } },
    },
  ],
  check(meta, setting) {
    if (meta.agentCount > 1 || meta.turns === true)
      throw fail(
        'incompatible',
        'Levels are chosen for one agent alone.',
        'Set levels to "not used", or choose an environment of one agent.',
        'algo.levels',
      );
    if (setting.kind === 'edited' && meta.edited !== true)
      throw fail(
        'incompatible',
        'The levels of this environment cannot be edited.',
        'Choose the maze of drawn walls (minigrid-maze), or set levels to "replay".',
        'algo.levels',
      );
    const kept = setting.kind === 'not used' ? 0 : setting.kind === 'fixed' ? setting.count : setting.capacity;
    if (kept * meta.state.bytes > MOST_BYTES)
      throw fail(
        'config-invalid',
        `${kept} levels of ${meta.state.bytes} bytes would take ${Math.ceil((kept * meta.state.bytes) / 2 ** 20)} MB.`,
        `Keep at most ${Math.floor(MOST_BYTES / meta.state.bytes)} levels.`,
        `algo.levels.${setting.kind === 'fixed' ? 'count' : 'capacity'}`,
      );
  },
  load: async () => {
    const { levelPlaces } = await import('./level-replay.ts');
    return (setting) => ({
      attach: (host) => ({ places: () => (host.loop === 'rollout' && setting.kind !== 'not used' ? levelPlaces(host, setting) : {}) }),
    });
  },
});
