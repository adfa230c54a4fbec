/** P031: groups with a leave-one-out baseline against a critic, and against copies by a network four times as wide, on tasks not seen before. */
import type { JsonObject } from '#contract/json.ts';
import { ABSTRACT_ONLY } from '#contract/papers.ts';
import { definePaper } from '../define.ts';

const world: JsonObject = { apps: 3, names: 3, calls: 6, splitBy: 'task', split: 'train' };
const unseen: readonly JsonObject[] = [{ ...world, split: 'held-out' }];
const algo = (config: JsonObject) => ({ algo: { config } });

export const loop = definePaper({
  id: 'P031',
  title: 'Reinforcement Learning for Long-Horizon Interactive LLM Agents',
  authors: 'Chen et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2502.01600',
  claim: 'An agent trained with a leave-one-out baseline and no critic beats a much larger untrained agent by 9 points (15 % relative).',
  published: { value: 0.09, text: '9 points', of: 'above a wider copy' },
  mechanism: ABSTRACT_ONLY,
  differs: [
    '29,000 parameters; the wider copy has 16 times as many',
    'files, mail and calendar, two or three commands a task',
    'three of thirty tasks unseen',
  ],
  question:
    'Does an agent trained in its tools, without a critic, solve more unseen tasks than a copy four times as wide, and as many as with a critic?',
  idea: 'An agent that calls tools is trained where the calls have effects. Each task is tried several times, and the reward of a try is compared with the mean of the other tries. So no critic has to predict the reward of the rest of a task.',
  equation:
    'A_k = R_k - mean of the other R_j; clipped ratios of every token; R = 1 if the end state is the goal and nothing else has changed',
  config: {
    v: 1,
    env: { id: 't-tools', config: world },
    algo: {
      id: 'group-rl',
      config: {
        width: 32,
        lr: 2e-3,
        prompts: 8,
        group: 16,
        cloneSteps: 80,
        cloneLr: 2e-3,
        baseline: 'leave-one-out',
        scale: 'none',
        epochs: 2,
      },
    },
    run: { steps: 120_000, evalEpisodes: 100 },
  },
  arms: [
    { id: 'loop', title: 'leave-one-out, no critic (LOOP)', trials: 1, against: unseen },
    {
      id: 'critic',
      title: 'PPO with a critic',
      trials: 1,
      against: unseen,
      differs: { algo: { id: 'token-ppo', config: { width: 32, lr: 2e-3, rows: 128, cloneSteps: 80 } } },
    },
    {
      id: 'wide',
      title: 'only copies, four times as wide',
      trials: 1,
      against: unseen,
      differs: algo({ width: 128, cloneSteps: 5000, cloneLr: 1e-3 }),
    },
  ],
  quantity: { title: 'unseen tasks solved, greedy', of: 'againstReturn' },
  contrasts: [
    { id: 'above a wider copy', kind: 'difference', arm: 'loop', over: 'wide', claim: 'above', size: 0.09 },
    { id: 'no worse than with a critic', kind: 'difference', arm: 'loop', over: 'critic', claim: 'above', none: -0.05 },
  ],
  scale: { better: 'more', random: 0, ceiling: 1 },
  exempt: [{ check: 'parameters', arms: ['wide'], why: 'a network four times as wide is what it is compared with' }],
  tunedOn: [1, 2],
  quick: { run: { steps: 100_000, evalEpisodes: 50 }, seeds: 2 },
  scaledDown:
    'Small transformers trained from nothing; 29,000 parameters, 16 times as many in the wide one. Files, mail and a calendar with three names each; a task is one job of two or three commands, six at most. All arms first copy a scripted player that makes a random call three times in ten, and all write equally many tokens. The wide network goes on copying to the end; it takes the place of a larger model that is only prompted. A copy of the same width is left out. Three of the thirty tasks are unseen in training; all their words occur in other tasks. The memory that a critic needs is not compared, because here it is only one more head. Result of ten seeds: with a critic or without, nine of ten solve nearly all unseen tasks, and so do seven of ten wide copies; one seed of each learner failed on them.',
  dishonest:
    'A larger model that is trained less: here it copies as many tokens as the others write in all. A check of the end state that ignores side effects: here a mail too many, or a deleted file that should have stayed, fails the task.',
  next: 'Hold out by what the apps hold (splitBy), where copies have less to guess, or set two jobs in one episode.',
});
