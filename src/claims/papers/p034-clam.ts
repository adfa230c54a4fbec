/** P034: a hunter with a code of its prey's habit, learned by contrast, against none, a reconstructing code and the told number. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm, Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

/** A slow hunter, and prey that runs from refuge to refuge, left round or right round, drawn anew for each episode. All arms are told; all but one are cut off from it. */
const chase: JsonObject = {
  adversaries: 1,
  obstacles: 0,
  maxCycles: 50,
  adversarySpeed: 0.6,
  seats: { agent_0: { pool: ['prey-circles-left', 'prey-circles-right'], tell: true } },
};

const WHOLE: Quantity = { title: 'return of whole episodes, actions drawn', of: 'sampledReturn' };
const TEN: Quantity = { title: 'return in the first ten steps, greedy', of: 'againstReturn' };
const CODES = [
  { id: 'contrast', title: 'code by contrast', trials: 3, code: { kind: 'contrastive' } },
  { id: 'none', title: 'no code', trials: 3, code: { kind: 'none' } },
  { id: 'rebuilt', title: 'code by reconstruction', trials: 3, code: { kind: 'reconstruction' } },
  { id: 'told', title: 'told the habit', trials: 3, code: { kind: 'oracle' } },
] as const;
/** The same runs, read over whole episodes and over their first ten steps. */
const arms = CODES.flatMap(({ id, title, trials, code }): readonly Arm[] => {
  const shared = { trials, differs: { algo: { config: { partnerCode: code } } }, against: [{ ...chase, maxCycles: 10 }] };
  return [
    { id, title, ...shared },
    // a contact is 10, and there may be one in every step
    { id: `${id}-ten`, title: `${title}, ten steps`, ...shared, quantity: TEN, scale: { ceiling: 100 } },
  ];
});

