/** P084: levels at the learner's frontier against a fixed set of two hundred, with levels drawn evenly beside them, on mazes with more walls. */
import { objectOf } from '#contract/kit/json.ts';
import { definePaper } from '../define.ts';

/** Those of the preset "frontier-levels" of PPO, which all arms share but for the levels. */
const COMMON = { envs: 16, rolloutSteps: 256, minibatches: 8, epochs: 4, lr: 5e-4, gamma: 0.995, lambda: 0.98, entropyCoef: 0.001 };
const levels = (kind: object) => ({ algo: { config: objectOf({ levels: { ...kind } }) } });
/** Of the mazes that are solved in the test more than twice as many cells are drawn for walls. */
const against = [{ walls: 60 }];

export const frontierLevels = definePaper({
  id: 'P084',
  title: 'SimWorld Studio: Automatic Environment Generation with Evolving Coding Agent for Embodied Agent Learning',
  authors: 'Kang et al.',
  year: 2026,
  link: 'https://arxiv.org/abs/2605.09423',
  claim:
    'A coding agent that hears how well the learner does writes environments near the frontier of what it can do: success is 18 points above learning in fixed environments, 40 above no training.',
  published: { value: 0.18, text: '18 points more success than in fixed environments, in navigation', of: 'over a fixed set' },
  source: {
    read: 'The abstract, and public code of the co-evolution (co_evolve/difficulty.py, teacher.py, feedback.py in a copy of SimWorld-AI/SimWorld-Studio, commit c83189c2).',
    table: [
      {
        of: 'the share of episodes that the learner solves decides what it is given next (feedback.py)',
        ours: 'src/core/algos/extensions/levels/level-replay.ts (levelPlaces)',
        state: 'kept',
      },
      {
        of: 'worth of a scene: a bell curve of that share, highest at 0.6 (difficulty.py, compute_coding_reward)',
        ours: 'src/core/algos/extensions/levels/level-replay.ts (levelPlaces)',
        state: 'changed',
        note: 'p (1 - p), highest at 0.5.',
      },
      {
        of: 'a language model writes scenes and writes them again where they miss the band of difficulty (teacher.py)',
        ours: 'src/core/envs/minigrid/minigrid-maze.ts (minigridMaze)',
        state: 'changed',
        note: 'Our script draws walls; of what it draws the mazes at the frontier are kept.',
      },
      {
        of: 'fixed environments as the rival (teacher.py, FixedTeacher)',
        ours: 'src/core/algos/extensions/levels/settings.ts (levelsField)',
        state: 'changed',
        note: 'Two hundred mazes of the same script.',
      },
      { of: 'checks and repairs of scenes, a library of tools that grows', ours: '', state: 'left out', note: 'None.' },
    ],
  },
  differs: ['a script that draws walls in place of a language model that writes scenes', 'mazes of 13 x 13 cells', 'PPO without a memory'],
  found: {
    outcome: 'shown',
    text: 'On five seeds the frontier solves 0.11 more of the mazes with many walls than two hundred fixed ones, on ten more 0.07. Drawing mazes evenly, where nothing adapts, solves as many as the frontier does, 0.56: what the fixed set lacks here are new mazes, not the frontier.',
  },
  question:
    'Does a learner that plays mazes it solves half of the time solve more mazes with many walls than one that plays two hundred mazes again and again?',
  idea: 'What is always solved teaches nothing, and what never is neither. So mazes are kept that are solved about half of the time, and they change with what the learner can do; a fixed set may be learned by heart.',
  equation: 'worth of a maze = p (1 - p),   p the share of its episodes that are solved',
  touch: 'levels',
  config: {
    v: 1,
    env: { id: 'minigrid-maze', config: { walls: 25 } },
    algo: { id: 'ppo', config: COMMON },
    run: { steps: 1_000_000, evalEpisodes: 200 },
  },
  arms: [
    {
      id: 'frontier',
      title: 'levels at the frontier',
      trials: 2,
      against,
      differs: levels({ kind: 'replay', score: 'frontier', learnFromNew: true }),
    },
    { id: 'fixed', title: 'two hundred levels', trials: 2, against, differs: levels({ kind: 'fixed', count: 200 }) },
    { id: 'uniform', title: 'levels drawn evenly', trials: 1, against },
  ],
  quantity: { title: 'solved of 200 mazes of 60 walls, actions drawn', elsewhere: 'solved', drawn: true },
  contrasts: [
    // of the recipe: less than half of the paper's 18 points
    { id: 'over a fixed set', kind: 'difference', arm: 'frontier', over: 'fixed', claim: 'above', size: 0.08, paired: true },
  ],
  // 166 of the 200 mazes have a way to their goal: what the expert solves
  scale: { better: 'more', ceiling: 0.83 },
  leftOut: 'Nothing writes, checks or repairs environments: a script draws walls, and what is tested is which of its mazes are played.',
  tunedOn: [901, 902],
  looks: [5, 10],
  secondLook: 'full',
  quick: { run: { steps: 200_000, evalEpisodes: 100 }, seeds: 2 },
  scaledDown:
    'Training draws 25 walls a maze, the test 60, and the first 200 of the evaluation’s seeds are played, 166 of which have a way to the goal; none of them is met in training. The settings of PPO are those that the world is offered with. Tried on seeds 901 and 902, solved of 200: 0.54 at the frontier, 0.53 there without learning from new mazes, 0.39 with two hundred mazes, 0.34 with fifty, and 0.58 with mazes drawn evenly. So the claim is asked where it can come out, over a fixed set, and drawing evenly, for which nothing adapts and the abstract makes no claim, stands beside it: on those two seeds it was above the frontier.',
  dishonest: 'A fixed set of twenty; test mazes that are met in training; leaving out that drawing evenly does as well.',
  next: 'Mazes that are edited where they are at the frontier (ACCEL), or more steps, after which drawing evenly may no longer be enough.',
});
