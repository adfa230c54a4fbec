/** The lander's settings, parts of its reward, and what is known of it. */
import { z } from 'zod';
import { maxStepsField } from '../../../api/limits.ts';
import { weightField } from '../../../api/terms.ts';
import type { EnvMeta } from '../../../api/types.ts';
import { positive } from '../../../lib/control/fields.ts';

const SOURCE = 'Gymnasium LunarLander-v3';

export const landerConfig = z.strictObject({
  maxSteps: maxStepsField(1000, SOURCE),
  continuous: z
    .boolean()
    .default(false)
    .meta({
      title: 'continuous actions',
      description: 'Engines with a throttle: the main one from half to full power, those at the sides too, in place of four actions.',
      source: `off in ${SOURCE}, on in LunarLanderContinuous-v3`,
    }),
  gravity: z
    .number()
    .min(0)
    .max(12)
    .default(10)
    .meta({
      title: 'gravity',
      unit: 'm/s²',
      description: 'Pull downwards.',
      source: SOURCE,
      live: true,
      group: 'physics',
      slider: [2, 12],
    }),
  wind: z
    .number()
    .min(0)
    .max(20)
    .default(0)
    .meta({
      title: 'wind',
      unit: 'N',
      description: 'Strongest push to a side, which comes and goes until a leg touches the ground; 0: calm.',
      source: `off in ${SOURCE}, 15 where it is on`,
      group: 'physics',
    }),
  turbulence: z
    .number()
    .min(0)
    .max(2)
    .default(0)
    .meta({
      title: 'turbulence',
      unit: 'Nm',
      description: 'Strongest turn that the air gives, which comes and goes like the wind; 0: calm.',
      source: `off in ${SOURCE}, 1.5 where the wind is on`,
      group: 'physics',
    }),
  mainEngine: positive(13, 100, {
    title: 'main engine',
    description: 'Push of the main engine at full power, in the reference’s unit: 13 gives the lander 0.35 m/s a step.',
    source: SOURCE,
    live: true,
  }),
  sideEngine: positive(0.6, 10, { title: 'side engines', description: 'The same for either side engine.', source: SOURCE, live: true }),
  push: z
    .number()
    .min(0)
    .max(5000)
    .default(1000)
    .meta({
      title: 'first push',
      unit: 'N',
      description: 'Strongest force to either side, and up or down, in the first step.',
      source: `${SOURCE}; its source suggests 1500 for a harder game`,
      group: 'physics',
    }),
  positionWeight: weightField(100, {
    title: 'way to the pad',
    description: 'Paid for coming nearer to the pad, per 10 m to the side or 6.7 m down.',
    slider: [0, 300],
    source: SOURCE,
  }),
  speedWeight: weightField(100, {
    title: 'slower',
    description: 'Paid for becoming slower, per 5 m/s to the side or 7.5 m/s down.',
    slider: [0, 300],
    source: SOURCE,
  }),
  angleWeight: weightField(100, {
    title: 'upright',
    description: 'Paid per radian that it straightens up.',
    slider: [0, 300],
    source: SOURCE,
  }),
  legWeight: weightField(10, {
    title: 'legs',
    description: 'Paid for each leg that comes to touch the ground, and taken back when it leaves it.',
    slider: [0, 50],
    source: SOURCE,
  }),
  mainFuel: weightField(0.3, {
    title: 'main fuel',
    description: 'Taken off for each step of the main engine at full power.',
    slider: [0, 2],
    source: SOURCE,
  }),
  sideFuel: weightField(0.03, {
    title: 'side fuel',
    description: 'Taken off for each step of a side engine at full power.',
    slider: [0, 1],
    source: SOURCE,
  }),
  crashWeight: weightField(100, {
    title: 'crash',
    description: 'Taken off in place of all else when the hull touches the ground or leaves the picture.',
    slider: [0, 500],
    source: SOURCE,
  }),
  restWeight: weightField(100, {
    title: 'rest',
    description: 'Paid in place of all else when the lander comes to rest.',
    slider: [0, 500],
    source: SOURCE,
  }),
});
export type LanderConfig = z.infer<typeof landerConfig>;

/** Whether the air moves. */
export const windy = ({ wind, turbulence }: LanderConfig): boolean => wind > 0 || turbulence > 0;

export const LANDER_TERMS: NonNullable<EnvMeta['terms']> = [
  { id: 'way', title: 'way to the pad', weights: ['positionWeight'] },
  { id: 'speed', title: 'slower', weights: ['speedWeight'] },
  { id: 'angle', title: 'upright', weights: ['angleWeight'] },
  { id: 'legs', title: 'legs', weights: ['legWeight'] },
  { id: 'main', title: 'main fuel', weights: ['mainFuel'] },
  { id: 'side', title: 'side fuel', weights: ['sideFuel'] },
  { id: 'end', title: 'rest or crash', weights: ['restWeight', 'crashWeight'] },
];

const PUBLISHED = 'rl-baselines3-zoo benchmark, LunarLander-v2';
const STANDARD = JSON.stringify(landerConfig.parse({}));
const CONTINUOUS = JSON.stringify(landerConfig.parse({ continuous: true }));

/** Known for the two standard forms only. Version 3 of the reference differs from 2 in its wind alone. */
export function landerReferences(c: LanderConfig): EnvMeta['references'] {
  const given = JSON.stringify(c);
  if (given === STANDARD)
    return [
      { name: 'random', value: -183.9, source: 'uniform actions, 10,000 episodes here' },
      { name: 'expert', value: 237.6, source: 'the reference’s heuristic, 2,000 episodes here' },
      { name: 'published PPO', value: 242.1, source: `${PUBLISHED}, 1M steps` },
      { name: 'published DQN', value: 154.4, source: `${PUBLISHED}, 100k steps` },
      { name: 'published A2C', value: 155.8, source: `${PUBLISHED}, 200k steps` },
      { name: 'solved', value: 200, source: 'Gymnasium threshold' },
    ];
  if (given === CONTINUOUS)
    return [
      { name: 'random', value: -215.1, source: 'uniform actions, 10,000 episodes here' },
      { name: 'expert', value: 281.9, source: 'the reference’s heuristic, 2,000 episodes here' },
      { name: 'published PPO', value: 270.9, source: 'rl-baselines3-zoo benchmark, LunarLanderContinuous-v2, 1M steps' },
      { name: 'published SAC', value: 260.4, source: 'rl-baselines3-zoo benchmark, LunarLanderContinuous-v2, 500k steps' },
      { name: 'solved', value: 200, source: 'Gymnasium threshold' },
    ];
  return [];
}