export const clam = definePaper({
  id: 'P034',
  title: 'Contrastive learning-based agent modeling for deep reinforcement learning',
  authors: 'Ma et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2401.00132',
  claim:
    'Codes of other agents, learned by contrast from the learner’s own view alone, are there from the start of an episode and improve returns by at least 28 % in cooperative and competitive tasks.',
  published: null,
  source: {
    read: 'Authors’ code, fadegehg/CLAM at 6d17f2a: clam_rl-main/clam/train.py, models/policy_representation.py.',
    table: [
      {
        of: 'policy_representation.py: two parts of one episode are to have codes alike, those of other episodes not',
        ours: 'src/core/algos/on-policy/lib/partner-code.ts (infoNce)',
        state: 'kept',
      },
      {
        of: 'policy_representation.py: a code of length one from what the learner saw so far, pooled by attention',
        ours: 'src/core/algos/on-policy/lib/partner-code.ts (partnerEncoder)',
        state: 'changed',
        note: 'One layer for a step and attention over the last 16, in place of attention between steps with their places.',
      },
      {
        of: 'policy_representation.py: parts are cut out at chance, and three tenths of the steps of one are blanked',
        ours: 'src/core/algos/on-policy/agent-modelling.ts (agentModelling)',
        state: 'changed',
        note: 'Two moments of an episode, each with what was seen up to it; nothing is blanked.',
      },
      {
        of: 'train.py: the code stands beside what is seen, and PPO’s loss does not reach the encoder',
        ours: 'src/core/algos/on-policy/agent-modelling.ts (agentModelling)',
        state: 'kept',
      },
      {
        of: 'policy_representation.py: the code that is used comes from a slow copy of the encoder',
        ours: '',
        state: 'left out',
        note: 'The encoder itself.',
      },
      {
        of: 'train.py: prey learns, five rules of hunters in turn',
        ours: 'src/core/envs/mpe/mpe-simple-tag.ts (mpeSimpleTag)',
        state: 'changed',
        note: 'A hunter learns, two habits of prey, drawn by chance.',
      },
    ],
  },
  differs: [
    'a hunter and prey of two habits alone, no cooperative task',
    'the last 16 steps in place of the whole episode so far',
    '600,000 steps',
  ],
  found: {
    outcome: 'open',
    text: 'On ten seeds the hunter that was told the habit has 7.0 more than one without a code: there is something to find. A code by contrast has 0.4 more (-5.1 to 4.7, asked 4) and 2.6 less than one by reconstruction: left open.',
  },
  question:
    'Does a code of the prey’s habit, learned by contrast, raise the return of a slow hunter, over none and over a code by reconstruction?',
  idea: 'Who plays with or against you shows in what you see. Two moments of one episode show the same partner, two episodes mostly not: a code that tells them apart tells partners apart, without a word about who they are.',
  equation: 'L = -mean ln( exp(u_i v_i / t) / sum_j exp(u_i v_j / t) ),  u_i, v_i: codes of two moments of one episode;  pi(a | o, z)',
  touch: 'partner-codes',
  config: {
    v: 1,
    env: { id: 'mpe-simple-tag', config: chase },
    algo: {
      id: 'agent-modelling',
      config: { lr: 3e-3, envs: 32, rolloutSteps: 50, minibatches: 4, gamma: 0.97, entropyCoef: 0.01, partnerCode: { kind: 'none' } },
    },
    run: { steps: 600_000, evalEpisodes: 200 },
  },
  arms,
  quantity: WHOLE,
  contrasts: [
    // less than half of what the told habit brought on three tuning seeds
    { id: 'more than without a code', kind: 'difference', arm: 'contrast', over: 'none', claim: 'above', size: 4 },
    { id: 'more than by a reconstruction', kind: 'difference', arm: 'contrast', over: 'rebuilt', claim: 'above', size: 4 },
    {
      id: 'who is told has more than without a code',
      kind: 'difference',
      arm: 'told',
      over: 'none',
      claim: 'above',
      size: 4,
      premise: true,
    },
  ],
  // a contact is 10, and there may be one in every step
  scale: { better: 'more', ceiling: 500 },
  exempt: [
    {
      check: 'parameters',
      arms: arms.map(({ id }) => id),
      why: 'the encoder is the method; the layers that decide are equal but for the inputs that are the code',
    },
    {
      check: 'random',
      arms: CODES.map(({ id }) => `${id}-ten`),
      why: 'in ten steps a slow hunter reaches the prey only where both began side by side, so all have what random play has; nothing is asked of these arms',
    },
  ],
  leftOut:
    'No cooperative task and no first steps of an episode, neither learned partners nor the slow copy of the encoder, and a hunter that learns in place of prey.',
  forms: 2,
  tunedOn: [901, 905],
  firstSeed: 3001,
  looks: [5, 10],
  secondLook: 'full',
  quick: { run: { steps: 60_000, evalEpisodes: 50 }, seeds: 2 },
  scaledDown:
    'Settings were chosen on seeds 901 to 903. Earlier pilots found no pool in which the told number pays: foragers of six minds (0.37 beside 0.32 and 0.37 beside 0.37 on two seeds), three hunters, one as fast as usual, one of speed 0.6 with prey of three habits after 200,000 steps. With two habits, left round and right round, and a hunter of 0.6 the told habit brought 8, 10 and 10 on three seeds after 600,000 steps; with a hunter of 0.4 nothing. A first form, with 400,000 steps on the seeds 1,001 to 1,005, was open: there the told habit brought 1.3 (-10.6 to 16), so nothing that a code could find had been learned to be used yet, and a code by contrast ended 2.3 below none (-10 to 16). A code by contrast was level with none on one seed after 600,000 steps. In the first ten steps no arm has more than random play, so the claim about the start of an episode cannot be asked here; the plan’s foraging is left out, because nothing was to be gained there by knowing the partner.',
  dishonest: 'Partners in a fixed order; a learner that is told the number and trained for less; partners who all ask for the same play.',
  next: 'Foragers, once there are some of whom it pays to know the number.',
});
