/** P099: episodes that branch off where the policy is undecided, held back where they branch again and again, against groups from the start. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const algo = (config: JsonObject) => ({ algo: { config } });
const balanced = algo({ branching: 0.5, branchPenalty: 0.5, preserve: true });
const unbalanced = algo({ branching: 0.5 });
/** All questions answered right. */
const share = { ceiling: 1 };
const five: Quantity = { title: 'one of five tries right, mean over training', metric: 'passFive', take: 'mean' };
const stray: Quantity = { title: 'entropy off its mean so far, mean over training', unit: 'nats', metric: 'entropyStray', take: 'mean' };
const distinct: Quantity = { title: 'distinct episodes of a group, mean over training', metric: 'distinct', take: 'mean' };

export const aepo = definePaper({
  id: 'P099',
  title: 'Agentic Entropy-Balanced Policy Optimization',
  authors: 'Dong et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2510.14545',
  claim:
    'Balancing entropy in branching rollouts and in updates beats seven RL methods on 14 data sets, with more diverse rollouts and stable entropy.',
  leftOut:
    'Of the paper’s parts two are not built: how much of a group branches, by entropies, and advantages that are weighed by entropy.',
  source: {
    read: 'The paper’s equations as a public survey of credit assignment for language-model agents restates them, read through a search for the paper’s number; the authors’ repository RUC-NLPIR/ARPO at a95cd08 holds the paper before it alone.',
    table: [
      {
        of: 'budget of branches m = k sigmoid(beta (H_root - H_tool))',
        ours: '',
        state: 'left out',
        note: 'Half of a group waits to branch, whatever the entropies are.',
      },
      {
        of: 'P = (alpha + gamma dH) (1 - gamma l), l steps in a row that branched',
        ours: 'src/core/algos/language/lib/world-groups.ts (branchOff)',
        state: 'kept',
        note: 'clip(chance + H - H_0, 0, 1) max(0, 1 - penalty l).',
      },
      {
        of: 'branch where P is above a threshold',
        ours: 'src/core/algos/language/lib/world-groups.ts (branchOff)',
        state: 'changed',
        note: 'Drawn with chance P.',
      },
      {
        of: 'clip with a stop-gradient: 1 + eps times A beyond the upper limit',
        ours: 'src/core/algos/language/lib/policy-loss.ts (policyLoss)',
        state: 'kept',
      },
      {
        of: 'the same: no gradient below the lower limit',
        ours: 'src/core/algos/language/lib/policy-loss.ts (policyLoss)',
        state: 'changed',
        note: 'Clipped steps keep a gradient there, too.',
      },
      {
        of: 'A (1 + a A_H), A_H the standardised entropy of a token',
        ours: '',
        state: 'left out',
        note: 'Advantages do not depend on entropy.',
      },
    ],
  },
  differs: [
    'a small policy in a lookup world, one rival',
    'half of a group branches, whatever the entropies were',
    'advantages do not depend on entropy',
  ],
  found: {
    outcome: 'open',
    text: 'Branching answers 0.04 to 0.06 more than whole groups on both blocks of forty seeds; that its penalty, which the title names, takes 0.04 away is clear on the first alone.',
  },
  question:
    'Do episodes that branch off where the policy is undecided, with a penalty on branching again and again, answer more questions than a whole group from the start, and keep entropy steadier?',
  idea: 'Half of the tries of a question wait. They begin in the middle of another try, where the policy does not know what to do next, so that the steps before are not paid for twice. A way that has just branched does so less often, and a step that changed too much keeps a limited gradient in place of none.',
  equation: 'P(branch) = clip(1/2 + H - H_0, 0, 1) (1 - l/2)+; clipped: -sg(bound / r) r A',
  touch: 'branches',
  config: {
    v: 1,
    env: { id: 'lookup-worlds', config: { hops: 3, leastHops: 1, fields: 2, distractors: 2, answers: 4, lookups: 4 } },
    algo: { id: 'group-worlds', config: { starts: 8, group: 16, lr: 3e-3, entropyCoef: 0.03 } },
    run: { steps: 80_000, evalEpisodes: 200 },
  },
  arms: [
    { id: 'balanced', title: 'branching with its penalty, clipped gradients kept (AEPO)', trials: 1, differs: balanced, scale: share },
    { id: 'group', title: 'whole groups from the start, fixed clip (GRPO)', trials: 1, scale: share },
    { id: 'unbalanced', title: 'branching without a penalty, fixed clip', trials: 1, differs: unbalanced, scale: share },
    { id: 'balanced-five', title: 'AEPO', trials: 1, differs: balanced, quantity: five },
    { id: 'group-five', title: 'GRPO', trials: 1, quantity: five },
    { id: 'unbalanced-five', title: 'no penalty', trials: 1, differs: unbalanced, quantity: five },
    { id: 'balanced-stray', title: 'AEPO', trials: 1, differs: balanced, quantity: stray },
    { id: 'group-stray', title: 'GRPO', trials: 1, quantity: stray },
    { id: 'unbalanced-stray', title: 'no penalty', trials: 1, differs: unbalanced, quantity: stray },
    { id: 'balanced-distinct', title: 'AEPO', trials: 1, differs: balanced, quantity: distinct },
    { id: 'group-distinct', title: 'GRPO', trials: 1, quantity: distinct },
    { id: 'unbalanced-distinct', title: 'no penalty', trials: 1, differs: unbalanced, quantity: distinct },
  ],
  quantity: { title: 'questions answered right, drawn (pass@1)', measured: 'solved', drawn: true },
  contrasts: [
    // what the title names: the balancing, beside the strongest arm that was run
    { id: 'above branching without a penalty', kind: 'difference', arm: 'balanced', over: 'unbalanced', claim: 'above', size: 0.03 },
    { id: 'pass@1', kind: 'difference', arm: 'balanced', over: 'group', claim: 'above', size: 0.03 },
    // the abstract has no number: half of what the entropy strays by from seed to seed
    { id: 'steadier entropy', kind: 'difference', arm: 'balanced-stray', over: 'group-stray', claim: 'below', size: -0.03 },
  ],
  scale: { better: 'more' },
  forms: 2,
  tunedOn: [1, 4],
  firstSeed: 3001,
  quick: { run: { steps: 20_000, evalEpisodes: 50 }, seeds: 2 },
  scaledDown:
    'A small policy in a lookup world stands in for a language model with search: one to three documents on the way, two fields in each, at most four lookups, nothing learned before. Half of a group branches, always: the budget of branches is not set by entropies measured before. All clipped steps keep their gradient, not only undecided ones, and advantages know nothing of entropy. Pass@5 is that of the training episodes that began at the start, as a mean over training: policies at the end are asked once a question. Equal steps for all arms, each played one counted once. The budget asks how fast they learn: with half as many steps more all arms answered nearly nine in ten on the seeds of the set-up. A first form, on ten seeds from 1,001, was inconclusive: branching answered six in a hundred more, an interval that still held none. This form takes new seeds, as many as its minutes allow, and asks besides what the penalty adds to branching alone, which is what the method is named after; one of five tries right, which the first form judged, is shown. On its first block branching with its penalty answers four in a hundred more than whole groups, but four fewer than branching without it, and entropy strays more, not less; the second block finds the first and the last of these again.',
  dishonest:
    'More episodes for branching: a group has 16 in every arm, and a shared step costs nothing only because it is not played again. Counting branched episodes in pass@5, which are no tries of their own.',
  next: 'Let more of a group wait (branching 0.75), or ask for longer ways (hops).',
});
