/**
 * Nine named methods on tokens from one start: `npm run claims -- nine-token-methods`. Each is its preset as it stands (a test compares them); the
 * start of a seed is the same bits for all nine (src/claims/token-methods.test.ts), another for every seed.
 */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

/** Four letters out of six, to be reversed; right answers alone are paid. One prompt in ten is never asked. */
const TASK: JsonObject = { length: 4, letters: 6, formatReward: 0, partialReward: 0, split: 'train' };
/** What all have in common: a small network, 128 answers an update, 100 updates of copying worked answers, after which about one drawn answer in a hundred is right. */
const SHARED: JsonObject = { width: 32, heads: 2, cloneSteps: 100 };
const ANSWERS: JsonObject = { prompts: 8, group: 16 };

interface Method {
  readonly id: string;
  readonly title: string;
  readonly algo: string;
  /** Of the method's preset of the same id, where it has one; else of its defaults. */
  readonly config: JsonObject;
}

/** Of group-rl those whose id is that of its preset, and the two methods whose defaults are the published form. */
export const METHODS: readonly Method[] = [
  { id: 'grpo', title: 'GRPO', algo: 'group-rl', config: { averaging: 'sequence', reference: { kind: 'fixed', coef: 0.04 }, epochs: 2 } },
  { id: 'dr-grpo', title: 'Dr. GRPO', algo: 'group-rl', config: { scale: 'none', averaging: 'constant', epochs: 2 } },
  {
    id: 'dapo',
    title: 'DAPO',
    algo: 'group-rl',
    config: { surrogate: { kind: 'clip', high: 0.28 }, dropUniform: { kind: 'on', by: 'reward' }, overlong: 2, epochs: 2 },
  },
  {
    id: 'gspo',
    title: 'GSPO',
    algo: 'group-rl',
    config: { ratio: 'sequence', averaging: 'sequence', surrogate: { kind: 'clip', low: 0.03, high: 0.04 }, epochs: 2 },
  },
  { id: 'cispo', title: 'CISPO', algo: 'group-rl', config: { surrogate: { kind: 'cap', low: 0, high: 5 }, epochs: 2 } },
  {
    id: 'rloo',
    title: 'RLOO',
    algo: 'group-rl',
    config: { baseline: 'leave-one-out', scale: 'none', surrogate: 'none', averaging: 'sum' },
  },
  { id: 'raft', title: 'RAFT', algo: 'group-rl', config: { baseline: 'best', surrogate: 'none' } },
  { id: 'ppo', title: 'PPO on tokens', algo: 'token-ppo', config: {} },
  { id: 'dpo', title: 'DPO, online', algo: 'dpo', config: {} },
];

const arms = METHODS.map(
  ({ id, title, algo, config }): Arm => ({
    id,
    title,
    trials: 0,
    differs: { algo: { id: algo, config: { ...SHARED, ...(algo === 'token-ppo' ? { rows: 128 } : ANSWERS), ...config } } },
  }),
);
/** From the slowest to the fastest on the seeds of the pilot. */
const ORDER = ['dpo', 'rloo', 'raft', 'dapo', 'grpo', 'gspo', 'ppo', 'dr-grpo', 'cispo'];
/** What tells the slow three from the others beside their formulas: they update once on what was sampled. */
const ONCE: Arm = {
  id: 'grpo-once',
  title: 'GRPO, one update on each sample',
  trials: 0,
  differs: { algo: { id: 'group-rl', config: { ...SHARED, ...ANSWERS, ...METHODS[0]?.config, epochs: 1 } } },
};

export const nineTokenMethods = definePaper({
  id: 'nine-token-methods',
  title: 'Nine methods on tokens from one start',
  authors: 'Shao et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2402.03300',
  found: {
    outcome: 'reversed',
    text: 'There is an order of groups, not of nine: CISPO, Dr. GRPO, GSPO, PPO and GRPO within 107,000 to 111,000 tokens, then RLOO with 144,000, RAFT with 156,000 and DPO with 191,000 or more; DAPO is as fast as the first five on seven seeds and teaches nothing any more on three.',
  },
  question:
    'Do nine named methods, each by its preset and from the same cloned start, need different numbers of tokens until nine answers in ten are right?',
  idea: 'From nothing the luck of a seed decides when a method meets its first right answer. From one start, the same bits for all, what is left is the method: ten starts, each learned on from by all nine.',
  equation: 'tokens until the mean return of training reaches 0.9',
  config: { v: 1, env: { id: 't-reason', config: TASK }, algo: { id: 'group-rl' }, run: { steps: 200_000, evalEpisodes: 256 } },
  arms: [...arms, ONCE],
  quantity: { title: 'tokens until nine answers in ten are right', metric: 'episodicReturn', reaches: 0.9 },
  contrasts: [
    { id: 'the whole order', kind: 'order', arms: ORDER, claim: 'above', size: 1000, paired: true },
    {
      id: 'one update on each sample takes longer than two',
      kind: 'difference',
      arm: 'grpo-once',
      over: 'grpo',
      claim: 'above',
      size: 20_000,
      paired: true,
    },
    {
      id: 'updated once, DPO takes longer than GRPO',
      kind: 'difference',
      arm: 'dpo',
      over: 'grpo-once',
      claim: 'above',
      size: 10_000,
      paired: true,
    },
  ],
  scale: { better: 'more' },
  tenSeeds: true,
  firstSeed: 1001,
  tunedOn: [901, 902],
  noQuick: 'a third of the budget is the start',
  scaledDown:
    'Words of four letters out of six, reversed; 27,000 parameters, 128 answers an update, step size 0.001 for all. Every method is its preset as it stands, but for these sizes and for a start of 100 updates on worked answers in place of none; nothing was tuned for any of them. Presets differ in more than their formula: GRPO, Dr. GRPO, DAPO, GSPO, CISPO and PPO update twice on what was sampled, RLOO, RAFT and DPO once, GRPO alone has a KL. A tenth arm, GRPO updated once, says what that is worth. The order that is asked for is the one of seeds 901 and 902, and its smallest step is reversed. DAPO ended on three of ten seeds without a right answer: its penalty for length acts before any answer is right and makes answers short, all of them are paid alike then, and groups that are paid alike are dropped. Of the 36 pairs of the nine, 19 differ clearly (paired t, Bonferroni) where all pairs are asked at once; among the first five it is CISPO before GRPO alone. GRPO updated once takes 157,000 tokens: what sets the first five apart from RLOO and RAFT is mostly the second update. The first 64,000 tokens are the start. Ten seeds for nine methods cost about eleven core-minutes, not the three core-hours that were thought of: a smaller network on shorter words was taken, because larger ones ended alike after four times the time.',
  dishonest:
    'An order of one seed; starts that differ between methods; a method that was tuned beside others that were not; presets that differ in updates called an order of formulas.',
  next: 'Set the epochs of all to one; begin with a start that is right in one of a thousand answers (60 updates), where methods that need a right answer wait.',
});
