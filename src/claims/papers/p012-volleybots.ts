/** P012: a learned choice among skills against motor commands alone and against skills by chance, three drones against three. */
import { definePaper } from '../define.ts';

export const volleyBots = definePaper({
  id: 'P012',
  title: 'VolleyBots: A Testbed for Multi-Drone Volleyball Game Combining Motion Control and Strategic Play',
  authors: 'Xu et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2502.01932',
  claim:
    'On-policy methods beat off-policy ones in single-drone drills, and a hierarchical policy wins 69.5 % of 3v3 matches against the strongest baseline.',
  mechanism:
    'The authors’ code (volley_bots/learning/hier/mappo_hier.py, volley_bots/envs/competitive/volleyball_3v3_hier.py): eleven skills, a trained network each, among which a script chooses by who hit the ball last. Here the choice is learned and the skills are scripts.',
  differs: [
    'skills are scripted and the choice among them is learned; there it is the reverse',
    '250,000 steps',
    'return against a scripted team in place of a win rate; no drills',
  ],
  question:
    'Does a team that learns which skill to use beat a scripted team more clearly than one that learns everything from motor commands?',
  idea: 'Flying is one problem, volleyball another. A strategist chooses among controllers (fly there, bump, set, hit) every 25 steps; the flat learner has to find flight and game at once.',
  equation: 'pi(skill | game) every 25 steps, controller(skill) in between',
  config: {
    v: 1,
    env: { id: 'drone-volleyball', config: { teamSize: 3, seats: { far: 'rally' } } },
    algo: { id: 'strategist', config: { envs: 32 } },
    run: { steps: 250_000, evalEpisodes: 20 },
  },
  arms: [
    { id: 'strategist', title: 'learns which skill', trials: 1 },
    {
      id: 'flat',
      title: 'PPO on motor commands',
      trials: 2,
      differs: {
        algo: {
          id: 'ppo',
          config: { envs: 32, rolloutSteps: 64, minibatches: 8, lr: 1e-3, clipValue: false, normaliseObs: true, normaliseReward: true },
        },
      },
    },
    {
      id: 'chance',
      title: 'skills by chance',
      trials: 1,
      differs: { algo: { config: { strategy: 'random' } }, run: { steps: 50_000 } },
    },
  ],
  quantity: { title: 'return of the last 100 training episodes', of: 'finalReturn' },
  contrasts: [
    { id: 'over motor commands', kind: 'difference', arm: 'strategist', over: 'flat', claim: 'above', size: 50 },
    { id: 'over chance', kind: 'difference', arm: 'strategist', over: 'chance', claim: 'above', size: 50 },
  ],
  scale: { better: 'more' },
  exempt: [
    { check: 'steps', arms: ['chance'], why: 'nothing is learned there: more steps change nothing' },
    {
      check: 'parameters',
      arms: ['strategist', 'flat', 'chance'],
      why: 'one network puts out skills, the other motor commands: equal hidden layers, unequal ends',
    },
  ],
  atMost: {
    verdict: 'partly',
    why: 'Skills are scripted controllers and their choice is learned, where the paper learns the skills and scripts the choice; the opponent is a script, not a trained team; on-policy against off-policy drills are no arms here.',
  },
  tunedOn: [1, 5],
  quick: { run: { steps: 60_000, evalEpisodes: 5 }, seeds: 2 },
  scaledDown:
    '250,000 steps for both learners, in which the strategist is not done: it loses still, and beats chance by too little to say. With six times as many it wins (the claim volleyball-strategist). Scripted skills and a scripted opponent.',
  dishonest: 'Playing only a script and calling it a match between learned teams; letting scripted skills pass as learned ones.',
  next: 'Change how often the strategist chooses (decisionInterval), or run the solo drills with PPO and SAC.',
});
