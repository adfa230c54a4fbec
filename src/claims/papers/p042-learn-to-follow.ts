/** P042: planning one's own way and learning to follow it, without pay for following, against learning everything and a fixed rule that plans as far. */
import { definePaper } from '../define.ts';

export const learnToFollow = definePaper({
  id: 'P042',
  title: 'Learn to Follow: Decentralized Lifelong Multi-agent Pathfinding via Planning and Learning',
  authors: 'Skrynnik et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2310.01207',
  claim:
    'A planner with a learned local policy delivers more than learned and rule-based rivals on unseen maps and decides ten times faster than search.',
  source: {
    read: 'Authors’ code, Cognitive-AI-Systems/learn-to-follow at d02680a, follower_cpp/planner.h and follower/preprocessing.py.',
    table: [
      {
        of: 'planner.h: the cheapest path; cells where others were seen cost more',
        ours: 'src/core/algos/swarms/lib/window-planner.ts',
        state: 'kept',
      },
      {
        of: 'the same: num_occupations until the target changes',
        ours: 'src/core/algos/swarms/lib/window-planner.ts',
        state: 'changed',
        note: 'Traffic counts while it is seen; the plan ends at the window.',
      },
      {
        of: 'the same: use_static_cost, cells in the middle of the map cost more',
        ours: '',
        state: 'left out',
        note: 'All free cells cost the same.',
      },
      {
        of: 'preprocessing.py: the network sees the way and is paid for its next cell',
        ours: 'src/core/algos/swarms/follow.ts (plannedEnv)',
        state: 'kept',
      },
      {
        of: 'the same: that pay is all that is learned from',
        ours: 'src/core/algos/swarms/follow.ts (plannedEnv)',
        state: 'changed',
        note: 'Beside the reward of a delivery.',
      },
    ],
  },
  differs: [
    '64 agents, maps of 32 x 32, 15,360 steps',
    'plans within the agent’s window in place of the whole map',
    'the rule plans in the same window; neither search nor decision time is compared',
  ],
  found: {
    outcome: 'open',
    text: 'Learning beside the plan reaches 0.48 times as many targets as following the plan alone, which five seeds leave open.',
  },
  question:
    'Do agents that plan within their view and learn the rest deliver more than the same learner without a plan, and than a rule that follows the same plans?',
  idea: 'A search through the little that an agent sees gives it a way, dearer where others stand. A policy learns to follow it and to give way.',
  equation: 'cost of a cell = 1 + congestion x agents seen on it',
  config: {
    v: 1,
    env: { id: 'lifelong-mapf', config: { size: 32, density: 0.2, agents: 64, collisionSystem: 'soft', maxSteps: 256 } },
    algo: { id: 'follow', config: { waypointReward: 0 } },
    run: { steps: 15_360, evalEpisodes: 10 },
  },
  arms: [
    { id: 'follow', title: 'plans, learns to follow, unpaid', trials: 0 },
    { id: 'plain', title: 'the same learner without a plan', trials: 0, differs: { algo: { config: { planner: false } } } },
    { id: 'rule', title: 'every agent along such a plan, nothing learned', trials: 0, script: 'planner' },
  ],
  quantity: { title: 'targets reached in 256 steps, unseen maps', of: 'evalReturn' },
  contrasts: [
    // what the title names, learning, beside the strongest arm that was run
    { id: 'over the rule', kind: 'ratio', arm: 'follow', over: 'rule', claim: 'above', size: 1.05 },
    { id: 'over the plain learner', kind: 'ratio', arm: 'follow', over: 'plain', claim: 'above', size: 1.5 },
  ],
  scale: { better: 'more' },
  exempt: [{ check: 'parameters', arms: ['plain', 'follow'], why: 'the plan is one more layer of what the first sees' }],
  leftOut: 'Random maps only, plans end at the window, and the time per decision against search is not measured.',
  firstSeed: 3001,
  forms: 2,
  tunedOn: [1, 5],
  quick: { run: { steps: 3840, evalEpisodes: 3 }, seeds: 2 },
  scaledDown:
    '64 agents on maps of 32 x 32, 15,360 steps (120 updates), plans within the window in place of the whole map; no recurrent policy. In a first form, on five seeds from 1,001, the rule went straight towards its target (22 targets, where learners that plan reached 312), and so was no rival; the rule of today plans as far as the learner sees, and reached 657 targets on seed 901, the learner 335.',
  dishonest: 'Evaluating on training maps; paying for steps along the way while claiming that nothing is shaped.',
  next: 'Pay for the way (waypointReward 0.1) and see how much of the gain was shaping; set density to 0.3.',
});
