/**
 * Counterfactual regret minimisation (Zinkevich et al. 2007) and CFR+ (Tammelin 2014) on the whole tree of a small game of two, without
 * sampling (math/counterfactual.ts). The policy is the average strategy; in zero-sum games it converges to an equilibrium.
 *   pi(a | I) = max(R(I, a), 0) / sum_b max(R(I, b), 0);  uniform where no regret is above 0
 *   R(I, a) += reach(I) (v(I, a) - v(I)), reach of chance and the other;  CFR+: R = max(R, 0)
 *   average(a | I) = sum_t w_t reach_own(I) pi_t(a | I), normalised;  w_t = 1, CFR+: t
 * Pseudo-code:
 *   regrets R = 0 and sums S = 0 at every information set
 *   repeat for t = 1, 2, .. until the budget is spent or NashConv is at most `tolerance`
 *     for each player in turn
 *       pi of both players from R by regret matching
 *       visit the whole tree under pi, from every deal
 *         v of a position = sum over a of pi(a | I) * v of the position after a
 *         at the player's own sets: gain(I, a) += reach of chance and the other * (v after a - v)
 *         at the player's own sets: S(I, a) += w * own reach * pi(a | I); w = 1, if plus: w = t
 *       R += gain; if plus: R = max(R, 0)
 *     from time to time: average strategy = S, normalised at every set; NashConv of it
 */
import { z } from 'zod';
import { createRegrets, iterate } from '#math/counterfactual.ts';
import { mixtureOf, sizeOf } from '#math/game-tree.ts';
import { defineAlgo } from '../api/define.ts';
import { checkSmall, packedStrategy, savedStrategyPolicy, solve, solverMetrics, toleranceField } from './lib/solver.ts';

const config = z.strictObject({
  tolerance: toleranceField,
  plus: z.boolean().default(true).meta({
    title: 'CFR+',
    description: 'Regrets never fall below zero and later iterations count more; off: the original.',
    source: 'Tammelin 2014',
  }),
});
type Config = z.infer<typeof config>;

export const cfr = defineAlgo<Config>({
  spec: {
    id: 'cfr',
    version: 1,
    title: 'CFR',
    summary:
      'Regret matching at every information set: plays in proportion to the regret of what was not done. The usual solver for poker.',
    source: { title: 'Regret minimization in games with incomplete information', authors: 'Zinkevich et al.', year: 2007 },
    config,
    presets: [{ id: 'cfr', title: 'CFR (Zinkevich et al. 2007)', config: { plus: false } }],
    action: 'discrete',
    learner: 'table',
    agents: 'many',
    mixed: true,
    trial: { env: 'kuhn-poker', steps: 40_000, config: { tolerance: 0 } },
    probes: [],
    metrics: solverMetrics,
  },
  fits: (meta) => checkSmall(meta, 'CFR'),
  train: (run, resume) =>
    solve(run, resume, (tree) => {
      const state = createRegrets(tree);
      return {
        cost: 2 * sizeOf(tree),
        advance: (t) => iterate(tree, state, t, run.config.plus),
        average: () => mixtureOf(state.sums),
        arrays: {
          regret: packedStrategy(tree, state.regret),
          sums: packedStrategy(tree, state.sums),
          current: packedStrategy(tree, state.current),
        },
      };
    }),
  policy: async (context, saved) => savedStrategyPolicy(context, saved),
});
