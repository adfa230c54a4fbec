/**
 * Self-play by PPO on games for two (Silver et al. 2017; Berner et al. 2019; Vinyals et al. 2019). In a share of its environments the
 * learner plays its latest self, in the others members of a pool of its earlier selves, chosen uniformly or by (1 - share of wins)^2. Every
 * `snapshotEvery` updates a copy joins the pool; every `heldEvery`-th is never played in training and only measures. In a league a second
 * learner plays against the first alone, joins the pool when it wins 70 % or has tried long enough, and starts again from the first.
 *   P(opponent i) = f(w_i) / sum_j f(w_j);  f = 1 (uniform) or max((1 - w_i)^2, 0.01) (prioritised),  w_i: recent share of wins against i
 *   L = -mean min(rho A, clip(rho, 1 - clip, 1 + clip) A),   rho = pi / pi_old, over the rows in which it is the learner's turn
 * Payoffs between members come from games of their own, which do not count as steps; so do those of new members against opponents that
 * never change, random moves and the environment's scripted player.
 * Pseudo-code:
 *   the untrained network is the first member of the pool
 *   repeat until the budget is spent
 *     seats whose opponent has played enough games get another, drawn from the members not held out
 *     play T steps: a share latestShare of the environments against itself, the others against the pool
 *     advantages by GAE(lambda), targets = advantages + V
 *     for each epoch, for each shuffled minibatch: PPO update of its rows, both seats against itself
 *     if league: the exploiter plays T steps against the learner as it is now, and a PPO update of it
 *       after snapshotEvery updates, when it wins over 70 %, or after 4 snapshotEvery in any case:
 *         a copy of it joins the pool, and it goes on from the learner's parameters
 *     every snapshotEvery updates: a copy of the learner joins, every heldEvery-th of them held out
 *     a new member plays `rivals` others for the payoff table; the oldest beyond poolSize leave
 * Throws LabError('nan-loss').
 */

