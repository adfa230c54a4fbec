/** P012: a learned choice among skills against learning from commands alone, three drones against three; PPO against SAC in two drills. */
import { definePaper } from '../define.ts';

const ppo = {
  id: 'ppo',
  config: { envs: 32, rolloutSteps: 64, minibatches: 8, lr: 1e-3, clipValue: false, normaliseObs: true, normaliseReward: true },
};
/** 16 samples a step; the authors' sac.yaml takes eight. */
const sac = { hidden: [64, 64], learningStarts: 5000, bufferSize: 500_000, trainEvery: 16, batchSize: 256 };
const drill = { steps: 500_000 };

export const volleyBots = definePaper({
  id: 'P012',
  title: 'VolleyBots: A Testbed for Multi-Drone Volleyball Game Combining Motion Control and Strategic Play',
  authors: 'Xu et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2502.01932',
  claim:
    'On-policy methods beat off-policy ones in single-drone drills, and a hierarchical policy wins 69.5 % of 3v3 matches against the strongest baseline.',
  source: {
    read: 'Authors’ code, thu-uav/VolleyBots at 680493a.',
    table: [
      {
        of: 'volley_bots/learning/hier/mappo_hier.py: eleven skills, a trained network each',
        ours: 'src/core/envs/volleyball/lib/skills.ts (volleySkills)',
        state: 'changed',
        note: 'Scripted controllers.',
      },
      {
        of: 'volley_bots/envs/competitive/volleyball_3v3_hier.py: a script chooses by who hit the ball last',
        ours: 'src/core/algos/hierarchy/strategist.ts (strategist)',
        state: 'changed',
        note: 'The choice is learned.',
      },
      { of: 'drills of one drone, on-policy and off-policy methods', ours: 'env.id', state: 'kept', note: 'Two of them.' },
      { of: 'a trained team as opponent', ours: '', state: 'left out', note: 'A scripted one.' },
    ],
  },
  differs: [
    'skills are scripted and the choice among them is learned; there it is the reverse',
    'return against a scripted team in place of a win rate against a trained one',
    'a million steps in matches, 500,000 in drills: one hit and bump after bump, PPO and SAC',
  ],
  found: {
    outcome: 'open',
    text: 'A learned choice among scripted skills beats a flat learner that never plays; with one arm that is the same on every seed, five seeds decide nothing.',
  },
  question:
    'Does a team that learns which skill to use earn more than one that learns from commands alone, and PPO more than SAC in two drills?',
  idea: 'Flying is one problem, volleyball another. A strategist chooses among controllers (fly there, bump, set, hit) every 25 steps; the flat learner has to find flight and game at once. Between the two: a flat learner that commands velocities, so that flight is given.',
  equation: 'pi(skill | game) every 25 steps, controller(skill) in between',
  config: {
    v: 1,
    env: { id: 'drone-volleyball', config: { teamSize: 3, seats: { far: 'rally' } } },
    algo: { id: 'strategist', config: { envs: 32, rolloutDecisions: 8, lr: 5e-3 } },
    run: { steps: 1_000_000, evalEpisodes: 50 },
  },
  arms: [
    { id: 'strategist', title: 'learns which skill', trials: 3 },
    { id: 'flat', title: 'PPO on motor commands', trials: 4, differs: { algo: ppo } },
    {
      id: 'velocity',
      title: 'PPO on velocity commands',
      trials: 3,
      differs: { env: { config: { actionType: 'velocity' } }, algo: ppo },
    },
    {
      id: 'chance',
      title: 'skills by chance',
      trials: 0,
      differs: { algo: { config: { strategy: 'random' } }, run: { steps: 50_000 } },
      // every evaluation draws the same skills: training draws others for each seed
      quantity: { title: 'return of the last episodes', of: 'finalReturn' },
    },
    { id: 'hit-ppo', title: 'PPO, one hit', trials: 1, differs: { env: { id: 'volley-hit-the-ball' }, algo: ppo, run: drill } },
    {
      id: 'hit-sac',
      title: 'SAC, one hit',
      trials: 2,
      differs: { env: { id: 'volley-hit-the-ball' }, algo: { id: 'sac', config: { ...sac, lr: 1e-3, criticLr: 1e-3 } }, run: drill },
    },
    { id: 'bump-ppo', title: 'PPO, bump after bump', trials: 1, differs: { env: { id: 'volley-solo-bump' }, algo: ppo, run: drill } },
    {
      id: 'bump-sac',
      title: 'SAC, bump after bump',
      trials: 2,
      differs: {
        env: { id: 'volley-solo-bump' },
        algo: { id: 'sac', config: { ...sac, gamma: 0.95, lr: 5e-4, criticLr: 5e-4 } },
        run: drill,
      },
    },
  ],
  quantity: { title: 'greedy return', of: 'evalReturn' },
  contrasts: [
    // 69.5 % of matches won are 39 points more than are lost, and 200 lie between winning and losing
    { id: 'over motor commands', kind: 'difference', arm: 'strategist', over: 'flat', claim: 'above', size: 78 },
    {
      id: 'PPO over SAC in both drills',
      kind: 'cells',
      cells: [
        ['hit-ppo', 'hit-sac'],
        ['bump-ppo', 'bump-sac'],
      ],
      of: 2,
      // from random play to the end line, and to the script
      units: [37.2, 1135.4],
      claim: 'above',
      // a tenth of that way: a third of what lay between them on a tuning seed
      size: 0.1,
      middle: 'mean',
    },
    // a tenth of what lies between winning and losing
    { id: 'over velocity commands', kind: 'difference', arm: 'strategist', over: 'velocity', claim: 'above', size: 20, middle: 'mean' },
  ],
  scale: { better: 'more' },
  exempt: [
    { check: 'steps', arms: ['chance'], why: 'nothing is learned there: more steps change nothing' },
    {
      check: 'parameters',
      arms: ['strategist', 'flat', 'velocity', 'chance', 'hit-ppo', 'hit-sac', 'bump-ppo', 'bump-sac'],
      why: 'one network puts out skills, others commands, and SAC has two critics: equal hidden layers, unequal ends',
    },
    {
      check: 'random',
      arms: ['flat', 'chance'],
      why: 'that the game is not found from motor commands is the claim, and who hovers loses more than who crashes',
    },
  ],
  leftOut:
    'Skills are scripted controllers and their choice is learned, where the paper learns the skills and scripts the choice; the opponent is a script, not a trained team.',
  forms: 2,
  tunedOn: [1, 5],
  firstSeed: 3001, // those from 1001 on were judged with a strategist that was not done
  quick: { run: { steps: 60_000, evalEpisodes: 5 }, seeds: 2 },
  scaledDown:
    'A million steps in matches and 500,000 in drills, where the paper has a thousand million and 500 million. Scripted skills and a scripted opponent. The strategist got smaller batches and larger steps than its defaults, with which 250,000 steps were too few and an earlier form found it losing. On motor commands PPO learns to hover and loses the serve whatever was tried: two step sizes, one million steps, one against one, MAPPO. On velocity commands, against a script that flies by them too and is weaker for it, it learns the game on some seeds in a million steps and hovers on others; half the step size, and an entropy bonus with batches twice as large, found it on none of two seeds. Scripted skills fail on velocity commands, because they cannot tilt the racket.',
  dishonest:
    'Playing only a script and calling it a match between learned teams; letting scripted skills pass as learned ones; off-policy arms with fewer steps or fewer trials.',
  next: 'Change how often the strategist chooses (decisionInterval), or let PPO on velocity commands learn two million steps.',
});
