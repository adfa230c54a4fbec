/**
 * Fictitious play (Brown 1951) in the form for games with hidden information (Heinrich et al. 2015, XFP): in every iteration both players
 * answer the other's average strategy best, and the answer is mixed into the average by how often it plays towards each information set.
 *   average <- mixture of all answers so far (weights 1, or t: later answers count more)
 * Exact on small games of two. In zero-sum games the average goes to an equilibrium; elsewhere it may go in circles.
 * Pseudo-code:
 *   average strategy = uniform; sums S = 0 at every information set
 *   repeat for t = 1, 2, .. until the budget is spent or NashConv is at most `tolerance`
 *     each player: best response to the other's average strategy, by a pass over the whole tree
 *     w = 1; if weighting is linear: w = t
 *     S(I, a) += w * probability that the response plays towards I by its own choices * its chance of a
 *     average strategy = S, normalised at every set; uniform where S is 0
 *     from time to time: NashConv of the average strategy
 */
import { z } from 'zod';
import { bestResponse } from '#math/exploitability.ts';
import { addRealisation, mixtureOf, sizeOf, uniform, zerosLike } from '#math/game-tree.ts';
import { defineAlgo } from '../api/define.ts';
import { checkSmall, packedStrategy, savedStrategyPolicy, solve, solverMetrics, toleranceField } from './lib/solver.ts';

const config = z.strictObject({
  tolerance: toleranceField,
  weighting: z.enum(['even', 'linear']).default('even').meta({
    title: 'weighting of best responses',
    description: 'Even as in the original, or growing with the iteration, which forgets early answers faster.',
    source: 'Brown 1951',
    depth: 'research',
  }),
});
type Config = z.infer<typeof config>;

export const fictitiousPlay = defineAlgo<Config>({
  spec: {
    id: 'fictitious-play',
    version: 1,
    title: 'Fictitious play',
    summary: 'Best responses to the opponent’s average strategy, iterated: the averages of both go to an equilibrium.',
    source: {
      title: 'Fictitious self-play in extensive-form games',
      authors: 'Heinrich, Lanctot and Silver',
      year: 2015,
      url: 'https://proceedings.mlr.press/v37/heinrich15.html',
    },
    config,
    presets: [{ id: 'linear', title: 'later best responses weigh more', config: { weighting: 'linear' } }],
    action: 'discrete',
    learner: 'table',
    agents: 'many',
    mixed: true,
    trial: { env: 'kuhn-poker', steps: 40_000, config: { weighting: 'linear' } },
    probes: [],
    metrics: solverMetrics,
  },
  fits: (meta) => checkSmall(meta, 'Fictitious play'),
  train: (run, resume) =>
    solve(run, resume, (tree) => {
      const sums = zerosLike(tree);
      const saved = packedStrategy(tree, sums);
      let average = uniform(tree);
      return {
        cost: 2 * sizeOf(tree),
        advance(t) {
          const first = bestResponse(tree, average, 0).strategy;
          const second = bestResponse(tree, average, 1).strategy;
          const answer = tree.infoSets.map((set, i) => (set.player === 0 ? first : second)[i]!);
          addRealisation(tree, answer, run.config.weighting === 'linear' ? t : 1, sums);
          average = mixtureOf(sums);
        },
        average: () => average,
        arrays: {
          sums: {
            pack: saved.pack,
            unpack(numbers) {
              saved.unpack(numbers);
              average = mixtureOf(sums);
            },
          },
        },
      };
    }),
  policy: async (context, saved) => savedStrategyPolicy(context, saved),
});
