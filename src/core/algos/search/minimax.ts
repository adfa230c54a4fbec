/**
 * Minimax with alpha-beta pruning (Knuth & Moore 1975) as a player of games of two in which both see everything: every move is tried in a
 * copy of the game, `depth` moves deep, each side taking what is best for it. Positions met before in the same search are not searched
 * again. Where a search stops before the end, the game itself says how a position looks (EnvEntry.lookAhead: outlook). A win counts for
 * more the sooner it comes. Deep enough it is perfect play. Learns nothing.
 *   V(s) = max_a -V(s'),  s' after move a;   a move that ends the game: result (1 - ply / 1000);   at depth 0: V(s) = 0.9 outlook(s)
 * Pseudo-code:
 *   repeat until the budget is spent, for each game: search the position s
 *     forget the positions of the last search
 *     for each legal move a
 *       value(a) = its result if it ends the game, else -search(s', depth - 1, -1, 1)
 *     play a move drawn evenly from those of the highest value;   when evaluated: the first of them
 *   search(s, depth, alpha, beta)
 *     if depth = 0: return 0.9 outlook(s)
 *     if s is known at this depth or deeper, exact or bounded beyond (alpha, beta): return that
 *     for each legal move a
 *       v = its result if it ends the game, else -search(s', depth - 1, -beta, -alpha)
 *       best = max(best, v), alpha = max(alpha, v)
 *       if alpha >= beta: stop trying moves
 *     remember best with depth, as exact, at least or at most
 *     return best
 */
import { z } from 'zod';
import { present } from '#contract/kit/errors.ts';
import type { LookAhead } from '../../envs/api/types.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeMetrics } from '../api/metrics.ts';
import type { Policy, PolicyContext, SearchedMove } from '../api/types.ts';
import { checkSearchable, gameOf, Lanes } from './lib/lanes.ts';
import { type Decision, playOn, searchPolicy } from './lib/player.ts';

const config = z.strictObject({
  depth: fields.integer(4, {
    min: 1,
    max: 42,
    title: 'depth',
    unit: 'moves',
    description: 'How far it looks ahead; 9 is to the end of tic-tac-toe.',
    source: 'own choice',
    slider: [1, 9],
    depth: 'teach',
    group: 'search',
  }),
  copies: fields.numEnvs(8, 'own choice', { max: 256 }),
});
type Config = z.infer<typeof config>;

/** A win `ply` moves ahead is worth 1 - ply / 1000, an outlook less than any win. */
const LATER = 1 / 1000;
const OUTLOOK = 0.9;
/** Positions whose decisions are kept. */
const MOST_KNOWN = 20_000;

type Bound = 'exact' | 'at least' | 'at most';
interface Tried {
  readonly move: number;
  readonly value: number; // for the player who makes it
  readonly state: Uint8Array;
  readonly over: boolean;
  readonly positions: number; // searched below it
}

class Minimax {
  private readonly lanes: Lanes;
  private readonly game: LookAhead;
  private readonly table = new Map<string, { readonly depth: number; readonly value: number; readonly bound: Bound }>();
  private positions = 0;

  constructor(lanes: Lanes, game: LookAhead) {
    this.lanes = lanes;
    this.game = game;
  }

  /** Every move from a position with its exact value. */
  moves(state: Uint8Array, depth: number, ply = 0): Tried[] {
    this.lanes.load([state]);
    return this.lanes.legal(0).map((move) => {
      const before = this.positions;
      const [after] = this.lanes.move([state], [move]);
      const { state: next, result } = present(after, 'what a move led to');
      const value = result !== null ? result * (1 - (ply + 1) * LATER) : -this.search(next, depth - 1, -1, 1, ply + 1);
      return { move, value, state: next, over: result !== null, positions: this.positions - before + 1 };
    });
  }

  /** Forgets what was met. */
  clear(): void {
    this.table.clear();
  }

