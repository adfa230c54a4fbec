/** P176: oversampling, an entropy bonus and a moving anchor, each and together, and what more allowed steps are worth. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const algo = (config: JsonObject) => ({ algo: { config } });
const sampled: JsonObject = { oversample: 2, group: 8 };
const entropy: JsonObject = { entropyCoef: 0.01 };
const anchor: JsonObject = { klCoef: 0.02, anchorEvery: 10 };
const all = algo({ ...sampled, ...entropy, ...anchor });
/** As many episodes in an update as the groups have. */
const copied = { algo: { id: 'token-cloning', config: { width: 32, layers: 2, heads: 4, rows: 128, teacher: 'novice', lr: 3e-3 } } };
const within = (steps: number): Quantity => ({
  title: `right within ${steps} ${steps === 1 ? 'step' : 'steps'}, 200 episodes at the end`,
  measured: `by${steps}`,
  drawn: true,
});

export const t1 = definePaper({
  id: 'P176',
  title: 'Advancing Language Model Reasoning through Reinforcement Learning and Inference Scaling',
  authors: 'Hou et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2501.11651',
  claim: 'Oversampling, an entropy bonus and a moving anchor raise accuracy, and a larger inference budget alone raises it further.',
  leftOut: 'Penalties on repetition and a higher temperature are not built; tries are allowed in place of tokens.',
  source: {
    read: 'A public account of the paper that restates its parts (found by 2501.11651), and a survey that names how its anchor moves; the authors’ repository, THUDM/T1 at 5dfb8ff, holds no training code.',
    table: [
      {
        of: 'more answers are drawn for each question',
        ours: 'src/math/groups.ts (extremeRows)',
        state: 'changed',
        note: 'Of twice as many the best and the worst are learned from.',
      },
      { of: 'an entropy bonus beside the reward', ours: 'algo.config.entropyCoef', state: 'kept' },
      {
        of: 'KL to an anchor that moves along, a running average of the policy',
        ours: 'src/core/algos/language/group-rl.ts (moveAnchor)',
        state: 'kept',
        note: 'Every ten updates, six tenths of the way.',
      },
      {
        of: 'begun from traces with mistakes and their repair',
        ours: 'src/core/envs/language/lib/steps.ts',
        state: 'kept',
        note: 'A script that searches.',
      },
      { of: 'a larger budget at the end alone', ours: 'env.config.steps', state: 'changed', note: 'Tries in place of tokens.' },
    ],
  },
  differs: [
    'two of five numbers that sum to a target, eight tries',
    '29,000 parameters trained from nothing',
    'allowed tries in place of tokens',
  ],
  found: { outcome: 'not shown', text: 'The aids do not raise accuracy here (0.02 less, at most 0.03 more).' },
  question:
    'Do three aids to exploration together raise accuracy over plain learning, and does reward teach to use more tries than copying does?',
  idea: 'More completions are sampled than are learned from, a small reward keeps the policy undecided, and the anchor of the penalty on change follows it. A policy that searches uses more steps where it may.',
  equation: 'J = E[A] + c H - beta KL(pi | anchor), anchor <- 0.6 pi + 0.4 anchor',
  config: {
    v: 1,
    env: { id: 't-steps', config: { task: 'pairs', numbers: 5, steps: 8, mistakes: 0.5 } },
    algo: { id: 'group-rl', config: { width: 32, cloneSteps: 60, cloneLr: 3e-3, prompts: 8, group: 16 } },
    run: { steps: 120_000, evalEpisodes: 200 },
  },
  arms: [
    { id: 'all', title: 'all three aids', trials: 1, differs: all },
    { id: 'plain', title: 'reward without the aids', trials: 1 },
    { id: 'cloned', title: 'copied to the end, no reward', trials: 1, differs: copied },
    ...[2, 4].flatMap((steps) => [
      { id: `plain-${steps}`, title: 'reward without the aids', trials: 1, quantity: within(steps) },
      { id: `cloned-${steps}`, title: 'copied to the end, no reward', trials: 1, differs: copied, quantity: within(steps) },
    ]),
  ],
  quantity: within(8),
  contrasts: [
    // one question of twenty; the paper's own gains between its stages are larger
    { id: 'the aids raise accuracy', kind: 'difference', arm: 'all', over: 'plain', claim: 'above', size: 0.05 },
    {
      id: 'reward teaches to use more tries than copying does',
      kind: 'slope',
      arms: ['plain-2', 'plain-4', 'plain'],
      over: ['cloned-2', 'cloned-4', 'cloned'],
      x: [1, 2, 3],
      claim: 'above',
      size: 0.05, // for each doubling of the tries
      paired: true,
    },
  ],
  scale: { better: 'more', ceiling: 1 },
  exempt: [{ check: 'random', arms: ['plain-2', 'cloned-2'], why: 'within two tries little can be right, by any policy' }],
  firstSeed: 3001,
  forms: 2,
  tunedOn: [1, 1],
  quick: { run: { steps: 60_000, evalEpisodes: 10 }, seeds: 2 },
  scaledDown:
    'Which two of five numbers sum to a target, eight tries at most; the world verifies every try; 29,000 parameters trained from nothing. Allowed tries stand for allowed tokens. Equal tokens for all arms, those that are copied and those that oversampling throws away included. A policy that only copies, to the end, uses more tries as well: what reward adds to that is the slope of what lies between the two. In a first form, on ten seeds from 1,001, being right within eight tries was held against being right within four by the same policy, which cannot fall; it is no part of this rule. There all arms, with the aids or without, ended near 0.55.',
  dishonest:
    'Counting only the tokens that are learned from; the best of several answers in place of one answer with more steps: an episode here is one answer.',
  next: 'Make it harder with seven numbers, or give the anchor more weight (klCoef).',
});
