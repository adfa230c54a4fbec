/** P063: a bonus for tools first, own successes later and steps of high covariance left out, against groups alone and plain self-imitation. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const algo = (config: JsonObject) => ({ algo: { config } });
const spear = algo({ shapingUntil: 0.5, replay: 0.1, covarianceClip: 0.005 });
const entropy: Quantity = { title: 'entropy of the last update', unit: 'nats', metric: 'entropy', take: 'last' };

export const spearPaper = definePaper({
  id: 'P063',
  title: 'Learn the Ropes, Then Trust the Wins: Self-imitation with Progressive Exploration for Agentic Reinforcement Learning',
  authors: 'Qin et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2509.22601',
  claim:
    'A bonus for tools first and imitation of own successes later, with clipping by covariance, explores better than group methods while entropy neither collapses nor grows without bound.',
  leftOut: 'That entropy does not grow without bound is not judged, and its settings for groups (Dr.BoT) are not built.',
  source: {
    read: 'Authors’ code, TencentYoutuResearch/SPEAR at 7e84315, run_qwen2-32b_spear.sh and what it calls.',
    table: [
      {
        of: 'verl/recipe/spear/reward.py: 0.1 a tool call, at most 1, faded by a cosine',
        ours: 'src/core/algos/extensions/spear/extension.ts (helpAt)',
        state: 'changed',
        note: 'Fades in a straight line; a document not seen before is paid, not every call.',
      },
      {
        of: 'ray_trainer_hybrid.py: trajectories with an advantage above 1, a few updates old at most',
        ours: 'src/core/algos/extensions/spear/successes.ts (createSuccesses)',
        state: 'changed',
        note: 'Steps of episodes that earned something and more than their group; the last 4,096, of any age.',
      },
      {
        of: 'the same: advantage against the median of recent group means, by the median deviation; negative ones are dropped',
        ours: 'src/core/algos/extensions/spear/successes.ts (createSuccesses)',
        state: 'changed',
        note: 'Against a running mean, not divided, never below 0.',
      },
      {
        of: 'dp_actor.py: weight of the replay grows by a cosine up to 1',
        ours: 'src/core/algos/extensions/spear/extension.ts (replay)',
        state: 'changed',
        note: 'In a straight line, up to 0.1.',
      },
      {
        of: 'core_algos.py, compute_policy_loss_clip_cov: (A - mean) (ln p - mean)',
        ours: 'src/core/algos/extensions/spear/covariance.ts (covariances)',
        state: 'kept',
      },
      {
        of: 'the same: 2 % of the tokens, drawn among those between 1 and 40, lose their gradient',
        ours: 'src/core/algos/extensions/spear/covariance.ts (highCovariance)',
        state: 'changed',
        note: 'The largest 0.5 %: with 2 % nothing was learned.',
      },
      { of: 'Dr.BoT: how its groups are clipped and filtered', ours: '', state: 'left out', note: 'Groups as in GRPO.' },
    ],
  },
  differs: [
    'a small policy in a lookup world in place of a language model',
    'at most three lookups',
    'only the lower end of entropy is checked',
  ],
  found: {
    outcome: 'open',
    text: 'Self-imitation with a bonus ends 0.68 above groups alone, and 0.06 above the bonus alone; forty seeds of the second block decide it, twenty of the first do not.',
  },
  question:
    'Does paying for tools first and replaying own successes later answer more questions than groups alone, and than self-imitation alone?',
  idea: 'A young policy is paid for using its tools at all, so that it meets successes; the bonus fades, and its own successes are learned from again, more and more. Steps that it is already sure of and that did well are left out, so that it does not grow certain too early.',
  equation: 'r + (1 - 2t/T)+ b [new document]; + w t/T max(0, R - usual) ln p of own successes',
  config: {
    v: 1,
    env: { id: 'lookup-worlds', config: { hops: 2, leastHops: 2, fields: 2, distractors: 2, answers: 4, lookups: 3 } },
    algo: { id: 'group-worlds', config: { starts: 8, group: 16, lr: 3e-3, entropyCoef: 0.03 } },
    run: { steps: 100_000, evalEpisodes: 200 },
  },
  arms: [
    { id: 'spear', title: 'bonus, own successes, clip', trials: 6, differs: spear },
    { id: 'group', title: 'groups alone (GRPO)', trials: 6 },
    { id: 'imitation', title: 'groups and own successes', trials: 6, differs: algo({ replay: 0.1 }) },
    { id: 'bonus', title: 'groups and bonus', trials: 6, differs: algo({ shapingUntil: 0.5 }) },
    { id: 'spear-entropy', title: 'bonus, own successes, clip', trials: 6, differs: spear, quantity: entropy },
  ],
  quantity: { title: 'questions answered right, greedy', measured: 'solved' },
  contrasts: [
    // means, because some seeds may never leave guessing
    { id: 'above groups alone', kind: 'difference', arm: 'spear', over: 'group', claim: 'above', size: 0.04, middle: 'mean' },
    { id: 'above self-imitation alone', kind: 'difference', arm: 'spear', over: 'imitation', claim: 'above', size: 0.04, middle: 'mean' },
    { id: 'above the bonus alone', kind: 'difference', arm: 'spear', over: 'bonus', claim: 'above', size: 0.04, middle: 'mean' },
    { id: 'entropy is not lost', kind: 'level', arm: 'spear-entropy', claim: 'above', none: 0.05, control: true },
  ],
  scale: { better: 'more', random: 0.234, ceiling: 1 },
  exempt: [
    { check: 'random', arms: ['group', 'imitation'], why: 'whether they ever leave guessing is what is asked' },
    { check: 'random', arms: ['spear-entropy'], why: 'it is an entropy, not a score' },
  ],
  forms: 2,
  tunedOn: [1, 3],
  firstSeed: 3001,
  quick: { run: { steps: 30_000, evalEpisodes: 50 }, seeds: 2 },
  scaledDown:
    'A small policy in a lookup world stands in for a language model with tools: two documents on the way, two fields in each, at most three lookups, nothing learned before, so that a right answer without a lookup is luck. Own successes are kept by step, 4,096 of them. Trials before the rule showed that the claim depends on the world: where easier questions are among them (P029), groups alone do as well; and that a covariance clip of 2 % keeps this policy from learning at all. That entropy does not grow is not judged. A first form, on ten seeds from 1,001, was held against groups and against self-imitation alone, which never leave guessing, while the bonus alone, tried at one setting, answered as many right as all three. In this one the bonus alone has six tries like its rivals (four fading times at a bonus of 0.1, two other bonuses at the best of them; its first setting stayed the best) and is a contrast of its own, on new seeds; that entropy stays is a control.',
  dishonest: 'A bonus that points to the goal: it is paid for any document that was not looked up before, on the way or not.',
  next: 'Let the bonus fade sooner or later (shapingUntil), or give own successes more weight (replay).',
});
