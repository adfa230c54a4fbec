/** P184: the steps that are still needed after N demonstrations, when leaving their clone has a price. */
import type { JsonObject } from '#contract/kit/json.ts';
import { definePaper } from '../define.ts';

const SHOWN = [6, 12, 24] as const;
const algo = (config: JsonObject) => ({ algo: { config } });
const name = (shown: number): string => `shown-${shown}`;

export const demonstrations = definePaper({
  id: 'P184',
  title: 'Demonstration-Regularized RL',
  authors: 'Tiapkin et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2310.17303',
  claim: 'With demonstrations as a regulariser, the samples needed to come near the optimum fall in inverse proportion to their number.',
  source: {
    read: 'A public overview of the paper’s second version at alphaxiv.org, which restates its two phases; reviews of the submission name its learner, UCBVI-Ent+.',
    table: [
      {
        of: 'behaviour cloning by the largest likelihood with a logarithmic penalty, so that no chance is 0',
        ours: 'src/core/algos/tabular/demonstration-regularised.ts (cloneOf)',
        state: 'kept',
        note: 'One count added to each action.',
      },
      {
        of: 'then learning with a KL to the clone',
        ours: 'src/core/algos/tabular/demonstration-regularised.ts (regularisedValue)',
        state: 'kept',
      },
      {
        of: 'UCBVI-Ent+ explores for the regularised values',
        ours: 'src/core/algos/tabular/demonstration-regularised.ts (demonstrationRegularised)',
        state: 'changed',
        note: 'Bonuses and stopping as in UCBVI.',
      },
      { of: 'linear worlds', ours: '', state: 'left out', note: 'Tables alone.' },
      { of: 'rewards learned from preferences', ours: '', state: 'left out', note: 'Not built.' },
    ],
  },
  differs: ['one random world of 20 states, 6 to 24 demonstrations', 'at most 1,200,000 steps', 'no preference rewards'],
  found: {
    outcome: 'not shown',
    text: 'More demonstrations do not shorten learning as asked: the slope is 0.2 in powers of ten (-0.58 to 0.69), where -0.7 or less was asked for.',
  },
  dose: {
    size: 'demonstrations',
    points: SHOWN.map((at) => ({ arm: name(at), at })),
    place: { from: null, to: null, text: 'The proof holds for any number of demonstrations: half of the steps for twice as many.' },
  },
  question: 'With twice as many demonstrations, are half as many steps of its own enough to come near the optimum?',
  idea: 'Clone what an expert showed, then learn by reinforcement and pay for every nat by which the policy leaves the clone: the more was shown, the higher the price.',
  equation: 'max over pi of V(pi) - lambda KL(pi, clone), lambda = trust x N; steps about 1 / N',
  config: {
    v: 1,
    env: { id: 'random-mdp', config: { states: 20, actions: 4, branching: 3, sparsity: 0.8, discount: 0.95, modelSeed: 8 } },
    algo: { id: 'demonstration-regularised', config: { gamma: 0.9999, maxValue: 20, replan: 'doubling', bonus: 0.06, trust: 0.01 } },
    run: { steps: 1_200_000 },
  },
  arms: [
    ...SHOWN.map((shown) => ({ id: name(shown), title: `${shown} demonstrations`, trials: 4, differs: algo({ demonstrations: shown }) })),
    { id: 'none', title: 'no demonstrations', trials: 4, differs: algo({ demonstrations: 0 }) },
    { id: 'clone', title: 'the clone of 24 alone', trials: 1, differs: algo({ demonstrations: 24, trust: 1e6 }) },
  ],
  quantity: {
    title: 'steps until the policy loses at most 0.5 in an episode, as a power of ten',
    metric: 'optimalityGap',
    reaches: 0.5,
    log10: true,
  },
  contrasts: [
    {
      id: 'fall with the demonstrations, by 0.7 powers of ten or more in one',
      kind: 'slope',
      arms: SHOWN.map(name),
      x: SHOWN.map((shown) => Math.log10(shown)),
      claim: 'below',
      size: -0.7,
    },
    {
      id: 'sooner than without any',
      kind: 'difference',
      arm: 'shown-24',
      over: 'none',
      claim: 'below',
      size: -0.3, // half of the steps
    },
    {
      id: 'the clone alone does not get there',
      kind: 'difference',
      arm: 'clone',
      over: 'shown-24',
      claim: 'above',
      size: 0.3,
      control: true, // where the clone is near the optimum, nothing is left to learn
    },
  ],
  scale: { better: 'less' },
  exempt: [],
  leftOut: 'Demonstrations alone: the second half of the claim, rewards learned from preferences, is not tested.',
  forms: 2,
  tunedOn: [1, 6],
  firstSeed: 3001,
  quick: { run: { steps: 30_000 }, seeds: 3 },
  scaledDown:
    'One random world of 20 states, 1,200,000 steps, 6, 12 and 24 demonstrations by the exact optimum: with 64 the clone alone is good enough there. What is measured is the policy that draws its actions, exactly, from the table of the world. The price of leaving the clone grows in proportion to the demonstrations, as in the proof; the bonus has a small scale, as the published one explores for longer than these runs last. A first form, 4 to 32 demonstrations and 300,000 steps on ten seeds from 1,001, was inconclusive: 11 of 40 runs never arrived, and 8 and 16 demonstrations were slower than none. The exact solution of the price’s problem says why: with its trust of 0.03 the best policy that pays the price loses 0.25 to 0.56 with few demonstrations, about the 0.5 that counts as near. With 0.01, the trust of this form, it loses 0.2 at most. With the first form’s bonus of 0.03 few demonstrations, and none, still left runs without an end: where little is known, a small bonus does not lead there. The bonus of this form is the one of 0.03, 0.06 and 0.12 with which learning without demonstrations was the soonest on six tuning seeds, so it favours no number of them; on those six demonstrations were slower than none, by two to three times. What twenty seeds showed: 53,000, 119,000 and 76,000 steps (medians) with 6, 12 and 24 demonstrations, 82,000 without any. What demonstrations save here does not grow with their number; the spread over seeds, five times and more, is larger than what is between the arms.',
  dishonest:
    'A range of demonstrations in which the clone alone is good enough; measuring the likeliest action only, by which the clone of a deterministic expert is optimal wherever it has been; counting demonstrations as free and steps as equal.',
  next: 'Set trust to 1 with 64 demonstrations: it stays the clone. Set it to 0: the demonstrations are not used at all.',
});
