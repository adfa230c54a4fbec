/** P029: advantages among episodes with as many searches, against the whole group, where searches are optional. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const algo = (config: JsonObject) => ({ algo: { config } });
const norm: Quantity = { title: 'norm of the gradient before clipping, mean over training', metric: 'gradNorm', take: 'mean' };
/** The weight of 0.2, 0.5 and 0.8 that answers most on tuning seeds. */
const blended = algo({ strataWeight: 0.2 });

export const stratifiedGrpo = definePaper({
  id: 'P029',
  title: 'Stratified GRPO: Handling Structural Heterogeneity in Reinforcement Learning of LLM Search Agents',
  authors: 'Zhu et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2510.06214',
  claim: 'Normalising advantages within strata of equal search structure gains up to 11.3 points over GRPO and trains more steadily.',
  published: { value: 0.113, text: '0.113 (11.3 points) over GRPO at best', of: 'more right answers' },
  source: {
    read: 'The paper’s formulas as two public accounts restate them: a review, and the code of grpo-composer.',
    table: [
      {
        of: 'strata: episodes of a group with as many searches',
        ours: 'src/core/algos/extensions/stratified/extension.ts (blendStrata)',
        state: 'kept',
      },
      {
        of: 'A of a stratum: (R - its mean) / (its deviation + a small number)',
        ours: 'src/math/groups.ts (stratifiedAdvantages)',
        state: 'kept',
      },
      {
        of: 'the blend a A_stratum + (1 - a) A_group',
        ours: 'src/core/algos/extensions/stratified/extension.ts (blendStrata)',
        state: 'kept',
      },
      { of: 'a language model that searches', ours: 'env.id', state: 'changed', note: 'A small policy in a lookup world.' },
    ],
  },
  differs: [
    'a small policy in a lookup world in place of a language model with search',
    'at most four lookups',
    'the norm of the gradient in place of its variance',
  ],
  leftOut: 'The formulas were read in two public accounts of the paper, and no language model searches.',
  found: {
    outcome: 'open',
    text: 'Strata by the number of searches change the answers by less than 0.05 either way; gradients are smaller.',
  },
  question:
    'Does comparing episodes with as many searches, blended with the whole group, answer more questions than comparing the whole group alone?',
  idea: 'An episode that searched three times and one that answered at once are no peers: their rewards differ for reasons that no single choice explains. Advantages are normalised among episodes with the same number of searches, and blended with those of the whole group.',
  equation: 'A = a A_stratum + (1 - a) A_group, each (R - mean) / deviation among its episodes',
  config: {
    v: 1,
    env: { id: 'lookup-worlds', config: { hops: 3, leastHops: 1, fields: 2, distractors: 2, answers: 4, lookups: 4 } },
    algo: { id: 'group-worlds', config: { starts: 8, group: 16, lr: 3e-3, entropyCoef: 0.03 } },
    run: { steps: 120_000, evalEpisodes: 200 },
  },
  arms: [
    { id: 'blended', title: 'strata and group, 0.2 to 0.8', trials: 3, differs: blended, scale: { ceiling: 1 } },
    { id: 'group', title: 'whole group (GRPO)', trials: 6, scale: { ceiling: 1 } },
    { id: 'more-strata', title: 'strata and group, 0.8 to 0.2', trials: 1, differs: algo({ strataWeight: 0.8 }) },
    { id: 'blended-norm', title: 'strata and group', trials: 3, differs: blended, quantity: norm },
    { id: 'group-norm', title: 'whole group', trials: 6, quantity: norm },
  ],
  quantity: { title: 'questions answered right, greedy', measured: 'solved' },
  contrasts: [
    { id: 'more right answers', kind: 'difference', arm: 'blended', over: 'group', claim: 'above', size: 0.04 },
    // the abstract has no number: a tenth of the norm of plain groups
    { id: 'smaller gradients', kind: 'difference', arm: 'blended-norm', over: 'group-norm', claim: 'below', size: -0.05 },
  ],
  scale: { better: 'more' },
  firstSeed: 3001,
  forms: 2,
  tunedOn: [1, 903],
  quick: { run: { steps: 30_000, evalEpisodes: 50 }, seeds: 2 },
  scaledDown:
    'A small policy in a lookup world stands in for a language model with a search engine: one to three documents on the way, two fields in each, at most four lookups, any of them optional; it sees in plain numbers what it has found so far, and learns from nothing. The norm of the gradient stands for its variance, which is not measured apart: with as many episodes per update a noisier gradient is a longer one. Weights of 0.2, 0.5 and 0.8 were tried on three tuning seeds: 0.79, 0.74 and 0.63 of the questions answered right, 0.90 without strata. With a price on lookups (0.1 and 0.2) all weights, 0 too, end at guessing. On forty fresh seeds a fifth strata and none come to 0.84, four fifths to 0.67. Among episodes with as many lookups nothing says that looking up earns more than guessing, and here that is most of what is to be learned.',
  dishonest:
    'Strata that leak how hard a question is: a stratum here is the number of lookups that the policy chose to make, not the hops of the question. GRPO without the deviation: all arms divide by it in the same way.',
  next: 'Give strata half of the weight (strataWeight 0.5), or set a price on lookups.',
});
