/** P007: subgoals that agents set themselves, credited through a mixer, against agents without subgoals. */
import { definePaper } from '../define.ts';
import { defineIdea, headOf } from '../define-forms.ts';

const judged = definePaper({
  id: 'P007',
  title: 'Subgoal-based Hierarchical Reinforcement Learning for Multi-Agent Collaboration',
  authors: 'Xu et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2408.11416',
  claim:
    'Subgoals that agents generate themselves, without constraints on them, and a QMIX over the upper level converge faster and end higher than flat methods, alone and in teams.',
  source: {
    read: 'https://github.com/SICC-Group/GMAH at 36b36442: the lists of goals and the two levels of its MiniGrid and its trash grid; the abstract of arXiv 2408.11416.',
    table: [
      {
        of: 'an upper level that chooses a goal for each agent, a lower one that is paid for reaching it',
        ours: 'src/core/algos/hierarchy/goal-qmix.ts (twoLevelPolicy)',
        state: 'kept',
      },
      { of: 'QMIX over the upper values', ours: 'src/core/nets/mixing.ts (monotoneMixer)', state: 'kept' },
      {
        of: 'goals: a list made for each world (take the key, open the door, get to the goal), and a tree of them',
        ours: 'src/core/algos/hierarchy/lib/cells.ts (goalOffsets)',
        state: 'changed',
        note: 'All cells near the agent, of which none is named.',
      },
      {
        of: 'an auto-encoder that revises the goals when the world changes',
        ours: 'algo.config.every',
        state: 'changed',
        note: 'Goals are chosen anew every few steps, from what is seen then.',
      },
      {
        of: 'PPO at both levels',
        ours: 'src/core/algos/hierarchy/lib/goal-lower.ts (compileLowerLearner)',
        state: 'changed',
        note: 'Deep Q-learning with goals in hindsight.',
      },
    ],
  },
  differs: ['goals are cells near the agent in place of a list made for each world', 'both levels replay', 'one small room'],
  found: {
    outcome: 'open',
    text: 'While it learned the room, the agent that sets itself cells as goals earned 0.13 more than deep Q-learning, which itself was no better than random play, and 0.20 less than PPO (interquartile means). Five seeds leave both open.',
  },
  question: 'Does an agent that sets itself cells as goals earn more while it learns a room with a key and a door than agents that do not?',
  idea: 'A far reward is found sooner by a few long moves than by many short ones. The upper level says where to be, the lower one learns to get there; who picks up a key or opens a door has reached that cell too.',
  equation: 'Q_tot(s, g) = mix(q_1(o_1, g_1) .. q_A(o_A, g_A); s),  y = R_n + gamma^n mix’(max_g q’; s_n),  lower reward 1{cell reached}',
  config: {
    v: 1,
    env: { id: 'minigrid-doorkey', config: { width: 6, height: 6 } },
    algo: { id: 'goal-qmix' },
    run: { steps: 100_000, evalEpisodes: 50 },
  },
  arms: [
    { id: 'goals', title: 'cells as goals', trials: 4 },
    { id: 'flat', title: 'no goals (deep Q-learning)', trials: 4, differs: { algo: { config: { goals: 'actions', every: 1 } } } },
    { id: 'ppo', title: 'no goals (PPO)', trials: 4, differs: { algo: { id: 'ppo', config: { envs: 16, lr: 1e-3 } } } },
  ],
  quantity: { title: 'return of training episodes, mean over training', metric: 'episodicReturn', take: 'mean' },
  contrasts: [
    // a tenth of the way to the goal
    { id: 'over deep Q-learning', kind: 'difference', arm: 'goals', over: 'flat', claim: 'above', size: 0.1 },
    { id: 'over PPO', kind: 'difference', arm: 'goals', over: 'ppo', claim: 'above', size: 0.1 },
  ],
  scale: { better: 'more', ceiling: 1 },
  exempt: [
    {
      check: 'parameters',
      arms: ['goals', 'flat', 'ppo'],
      why: 'the second level is the method; each level has the layers of the flat learner',
    },
  ],
  leftOut: 'Teams, the list of goals of each world and its tree, and the auto-encoder are not tested.',
  tunedOn: [901, 902],
  secondLook: 'full',
  quick: { run: { steps: 80_000 }, seeds: 1 },
  scaledDown:
    'One room of 6 x 6 cells, 100,000 steps. Tried on seed 901: goals every five and every eight steps, with one and four updates for 32 steps, relabelled and not. After 150,000 steps cells as goals earned 0.71 in this room while exploring, PPO 0.42; deep Q-learning had next to nothing after 97,000, where it was looked at last. Over 100,000 steps on seeds 901 and 902 the mean is 0.17, 0.27 (PPO) and 0.04 (deep Q-learning), and seeds of PPO differ by more than that. In KeyCorridor (S3R1) PPO reached 0.59, cells as goals nothing in 97,000 steps; in foraging with two players and two foods they ended at 0.03 to 0.06 after 120,000 steps, QMIX at 0.15, MAPPO at 0.34, random play at 0.2. Actions that are greedy at both levels circle in this room: 0.06 at the end.',
  dishonest: 'Goals that hold the solution, as a list of key, door and goal does; flat learners with other views.',
  next: 'Press a cell of the room while it plays: the flag goes there, and the lower level follows.',
});

export const gmah = defineIdea({
  ...headOf(judged),
  noVerdict:
    'The claim needs teams, and more seeds than a tab can pay: on two tuning seeds cells as goals were above deep Q-learning and not above PPO; on one of them they found nothing in a longer corridor, and ended below QMIX and MAPPO in foraging.',
  quoted: { text: 'Superior convergence speed and performance in both single-agent and multi-agent environments.' },
  asked: {
    ask: 'Three agents look for a key, a door and a goal in a small room. One sets itself cells near it as goals and learns to reach them; two choose single actions. Which earns most per episode while it learns?',
    choices: ['The one that sets itself goals', 'The one of deep Q-learning', 'The one of PPO', 'About the same'],
    most: 'more',
    alike: 0.03, // of 1 for the goal reached at once
  },
  touch: {
    kind: 'trained',
    players: [
      { arm: 'goals', title: 'sets itself cells as goals' },
      { arm: 'flat', title: 'deep Q-learning' },
      { arm: 'ppo', title: 'PPO' },
    ],
    measured: 'return of training episodes, mean over training',
  },
  earlier: judged,
});
