/** P074: a planner and a grounder that are trained apart, against one network for all of it and one that says its steps. */

import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm, Quantity } from '#contract/papers/papers.ts';
import type { Contrast } from '#math/contrasts.ts';
import { definePaper } from '../define.ts';

const world: JsonObject = { apps: 5, jobs: 2, calls: 10, splitBy: 'kinds', form: 'apart' };
const train: JsonObject = { ...world, split: 'train' };

/** One arm, judged on what it was trained for and on kinds of jobs that were never asked for together: the same runs, read twice. */
const both = (found: Arm, form: string): readonly Arm[] => {
  const arm: Arm = { ...found, against: [{ ...world, form, split: 'held-out' }] };
  const held: Quantity = { title: 'solved, kinds of jobs not met together, greedy', of: 'againstReturn' };
  return [arm, { ...arm, id: `${arm.id}-held-out`, title: `${arm.title}, not met together`, quantity: held }];
};
/** All networks of an arm together have as many parameters. */
const one = (form: string, lr = 3e-3): NonNullable<Arm['differs']> => ({
  env: { config: { form } },
  algo: { config: { modules: 'one', width: 36, lr } },
});
const aboveBoth = (id: string, held: string): Contrast => ({
  id,
  kind: 'cells',
  cells: ['end-to-end', 'step-by-step'].map((rival) => [`modular${held}`, `${rival}${held}`]),
  of: 2,
  claim: 'above',
  size: 0.05, // five tasks of a hundred
});

export const lumos = definePaper({
  id: 'P074',
  title: 'Lumos: Learning Agents with Unified Data, Modular Design, and Open-Source LLMs',
  authors: 'Yin et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2311.05657',
  claim: 'Agents with separate planning and grounding modules beat end-to-end and step-by-step training and generalise to unseen tasks.',
  source: {
    read: 'Authors’ code, allenai/lumos at 146dd9d, eval/hotpotqa/run_eval.py, data/prompt_convertion.py and model/finetune.py.',
    table: [
      { of: 'two networks trained apart', ours: 'src/core/algos/language/token-cloning.ts (groupsOf)', state: 'kept' },
      {
        of: 'the planner reads task, subgoals and what came of each, and names the next or stops',
        ours: 'src/core/envs/language/t-tools.ts (tTools)',
        state: 'kept',
      },
      {
        of: 'each learns from the tokens that it writes',
        ours: 'src/core/algos/language/token-cloning.ts (compileNextToken)',
        state: 'kept',
      },
      {
        of: 'the grounder reads the task and earlier results beside its subgoal',
        ours: 'src/core/envs/language/t-tools.ts (tTools)',
        state: 'changed',
        note: 'The subgoal alone.',
      },
      { of: 'kinds of tasks that were never seen', ours: '', state: 'left out', note: 'Unseen pairs of jobs.' },
    ],
  },
  differs: [
    '34,000 to 36,000 parameters in place of two models of seven billion',
    'five apps in one world',
    'unseen are pairs of jobs, not kinds of tasks',
  ],
  leftOut: 'Two small networks in place of language models, one world, and no kind of task that was never seen.',
  found: {
    outcome: 'open',
    text: 'Where pairs of jobs were never seen planner and grounder are 0.21 ahead of both rivals, over all tasks 0.05 behind: some seeds fail, and twenty leave both open.',
  },
  question:
    'Do a planner and a grounder, trained apart on the same annotations, solve more tasks than one network of their size, also tasks whose kinds of jobs were never seen together?',
  idea: 'The planner says what to do next, not how; the grounder sees that one subgoal and nothing else. Each has little to learn, and a task that is new to the planner is made of subgoals that the grounder knows.',
  equation: 'subgoal ~ planner(task, subgoals and what came of them); commands ~ grounder(subgoal, commands and replies)',
  config: {
    v: 1,
    env: { id: 't-tools', config: train },
    algo: { id: 'token-cloning', config: { modules: 'roles', width: 24, heads: 2, rows: 32, lr: 3e-3 } },
    run: { steps: 200_000, evalEpisodes: 200 },
  },
  arms: [
    ...both({ id: 'modular', title: 'planner and grounder, a network each', trials: 2 }, 'apart'),
    ...both({ id: 'end-to-end', title: 'commands alone, one network', trials: 2, differs: one('commands') }, 'commands'),
    ...both({ id: 'step-by-step', title: 'subgoals said in the same row, one network', trials: 2, differs: one('aloud', 6e-3) }, 'aloud'),
    ...both({ id: 'shared', title: 'rows apart, one network for both', trials: 2, differs: one('apart') }, 'apart'),
  ],
  quantity: { title: 'tasks solved, greedy', measured: 'solved' },
  contrasts: [aboveBoth('above both', ''), aboveBoth('above both where kinds of jobs never met', '-held-out')],
  scale: { better: 'more', random: 0, ceiling: 1 },
  firstSeed: 3001,
  forms: 2,
  tunedOn: [1, 2],
  noQuick: 'each of its arms is one press in the set-up',
  scaledDown:
    'Transformers of 34,000 to 36,000 parameters in all, trained from nothing, in place of two of seven billion that were pretrained; five apps in one world in place of questions, mathematics and the web. A script writes the annotations: the jobs that a task names, each said before its commands, and left when it is done; the planner has no more to do than to say the next one and to see when all are done. All arms write 200,000 tokens, so that one that writes commands alone sees half as many tasks again. Held out are the combinations of two kinds of jobs, a tenth of all, that training never asks for together. On two tuning seeds and 120,000 tokens each arm was tried at two step sizes (0.003 and 0.006) and keeps its better one. On ten seeds from 1,001, by an older version of the world that never held out whole classes of tasks, the modules solved 0.82 of the jobs that were trained together, commands alone 0.87, subgoals said in the same row 0.68; where kinds of jobs never met 0.60, 0.51 and 0.33. What twenty new seeds show, in the mean: 0.70, 0.87 and 0.70 among jobs that were trained together, where some seeds of the modules stop early; 0.42, 0.23 and 0.13 where kinds never met. Rows apart that one network of the same size writes come to 0.87 and 0.56: it is the rows that help, not that the networks are two.',
  dishonest: 'Two networks each as large as the one they are compared with; annotations that only the modules see.',
  next: 'Tasks whose subgoals depend on what was found, so that the planner has more to do than to go through a list.',
});
