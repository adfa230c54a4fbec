/**
 * What each agent of a team contributes: Shapley values of the game v(C) = mean worth of an episode in which the agents of C act by
 * their policy and the others are replaced (Heuillet, Couthouis & Diaz-Rodriguez 2022, arXiv 2110.01307; drawn by orders, because
 * coalitions drawn uniformly give Banzhaf values). All coalitions of a round are one batch of episodes with common random numbers.
 */

import { z } from 'zod';
import { AGENTS, type AgentAttribution, type AgentQuestion, type AttributionEnd, defaultQuestion } from '#contract/explain/explain.ts';
import { fail } from '#contract/kit/errors.ts';
import { Rng } from '#math/rng.ts';
import { agentNames } from '../envs/api/meta.ts';
import type { EnvEntry, EnvMeta } from '../envs/api/types.ts';
import type { Actor } from './api/actors.ts';
import { defineExplainer } from './api/define.ts';
import { checkStopping, Estimate } from './api/estimate.ts';
import { greedy, payoff, replacement, seed } from './api/fields.ts';
import type { Replacement } from './api/replacement.ts';
import {
  antitheticScheme,
  banzhafScheme,
  drawValue,
  exactScheme,
  owenScheme,
  permutationScheme,
  type Scheme,
  stratifiedScheme,
} from './lib/draws.ts';
import { CoalitionEpisodes, restOf } from './lib/episodes.ts';
import { banzhaf, interactions } from './lib/exact.ts';

/** All coalitions are played up to this many players, if nothing else is asked for. */
const EXACT_PLAYERS = 5;
/** Rows of a batch; a round is about this many episodes. */
const ROWS = 512;
/** A budget is spent in at least this many rounds: a wide batch that is filled once has nothing to show on the way. */
const ROUNDS = 2;
/** Rounds grow by this factor: rows of a batch that play nothing cost as much as those that do. */
const GROWTH = 3;

export interface AgentsOptions {
  readonly entry: EnvEntry;
  readonly config: unknown;
  readonly meta: EnvMeta;
  readonly question: AgentQuestion;
  /** Who plays, and who stands in: made for a batch of the given size. */
  readonly team: (batch: number, memory?: Float32Array) => Actor;
  readonly absent: (batch: number) => Replacement;
  /** Explain the rest of an episode from this state. */
  readonly from?: Uint8Array;
  /** What the team remembers there, [A, ...]. */
  readonly memory?: Float32Array;
  /** Estimates on the way are not shown: full rounds from the first on. */
  readonly whole?: boolean;
  readonly pace?: () => Promise<void> | undefined;
}

/** The agents that are explained: those asked for, or those whose returns make the score. Throws LabError('incompatible'). */
export function playersOf(meta: EnvMeta, question: AgentQuestion): readonly number[] {
  const everyone = Array.from({ length: meta.agentCount }, (_, i) => i);
  const players = question.players ?? (typeof meta.score === 'string' ? everyone : meta.score);
  if (players.length < 2)
    throw fail('incompatible', 'Agent values need at least two agents.', 'Choose an environment with a team, or more agents.', 'players');
  const wrong = players.find((agent, i) => !everyone.includes(agent) || players.indexOf(agent) !== i);
  if (wrong !== undefined)
    throw fail(
      'incompatible',
      `Agent ${wrong} is not there, or named twice.`,
      `Agents are numbered from 0 to ${meta.agentCount - 1}.`,
      'players',
    );
  return players;
}

type Named = AgentAttribution['scheme'];

/** Draws that a search for rare decisions needs at least. */
const SOME_DRAWS = 16;

/** All coalitions of a small team; else rotated orders, whose intervals hold the truth also of players who are seldom decisive, where there are steps for them. */
function chosenScheme({ maxSteps }: AgentQuestion, n: number, { evalMaxSteps }: EnvMeta): Named {
  if (n <= EXACT_PLAYERS) return 'exact';
  return SOME_DRAWS * stratifiedScheme(n).width * evalMaxSteps <= maxSteps ? 'stratified' : 'antithetic';
}

