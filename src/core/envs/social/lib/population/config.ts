/** Settings of the population dilemma. One object for both scenarios; what belongs to one of them stands in a group of its own. */
import { z } from 'zod';
import { badConfig } from '#core/envs/api/parse.ts';
import { type GAMES, gameOf } from '#core/envs/lib/payoffs.ts';

const ALARM = 'alarm';
const PAIRS = 'pairs';
const ITKIN = 'Itkin 2026';
const DASGUPTA = 'Dasgupta and Musolesi 2023';

const TWO_BY_TWO = ['prisoners-dilemma', 'stag-hunt', 'chicken'] as const satisfies readonly (keyof typeof GAMES)[];

export const config = z.strictObject({
  scenario: z.enum([ALARM, PAIRS]).default(ALARM).meta({
    title: 'scenario',
    description:
      'Alarm: radicals are punished by an alarm that comes with a delay. Pairs: partners play a dilemma, choose and punish each other.',
  }),
  agents: z.int().min(4).max(240).nullable().default(null).meta({
    title: 'agents',
    description: 'Size of the population, even for pairs; empty: 240 for the alarm, 20 for pairs.',
    source: ITKIN,
  }),
  maxSteps: z.int().min(1).max(1_000_000).default(500).meta({
    title: 'step limit',
    unit: 'steps',
    description: 'An episode is cut (truncated) after this many steps; a round of pairs has one step per phase.',
    source: ITKIN,
    log: true,
  }),
  delay: z
    .int()
    .min(0)
    .max(100)
    .default(8)
    .meta({
      title: 'delay',
      unit: 'steps',
      description: 'The alarm follows the share of radicals with this delay.',
      source: ITKIN,
      slider: [0, 30],
      group: ALARM,
    }),
  benefit: z
    .number()
    .min(0)
    .max(10)
    .default(0.5)
    .meta({ title: 'benefit', description: 'What a radical gains each step.', source: ITKIN, group: ALARM }),
  punishment: z
    .number()
    .min(0)
    .max(10)
    .default(1)
    .meta({ title: 'strength of punishment', description: 'What a radical pays at full alarm.', source: ITKIN, group: ALARM }),
  steepness: z.number().min(0.1).max(100).default(10).meta({
    title: 'steepness',
    description: 'How sharply the alarm rises with the share of radicals.',
    source: ITKIN,
    log: true,
    group: ALARM,
  }),
  threshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.3)
    .meta({ title: 'threshold', description: 'Share of radicals at which the alarm is half on.', source: ITKIN, group: ALARM }),
  neighbours: z
    .int()
    .min(2)
    .max(20)
    .multipleOf(2)
    .default(6)
    .meta({ title: 'neighbours', description: 'Neighbours on the ring before rewiring, half on each side.', source: ITKIN, group: ALARM }),
  rewiring: z.number().min(0).max(1).default(0.1).meta({
    title: 'rewiring',
    description: 'Chance that an edge of the ring is replaced by one to an agent drawn at random.',
    source: 'Watts and Strogatz 1998',
    group: ALARM,
  }),
  initialShare: z.number().min(0).max(1).default(0.1).meta({
    title: 'radicals at the start',
    description: 'Chance that an agent begins as a radical; the replicator equation begins at this share.',
    group: ALARM,
  }),
  bins: z.int().min(2).max(50).nullable().default(null).meta({
    title: 'observation in bins',
    description: 'For tabular methods: the delayed share in this many bins, with the own last choice. Empty: the numbers themselves.',
    group: ALARM,
    depth: 'research',
  }),
  game: z
    .enum(TWO_BY_TWO)
    .default('prisoners-dilemma')
    .meta({
      title: 'game',
      description: 'What partners play, as in matrix games.',
      source: DASGUPTA,
      group: PAIRS,
      editor: 'payoffs',
      payoffs: { games: Object.fromEntries(TWO_BY_TWO.map((name) => [name, gameOf(name)])), symmetric: 'payoffs' },
    }),
  payoffs: z.array(z.number()).length(4).nullable().default(null).meta({
    title: 'payoffs',
    description: 'Own game: what a player gets for CC, CD, DC, DD, own action first; empty: those of the game.',
    editor: 'hidden',
    group: PAIRS,
  }),
  partnerChoice: z.boolean().default(false).meta({
    title: 'partner choice',
    description: 'Each round begins with naming a partner; off: pairs are drawn.',
    source: DASGUPTA,
    group: PAIRS,
  }),
  directPunishment: z
    .boolean()
    .default(false)
    .meta({ title: 'direct punishment', description: 'After the game each may punish its partner.', source: DASGUPTA, group: PAIRS }),
  thirdPartyPunishment: z.boolean().default(false).meta({
    title: 'third-party punishment',
    description: 'Each sees one player of another pair and may punish it.',
    source: DASGUPTA,
    group: PAIRS,
  }),
  reputation: z.boolean().default(false).meta({
    title: 'reputation',
    description: 'Agents see how often others cooperated, as a moving average.',
    source: DASGUPTA,
    group: PAIRS,
  }),
  reputationRate: z
    .number()
    .gt(0)
    .max(1)
    .default(0.1)
    .meta({ title: 'reputation rate', description: 'Weight of the newest action in the moving average.', group: PAIRS }),
  cost: z.number().min(0).max(100).default(1).meta({ title: 'cost', description: 'What punishing costs.', group: PAIRS }),
  fine: z.number().min(0).max(100).default(3).meta({ title: 'fine', description: 'What being punished costs.', group: PAIRS }),
});
export type Config = z.infer<typeof config>;

export function sizeOf(c: Config): number {
  const n = c.agents ?? (c.scenario === ALARM ? 240 : 20);
  if (c.scenario === PAIRS && n % 2 === 1) throw badConfig('agents', `${n} agents cannot all have a partner.`, 'Use an even number.');
  if (c.scenario === ALARM && n <= c.neighbours)
    throw badConfig('neighbours', `${n} agents cannot have ${c.neighbours} neighbours each.`, 'Use more agents or fewer neighbours.');
  return n;
}

/** What a player gets for CC, CD, DC, DD, own action first. */
export function payoffsOf(c: Config): readonly number[] {
  if (c.payoffs !== null) return c.payoffs;
  return gameOf(c.game).row.flat();
}
