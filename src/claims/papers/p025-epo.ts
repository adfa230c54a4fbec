/** P025: entropy held in a band around its own mean, against a fixed bonus and none. */
import type { JsonObject } from '#contract/kit/json.ts';
import { definePaper } from '../define.ts';

const algo = (config: JsonObject) => ({ algo: { config } });

export const epo = definePaper({
  id: 'P025',
  title: 'EPO: Entropy-regularized Policy Optimization for LLM Agents Reinforcement Learning',
  authors: 'Xu et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2509.22576',
  claim:
    'An entropy bonus with a band around the entropy’s history raises results by up to 152 % (science) and 19.8 % (household) and keeps entropy steadier.',
  source: {
    read: 'Authors’ code, WujiangXu/EPO at 5b6fa98, verl/workers/actor/dp_actor.py and verl/trainer/ppo/ray_trainer.py.',
    table: [
      {
        of: 'a band of shares of the mean entropy over all updates so far',
        ours: 'src/core/algos/extensions/epo/extension.ts (band)',
        state: 'kept',
      },
      {
        of: 'a fine outside of it: one number, which has no gradient',
        ours: 'src/core/algos/extensions/epo/extension.ts (outsideBand)',
        state: 'changed',
        note: 'Grows with the distance, and has a gradient.',
      },
      {
        of: '_calculate_epoch_based_entropy_weight: from 1 down to 0.8',
        ours: 'src/core/algos/extensions/epo/extension.ts (band)',
        state: 'changed',
        note: 'Grows with the budget spent.',
      },
      {
        of: 'the history of each step of an episode apart',
        ours: 'src/core/algos/extensions/epo/extension.ts (band)',
        state: 'changed',
        note: 'One mean for all steps.',
      },
      { of: 'beside PPO, too', ours: '', state: 'left out', note: 'Groups alone.' },
    ],
  },
  differs: [
    'key and door on a grid in place of text worlds',
    'groups alone, without PPO',
    'one mean for all steps; steadiness is not judged',
  ],
  found: {
    outcome: 'not shown',
    text: 'A band on entropy ends 0.2 below no bonus, clearly, and 0.2 below the best fixed one, not clearly; 0.1 above is excluded.',
  },
  question:
    'Does a penalty on entropies outside a band around their own mean earn more than the best fixed bonus for entropy, and than none?',
  idea: 'Where the reward comes at the end of many steps, a policy grows certain too early or never. A penalty, weak at first, holds its entropy near what it was so far.',
  equation: 'L = L_clip - c H + b t/T [max(0, 0.8 m - H) + max(0, H - 1.2 m)], m the mean of H so far',
  config: {
    v: 1,
    env: { id: 'minigrid-doorkey', config: { width: 5, height: 5 } },
    algo: { id: 'group-worlds', config: { entropyCoef: 0.01 } },
    run: { steps: 240_000, evalEpisodes: 50 },
  },
  arms: [
    { id: 'band', title: 'bonus and band', trials: 2, differs: algo({ bandCoef: 0.5 }) },
    { id: 'fixed', title: 'the best fixed bonus of five', trials: 5 },
    { id: 'none', title: 'no bonus', trials: 5, differs: algo({ entropyCoef: 0 }) },
  ],
  quantity: { title: 'return of training episodes, mean over training', metric: 'episodicReturn', take: 'mean' },
  contrasts: [
    // a fifth, the smaller of the paper's two gains, of the half that the best fixed bonus earns over its training
    { id: 'above the best fixed bonus', kind: 'difference', arm: 'band', over: 'fixed', claim: 'above', size: 0.1 },
    { id: 'above none', kind: 'difference', arm: 'band', over: 'none', claim: 'above', size: 0.1 },
  ],
  scale: { better: 'more', random: 0.0352, ceiling: 0.9643 },
  leftOut: 'Groups alone: the paper adds it to PPO too.',
  firstSeed: 3001,
  forms: 2,
  tunedOn: [1, 2],
  quick: { run: { steps: 60_000, evalEpisodes: 10 }, seeds: 2 },
  scaledDown:
    'A small policy on a grid stands in for a language model: fetch a key, open a door, reach the goal; steps in place of turns. The weight of the penalty grows in a straight line over the budget; the mean is that of all updates so far. How steady entropies are is not judged. A first form, returns at the end of 160,000 steps on ten seeds from 1,001, cut learning off in its middle, so that seeds lay far apart, and asked for 0.05; after 320,000 steps all arms are at the optimum (0.93 to 0.96 on seeds 901 and 902), which leaves nothing to be better by. So what is judged is the mean over training: how soon it is learned. The size is larger for it, and there are more seeds. What forty seeds show: with the band learning is slower (0.19 less than with the best fixed bonus): it holds the entropy near the high mean of the beginning, when it should fall.',
  dishonest: 'A comparison with one untuned bonus: five were tried (0, 0.003, 0.01, 0.03, 0.1), two weights of the band (0.1, 0.5).',
  next: 'Widen the band (bandLow, bandHigh), or raise its weight (bandCoef).',
});
