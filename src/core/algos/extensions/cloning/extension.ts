/**
 * A cloned start: before a method learns anything by reward, it copies episodes of a script of the environment. `cloning` is the setting; `cloneSteps` is
 * that of PPO on tokens, whose runs have a number of updates alone and copy at its own learning rate.
 *   for each of `steps` updates: the teacher plays an episode in every row; descend -mean ln pi of what it did
 *     if until < 1: stop once the running mean of the share of demonstrations that greedy writing meets reaches it
 *   learning by reward begins with a fresh optimiser
 */
import { fail } from '#contract/kit/errors.ts';
import { type Attached, defineExtension, type Host } from '../../api/extension.ts';
import { tokenMetrics } from '../../api/metrics.ts';
import { type Setting, stepsAlone, tokenStarts, worldStart } from './settings.ts';

/** Of the running mean of demonstrations that greedy writing meets: about the last seven updates count. */
const COPIED_RATE = 0.25;

interface Start {
  readonly steps: number;
  /** Read at each update. */
  lr(): number;
  readonly until?: number;
  readonly apart?: boolean;
  readonly teacher?: 'novice' | 'expert';
}

/** Throws LabError('incompatible') where the environment has no such script. */
function startWith(host: Host, { steps, lr, until = 1, apart = true, teacher = 'novice' }: Start, field: string): Attached {
  return {
    places() {
      if (host.loop !== 'tokens' && host.loop !== 'groups') return {};
      const { copying } = host;
      const script = copying.teachers[teacher];
      if (script === undefined)
        throw fail('incompatible', `This environment has no scripted ${teacher} to copy.`, 'Switch the cloned start off.', field);
      const update = copying.program(until < 1);
      const counters: { cloned: number; [name: string]: number } = { cloned: 0, ...(until < 1 && { copied: 0 }) };
      return {
        state: { counters },
        async before() {
          if (counters.cloned >= steps) return null;
          const played = await copying.demonstrate(script, apart);
          const { loss: cloneLoss, met } = await update(played, lr());
          counters.cloned++;
          const copied = met === undefined ? undefined : COPIED_RATE * met + (1 - COPIED_RATE) * (counters.copied ?? 0);
          if (copied !== undefined) counters.copied = copied;
          if (copied !== undefined && copied >= until) counters.cloned = steps;
          if (counters.cloned === steps) await copying.begin();
          return { steps: played, metrics: { cloneLoss, ...(copied !== undefined && { copied }) } };
        },
      };
    },
  };
}

export const cloning = defineExtension<Setting>({
  id: 'cloning',
  field(stand) {
    if (stand.loop === 'groups') return worldStart;
    return stand.loop === 'tokens' && stand.cloned !== 'steps' ? tokenStarts[stand.cloned] : null;
  },
  metrics: ({ loop }) =>
    loop === 'groups'
      ? [tokenMetrics.cloneLoss]
      : [
          tokenMetrics.cloneLoss,
          {
            id: 'copied',
            title: 'demonstrations met',
            description: 'Share of new demonstrations that are what the policy would write greedily, where cloning ends by it.',
          },
        ],
  load: async () => (setting) => ({
    attach: (host) =>
      setting.kind === 'off' ? { places: () => ({}) } : startWith(host, { ...setting, lr: () => setting.lr }, 'algo.cloning.kind'),
  }),
});

export const cloneSteps = defineExtension<number>({
  id: 'cloneSteps',
  field: (stand) => (stand.loop === 'tokens' && stand.cloned === 'steps' ? stepsAlone : null),
  metrics: () => [tokenMetrics.cloneLoss],
  load:
    async () =>
    (steps, { config }) => ({ attach: (host) => startWith(host, { steps, lr: () => Number(config.lr) }, 'algo.cloneSteps') }),
});