function schemeOf(question: AgentQuestion, players: readonly number[], meta: EnvMeta): readonly [Named, Scheme] {
  const n = players.length;
  const name: Named = question.scheme === 'auto' ? chosenScheme(question, n, meta) : question.scheme;
  switch (name) {
    case 'exact':
      return [name, exactScheme(n)];
    case 'permutation':
      return [name, permutationScheme(n)];
    case 'antithetic':
      return [name, antitheticScheme(n)];
    case 'stratified':
      return [name, stratifiedScheme(n)];
    case 'banzhaf':
      return [name, banzhafScheme(n)];
    case 'owen': {
      // squads may name agents that are not explained: they always play
      const unions = (question.unions ?? []).map((squad) => squad.map((agent) => players.indexOf(agent)).filter((i) => i >= 0));
      const named = unions.filter((squad) => squad.length > 0);
      if (new Set(named.flat()).size !== n || named.flat().length !== n)
        throw fail('incompatible', 'Every explained agent belongs to exactly one squad.', 'Put each agent into one of them.', 'unions');
      return [name, owenScheme(n, named)];
    }
  }
}

/** Yields a better estimate after every round; the last one says why it is the last. Throws LabError for a question that has no answer here. */
export async function* explainAgents(options: AgentsOptions): AsyncGenerator<AgentAttribution, void, void> {
  const { meta, question } = options;
  const players = playersOf(meta, question);
  const n = players.length;
  const [name, scheme] = schemeOf(question, players, meta);
  const affordable = Math.max(scheme.width, Math.floor(question.maxSteps / (ROUNDS * meta.evalMaxSteps)));
  const drawsPerRound = Math.max(1, Math.floor(Math.min(ROWS, affordable) / scheme.width));
  const batch = Math.min(ROWS, drawsPerRound * scheme.width);
  const game = new CoalitionEpisodes({
    entry: options.entry,
    config: options.config,
    batch,
    team: options.team(batch, options.memory),
    absent: options.absent(batch),
    players,
    payoff: question.payoff,
    ...(options.from && { start: restOf(options.from) }),
    ...(options.pace && { pace: options.pace }),
  });
  const rng = Rng.from(question.seed).split('coalitions');
  const episodeSeeds = Rng.from(question.seed).split('episodes');
  const estimate = new Estimate(n, true, scheme.whole !== true);
  const made = Array.from({ length: drawsPerRound }, () => scheme.create());
  const table = name === 'exact' ? new Float64Array(2 ** n) : null;
  const value = new Float64Array(n);
  const names = agentNames(meta);

  const report = (end: AttributionEnd): AgentAttribution => {
    const each = <T>(make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
    const mean = table?.map((sum) => sum / estimate.draws) ?? null;
    return {
      question,
      scheme: name,
      players: players.map((agent) => ({ agent, name: names[agent]! })),
      value: Array.from(estimate.mean),
      halfWidth: each((i) => estimate.halfWidth(i)),
      differenceHalfWidth: each((i) => each((j) => (i === j ? 0 : estimate.differenceHalfWidth(i, j)))).flat(),
      vEmpty: estimate.vEmpty,
      vEmptyHalfWidth: estimate.vEmptyHalfWidth,
      vGrand: estimate.vGrand,
      vGrandHalfWidth: estimate.vGrandHalfWidth,
      efficiencyGap: estimate.efficiencyGap,
      draws: estimate.draws,
      episodes: game.episodes,
      steps: game.steps,
      table: mean === null ? null : Array.from(mean),
      banzhaf: mean === null ? null : Array.from(banzhaf(mean)),
      interactions: mean === null ? null : Array.from(interactions(mean)),
      end,
    };
  };

  for (;;) {
    // a whole round at once; the first ones are small, so that something can be seen soon
    const wanted = options.whole === true ? drawsPerRound : Math.min(drawsPerRound, Math.max(2, GROWTH * estimate.draws));
    // what a draw costs is known from those before
    const left = estimate.draws === 0 ? wanted : Math.floor((question.maxSteps - game.steps) / (game.steps / estimate.draws));
    const draws = Math.max(1, Math.min(wanted, left));
    const round = made.slice(0, draws);
    const members = new Uint8Array(draws * scheme.width * n);
    const seeds = new Uint32Array(draws * scheme.width);
    let rows = 0;
    for (const one of round) {
      scheme.fill(one, rng);
      members.set(one.members.subarray(0, one.rows * n), rows * n);
      seeds.fill(episodeSeeds.next(), rows, rows + one.rows);
      rows += one.rows;
    }
    const worth = new Float64Array(rows);
    await game.play(seeds.subarray(0, rows), members.subarray(0, rows * n), worth);
    let row = 0;
    let narrow = false;
    for (const one of round) {
      const values = worth.subarray(row, row + one.rows);
      drawValue(one, values, value);
      estimate.add(value, values[one.emptyRow]!, values[one.grandRow]!);
      if (table !== null) for (let mask = 0; mask < table.length; mask++) table[mask]! += values[mask]!;
      row += one.rows;
      narrow ||= question.halfWidth > 0 && checkStopping(estimate.draws) && estimate.widest <= question.halfWidth;
    }
    const perDraw = game.steps / estimate.draws;
    const spent = game.steps + perDraw > question.maxSteps;
    const end = narrow ? 'width' : spent ? 'budget' : 'running';
    yield report(end);
    if (end !== 'running') return;
  }
}

const config = z.strictObject({
  players: z.array(z.int().min(0)).nullable().default(null).meta({
    title: 'players',
    description: 'Agents that are explained, all others always act; empty: those whose returns make the score.',
    depth: 'research',
  }),
  scheme: z.enum(['auto', 'exact', 'permutation', 'antithetic', 'stratified', 'owen', 'banzhaf']).default('auto').meta({
    title: 'sampling',
    description:
      'How coalitions are drawn; auto: all of them up to five players, then rotated orders (stratified) where the steps pay for 16 draws, else antithetic pairs.',
  }),
  unions: z
    .array(z.array(z.int().min(0)))
    .nullable()
    .default(null)
    .meta({
      title: 'unions',
      description: 'For Owen values: agents that arrive together, each player once.',
      depth: 'research',
    }),
  replacement,
  payoff,
  greedy: greedy(true),
  seed,
  halfWidth: z.number().min(0).default(0).meta({
    title: 'half width',
    description: 'Stops when half of every 95 % interval is at most this; 0: only by budget.',
    unit: 'units of the payoff',
  }),
  maxSteps: z
    .int()
    .min(1)
    .default(defaultQuestion.maxSteps)
    .meta({
      title: 'budget',
      description: 'Stops before more environment steps than this are taken, over all episodes.',
      unit: 'steps',
      log: true,
      slider: [10_000, 10_000_000],
    }),
});

export const agents = defineExplainer<AgentQuestion, AgentAttribution>({
  ref: AGENTS,
  title: 'Shapley values of agents',
  summary: 'What each agent of a team contributes to the return, of whole episodes or from a frame on.',
  source: {
    title:
      'Collective eXplainable AI: Explaining Cooperative Strategies and Agent Contribution in Multiagent Reinforcement Learning with Shapley Values',
    authors: 'Heuillet, Couthouis, Diaz-Rodriguez',
    year: 2022,
    url: 'https://arxiv.org/abs/2110.01307',
  },
  config,
  answers: 'bars',
  team: 'any',
  frame: 'optional',
  agents: 2,
  trial: {
    env: { id: 'mpe-simple-spread', config: {} },
    algo: { id: 'ppo', config: {} },
    steps: 2048,
    config: { maxSteps: 20_000 },
    refuses: { env: { id: 'cartpole', config: {} }, algo: 'ppo' },
  },
  async *explain(scene, question) {
    const { entry, config: envConfig, meta, pace, brief } = scene;
    const players = playersOf(meta, question);
    const absent = scene.replacement(question.replacement, question.greedy);
    const start = scene.hasMoment ? await scene.standing() : {};
    const run = explainAgents({
      entry,
      config: envConfig,
      meta,
      question,
      team: scene.team(question.greedy),
      absent: (batch) => absent(batch, players),
      whole: brief,
      ...start,
      ...(pace && { pace }),
    });
    for await (const detail of run)
      yield {
        title: 'Shapley value of each agent',
        unit: 'return',
        words: [
          `v(empty) ${detail.vEmpty.toPrecision(4)}, v(all) ${detail.vGrand.toPrecision(4)}.`,
          `${detail.scheme}: ${detail.draws} draws, ${detail.episodes} episodes, ${detail.steps} steps.`,
        ],
        end: detail.end === 'running' ? 'running' : 'done',
        data: {
          kind: 'bars',
          bars: detail.players.map(({ agent, name }, i) => ({
            label: name,
            agent,
            value: detail.value[i]!,
            halfWidth: detail.halfWidth[i]!,
          })),
        },
        detail,
      };
  },
});
