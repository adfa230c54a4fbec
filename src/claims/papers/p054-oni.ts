/** P054: what an annotator calls promising, late and with errors, as a reward beside a sparse one, against no bonus and one by counts. */
import type { JsonObject } from '#contract/kit/json.ts';
import { definePaper } from '../define.ts';

const SHARED: JsonObject = { envs: 16, minibatches: 8, lr: 1e-3 };
const oni = (rewardModel: string) => ({ algo: { config: { rewardModel } } });
const ppo = (config: JsonObject) => ({ algo: { id: 'ppo', config: { ...SHARED, ...config } } });

export const oniPaper = definePaper({
  id: 'P054',
  title: 'Online Intrinsic Rewards for Decision Making Agents from Large Language Model Feedback',
  authors: 'Zheng et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2410.23022',
  claim: 'Reward models learned online from a language model’s annotations solve sparse tasks from the agent’s own experience alone.',
  source: {
    read: 'Authors’ code, facebookresearch/oni at f0f86e8, rl_baseline/sample-factory/sample_factory/algorithms/appo, learner.py and llm_annotator.py.',
    table: [
      { of: 'captions wait in a queue while learning goes on', ours: 'src/core/algos/preferences/oni.ts (annotations)', state: 'kept' },
      {
        of: 'what ranks pairs is standardised by its running mean and variance and cut off below a threshold',
        ours: 'src/core/algos/preferences/oni.ts (networkWorth)',
        state: 'kept',
      },
      {
        of: 'divided by a power of how often the caption occurred, weighed, added to the reward',
        ours: 'src/core/algos/preferences/oni.ts (rewardOfAnnotations)',
        state: 'kept',
      },
      { of: 'asynchronous PPO with V-trace', ours: 'src/core/algos/preferences/oni.ts (oni)', state: 'changed', note: 'PPO.' },
      {
        of: 'a language model annotates',
        ours: 'src/core/algos/preferences/lib/captions.ts (promising)',
        state: 'changed',
        note: 'A script, wrong in one of ten.',
      },
      { of: 'the other kinds of reward model', ours: '', state: 'left out', note: 'One is judged.' },
    ],
  },
  differs: [
    'DoorKey 11 x 11 in place of NetHack, 300,000 steps',
    'a script annotates, wrong in one of ten, 5,000 steps late',
    'one of three kinds of reward model is judged',
  ],
  found: {
    outcome: 'open',
    text: 'Rewards learned from a script’s annotations find the goal that a bonus by counts misses (0.92 more); beside an arm that never finds it five seeds decide nothing.',
  },
  question:
    'Does a reward learned from what an annotator calls promising, while the policy learns, find what chance and a count bonus do not?',
  idea: 'An annotator who has played other games reads what happens ("unlocks the blue door") and says what looks promising. The answers come late and some are wrong; what is learned from them pays until the task itself does.',
  equation: 'r = r_environment + weight [v(caption) >= 1/2] v(caption) / n^2, n: its place among the like of this episode',
  config: {
    v: 1,
    env: { id: 'minigrid-doorkey', config: { width: 11, height: 11 } },
    algo: {
      id: 'oni',
      config: { ...SHARED, rewardModel: 'ranker', rewardWeight: 0.2, annotatorErrors: 0.1, annotatorDelay: 5000, annotations: 8 },
    },
    run: { steps: 300_000 },
  },
  arms: [
    { id: 'ranker', title: 'ONI, a network that ranks', trials: 4 },
    { id: 'hash', title: 'ONI, a table', trials: 4, differs: oni('hash') },
    { id: 'classifier', title: 'ONI, a network that classifies', trials: 4, differs: oni('classifier') },
    { id: 'counts', title: 'PPO with a bonus by counts', trials: 4, differs: ppo({ bonus: 'counts', bonusWeight: 0.05 }) },
    { id: 'sparse', title: 'PPO on the sparse reward', trials: 1, differs: ppo({}) },
  ],
  quantity: { title: 'return of the last 100 training episodes', metric: 'episodicReturn', take: 'last' },
  contrasts: [
    { id: 'finds more than a bonus by counts', kind: 'difference', arm: 'ranker', over: 'counts', claim: 'above', size: 0.3 },
    { id: 'solves it', kind: 'level', arm: 'ranker', claim: 'above', none: 0.5 },
    { id: 'the sparse reward alone does not get there', kind: 'level', arm: 'sparse', claim: 'below', none: 0.1 },
  ],
  scale: { better: 'more', random: 0 },
  exempt: [
    { check: 'random', arms: ['sparse', 'counts'], why: 'that they find nothing in these steps is what the claim says of them' },
    {
      check: 'parameters',
      arms: ['ranker', 'counts', 'sparse'],
      why: 'policies and values are equal; a bonus has a value network of its own, the annotations a small one',
    },
  ],
  leftOut:
    'A script annotates in a language model’s place, so whether a language model’s annotations are good enough is not tested; one world, one of three kinds of reward model.',
  tunedOn: [1, 2],
  quick: { run: { steps: 60_000 }, seeds: 3 },
  scaledDown:
    'DoorKey of 11 x 11 for NetHack, 300,000 steps: with three times as many the sparse reward alone may be found, as it is at 8 x 8. The annotator is a script in the place of a language model: it reads captions of what the agent sees and does, calls picking up, opening, unlocking and walking through promising, and neither opening again nor the distance to the goal; one answer in ten is wrong, and all come 5,000 steps late. Which of the three kinds is held against the count bonus was chosen before, with the weights, on two seeds and partly at 8 x 8; all three are shown.',
  dishonest:
    'An annotator who knows the goal or the way to it; counting only the policy that was best of three kinds on the reported seeds; a bonus whose weight was not tuned; a world in which chance finds the reward.',
  next: 'Raise the errors of the annotator to 0.4: the table pays for noise, the networks for longer not. Set the loss by repetition to 0: it opens and shuts the door for ever.',
});
