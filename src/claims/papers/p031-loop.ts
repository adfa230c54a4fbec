/** P031: groups with a leave-one-out baseline against copies by a network four times as wide, actions drawn, and on tasks not seen before. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm, Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const world: JsonObject = { apps: 5, names: 4, calls: 8, mistakes: 0.1, splitBy: 'task', split: 'train' };
const unseen: readonly JsonObject[] = [{ ...world, split: 'held-out' }];
const greedy: Quantity = { title: 'unseen tasks solved, greedy', of: 'againstReturn' };
const algo = (config: JsonObject) => ({ algo: { config } });
/** One arm on the tasks that it was trained on, actions drawn, and on those that were held out: the same runs, read twice. */
const both = (arm: Arm): readonly Arm[] => [
  { ...arm, against: unseen },
  { ...arm, id: `${arm.id}-unseen`, title: `${arm.title}, unseen tasks`, against: unseen, quantity: greedy },
];

export const loop = definePaper({
  id: 'P031',
  title: 'Reinforcement Learning for Long-Horizon Interactive LLM Agents',
  authors: 'Chen et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2502.01600',
  claim: 'An agent trained with a leave-one-out baseline and no critic beats a much larger untrained agent by 9 points (15 % relative).',
  published: { value: 0.09, text: '9 points', of: 'above a wider copy' },
  source: {
    read: 'Authors’ code, apple/ml-loop at 6ade7b9, phi_agents/rl/train.py and phi_agents/rl/conf/rl/params/default.yaml.',
    table: [
      {
        of: 'Baseline.LOO: the return of a try less the mean of the others',
        ours: 'src/math/groups.ts (groupAdvantages)',
        state: 'kept',
        note: 'Not divided by their deviation.',
      },
      {
        of: 'the ratio of every token clipped, two epochs, no critic, no KL',
        ours: 'src/core/algos/language/lib/policy-loss.ts (policyLoss)',
        state: 'kept',
      },
      { of: 'tokens weigh alike within each try', ours: 'src/math/groups.ts (rowWeights)', state: 'changed', note: 'All tokens alike.' },
      { of: 'clip 0.1', ours: 'src/core/algos/language/lib/policy-loss.ts (policyLoss)', state: 'changed', note: '0.2.' },
      {
        of: 'an update from six tries of forty tasks',
        ours: 'algo.config.prompts',
        state: 'changed',
        note: 'Sixteen tries of eight tasks.',
      },
      { of: 'the larger agent is pretrained and prompted', ours: '', state: 'left out', note: 'It copies a script.' },
    ],
  },
  differs: [
    '28,000 parameters; the wider copy has 406,000, and is not pretrained',
    'five apps told in tokens, one job of two to four commands',
    'actions drawn as in training (the authors’ evaluation is nearly greedy)',
  ],
  found: {
    outcome: 'open',
    text: 'On drawn actions the small learner is ahead of a wider copy, on unseen tasks behind it; five seeds decide neither.',
  },
  question:
    'Does an agent trained in its tools, without a critic, solve more tasks than a copy four times as wide, actions drawn, and more unseen ones, greedily?',
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
    run: { steps: 150_000, evalEpisodes: 200 },
  },
  arms: [
    ...both({ id: 'loop', title: 'leave-one-out, no critic (LOOP)', trials: 1 }),
    ...both({
      id: 'wide',
      title: 'only copies, four times as wide',
      trials: 1,
      differs: algo({ width: 128, cloneSteps: 5000, cloneLr: 1e-3 }),
    }),
  ],
  quantity: { title: 'tasks solved, drawn', measured: 'solved', drawn: true },
  contrasts: [
    // means, because one tuning seed of five ended far above the others
    { id: 'above a wider copy', kind: 'difference', arm: 'loop', over: 'wide', claim: 'above', size: 0.09, middle: 'mean' },
    // half of what the wide copy leaves on tuning seeds
    { id: 'above it where tasks are unseen', kind: 'difference', arm: 'loop-unseen', over: 'wide-unseen', claim: 'above', size: 0.04 },
  ],
  scale: { better: 'more', random: 0, ceiling: 1 },
  exempt: [{ check: 'parameters', arms: ['wide', 'wide-unseen'], why: 'a network four times as wide is what it is compared with' }],
  leftOut:
    'Drawn actions are measured on tasks whose wording was met in training, and the larger agent copies a script; none is pretrained and prompted.',
  looks: [5, 10, 20],
  firstSeed: 3001,
  forms: 2,
  tunedOn: [1, 905],
  quick: { run: { steps: 100_000, evalEpisodes: 50 }, seeds: 2 },
  scaledDown:
    'Small transformers trained from nothing; 28,000 parameters, fifteen times as many in the wide one. Files, mail, a calendar, a shop and a calculator with four names each; a task is one job of two to four commands, eight at most. Both arms first copy a scripted player that makes a random call one time in ten, and write equally many tokens; the wide network goes on copying to the end and takes the place of a larger model that is only prompted. Drawn actions are measured on new contents of all apps, for the 118 tasks that are met in training; unseen are ten others, all of whose words occur there. A copy draws the mistakes of its player too, which reward unlearns: that is most of what drawing can show, and why the greedy reading, in which a copy makes none of them, stands beside it. A first form (three apps, three unseen tasks, greedy, seeds from 1,001) was void: both learners, with a critic and without, and seven of ten wide copies solved nearly all there, and three seeds failed whole tasks. World and player were chosen by the wide copy on seed 901: at two random calls in ten it solved 0.5, drawn, at one in ten 0.68; greedily it solves nine of ten unseen tasks at either. Settings are those of the first form. On five tuning seeds the learner was ahead by 0.12, drawn, and behind by 0.05, greedily: the second reading is asked all the same, because it is the one that the paper has.',
  dishonest:
    'A larger model that is trained less: here it copies as many tokens as the other writes in all. A player with so many mistakes that any reward beats its copies. A check of the end state that ignores side effects: here a mail too many, or a deleted file that should have stayed, fails the task.',
  next: 'Let the novice make no mistakes (mistakes 0): then drawing costs the copy nothing.',
});
