/** Settings of the building: the room, comfort, money, weather, and how long an episode is. Numbers are ours; a heat capacity and a resistance of a small office. */
import { z } from 'zod';

const OWN = 'own choice';

interface About {
  readonly title: string;
  readonly unit: string;
  readonly description: string;
  readonly slider: readonly [number, number];
  readonly group: string;
  readonly log?: boolean;
  readonly live?: boolean;
}
const quantity = (standard: number, min: number, max: number, about: About) => {
  const { slider, ...rest } = about;
  return z
    .number()
    .min(min)
    .max(max)
    .default(standard)
    .meta({ source: OWN, live: true, ...rest, slider: [...slider] });
};

export const config = z.strictObject({
  capacity: quantity(2e6, 1e4, 1e9, {
    title: 'heat capacity',
    unit: 'J/K',
    description: 'What a kelvin of the room costs.',
    slider: [5e5, 2e7],
    group: 'room',
    log: true,
  }),
  resistance: quantity(0.01, 1e-5, 1, {
    title: 'thermal resistance',
    unit: 'K/W',
    description: 'How well the walls keep the heat.',
    slider: [0.002, 0.05],
    group: 'room',
    log: true,
  }),
  maxHeat: quantity(3000, 1, 1e6, {
    title: 'strongest heat',
    unit: 'W',
    description: 'At an action of 1; as much cold at -1.',
    slider: [500, 10_000],
    group: 'room',
    log: true,
  }),
  setPoint: quantity(21, 0, 40, {
    title: 'set point',
    unit: '°C',
    description: 'What people like.',
    slider: [16, 26],
    group: 'comfort',
    live: false,
  }),
  band: quantity(1, 0, 10, {
    title: 'comfort band',
    unit: 'K',
    description: 'So much warmer or colder is still comfortable.',
    slider: [0, 3],
    group: 'comfort',
    live: false,
  }),
  comfortWeight: quantity(1, 0, 1000, {
    title: 'discomfort weight',
    unit: 'per K and hour',
    description: 'Outside the band, while people are in.',
    slider: [0, 5],
    group: 'comfort',
  }),
  dayPrice: quantity(0.3, 0, 100, {
    title: 'price by day',
    unit: 'per kWh',
    description: 'From 7 to 21 o’clock.',
    slider: [0, 1],
    group: 'money',
  }),
  nightPrice: quantity(0.15, 0, 100, {
    title: 'price by night',
    unit: 'per kWh',
    description: 'The other hours.',
    slider: [0, 1],
    group: 'money',
  }),
  meanOutdoors: quantity(6, -40, 45, {
    title: 'mean outdoors',
    unit: '°C',
    description: 'Middle of the season; each episode draws its mean within 4 K of it.',
    slider: [-10, 30],
    group: 'weather',
    live: false,
  }),
  swing: quantity(5, 0, 30, {
    title: 'daily swing',
    unit: 'K',
    description: 'Half the difference of noon and night.',
    slider: [0, 12],
    group: 'weather',
  }),
  weather: quantity(1.5, 0, 20, {
    title: 'weather noise',
    unit: 'K',
    description: 'Standard deviation of what the weather adds.',
    slider: [0, 5],
    group: 'weather',
  }),
  dt: z
    .number()
    .min(60)
    .max(3600)
    .default(900)
    .meta({ title: 'step', unit: 's', description: 'Length of a step.', source: OWN, group: 'room' }),
  solver: z.enum(['exact', 'euler']).default('exact').meta({
    title: 'solver',
    description: 'The exact solution of a step, or one Euler step.',
    source: OWN,
    live: true,
    depth: 'research',
  }),
  levels: z
    .boolean()
    .default(false)
    .meta({ title: 'five levels', description: 'Full and half cooling, nothing, half and full heating.', source: OWN }),
  days: z
    .int()
    .min(1)
    .max(365)
    .default(2)
    .meta({
      title: 'days',
      description: 'An episode is cut (truncated) after so many.',
      source: OWN,
      slider: [1, 14],
    }),
});
export type BuildingConfig = z.infer<typeof config>;

export const presets = [
  { id: 'one-zone', title: 'two days of winter', config: {} },
  { id: 'summer', title: 'two days of summer', config: { meanOutdoors: 27, swing: 7 } },
  { id: 'five-levels', title: 'winter, five levels', config: { levels: true } },
  { id: 'leaky', title: 'a draughty room', config: { resistance: 0.006, capacity: 1e6 } },
] as const;
