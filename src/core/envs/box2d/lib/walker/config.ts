/** The walker's settings, parts of its reward, and what is known of it. */
import { z } from 'zod';
import { maxStepsField } from '../../../api/limits.ts';
import { weightField } from '../../../api/terms.ts';
import type { EnvMeta } from '../../../api/types.ts';
import { gravityField, positive } from '../../../lib/control/fields.ts';

const SOURCE = 'Gymnasium BipedalWalker-v3';

export const walkerConfig = z.strictObject({
  maxSteps: maxStepsField(1600, `${SOURCE}; 2000 in BipedalWalkerHardcore-v3`),
  hardcore: z
    .boolean()
    .default(false)
    .meta({
      title: 'obstacles',
      description: 'Stumps, stairs and pits on the way.',
      source: `off in ${SOURCE}, on in BipedalWalkerHardcore-v3`,
    }),
  roughness: z.number().min(0).max(3).default(1).meta({
    title: 'roughness',
    description: 'How much the way goes up and down, as a multiple of the reference’s; 0: hardly.',
    source: SOURCE,
  }),
  gravity: gravityField(10, 100, SOURCE),
  friction: positive(2.5, 10, { title: 'friction', description: 'Of the ground.', source: SOURCE }),
  torque: positive(80, 1000, {
    title: 'strongest torque',
    unit: 'Nm',
    description: 'Each motor gives at most this.',
    source: SOURCE,
    live: true,
  }),
  hipSpeed: positive(4, 20, {
    title: 'hip speed',
    unit: 'rad/s',
    description: 'What the motors of the hips aim at.',
    source: SOURCE,
    live: true,
  }),
  kneeSpeed: positive(6, 20, {
    title: 'knee speed',
    unit: 'rad/s',
    description: 'What the motors of the knees aim at.',
    source: SOURCE,
    live: true,
  }),
  push: z.number().min(0).max(50).default(5).meta({
    title: 'first push',
    unit: 'N',
    description: 'Strongest force to either side in the first step.',
    source: SOURCE,
    group: 'physics',
  }),
  progressWeight: weightField(130, { title: 'way ahead', description: 'Paid per 30 m ahead.', slider: [0, 300], source: SOURCE }),
  uprightWeight: weightField(5, {
    title: 'level hull',
    description: 'Paid per radian that the hull becomes more level.',
    slider: [0, 50],
    source: SOURCE,
  }),
  effortWeight: weightField(0.028, {
    title: 'effort',
    description: 'Taken off for each motor at full torque in a step.',
    slider: [0, 0.2],
    source: SOURCE,
  }),
  fallWeight: weightField(100, {
    title: 'fall',
    description: 'Taken off in place of all else when the hull touches the ground, or behind the start.',
    slider: [0, 500],
    source: SOURCE,
  }),
});
export type WalkerConfig = z.infer<typeof walkerConfig>;

export const WALKER_TERMS: NonNullable<EnvMeta['terms']> = [
  { id: 'way', title: 'way ahead', weights: ['progressWeight'] },
  { id: 'level', title: 'level hull', weights: ['uprightWeight'] },
  { id: 'effort', title: 'effort', weights: ['effortWeight'] },
  { id: 'fall', title: 'fall', weights: ['fallWeight'] },
];

const BENCHMARK = 'rl-baselines3-zoo benchmark';
const STANDARD = JSON.stringify(walkerConfig.parse({}));
export const HARDCORE = { hardcore: true, maxSteps: 2000 };
const HARD = JSON.stringify(walkerConfig.parse(HARDCORE));

/** Known for the two standard forms only. */
export function walkerReferences(c: WalkerConfig): EnvMeta['references'] {
  const given = JSON.stringify(c);
  if (given === STANDARD)
    return [
      { name: 'random', value: -99.2, source: 'uniform actions, 512 episodes here' },
      { name: 'heuristic', value: 66.9, source: 'the reference’s heuristic, 512 episodes here' },
      { name: 'published TD3', value: 306, source: `${BENCHMARK}, 1M steps` },
      { name: 'published SAC', value: 297.7, source: `${BENCHMARK}, 500k steps` },
      { name: 'published PPO', value: 287.9, source: `${BENCHMARK}, 5M steps` },
      { name: 'solved', value: 300, source: 'Gymnasium threshold' },
    ];
  if (given === HARD)
    return [
      { name: 'random', value: -108.8, source: 'uniform actions, 512 episodes here' },
      { name: 'heuristic', value: -71.7, source: 'the reference’s heuristic, 512 episodes here' },
      { name: 'published PPO', value: 122.4, source: `${BENCHMARK}, 100M steps` },
      { name: 'solved', value: 300, source: 'Gymnasium threshold' },
    ];
  return [];
}
