/** P133: subgoals of a teacher that is there in training only, of three kinds and with errors, against bonuses for what is new. */
import type { JsonObject } from '#contract/json.ts';
import { ABSTRACT_ONLY } from '#contract/papers.ts';
import { definePaper } from '../define.ts';

const SHARED: JsonObject = { envs: 16, minibatches: 8, lr: 1e-3 };
const teacher = (config: JsonObject) => ({ algo: { config } });
const ppo = (config: JsonObject) => ({ algo: { id: 'ppo', config: { ...SHARED, ...config } } });

export const wordsAsBeacons = definePaper({
  id: 'P133',
  title: 'Words as Beacons: Guiding RL Agents with High-Level Language Prompts',
  authors: 'Ruiz-Gonzalez et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2410.08632',
  claim:
    'Subgoals from a language model, used in training only, speed up learning 30 to 200 times in steps over recent methods for sparse reward.',
  published: { value: 30, text: '30 to 200 times fewer steps', of: 'fewer steps than with a bonus by counts' },
  mechanism: ABSTRACT_ONLY,
  differs: [
    'MultiRoom with six rooms of 4 x 4',
    'a scripted expert names the subgoals, one in five wrong',
    '80,000 steps, which bound the ratio',
  ],
  question:
    'How many times fewer steps does a learner need that is paid for the subgoals of a teacher than one that is paid for what is new?',
  idea: 'A teacher who knows the task splits it into steps: a cell to reach, a thing to face, a deed to do. While the policy learns it is paid for each; afterwards it acts alone, and it never saw a subgoal.',
  equation: 'r = r_environment + weight [a subgoal that is left was reached]',
  config: {
    v: 1,
    env: { id: 'minigrid-multi-room', config: { rooms: 6, maxRoomSize: 4 } },
    algo: { id: 'subgoal-ppo', config: { ...SHARED, subgoals: 'words', teacherErrors: 0.2, subgoalWeight: 0.2 } },
    run: { steps: 80_000, evalEpisodes: 50 },
  },
  arms: [
    { id: 'words', title: 'words, one subgoal in five wrong', trials: 4 },
    { id: 'object', title: 'things, one in five wrong', trials: 4, differs: teacher({ subgoals: 'object' }) },
    { id: 'position', title: 'cells, one in five wrong', trials: 4, differs: teacher({ subgoals: 'position' }) },
    { id: 'counts', title: 'PPO with a bonus by counts', trials: 4, differs: ppo({ bonus: 'counts', bonusWeight: 0.02 }) },
    { id: 'rnd', title: 'PPO with random network distillation', trials: 4, differs: ppo({ bonus: 'RND', bonusWeight: 0.5 }) },
    { id: 'sparse', title: 'PPO on the sparse reward', trials: 1, differs: ppo({}) },
    {
      id: 'words-alone',
      title: 'words, one subgoal in five wrong: the policy alone',
      trials: 4,
      quantity: { title: 'return of 50 greedy episodes without the teacher', of: 'evalReturn' },
    },
  ],
  quantity: { title: 'steps to a return of 0.35, half of the expert’s', metric: 'episodicReturn', reaches: 0.35 },
  contrasts: [
    { id: 'fewer steps than with a bonus by counts', kind: 'ratio', arm: 'counts', over: 'words', claim: 'above', none: 2, size: 10 },
    {
      id: 'fewer steps than with random network distillation',
      kind: 'ratio',
      arm: 'rnd',
      over: 'words',
      claim: 'above',
      size: 10, // as against counts
      none: 2,
    },
    { id: 'the policy alone does half as well as the expert', kind: 'level', arm: 'words-alone', claim: 'above', none: 0.35 },
  ],
  scale: { better: 'more' },
  exempt: [
    {
      check: 'parameters',
      arms: ['words', 'counts', 'rnd'],
      why: 'policies and values are equal; a bonus has a value network of its own, random network distillation two more, a teacher none',
    },
  ],
  atMost: { verdict: 'partly', why: 'With 80,000 steps for every arm the ratio ends at about three, far below thirty.' },
  tunedOn: [1, 2],
  quick: { run: { steps: 30_000, evalEpisodes: 20 }, seeds: 2 },
  scaledDown:
    'MultiRoom of six rooms of 4 x 4 and 80,000 steps; KeyCorridor is left out: on two smaller seeds policies without a memory, taught by words and by things, did not solve it in 100,000 steps; bonuses were not tried there. The scripted expert of the world stands for a language model: it plays each episode through on a copy, and what leads on becomes a subgoal, one in five of them wrong. The policy of the paper sees its subgoal while it learns; this one never does, so that it can be tested alone. A level that is not reached counts as 80,000 steps, so a ratio ends at about two where the teacher needs 40,000: ten times can be held against a bonus only if that bonus reaches the level, and then it does not need ten times as many. Weights were chosen before, among four each, on two seeds: with the best one a bonus by counts needed about twice as many steps.',
  dishonest:
    'A teacher who is there at the test, or who never errs; a bonus whose weight was not tuned; a count of steps to a level of the paid subgoals; rooms in which chance finds the goal.',
  next: 'Raise the errors of the teacher to 0.6; let it name things or cells; take rooms of ten cells, where a bonus by counts has more to count.',
});
