/** P133: subgoals of a teacher that is there in training only, one in five of them wrong, against bonuses for what is new. */
import type { JsonObject } from '#contract/kit/json.ts';
import { definePaper } from '../define.ts';

const SHARED: JsonObject = { envs: 16, minibatches: 8, lr: 1e-3 };
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
  source: {
    read: 'Authors’ code, aklein1995/Words-as-Beacons at 029f1ea, torch_ac/algos/base.py, model.py, gym_minigrid/envs/subgoal_generator.py and simulation_scripts.',
    table: [
      {
        of: 'simulation_scripts, rq4.sh: subgoals are paid for and never read',
        ours: 'src/core/algos/preferences/subgoal-ppo.ts (rewardOfSubgoals)',
        state: 'kept',
        note: 'One ablation there; in the main runs the policy reads them.',
      },
      {
        of: 'base.py: only the next subgoal pays',
        ours: 'src/core/algos/preferences/subgoal-ppo.ts (agenda)',
        state: 'changed',
        note: 'Each that is left pays, and drops those before it.',
      },
      {
        of: 'the same: 0.2 at most, less the longer it took',
        ours: 'src/core/algos/preferences/subgoal-ppo.ts (rewardOfSubgoals)',
        state: 'changed',
        note: 'Alike.',
      },
      {
        of: 'subgoal_generator.py: a language model names them',
        ours: 'src/core/algos/preferences/subgoal-ppo.ts (createTeacher)',
        state: 'changed',
        note: 'A scripted expert, wrong in one of five.',
      },
      { of: 'two further kinds of subgoals', ours: '', state: 'left out', note: 'Words alone are judged.' },
    ],
  },
  differs: [
    'the policy never reads a subgoal, as in one ablation of the paper; in its main runs it does',
    'a scripted expert names the subgoals, one in five wrong',
    'MultiRoom with six rooms of 4 x 4, and 400,000 steps, which bound the ratio at about ten',
  ],
  found: {
    outcome: 'open',
    text: 'In the middle, words as subgoals need 1.6 times fewer steps than a bonus by counts, which five seeds leave unclear; five times fewer is excluded.',
  },
  question:
    'How many times fewer steps does a learner need that is paid for the subgoals of a teacher than one that is paid for what is new?',
  idea: 'A teacher who knows the task splits it into steps: a cell to reach, a thing to face, a deed to do. While the policy learns it is paid for each; afterwards it acts alone, and it never saw a subgoal.',
  equation: 'r = r_environment + weight [a subgoal that is left was reached]',
  config: {
    v: 1,
    env: { id: 'minigrid-multi-room', config: { rooms: 6, maxRoomSize: 4 } },
    algo: { id: 'subgoal-ppo', config: { ...SHARED, subgoals: 'words', teacherErrors: 0.2, subgoalWeight: 0.1 } },
    run: { steps: 400_000, evalEpisodes: 50 },
  },
  arms: [
    { id: 'words', title: 'words, one subgoal in five wrong', trials: 7 },
    { id: 'counts', title: 'PPO with a bonus by counts', trials: 7, differs: ppo({ bonus: 'counts', bonusWeight: 0.01 }) },
    { id: 'rnd', title: 'PPO with random network distillation', trials: 7, differs: ppo({ bonus: 'RND', bonusWeight: 0.5 }) },
    {
      id: 'words-alone',
      title: 'words, one subgoal in five wrong: the policy alone',
      trials: 7,
      quantity: { title: 'return of 50 greedy episodes without the teacher', of: 'evalReturn' },
    },
  ],
  quantity: { title: 'steps to a return of 0.35, half of the expert’s', metric: 'episodicReturn', reaches: 0.35 },
  contrasts: [
    { id: 'fewer steps than with a bonus by counts', kind: 'ratio', arm: 'counts', over: 'words', claim: 'above', none: 2, size: 5 }, // half of the ratio with which 400,000 steps end
    {
      id: 'fewer steps than with random network distillation',
      kind: 'ratio',
      arm: 'rnd',
      over: 'words',
      claim: 'above',
      size: 5, // as against counts
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
  leftOut:
    'With 400,000 steps for every arm the ratio ends at about ten, below thirty; of the three kinds of subgoals only words are judged.',
  forms: 2,
  tunedOn: [1, 4],
  firstSeed: 3001,
  quick: { run: { steps: 30_000, evalEpisodes: 20 }, seeds: 2 },
  scaledDown:
    'MultiRoom of six rooms of 4 x 4 and 400,000 steps; KeyCorridor is left out: on two smaller seeds policies without a memory, taught by words and by things, did not solve it in 100,000 steps; bonuses were not tried there. The scripted expert of the world stands for a language model: it plays each episode through on a copy, and what leads on becomes a subgoal, one in five of them wrong. The policy of the paper sees its subgoal while it learns; this one never does, so that it can be tested alone. A first form, 80,000 steps on ten seeds from 1,001, was inconclusive: no run of random network distillation and eight of ten by counts arrived, so that the ratios ended at about two, which is what the claim has to pass. This form takes five times the steps and new seeds; the size, five times, is half of what the budget allows. Subgoals that are things or cells, and the sparse reward alone, are left out, for what they cost; the laboratory has them. Weights were chosen before, among four each, on two seeds with 80,000 steps, and again for these steps, over which the step size falls more slowly: a first pilot of this form, on seeds 901 to 905 with the weights of the first, was refused, because with a weight of 0.2 the teacher’s learner never got there on one of them and late on two. Three further settings were then tried of each arm, on seeds 1 to 4, of the bonuses 1 and 2: 0.1 in place of 0.2 for the teacher, and two smaller step sizes; 0.01 in place of 0.02 for counts, and 0.005 and 0.05; random network distillation keeps 0.5, 0.25, 0.35 and 1 were no faster.',
  dishonest:
    'A teacher who is there at the test, or who never errs; a bonus whose weight was not tuned; a count of steps to a level of the paid subgoals; rooms in which chance finds the goal.',
  next: 'Raise the errors of the teacher to 0.6; let it name things or cells; take rooms of ten cells, where a bonus by counts has more to count.',
});
