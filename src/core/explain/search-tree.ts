/**
 * The search behind a move, for policies that look ahead (minimax, Monte Carlo tree search, AlphaZero): the moves tried from the shown
 * position, the visits of each, its value, and the same for the replies.
 */
import { z } from 'zod';
import type { TreeMove } from '#contract/explain/explain-api.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Policy, SearchedMove } from '../algos/api/types.ts';
import type { EnvMeta } from '../envs/api/types.ts';
import { defineExplainer } from './api/define.ts';

const config = z.strictObject({
  depth: z.int().min(1).max(6).default(2).meta({ title: 'depth', description: 'Moves ahead that are shown.' }),
  moves: z.int().min(1).max(20).default(9).meta({ title: 'moves', description: 'Most that are shown from one position, the best first.' }),
});
type Config = z.infer<typeof config>;

function checkSearches(_: EnvMeta, policy: Policy | null): void {
  if (policy?.searched !== undefined) return;
  const why = 'This policy does not look ahead: there is no search to show.';
  throw fail('incompatible', why, 'Choose AlphaZero, Monte Carlo tree search or minimax, in tic-tac-toe or connect four.', 'team');
}

/** The `most` best moves from every position that is kept; the rest, and what follows it, is left out. */
export function pruned(moves: readonly SearchedMove[], most: number): SearchedMove[] {
  const kept: SearchedMove[] = [];
  const place = new Map<number, number>([[-1, -1]]); // old index -> new
  const siblings = new Map<number, number>();
  moves.forEach((move, i) => {
    const parent = place.get(move.parent);
    const before = siblings.get(move.parent) ?? 0;
    siblings.set(move.parent, before + 1);
    if (parent === undefined || before >= most) return;
    place.set(i, kept.length);
    kept.push({ ...move, parent });
  });
  return kept;
}

export const searchTree = defineExplainer<Config, null>({
  ref: { id: 'search-tree' },
  title: 'Search tree',
  summary: 'The search tree of a policy that looks ahead: visits and values of the moves from here and of the replies.',
  source: {
    title: 'A general reinforcement learning algorithm that masters chess, shogi and Go through self-play',
    authors: 'Silver et al.',
    year: 2018,
    url: 'https://doi.org/10.1126/science.aar6404',
  },
  config,
  answers: 'tree',
  team: 'learned',
  frame: 'required',
  trial: {
    env: { id: 'tic-tac-toe', config: {} },
    algo: { id: 'mcts', config: { simulations: 30 } },
    steps: 100,
    config: {},
    refuses: { env: { id: 'cartpole', config: {} }, algo: 'ppo' },
  },
  fits: checkSearches,
  async *explain(scene, { depth, moves: most }) {
    const { meta } = scene;
    const { replay, t } = scene.moment;
    const reader = scene.reader(replay);
    reader.seek(t);
    const agent = meta.agentCount === 1 ? 0 : (reader.buffers.toMove?.[0] ?? 0);
    const obs = reader.buffers.obs.slice(Math.max(0, agent) * meta.obsSize, (Math.max(0, agent) + 1) * meta.obsSize);
    const searched = agent < 0 ? null : await scene.learned.searched?.(obs, depth);
    if (searched === null || searched === undefined)
      throw fail('incompatible', 'The game is over here: there is no move to search for.', 'Choose an earlier frame.', 'frame');
    const { action } = meta.agents[0]!;
    const nameOf = (move: number): string => (action.kind === 'discrete' ? (action.labels[move] ?? `${move}`) : `${move}`);
    const shown = pruned(searched, most);
    const tree = shown.map(
      ({ parent, move, visits, value, prior, over }): TreeMove => ({
        parent,
        label: nameOf(move),
        visits,
        value,
        prior: Number.isNaN(prior) ? null : prior,
        over,
      }),
    );
    yield {
      title: 'Search tree from here',
      unit: 'values for the player who makes the move',
      words: wordsOf(tree, searched.filter(({ parent }) => parent === -1).length),
      end: 'done',
      data: { kind: 'tree', moves: tree },
      detail: null,
    };
  },
});

function wordsOf(tree: readonly TreeMove[], tried: number): string[] {
  const at = tree.findIndex(({ parent }) => parent === -1);
  const best = tree[at];
  if (best === undefined) return ['The search tried nothing.'];
  const all = tree.reduce((sum, { parent, visits }) => sum + (parent === -1 ? visits : 0), 0);
  const reply = tree.find(({ parent }) => parent === at);
  const words = [
    `Best move "${best.label}": ${best.visits} of ${all} visits, value ${best.value.toFixed(2)}; ${tried} ${tried === 1 ? 'move was' : 'moves were'} tried.`,
  ];
  if (best.over) words.push('The game ends with it.');
  else if (reply !== undefined) words.push(`Expected reply "${reply.label}", value ${reply.value.toFixed(2)} for the player who makes it.`);
  return words;
}
