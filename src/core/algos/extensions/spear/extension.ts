/**
 * Self-imitation (SPEAR, Qin et al. 2025): a helping reward of the world first; later, in a straight line, steps of own episodes that did better than their
 * group, as far as their return still exceeds the usual one; and no gradient where A and ln p vary together most.
 * `shapingUntil`: the helping reward; `replay`: own successes; `covarianceClip`: steps without a gradient.
 */
import { fail } from '#contract/kit/errors.ts';
import { defineExtension } from '../../api/extension.ts';
import * as fields from '../../api/fields.ts';

const shaping = fields.real(0, {
  min: 0,
  max: 1,
  title: 'shaped-reward annealing fraction',
  description: 'Share of the budget over which the environment’s shaped reward is annealed to 0; 0: never used.',
  source: 'off in GRPO',
  group: 'rollout',
  depth: 'research',
});

const weight = fields.real(0, {
  min: 0,
  max: 10,
  title: 'weight of own successes',
  description: 'Of steps of earlier episodes that did better than their group, at the end of the budget; 0 at its beginning.',
  source: 'off in GRPO',
  group: 'loss',
  depth: 'research',
});

const share = fields.real(0, {
  min: 0,
  max: 0.5,
  title: 'covariance clip',
  description: 'Share of the steps, those whose advantage and probability vary together most, that lose their gradient.',
  source: 'off in GRPO',
  group: 'loss',
  depth: 'research',
});

/** Weight of the shaped reward when the share `done` of the budget is spent. */
export const helpAt = (shapingUntil: number, done: number): number => (shapingUntil === 0 ? 0 : Math.max(0, 1 - done / shapingUntil));

/** Throws LabError('incompatible') where there is no shaped reward. */
export const shapingUntil = defineExtension<number>({
  id: 'shapingUntil',
  field: ({ loop }) => (loop === 'groups' ? shaping : null),
  presets: [
    {
      id: 'spear',
      title: 'SPEAR: shaped reward first, own successes later, covariance clipped',
      config: { shapingUntil: 0.5, replay: 0.5, covarianceClip: 0.02 },
    },
  ],
  check({ shaped }) {
    if (shaped !== true) throw fail('incompatible', 'This environment gives no shaped reward.', 'Set it to 0.', 'algo.shapingUntil');
  },
  load: async () => (until) => ({
    attach: () => ({
      places: () => ({
        beforeEpisodes(numbers, done) {
          numbers.help = helpAt(until, done);
        },
      }),
    }),
  }),
});

export const covarianceClip = defineExtension<number>({
  id: 'covarianceClip',
  field: ({ loop }) => (loop === 'groups' ? share : null),
  async load() {
    const { highCovariance } = await import('./covariance.ts');
    return (clipped) => ({
      attach: () => ({
        places: () => ({
          silenced({ advantages, episodes }, order, silent) {
            for (const place of highCovariance(order, advantages, episodes.logProbs, clipped)) silent.add(place);
          },
        }),
      }),
    });
  },
});

export const replay = defineExtension<number>({
  id: 'replay',
  field: ({ loop }) => (loop === 'groups' ? weight : null),
  async load() {
    const { createSuccesses } = await import('./successes.ts');
    return (most) => ({
      attach: (host) => ({
        places() {
          if (host.loop !== 'groups') return {};
          const wins = createSuccesses(host.meta);
          const drawing = host.rng.split('replay');
          /** The return that is usual: a running mean over updates. */
          const counters = { usual: 0 };
          return {
            state: { counters, arrays: { drawing, ...wins.arrays } },
            async afterGroups({ episodes, advantages, updates, done }, taught) {
              const { returns } = episodes;
              const mean = returns.reduce((sum, x) => sum + x / returns.length, 0);
              counters.usual = updates === 0 ? mean : 0.9 * counters.usual + 0.1 * mean;
              wins.add(episodes, advantages);
              for (let from = 0; from < taught && wins.size > 0; from += host.size)
                await host.learnFrom((rows) =>
                  wins.draw(rows, { count: host.size, usual: counters.usual, weight: most * done, rng: drawing }),
                );
            },
          };
        },
      }),
    });
  },
});