import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { annealed } from '#math/schedules.ts';
import type { ScriptedPolicy } from '../../envs/api/types.ts';
import { partOf } from '../../state/saved.ts';
import { defineAlgo } from '../api/define.ts';
import { episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { reportOf } from '../lib/ppo/team.ts';
import { createArena, drawMember, type Opponent, Pool, packedCounters } from './lib/league.ts';
import {
  checkRows,
  checkTwoSeats,
  createSelfPlayLearner,
  type Frozen,
  gameFields,
  gameMetrics,
  mirrored,
  pairPolicy,
  policyFromPair,
} from './lib/learner.ts';

const own = 'own choice';
const selfPlayConfig = z.strictObject({
  ...gameFields,
  latestShare: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .meta({
      title: 'self-play fraction',
      description: 'Share of environments in which it plays its latest self and learns from both seats; in the others it plays the pool.',
      source: '0.8 in OpenAI Five',
      slider: [0, 1],
      group: 'opponents',
    }),
  opponents: z.enum(['uniform', 'prioritised']).default('prioritised').meta({
    title: 'opponent sampling',
    description: 'Uniform over the pool, or prioritised (PFSP): in proportion to (1 - win rate) squared.',
    source: 'prioritised in AlphaStar',
    group: 'opponents',
  }),
  league: z.boolean().default(false).meta({
    title: 'league',
    description: 'A second learner only tries to beat the first one; when it does, or after a while, it joins the pool and starts again.',
    source: 'main exploiters in AlphaStar',
    group: 'opponents',
  }),
  snapshotEvery: z.int().min(1).max(100_000).default(20).meta({
    title: 'snapshot interval',
    unit: 'updates',
    description: 'A copy of the learner joins the pool.',
    source: own,
    group: 'pool',
  }),
  poolSize: z.int().min(1).max(200).default(24).meta({
    title: 'pool size',
    unit: 'members',
    description: 'Most members to be played in training; the oldest leave.',
    source: own,
    depth: 'stored',
    group: 'pool',
  }),
  heldEvery: z.int().min(2).max(1000).default(4).meta({
    title: 'held-out interval',
    description: 'Every n-th member is held out of training: the learner is evaluated against those.',
    source: own,
    depth: 'stored',
    group: 'measuring',
  }),
  rivals: z.int().min(1).max(200).default(6).meta({
    title: 'opponents of a new member',
    description: 'How many members it plays for the payoff table: those held out and the latest ones.',
    source: own,
    depth: 'stored',
    group: 'measuring',
  }),
});
type SelfPlayConfig = z.infer<typeof selfPlayConfig>;

/** Without the entropy bonus the policy turns deterministic before either player returns a ball: of five seeds four learn no rally in three million steps. */
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
 * Standardising magnifies the noise in the advantages of a second player that always loses: its policy collapses, and both stop
 * improving. As they are, the entropy bonus outweighs them until a defence is found.
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

const selfPlayPresets: readonly Preset[] = [
  { id: 'latest', title: 'only the latest self', config: { latestShare: 1 } },
  { id: 'uniform', title: 'uniform pool (fictitious self-play)', config: { latestShare: 0, opponents: 'uniform' } },
  { id: 'league', title: 'league with an exploiter', config: { league: true } },
  { id: 'slime-volley', title: 'Slime volleyball, two agents (5 million steps)', config: slime },
  { id: 'boards', title: 'Board games (tic-tac-toe: 1.5 million steps)', config: boards },
];

const selfPlayMetrics: readonly MetricCard[] = [
  ...gameMetrics,
  {
    id: 'heldScore',
    title: 'win rate against held-out members',
    description: 'Share of wins of the newest member against those that are kept for measuring only.',
  },
  {
    id: 'randomScore',
    title: 'win rate against random actions',
    description:
      'Share of wins of the newest member against uniformly random actions. Unlike the evaluation return, which is 0 for any policy that plays a zero-sum game against itself, this measures strength.',
  },
  {
    id: 'scriptedScore',
    title: 'win rate against the scripted player',
    description: 'The same against the best player that the environment brings along, where it does; a draw is half a win.',
  },
  { id: 'exploited', title: 'wins of the exploiter', description: 'In a league: how often the exploiter beats the learner of late.' },
];

const BEATEN = 0.7;
const PATIENCE = 4; // members of the main learner, after which an exploiter joins the pool anyway
const NOW = 'main now';

/** Chances of the members that may be played, in the pool's order; 0 for those that may not. */
export function opponentChances(pool: Pool, how: SelfPlayConfig['opponents']): readonly number[] {
  const weights = pool.members.map(({ id, held }) => {
    if (held) return 0;
    const beaten = 1 - (pool.recent.get(id) ?? 0.5);
    return how === 'uniform' ? 1 : Math.max(beaten * beaten, 0.01);
  });
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((w) => w / total);
}

export const selfPlay = defineAlgo<SelfPlayConfig>({
  spec: {
    id: 'self-play',
    version: 1,
    title: 'Self-play (PPO)',
    summary:
      'Learns a game for two from games against itself, its own past and, in a league, an exploiter that looks only for its weaknesses.',
    source: {
      title: 'Grandmaster level in StarCraft II using multi-agent reinforcement learning',
      authors: 'Vinyals et al.',
      year: 2019,
      url: 'https://doi.org/10.1038/s41586-019-1724-z',
    },
    config: selfPlayConfig,
    presets: selfPlayPresets,
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: {
      env: 'tic-tac-toe',
      steps: 1536,
      config: {
        envs: 8,
        rolloutSteps: 16,
        minibatches: 2,
        epochs: 2,
        hidden: [16],
        slots: 2,
        snapshotEvery: 2,
        pairGames: 2,
        heldEvery: 2,
      },
    },
    probes: [],
    metrics: selfPlayMetrics,
  },

  fits(meta, c) {
    checkTwoSeats(meta, 'Self-play');
    checkRows(c, mirrored(c.envs, c.latestShare));
    if (c.league) checkRows(c, 0);
  },

  async *train(run, resume) {
    const c = run.config;
    const engine = await run.makeEngine();
    const main = createSelfPlayLearner(run, engine, c, 'main', mirrored(c.envs, c.latestShare), run.rng.split('main'));
    const exploiter = c.league ? createSelfPlayLearner(run, engine, c, 'exploiter', 0, run.rng.split('exploiter')) : null;
    const limit = c.gameLimit === 0 ? run.meta.evalMaxSteps : c.gameLimit;
    const arena = createArena(engine, run.envEntry, run.envConfig, c, 2 * c.pairGames, limit);
    const picking = run.rng.split('picking');
    const matching = run.rng.split('matching');
    const judging = run.rng.split('judging');
    /** Made anew for every match: some remember what they drew. The best known comes first. */
    const scripted = (): ScriptedPolicy | undefined => Object.values(run.envEntry.policies(run.envConfig))[0];
    const pool = new Pool();
    const { values: counters, packed } = packedCounters({
      step: 0,
      updates: 0,
      mains: 0,
      exploiters: 0,
      since: 0, // updates of this exploiter
      winRate: Number.NaN,
      exploited: Number.NaN,
      heldScore: Number.NaN,
      randomScore: Number.NaN,
      scriptedScore: Number.NaN,
    });
    const blend = (old: number, won: number): number => (Number.isNaN(old) ? won : old + 0.02 * (won - old));
    const state = registerState({
      parts: { engine, main: main.state, pool, exploiter: exploiter?.state ?? null },
      arrays: { counters: packed, picking, matching, judging },
    });
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, { policy: main.pair.actor.group }),
      policy: () => pairPolicy(engine, run.meta, main.pair),
    });
    if (resume === undefined) pool.add({ id: 'start', role: 'main', step: 0, held: false, frozen: await main.frozen() });
    else state.load(resume);

    const choose = () => pool.members[drawMember(opponentChances(pool, c.opponents), 1, picking, 0)]!;
    /** Of the wins against an opponent that never changes. */
    const share = async (frozen: Frozen, opponent: Opponent): Promise<number> => {
      const { wins, games } = await arena.play(frozen, opponent, judging);
      return wins / games;
    };
    /** A member joins and plays those kept for measuring and the latest others. */
    const join = async (role: string, n: number, held: boolean, frozen: Frozen): Promise<void> => {
      const others = [...pool.members].reverse();
      const rivals = [...others.filter((m) => m.held), ...others.filter((m) => !m.held)].slice(0, c.rivals);
      const id = `${role} ${n}`;
      pool.add({ id, role, step: counters.step, held, frozen });
      const score = { won: 0, games: 0 };
      for (const rival of rivals) {
        const match = await arena.play(frozen, rival.frozen, matching);
        pool.played(id, rival.id, match.games, match.wins, match.payoffs);
        if (!rival.held) continue;
        score.won += match.wins;
        score.games += match.games;
      }
      if (role === 'main' && score.games > 0) counters.heldScore = score.won / score.games;
      if (role === 'main') {
        counters.randomScore = await share(frozen, 'random');
        const player = scripted();
        if (player !== undefined) counters.scriptedScore = await share(frozen, player);
      }
      pool.trim(c.poolSize);
      pool.mixes(counters.step, opponentChances(pool, c.opponents));
    };

    while (counters.step < run.steps) {
      // 1. The learner plays itself and the pool, and learns from its own seats.
      const lr = c.annealLr ? annealed(c.lr, run.steps, counters.step) : c.lr;
      const options = { ...c, lr };
      for (const { opponent, won } of await main.collect(choose)) {
        pool.learnerPlayed(opponent, won);
        counters.winRate = blend(counters.winRate, won);
      }
      const report = await main.learn(options);
      counters.step += c.envs * c.rolloutSteps;
      counters.updates++;
      const learned = reportOf(counters.step, [report], [main.rollout]);

      // 2. In a league, the exploiter plays the learner as it is now.
      if (exploiter !== null) {
        const target = await main.frozen();
        for (const { won } of await exploiter.collect(() => ({ id: NOW, frozen: target }), true))
          counters.exploited = blend(counters.exploited, won);
        await exploiter.learn(options);
        counters.step += c.envs * c.rolloutSteps;
        counters.since++;
        if (counters.since >= c.snapshotEvery && (counters.exploited > BEATEN || counters.since >= PATIENCE * c.snapshotEvery)) {
          await join('exploiter', ++counters.exploiters, false, await exploiter.frozen());
          exploiter.become(target);
          counters.since = 0;
          counters.exploited = Number.NaN;
        }
      }

      // 3. From time to time a copy joins the pool.
      if (counters.updates % c.snapshotEvery === 0)
        await join('main', ++counters.mains, counters.mains % c.heldEvery === 0, await main.frozen());

      const newest = pool.members.findLastIndex(({ role }) => role === 'main');
      const { step, winRate, heldScore, randomScore, scriptedScore, exploited } = counters;
      yield {
        step,
        metrics: {
          ...episodeRow(main.env),
          ...learned,
          learningRate: lr,
          winRate,
          elo: pool.elo()[newest] ?? Number.NaN,
          members: pool.members.length,
          heldScore,
          randomScore,
          scriptedScore,
          exploited,
        },
        ...point,
        population: () => pool.report(step),
      };
    }
  },

  policy: ({ config, meta, makeEngine }, saved) => policyFromPair(makeEngine, meta, config, partOf(saved, 'policy'), Rng.from(0)),
});
