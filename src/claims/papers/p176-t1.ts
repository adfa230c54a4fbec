/** P176: oversampling, an entropy bonus and a moving anchor, each and together, and what more allowed steps are worth. */
import type { JsonObject } from '#contract/json.ts';
import { ABSTRACT_ONLY, type Quantity } from '#contract/papers.ts';
import { definePaper } from '../define.ts';

const algo = (config: JsonObject) => ({ algo: { config } });
const sampled: JsonObject = { oversample: 2, group: 8 };
const entropy: JsonObject = { entropyCoef: 0.01 };
const anchor: JsonObject = { klCoef: 0.02, anchorEvery: 10 };
const all = algo({ ...sampled, ...entropy, ...anchor });
const within = (steps: number): Quantity => ({
  title: `right within ${steps} ${steps === 1 ? 'step' : 'steps'}, last 100 training episodes`,
  metric: `by${steps}`,
  take: 'last',
});

export const t1 = definePaper({
  id: 'P176',
  title: 'Advancing Language Model Reasoning through Reinforcement Learning and Inference Scaling',
  authors: 'Hou et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2501.11651',
  claim: 'Oversampling, an entropy bonus and a moving anchor raise accuracy, and a larger inference budget alone raises it further.',
  mechanism: ABSTRACT_ONLY,
  differs: [
    'two of five numbers that sum to a target, eight tries',
    '29,000 parameters trained from nothing',
    'allowed tries in place of tokens',
  ],
  question: 'Do three aids to exploration together raise accuracy over plain learning, and does it rise with the steps that are allowed?',
  idea: 'More completions are sampled than are learned from, a small reward keeps the policy undecided, and the anchor of the penalty on change follows it. A policy that searches uses more steps where it may.',
  equation: 'J = E[A] + c H - beta KL(pi | anchor), anchor <- 0.6 pi + 0.4 anchor',
  config: {
    v: 1,
    env: { id: 't-steps', config: { task: 'pairs', numbers: 5, steps: 8, mistakes: 0.5 } },
    algo: { id: 'group-rl', config: { width: 32, cloneSteps: 60, cloneLr: 3e-3, prompts: 8, group: 16 } },
    run: { steps: 120_000, evalEpisodes: 50 },
  },
  arms: [
    { id: 'all', title: 'all three', trials: 1, differs: all },
    { id: 'plain', title: 'none', trials: 1 },
    { id: 'sampled', title: 'oversampling', trials: 1, differs: algo(sampled) },
    { id: 'entropy', title: 'entropy bonus', trials: 1, differs: algo(entropy) },
    { id: 'anchor', title: 'moving anchor', trials: 1, differs: algo(anchor) },
    ...[1, 2, 4].map((steps) => ({ id: `all-${steps}`, title: 'all three', trials: 1, differs: all, quantity: within(steps) })),
  ],
  quantity: within(8),
  contrasts: [
    { id: 'the aids raise accuracy', kind: 'difference', arm: 'all', over: 'plain', claim: 'above', size: 0.02 },
    {
      id: 'accuracy rises with the steps allowed',
      kind: 'slope',
      arms: ['all-1', 'all-2', 'all-4', 'all'],
      x: [0, 1, 2, 3],
      claim: 'above',
      size: 0.05,
      paired: true,
      control: true, // right within more tries counts those within fewer, so that it cannot fall
    },
  ],
  scale: { better: 'more' },
  exempt: [{ check: 'random', arms: ['all-1'], why: 'with one step almost nothing can be right, by any policy' }],
  tunedOn: [1, 1],
  quick: { run: { steps: 60_000, evalEpisodes: 10 }, seeds: 2 },
  scaledDown:
    'Which two of five numbers sum to a target, eight tries at most; the world verifies every try; 29,000 parameters trained from nothing. Allowed steps stand for allowed tokens: a try is one of them and one of the world. Equal tokens sampled for all arms, so that oversampling pays with half of the updates. The finding: all arms, with the aids or without, end near 0.55 after eight tries; what ten seeds could see is that answers get better with the tries allowed.',
  dishonest:
    'Counting only the tokens that are learned from; the best of several answers in place of one answer with more steps: an episode here is one answer.',
  next: 'Make it harder with seven numbers, or give the anchor more weight (klCoef).',
});