  /** Value for the player to move, exact within (alpha, beta). */
  private search(state: Uint8Array, depth: number, from: number, beta: number, ply: number): number {
    this.positions++;
    if (depth <= 0) return OUTLOOK * this.game.outlook(state);
    const key = String.fromCharCode(...state);
    const known = this.table.get(key);
    if (known !== undefined && known.depth >= depth) {
      if (known.bound === 'exact') return known.value;
      if (known.bound === 'at least' && known.value >= beta) return known.value;
      if (known.bound === 'at most' && known.value <= from) return known.value;
    }
    this.lanes.load([state]);
    let alpha = from;
    let best = Number.NEGATIVE_INFINITY;
    for (const move of this.lanes.legal(0)) {
      const [after] = this.lanes.move([state], [move]);
      const { state: next, result } = present(after, 'what a move led to');
      const value = result !== null ? result * (1 - (ply + 1) * LATER) : -this.search(next, depth - 1, -beta, -alpha, ply + 1);
      best = Math.max(best, value);
      alpha = Math.max(alpha, value);
      if (alpha >= beta) break;
    }
    this.table.set(key, { depth, value: best, bound: best <= from ? 'at most' : best >= beta ? 'at least' : 'exact' });
    return best;
  }
}

function policyOf(context: Pick<PolicyContext<Config>, 'config' | 'envEntry' | 'envConfig' | 'meta'>): Policy {
  const { config: c, envEntry, meta } = context;
  const game = gameOf(context, 'Minimax');
  const lanes = new Lanes(envEntry, game, 1);
  const minimax = new Minimax(lanes, game);
  const { actionCount: N } = lanes.meta;
  const known = new Map<string, Decision>();

  function decide(state: Uint8Array): Decision {
    const key = String.fromCharCode(...state);
    const found = known.get(key);
    if (found !== undefined) return found;
    minimax.clear();
    const tried = minimax.moves(state, c.depth);
    const best = Math.max(...tried.map(({ value }) => value));
    const equals = tried.filter(({ value }) => value === best).length;
    const [chances, values] = [new Array<number>(N).fill(0), new Array<number>(N).fill(0)];
    for (const { move, value } of tried) {
      values[move] = value;
      chances[move] = value === best ? 1 / equals : 0;
    }
    const decision = { chances, values, value: best };
    if (known.size > MOST_KNOWN) known.clear();
    known.set(key, decision);
    return decision;
  }

  function report(state: Uint8Array, left: number, depth: number, parent: number, ply: number, out: SearchedMove[]): SearchedMove[] {
    const tried = minimax.moves(state, depth, ply).toSorted((a, b) => b.value - a.value || a.move - b.move);
    for (const { move, value, state: next, over, positions } of tried) {
      out.push({ parent, move, visits: positions, value, prior: Number.NaN, over });
      if (left > 1 && depth > 1 && !over) report(next, left - 1, depth - 1, out.length - 1, ply + 1, out);
    }
    return out;
  }

  return searchPolicy(meta, game, {
    decide: async (states) => states.map(decide),
    async searched(state, depth) {
      minimax.clear();
      return report(state, depth, c.depth, -1, 0, []);
    },
  });
}

export const minimax = defineAlgo<Config>({
  spec: {
    id: 'minimax',
    version: 1,
    title: 'Minimax',
    summary: 'Looks a number of moves ahead, each side playing its best, and takes the move that comes out best.',
    source: {
      title: 'An Analysis of Alpha-Beta Pruning',
      authors: 'Knuth, Moore',
      year: 1975,
      url: 'https://doi.org/10.1016/0004-3702(75)90019-3',
    },
    config,
    presets: [{ id: 'perfect', title: 'Tic-tac-toe to the end', config: { depth: 9 } }],
    action: 'discrete',
    learner: 'none',
    agents: 'many',
    trial: { env: 'tic-tac-toe', steps: 200, config: { depth: 2 } },
    probes: [],
    metrics: episodeMetrics,
  },

  fits(meta) {
    checkSearchable(meta, 'Minimax');
  },

  async *train(run, resume) {
    yield* playOn(run, resume, policyOf(run));
  },

  async policy(context) {
    return policyOf(context);
  },
});
