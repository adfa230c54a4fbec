/** P034: a policy with a code of its partner, learned by contrast, against none, a reconstructing code and the told number, in foraging and tag. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm, Difference, Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

/** Two foragers, one of whom has one of six minds, drawn anew for each episode. All arms are told; all but one are cut off from it. */
const field: JsonObject = {
  foods: 2,
  fieldSize: [5, 5],
  maxSteps: 25,
  seats: {
    'player 2': {
      pool: ['modest-patient', 'modest-hasty', 'greedy-patient', 'greedy-hasty', 'selfish-patient', 'selfish-hasty'],
      tell: true,
    },
  },
};
/** A slow hunter, and prey of one of three habits. */
const chase: JsonObject = {
  adversaries: 1,
  obstacles: 0,
  maxCycles: 50,
  adversarySpeed: 0.6,
  seats: { agent_0: { pool: ['prey-circles-left', 'prey-circles-right', 'prey-shuttles'], tell: true } },
};

const CODES = [
  { id: 'contrast', title: 'code by contrast', code: { kind: 'contrastive' } },
  { id: 'none', title: 'no code', code: { kind: 'none' } },
  { id: 'rebuilt', title: 'code by reconstruction', code: { kind: 'reconstruction' } },
  { id: 'told', title: 'told the number', code: { kind: 'oracle' } },
] as const;
const WORLDS = [
  { id: 'foraging', config: field, ten: { ...field, maxSteps: 10 }, env: {}, algo: {}, run: {} },
  {
    id: 'tag',
    config: chase,
    ten: { ...chase, maxCycles: 10 },
    env: { id: 'mpe-simple-tag', config: chase },
    algo: { rolloutSteps: 50, gamma: 0.97, entropyCoef: 0.01 },
    run: { steps: 300_000 },
  },
] as const;
const WHOLE: Quantity = { title: 'return of whole episodes, actions drawn', of: 'sampledReturn' };
const TEN: Quantity = { title: 'return in the first ten steps, greedy', of: 'againstReturn' };

/** The same runs, read over whole episodes and over their first ten steps. */
const arms = WORLDS.flatMap(({ id: world, ten, env, algo, run }) =>
  CODES.flatMap(({ id, title, code }): readonly Arm[] => {
    const differs: Difference = { env, algo: { config: { ...algo, partnerCode: code } }, run };
    const shared = { trials: 3, differs, against: [ten] };
    return [
      { id: `${id}-${world}`, title: `${title}, ${world}`, ...shared, quantity: WHOLE },
      { id: `${id}-${world}-ten`, title: `${title}, ${world}, ten steps`, ...shared, quantity: TEN },
    ];
  }),
);
const cells = (first: string, others: readonly string[], after = ''): readonly (readonly string[])[] =>
  WORLDS.map(({ id }) => [first, ...others].map((code) => `${code}-${id}${after}`));

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
        note: 'A hunter learns, three habits of prey, drawn by chance.',
      },
    ],
  },
  differs: [
    'scripted foragers and prey of habit in place of learned and scripted ones',
    'the last 16 steps in place of the whole episode so far',
    '100,000 steps of foraging, 300,000 of tag',
  ],
  question:
    'Does a code of the partner, learned by contrast, raise the return of whole episodes and of their first ten steps, in foraging and in tag?',
  idea: 'Who plays with or against you shows in what you see. Two moments of one episode show the same partner, two episodes mostly not: a code that tells them apart tells partners apart, without a word about who they are.',
  equation: 'L = -mean ln( exp(u_i v_i / t) / sum_j exp(u_i v_j / t) ),  u_i, v_i: codes of two moments of one episode;  pi(a | o, z)',
  config: {
    v: 1,
    env: { id: 'level-based-foraging', config: field },
    algo: {
      id: 'agent-modelling',
      config: { lr: 3e-3, envs: 32, rolloutSteps: 32, minibatches: 4, gamma: 0.95, entropyCoef: 0.01, partnerCode: { kind: 'none' } },
    },
    run: { steps: 100_000, evalEpisodes: 200 },
  },
  arms,
  quantity: WHOLE,
  contrasts: [
    // in shares of about what PPO without a code reached on a tuning seed; 28 % is the paper's
    {
      id: 'whole episodes, over none and a reconstruction',
      kind: 'cells',
      cells: cells('contrast', ['none', 'rebuilt']),
      of: 2,
      units: [0.33, 70],
      claim: 'above',
      size: 0.28,
    },
    {
      id: 'first ten steps, over none and a reconstruction',
      kind: 'cells',
      cells: cells('contrast', ['none', 'rebuilt'], '-ten'),
      of: 2,
      units: [0.21, 2.6],
      claim: 'above',
      size: 0.28,
    },
    {
      id: 'who is told the number has more than without a code',
      kind: 'cells',
      cells: cells('told', ['none']),
      of: 2,
      units: [0.33, 70],
      claim: 'above',
      size: 0.1,
      premise: true,
    },
  ],
  scale: { better: 'more' },
  exempt: [
    {
      check: 'parameters',
      arms: arms.map(({ id }) => id),
      why: 'the encoder is the method; the layers that decide are equal but for the inputs that are the code',
    },
  ],
  leftOut: 'Neither learned partners nor the slow copy of the encoder; a hunter that learns in place of prey.',
  tunedOn: [901, 905],
  looks: [5, 10],
  secondLook: 'full',
  quick: { run: { steps: 20_000, evalEpisodes: 50 }, seeds: 2 },
  scaledDown:
    'A third of the steps of the plan in foraging. Settings were chosen on seeds 901 and 902 with no code and with the told number. Foraging with the told number ended at 0.37 in place of 0.32 after 100,000 steps on one seed, and at 0.37 beside 0.37 after 200,000 on two; a larger field with three foods gave 0.17 and 0.16 after 300,000 steps. In tag three hunters, or one as fast as usual, had no more with the number; one of speed 0.6 had none after 200,000 steps and a tenth more after a million (89 and 80 on two seeds), for which there was no room: whether the told number pays at all here is a premise of the form.',
  dishonest: 'Partners in a fixed order; a learner that is told the number and trained for less; partners who all ask for the same play.',
  next: 'A million steps, after which the told number pays in tag: how much of that does a code find?',
});
