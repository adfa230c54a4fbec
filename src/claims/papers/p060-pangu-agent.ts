/** P060: an agent that says what it will do before it does it, against one that acts at once, both copied first and then rewarded. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';
import { defineIdea, headOf } from '../define-forms.ts';

const world: JsonObject = { apps: 5, names: 3, jobs: 1, calls: 8, mistakes: 0.3 };

/** One arm, judged at its end and over its training: the same runs, read twice. */
const both = (id: string, title: string, form: string): readonly Arm[] => {
  const arm: Arm = { id, title, trials: 1, differs: { env: { config: { form } } } };
  return [
    arm,
    {
      ...arm,
      id: `${id}-early`,
      quantity: { title: 'return of training episodes, mean over training', metric: 'episodicReturn', take: 'mean' },
    },
  ];
};

const judged = definePaper({
  id: 'P060',
  title: 'Pangu-Agent: A Fine-Tunable Generalist Agent with Structured Reasoning',
  authors: 'Christianos et al.',
  year: 2023,
  link: 'https://arxiv.org/abs/2312.14878',
  claim: 'Agents perform and adapt far better when organised reasoning and prior knowledge are embedded in their policy.',
  source: {
    guess: {
      searches: [
        '“Pangu-Agent” and 2312.14878 among public repositories: abstracts, lists and papers that cite it.',
        'The repository in which its authors keep such code (huawei-noah/HEBO): no folder of it is stored.',
      ],
    },
  },
  differs: [
    'one intrinsic step, saying the job, in place of many that can be nested',
    'a transformer of some 30,000 weights trained from nothing',
    'one world of tools, groups in place of PPO; nothing is carried to another task',
  ],
  leftOut: 'Its fresh weights hold no prior knowledge, which the paper embeds, and nothing adapts to another task.',
  found: {
    outcome: 'open',
    text: 'Saying the job before each command cost tokens and solved fewer tasks (0.04 less) in our guess at structured reasoning.',
  },
  question:
    'Does an agent that says its job before each command solve more tasks, and learn sooner, than one that commands at once, with equal tokens?',
  idea: 'What is said stands in the row and can be read again. It costs tokens; it pays where it makes the next command easier to find.',
  equation: 'pi(command | task, replies) against pi(job | task, replies) pi(command | task, replies, job)',
  config: {
    v: 1,
    env: { id: 't-tools', config: world },
    algo: {
      id: 'group-rl',
      config: { width: 32, layers: 2, heads: 4, lr: 1e-3, prompts: 8, group: 16, epochs: 2, cloning: { kind: 'on', steps: 80, lr: 3e-3 } },
    },
    run: { steps: 300_000, evalEpisodes: 200 },
  },
  arms: [...both('said', 'says its job first', 'aloud'), ...both('direct', 'commands at once', 'commands')],
  quantity: { title: 'tasks solved, drawn', measured: 'solved', drawn: true },
  contrasts: [
    // one task of twenty
    { id: 'solves more', kind: 'difference', arm: 'said', over: 'direct', claim: 'above', size: 0.05 },
    { id: 'learns sooner', kind: 'difference', arm: 'said-early', over: 'direct-early', claim: 'above', size: 0.05 },
  ],
  scale: { better: 'more', random: 0, ceiling: 1 },
  firstSeed: 3001,
  tunedOn: [901, 901],
  noQuick: 'each of its arms is one press in the set-up',
  scaledDown:
    'Files, mail, a calendar, a shop and a calculator with three names each; one job an episode, eight commands at most. A job is said in two to four tokens before its commands and left with a full stop: one intrinsic step, where the paper nests thinking, planning, reflecting and asking for help. Both arms first copy a scripted player who makes a random call three times in ten, in 80 batches, then learn by reward in groups of sixteen, where the paper has PPO; all tokens count, those that are copied and those that are said: 300,000 in all, so that whoever says less plays more episodes. How soon both learn is read from the mean over training. That an agent adapts to another task is not tested. On seed 901 token PPO from 80 copies at a step of 0.001 solved nothing in either form, and was left. What ten seeds show: saying jobs costs twice the tokens an episode and brings nothing; commands at once solve more, and sooner.',
  dishonest: 'Unequal tokens; jobs said by a script at the test.',
  next: 'Two jobs in one episode, where what is said says also what is left.',
});

export const panguAgent = defineIdea({
  ...headOf(judged),
  noVerdict: 'The claim needs a pretrained language model: what is said pays there because it calls up what the model knows already.',
  quoted: { text: 'The abstract gives no number: agents “perform and adapt far better” when reasoning and prior knowledge are embedded.' },
  asked: {
    ask: 'Two small networks, trained on equally many tokens, run errands with files, mail and a calendar. One says its job before each command, the other commands at once. Which earns more?',
    choices: ['The one that says its job', 'The one that commands at once', 'About the same'],
    most: 'more',
    alike: 0.03, // of a reward of 1 for a task
  },
  touch: {
    kind: 'played',
    players: [
      { arm: 'said', title: 'says its job first' },
      { arm: 'direct', title: 'commands at once' },
    ],
    world: {},
    dial: null,
    episodes: 100,
    measured: 'reward of an errand (1: solved), likeliest tokens',
  },
  earlier: judged,
});
