/** Settings of self-play: PPO's own (ppo-config.ts), whom to play, and who is kept. */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog.ts';
import * as fields from '../../api/fields.ts';
import { commonFields, ppoMetrics } from '../../lib/ppo/common.ts';
import { teamFields } from '../../lib/ppo/team.ts';

const own = 'own choice';
const { normaliseObs: _left, ...learning } = commonFields; // members would each need statistics of their own

export const gameFields = {
  ...learning,
  envs: fields.numEnvs(32, own),
  layerNorm: fields.layerNorm(false, 'on in MAPPO'),
  advantages: teamFields.advantages,
  slots: z.int().min(1).max(64).default(4).meta({
    title: 'opponents at a time',
    description: 'Different members of the pool that are played in one rollout.',
    source: own,
    group: 'opponents',
  }),
  pairGames: z.int().min(1).max(500).default(4).meta({
    title: 'half of the games per pair',
    unit: 'games',
    description: 'A new member plays twice this many games, one half from each seat, for the payoff table. Not counted as steps.',
    source: own,
    group: 'measuring',
  }),
  gameLimit: z.int().min(0).max(1_000_000).default(0).meta({
    title: 'limit of measuring games',
    unit: 'steps',
    description: 'Measuring games stop here and count as they stand; 0: they are played to the end.',
    source: own,
    group: 'measuring',
  }),
};

export const selfPlayConfig = z.strictObject({
  ...gameFields,
  latestShare: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .meta({
      title: 'against itself',
      description: 'Share of copies in which it plays its latest self and learns from both seats; the others play the pool.',
      source: '0.8 in OpenAI Five',
      slider: [0, 1],
      group: 'opponents',
    }),
  opponents: z.enum(['uniform', 'prioritised']).default('prioritised').meta({
    title: 'choice of opponents',
    description: 'From the pool at random, or rather those it does not beat: in proportion to (1 - share of wins) squared.',
    source: 'prioritised in AlphaStar',
    group: 'opponents',
  }),
  league: z.boolean().default(false).meta({
    title: 'league',
    description: 'A second learner only tries to beat the first one; when it does, or after a while, it joins the pool and starts again.',
    source: 'main exploiters in AlphaStar',
    group: 'opponents',
  }),
  snapshotEvery: z
    .int()
    .min(1)
    .max(100_000)
    .default(20)
    .meta({ title: 'new member every', unit: 'updates', description: 'A copy of the learner joins the pool.', source: own, group: 'pool' }),
  poolSize: z.int().min(1).max(200).default(24).meta({
    title: 'pool',
    unit: 'members',
    description: 'Most members to be played in training; the oldest leave.',
    source: own,
    group: 'pool',
  }),
  heldEvery: z.int().min(2).max(1000).default(4).meta({
    title: 'kept for measuring',
    description: 'Every n-th member is never played in training: the learner is measured against those.',
    source: own,
    group: 'measuring',
  }),
  rivals: z.int().min(1).max(200).default(6).meta({
    title: 'opponents of a new member',
    description: 'How many members it plays for the payoff table: those kept for measuring and the latest ones.',
    source: own,
    group: 'measuring',
  }),
});
export type SelfPlayConfig = z.infer<typeof selfPlayConfig>;

/** Without the price on certainty actions are settled before anybody returns a ball: of five seeds four learn no rally in three million steps. */
const slime = {
  envs: 16,
  rolloutSteps: 256,
  minibatches: 48,
  epochs: 6,
  lr: 5e-4,
  entropyCoef: 0.01,
  clipValue: false,
  valueCoef: 1,
  snapshotEvery: 40,
  pairGames: 2,
  gameLimit: 1000,
};
/**
 * Standardised, the advantages of whoever moves second and always loses are noise made large: it gives up trying, and nobody learns any
 * more. As they are, exploration outweighs them until a defence is found.
 */
const boards = {
  envs: 64,
  rolloutSteps: 32,
  minibatches: 8,
  lr: 2e-3,
  gamma: 1,
  lambda: 0.95,
  entropyCoef: 0.05,
  advantages: 'none',
  clipValue: false,
  hidden: [128],
  activation: 'relu',
  pairGames: 16,
};

export const selfPlayPresets: readonly Preset[] = [
  { id: 'latest', title: 'only the latest self', config: { latestShare: 1 } },
  { id: 'uniform', title: 'uniform pool (fictitious self-play)', config: { latestShare: 0, opponents: 'uniform' } },
  { id: 'league', title: 'league with an exploiter', config: { league: true } },
  { id: 'slime-volley', title: 'Slime volleyball, two agents (5 million steps)', config: slime },
  { id: 'boards', title: 'Board games (tic-tac-toe: 1.5 million steps)', config: boards },
];

export const gameMetrics: readonly MetricCard[] = [
  ...ppoMetrics,
  {
    id: 'winRate',
    title: 'wins against the pool',
    description: 'Share of wins in training games against members of the pool, a running mean; a draw is half a win.',
  },
  { id: 'elo', title: 'Elo', description: 'Rating of the newest member among all that are in the pool; their mean is 0.' },
  { id: 'members', title: 'members', description: 'Policies in the pool.' },
];

export const selfPlayMetrics: readonly MetricCard[] = [
  ...gameMetrics,
  {
    id: 'heldScore',
    title: 'against unseen members',
    description: 'Share of wins of the newest member against those that are kept for measuring only.',
  },
  {
    id: 'randomScore',
    title: 'against random moves',
    description:
      'Share of wins of the newest member against uniformly random actions. Unlike the evaluation return, a game against itself that is worth 0 whatever it can do, this tells strength.',
  },
  {
    id: 'scriptedScore',
    title: 'against the scripted player',
    description: 'The same against the best player that the environment brings along, where it does; a draw is half a win.',
  },
  { id: 'exploited', title: 'wins of the exploiter', description: 'In a league: how often the exploiter beats the learner of late.' },
];
