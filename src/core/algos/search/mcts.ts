/**
 * Monte Carlo tree search (Coulom 2006; Kocsis & Szepesvari 2006) as a player of games of two in which both see everything: for every move
 * it tries moves in copies of the game, most often those that did well so far (lib/tree.ts: UCT, or PUCT with equal priors), and judges
 * what they lead to by games of random moves to the end. It plays what it tried most; games of its own run are played by moves drawn by
 * visits. Learns nothing: a measure for those who do.
 *   UCT:  argmax_a Q(s,a) + c sqrt( ln N(s) / N(s,a) ),  unvisited moves first;   N(s) = sum_b N(s,b), Q(s,a) = W(s,a) / N(s,a)
 *   PUCT: argmax_a Q(s,a) + c P(s,a) sqrt( N(s) ) / (1 + N(s,a)),  Q = 0 where unvisited, P equal for all legal moves
 * Pseudo-code:
 *   repeat until the budget is spent, for each game: search the position s, whose tree is new
 *     repeat `simulations` times
 *       descend from the root by UCT or PUCT to a move that was not tried, or to an end of the game
 *       if that is an end met before: v = its result for the player who moved there
 *       else: make the move in a copy of the game, add the position to the tree
 *         if the game is over: v = the result for the player who moved
 *         else: v = -(mean result of `playouts` games of random moves, for the player to move)
 *       from there up to the root: N += 1, W += v, v = -v
 *     chances of the moves = N(s,a) / N(s)
 *     play a move drawn from the chances;   when evaluated: the most visited
 */
import { z } from 'zod';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeMetrics } from '../api/metrics.ts';
import type { Policy, PolicyContext } from '../api/types.ts';
import { checkSearchable, gameOf, Lanes } from './lib/lanes.ts';
import { playoutJudge, searchAll } from './lib/mcts.ts';
import { playOn, rngOfState, searchPolicy } from './lib/player.ts';
import { type SearchTree, visitPolicy } from './lib/tree.ts';

const config = z.strictObject({
  simulations: fields.integer(200, {
    min: 1,
    max: 100_000,
    title: 'simulations',
    unit: 'per move',
    description: 'Descents of the tree before each move.',
    source: 'own choice',
    slider: [10, 1000],
    log: true,
    depth: 'teach',
    group: 'search',
  }),
  rule: z.enum(['UCT', 'PUCT']).default('UCT').meta({
    title: 'rule on the way down',
    description: 'UCT tries every move once, then weighs value and ignorance; PUCT weighs with a prior, here the same for all moves.',
    source: 'Kocsis & Szepesvári 2006; Silver et al. 2017',
    depth: 'teach',
    group: 'search',
  }),
  exploration: fields.real(1.41, {
    min: 0,
    max: 100,
    title: 'exploration constant (c)',
    description: 'Weight of ignorance beside value; the square root of 2 is the theory’s.',
    source: 'Kocsis & Szepesvári 2006',
    slider: [0, 4],
    group: 'search',
  }),
  playouts: fields.integer(1, {
    min: 1,
    max: 100,
    title: 'playouts',
    description: 'Games of random moves from each position that the tree reaches.',
    source: 'own choice',
    slider: [1, 10],
    depth: 'stored',
    group: 'search',
  }),
  copies: fields.numEnvs(8, 'own choice', { max: 256 }),
});
type Config = z.infer<typeof config>;

/** Positions searched at once. */
const LANES = 32;

/** What a finished search says: chances by visits. */
export const decisionOf = (tree: SearchTree) => ({
  chances: visitPolicy(tree.visits(), 1),
  values: Array.from(tree.visits(), (n, a) => (n === 0 ? 0 : tree.W[a]! / n)),
  value: tree.value(),
});

function policyOf(context: Pick<PolicyContext<Config>, 'config' | 'envEntry' | 'envConfig' | 'meta'>): Policy {
  const { config: c, envEntry, meta } = context;
  const game = gameOf(context, 'Tree search');
  const lanes = new Lanes(envEntry, game, LANES);
  const judge = playoutJudge(c.playouts, rngOfState);
  const trees = async (states: readonly Uint8Array[]): Promise<SearchTree[]> => {
    const out: SearchTree[] = [];
    for (let from = 0; from < states.length; from += LANES)
      out.push(
        ...(await searchAll(states.slice(from, from + LANES), lanes, judge, {
          simulations: c.simulations,
          rule: c.rule,
          c: c.exploration,
        })),
      );
    return out;
  };
  return searchPolicy(meta, game, {
    decide: async (states) => (await trees(states)).map(decisionOf),
    searched: async (state, depth) => (await trees([state]))[0]!.report(depth),
  });
}

export const mcts = defineAlgo<Config>({
  spec: {
    id: 'mcts',
    version: 1,
    title: 'Monte Carlo tree search',
    summary: 'Tries moves in copies of the game, the promising ones most, and plays what it tried most.',
    source: {
      title: 'Bandit Based Monte-Carlo Planning',
      authors: 'Kocsis, Szepesvári',
      year: 2006,
      url: 'https://doi.org/10.1007/11871842_29',
    },
    config,
    presets: [
      { id: 'strong', title: '1,000 simulations', config: { simulations: 1000 } },
      { id: 'puct', title: 'PUCT with equal priors', config: { rule: 'PUCT' } },
    ],
    action: 'discrete',
    learner: 'none',
    agents: 'many',
    trial: { env: 'tic-tac-toe', steps: 200, config: { simulations: 5 } },
    probes: [],
    metrics: episodeMetrics,
  },

  fits(meta) {
    checkSearchable(meta, 'Tree search');
  },

  async *train(run, resume) {
    yield* playOn(run, resume, policyOf(run));
  },

  async policy(context) {
    return policyOf(context);
  },
});
