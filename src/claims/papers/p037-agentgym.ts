/** P037: a horizon that grows while learning, against short and long ones that stay. */
import type { JsonObject } from '#contract/kit/json.ts';
import { definePaper } from '../define.ts';

const algo = (config: JsonObject) => ({ algo: { config } });

export const agentGym = definePaper({
  id: 'P037',
  title: 'AgentGym-RL: Training LLM Agents for Long-Horizon Decision Making through Multi-Turn Reinforcement Learning',
  authors: 'Xi et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2509.08755',
  claim:
    'Beginning with few interactions per episode and lengthening the horizon stabilises training; agents match or beat commercial models on 27 tasks.',
  source: {
    read: 'Authors’ code, WooooDyy/AgentGym-RL at 82402a9, AgentGym-RL/verl/agent_trainer/ppo/ray_trainer.py and examples/train.',
    table: [
      {
        of: 'a limit on turns that grows while it learns',
        ours: 'src/core/algos/extensions/scaling-inter/extension.ts (horizonAt)',
        state: 'kept',
      },
      {
        of: 'rounds_ls: a list of limits, the next after so many updates',
        ours: 'src/core/algos/extensions/scaling-inter/extension.ts (horizonAt)',
        state: 'changed',
        note: 'In a straight line.',
      },
      { of: 'groups with advantages by their mean', ours: 'src/math/groups.ts (groupAdvantages)', state: 'kept' },
      { of: 'a KL of 0.001 to the policy it began with', ours: '', state: 'left out', note: 'None.' },
      { of: '27 tasks and commercial models', ours: '', state: 'left out', note: 'One room.' },
    ],
  },
  differs: [
    'a small policy in one room in place of a language model',
    'horizon 8 to 64, growing in a straight line in place of stages',
    'no commercial model to compare with',
  ],
  found: {
    outcome: 'open',
    text: 'Training on long episodes from the start does not collapse in this room, so a growing horizon has nothing to mend.',
  },
  question: 'Does learning on short episodes first and on longer ones later end above both a short and a long horizon that stay?',
  idea: 'Long episodes of a policy that knows nothing are mostly noise. Short ones teach what is near first; the cap on steps is raised as the policy grows better.',
  equation: 'h = 8 + (64 - 8) min(1, t / (T / 2))',
  config: {
    v: 1,
    env: { id: 'babyai', config: { level: 'GoToLocal' } },
    algo: { id: 'group-worlds', config: { horizon: 64 } },
    run: { steps: 300_000, evalEpisodes: 100 },
  },
  arms: [
    { id: 'growing', title: 'from 8 steps to 64', trials: 1, differs: algo({ growFrom: 8 }) },
    { id: 'long', title: '64 steps', trials: 1 },
    { id: 'short', title: '8 steps', trials: 1, differs: algo({ horizon: 8 }) },
  ],
  quantity: { title: 'return of whole episodes, actions drawn', of: 'sampledReturn' },
  contrasts: [
    // five hundredths of the return, one errand of twenty
    { id: 'above a long horizon', kind: 'difference', arm: 'growing', over: 'long', claim: 'above', size: 0.05 },
    // the same
    { id: 'above a short horizon', kind: 'difference', arm: 'growing', over: 'short', claim: 'above', size: 0.05 },
    // a fifth of the way from random play to the ceiling
    { id: 'a long horizon from the start collapses', kind: 'level', arm: 'long', claim: 'below', none: 0.3325, premise: true },
  ],
  scale: { better: 'more', random: 0.1832, ceiling: 0.9297 },
  leftOut: 'One room on a grid: the paper’s 27 tasks, and how its agents stand to commercial models, are not tested.',
  firstSeed: 3001,
  forms: 2,
  tunedOn: [1, 3],
  quick: { run: { steps: 60_000, evalEpisodes: 30 }, seeds: 2 },
  scaledDown:
    'A small policy on a grid stands in for a language model: one room with eight things and a sentence that names one of them. The cap grows in a straight line over the first half of the budget, not in stages. All arms get the same environment steps and are judged on whole episodes of 64 steps. A first form asked for 0.03 on ten seeds from 1,001, and left the long horizon open (0.02); no seed of any arm collapsed there. This one has more seeds and asks for a size that they can show. What twenty show: a growing horizon ends level with a long one (0.45 and 0.44); that it ends above a short one (by 0.03) stays open.',
  dishonest: 'Judging the short arm on short episodes, or the long one with fewer steps; a growth chosen on the reported seeds.',
  next: 'Let it grow over the whole budget (growUntil), or in several rooms, where no short episode earns anything.',
});
