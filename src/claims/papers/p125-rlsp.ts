/** P125: paying for every new step of a search, whatever becomes of it, against paying for the answer alone. */
import type { Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const bonus = { env: { config: { stepBonus: 0.05 } } };
const cloned = { algo: { config: { cloneSteps: 5000 } } };
const backtracks: Quantity = { title: 'useful backtracks per episode, drawn', measured: 'backtracks', drawn: true };

export const rlsp = definePaper({
  id: 'P125',
  title: 'On the Emergence of Thinking in LLMs I: Searching for the Right Intuition',
  authors: 'Ye et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2502.06773',
  claim: 'A reward for exploring, apart from the outcome’s, raises accuracy by 23 % on MATH-500, and backtracking and verification emerge.',
  published: { value: 0.23, text: '0.23 (23 %) on MATH-500', of: 'a bonus raises accuracy' },
  leftOut: 'No language model judges the effort of thinking, and nothing is a language model.',
  source: {
    read: 'Authors’ code, GuanghaoYe/Emergence-of-Thinking at e7feea7.',
    table: [
      { of: 'openrlhf/cli/orm_server_efficient.py: 1 for the right answer', ours: 'src/core/envs/language/lib/steps.ts', state: 'kept' },
      { of: 'the same: -0.5 where no answer can be read', ours: '', state: 'left out', note: 'Such an episode earns nothing.' },
      {
        of: 'the same: 0.8 of that and 0.2 of a mark for effort',
        ours: 'env.config.task.stepBonus',
        state: 'changed',
        note: '0.05 for each try that was not made before, right or wrong.',
      },
      {
        of: 'gpt_reward.py, grade_cot: a language model marks depth, variety and persistence',
        ours: 'src/core/envs/language/lib/steps.ts',
        state: 'changed',
        note: 'Tries are counted.',
      },
      {
        of: 'README.md, figure 5(b): the reward falls by 1,000 over the length, so that longer thinking is paid',
        ours: '',
        state: 'left out',
        note: 'Length is not paid.',
      },
      {
        of: 'train_ppo_llama_ray_8B_rm_multi.sh: PPO',
        ours: 'src/core/algos/language/group-rl.ts (groupRl)',
        state: 'changed',
        note: 'The mean of a group stands for the critic.',
      },
    ],
  },
  differs: ['two of five numbers that sum to a target', '29,000 parameters trained from nothing', 'the group mean stands for PPO’s critic'],
  found: { outcome: 'open', text: 'Search emerges without the bonus (1.4 backtracks an episode), so the bonus has nothing to add here.' },
  question: 'Does a reward for exploring, apart from that for the right answer, make a cloned policy search more and answer better?',
  idea: 'A policy copies a poor searcher that mostly answers with its first try. One is then paid for right answers only; the other also a little for every try it has not made before, right or wrong.',
  equation: 'R = [answer is right] + b x (tries that are new)',
  config: {
    v: 1,
    env: { id: 't-steps', config: { task: 'pairs', numbers: 5, steps: 8, mistakes: 0.8 } },
    algo: { id: 'group-rl', config: { width: 32, cloneSteps: 60, cloneLr: 3e-3, prompts: 8, group: 16 } },
    run: { steps: 120_000, evalEpisodes: 200 },
  },
  arms: [
    { id: 'bonus', title: 'right answers and new tries paid', trials: 1, differs: bonus },
    { id: 'outcome', title: 'right answers paid', trials: 1 },
    { id: 'cloned', title: 'only copies, as long', trials: 1, differs: cloned },
    { id: 'bonus-backtracks', title: 'right answers and new tries paid', trials: 1, differs: bonus, quantity: backtracks },
    { id: 'outcome-backtracks', title: 'right answers paid', trials: 1, quantity: backtracks },
    { id: 'cloned-backtracks', title: 'only copies', trials: 1, differs: cloned, quantity: backtracks },
  ],
  quantity: { title: 'right answers, drawn', measured: 'solved', drawn: true },
  contrasts: [
    { id: 'a bonus raises accuracy', kind: 'difference', arm: 'bonus', over: 'outcome', claim: 'above', size: 0.05 },
    {
      id: 'it makes more useful backtracks',
      kind: 'difference',
      arm: 'bonus-backtracks',
      over: 'outcome-backtracks',
      claim: 'above',
      size: 0.1, // one backtrack in ten answers
    },
    // half an attempt an episode; the copied searcher makes next to none
    {
      id: 'no search emerges without a bonus',
      kind: 'level',
      arm: 'outcome-backtracks',
      claim: 'below',
      none: 0.5,
      premise: true,
    },
    // one backtrack in ten answers
    { id: 'more than were copied', kind: 'difference', arm: 'bonus-backtracks', over: 'cloned-backtracks', claim: 'above', size: 0.1 },
  ],
  scale: { better: 'more' },
  exempt: [
    {
      check: 'random',
      arms: ['bonus-backtracks', 'outcome-backtracks', 'cloned-backtracks'],
      why: 'second tries are counted, not how well they end',
    },
  ],
  tunedOn: [1, 1],
  quick: { run: { steps: 60_000, evalEpisodes: 50 }, seeds: 2 },
  scaledDown:
    'Which two of five numbers sum to a target, eight tries at most; the world verifies every try, and the policy decides when to stop; 29,000 parameters trained from nothing. The group mean stands for the critic of PPO. Counted are 200 drawn searches at the end; an earlier form counted the last 100 training episodes, which of the arm that only copies were those of the copied searcher. What it came to on ten seeds: learning from right answers alone already raises useful backtracks from 0.03 to 1.5 an episode, as many as with the bonus, so a bonus for new tries has nothing left to add in this world; the claim needs one in which a search does not emerge without it.',
  dishonest:
    'Counting backtracks that the copied searcher makes by itself as emerged: the arm that only copies has the same tokens and its rate stands beside the others. Counting tries of episodes that were not solved.',
  next: 'Raise the bonus (stepBonus) until the tries outlive the answer, or let the copied searcher go on more often (mistakes).',
});
