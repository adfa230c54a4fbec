/** P036: a trunk that learned to decide in three worlds is kept under new layers in a fourth, against all layers new and against the wrong half kept. */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { Arm, Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

/** Where the trunk learns first, all at once: to cover landmarks, to stand in a circle, to load food together. */
const worlds: readonly Json[] = [
  { env: 'mpe-simple-spread', config: {} },
  { env: 'mpe-simple-formation', config: {} },
  { env: 'level-based-foraging', config: { foods: 2, fieldSize: [6, 6], maxSteps: 25 } },
];
/** Where it is carried to: three hunters and a scripted prey. */
const hunt: JsonObject = { seats: { agent_0: 'scripted' } };

const toLevel: Quantity = {
  title: 'steps in the new world to a return of 6, as a power of ten',
  metric: 'episodicReturn',
  reaches: 6,
  log10: true,
  since: 0.5,
};
const CARRIED = [
  { id: 'trunk', title: 'trunk kept', trials: 4 },
  { id: 'nothing', title: 'all layers new', trials: 2, competent: 8 },
  { id: 'ends', title: 'wrong half kept', trials: 1 },
] as const;
const arms = CARRIED.flatMap(({ id, title, trials, ...more }): readonly Arm[] => {
  const own = { trials, differs: { algo: { config: { carry: id } } } };
  return [
    { id, title, ...own, ...more },
    { id: `${id}-steps`, title: `${title}, steps to a level`, ...own, quantity: toLevel },
  ];
});

export const sharedLayers = definePaper({
  id: 'P036',
  title: 'Multi-Task Multi-Agent Shared Layers are Universal Cognition of Multi-Agent Coordination',
  authors: 'Wang et al.',
  year: 2023,
  link: 'https://arxiv.org/abs/2312.15674',
  claim:
    'Layers that decide, shared by tasks that keep their own perception layers, learn what coordination has in common: reused under new perception layers they reduce training cost and raise final performance.',
  published: null,
  source: {
    guess: {
      searches: [
        'The title among stored pages: nothing of the paper itself; its abstract and summaries of the method were read.',
        'The title and “shared layers universal cognition” among public repositories: none of the paper.',
      ],
    },
  },
  differs: [
    'particles and foraging in place of StarCraft maps and football',
    'perception is one layer, the trunk two, and the policy’s head goes with it where there are as many actions',
    '200,000 steps in three worlds, 200,000 in the fourth',
  ],
  found: {
    outcome: 'open',
    text: 'On ten seeds a kept trunk reaches the level in 0.81 times the steps of all layers new and ends 4.5 higher, where both intervals include no difference: left open.',
  },
  question:
    'Do three hunters learn in fewer steps, and end no worse, when the layers that decide have learned to cover, to stand in a circle and to forage?',
  idea: 'Worlds differ in what is seen. What follows, to go to a place that nobody else goes to, may be the same. So layers that see are each world’s own, layers that decide are shared, and a new world needs new eyes alone.',
  equation: 'L = mean over w of L_PPO(head(trunk(front_w(o))));   then front_new is learned under the same trunk',
  touch: 'shared-trunk',
  config: {
    v: 1,
    env: { id: 'mpe-simple-tag', config: hunt },
    algo: {
      id: 'shared-trunk',
      config: { worlds, carry: 'trunk', gamma: 0.95, lr: 1e-3, valueNorm: true, hidden: [64, 64, 64] },
    },
    run: { steps: 400_000, evalEpisodes: 100 },
  },
  arms,
  quantity: { title: 'return of a hunter at the end', of: 'evalReturn' },
  contrasts: [
    // a fifth of the steps less
    { id: 'steps, than all new', kind: 'difference', arm: 'trunk-steps', over: 'nothing-steps', claim: 'below', size: -0.1 },
    { id: 'steps, than the wrong half', kind: 'difference', arm: 'trunk-steps', over: 'ends-steps', claim: 'below', size: -0.1 },
    // a tenth of what a run from nothing ends with
    { id: 'end, not lower than all new', kind: 'difference', arm: 'trunk', over: 'nothing', claim: 'above', none: -1.5 },
  ],
  scale: { better: 'more' },
  exempt: [
    {
      check: 'trials',
      arms: ['nothing', 'nothing-steps', 'ends', 'ends-steps'],
      why: 'the learning rate was tried with and without a trunk; heads and the steps before, which were tried beside it, change nothing where nothing is kept, and the wrong half takes what the trunk took',
    },
  ],
  leftOut: 'One way to share: neither trunks that stay as they are nor other depths are compared.',
  tunedOn: [901, 905],
  looks: [5, 10],
  secondLook: 'full',
  quick: { run: { steps: 100_000, evalEpisodes: 20 }, seeds: 2 },
  scaledDown:
    'Half of the plan’s steps in the sources. On seeds 901 and 902 the plan’s own pair was tried first: spread, tag and foraging, then spread with four. There a run from nothing is near its end after 70,000 steps, and a trunk brought nothing, with learning rates of 0.001 and 0.0003, with own heads and shared ones, with 200,000 or 600,000 steps before. That target is also one of its sources with one agent more. So tag, which is learned slowly, was made the target and a circle a source in its place, before any seed that is reported; there the trunk was ahead on one of the two seeds and as fast on the other.',
  dishonest:
    'A new world that is an old one with other sizes; a rival with fewer steps in the new world; sources chosen on the reported seeds.',
  next: 'More sources, and more steps in each: from how many on does a trunk help?',
});
