/**
 * What learning on under attack is worth: a victim that was retrained against an attacker who learned from its loss, judged by an attack that
 * none of them has met. `npm run claims -- retrained-victim`.
 */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm, JudgedCard } from '#contract/papers/papers.ts';
import { ZOO_PENDULUM } from '#contract/papers/published.ts';
import { definePaper } from '../define.ts';

/** Of the steps: the victim’s before the attack, and those in which it learns on. */
const SHARES = { victimShare: 0.4, retrainShare: 0.3 };

const VICTIMS: readonly (readonly [id: string, title: string, config: JsonObject])[] = [
  ['retrained', 'learned on under attack', { attack: 'loss', ...SHARES }],
  ['noise', 'learned on under changes at random', { attack: 'random', ...SHARES }],
  // as many steps of its own
  ['longer', 'learned on as before', { attack: 'none', victimShare: SHARES.victimShare + SHARES.retrainShare }],
];

const arms = VICTIMS.flatMap(([id, title, config]): readonly Arm[] => {
  const arm: Arm = { id, title, trials: 1, differs: { algo: { config } } };
  return [
    { ...arm, explain: { judge: 'attack', question: { eps: 0.3, steps: 8, episodes: 20 } } },
    {
      ...arm,
      id: `${id}-clean`,
      title: `${title}: return without attack`,
      quantity: { title: 'mean greedy return', of: 'evalReturn' },
      scale: { random: -1209 },
      ...(id === 'longer' && { competent: -200 }), // PPO on Pendulum ends near -171 (docs/guide.md)
    },
  ];
});

export const retrainedVictim: JudgedCard = definePaper({
  id: 'retrained-victim',
  title: 'A victim that learns on under attack: Pendulum',
  authors: 'Zhang et al.',
  year: 2021,
  link: 'https://arxiv.org/abs/2101.08452',
  question:
    'Does a controller that learned on under an attacker lose less to another attack than one that learned as long undisturbed, and is it no worse without attack?',
  idea: 'An attacker learns which small changes of what a controller sees make it lose. Then the controller learns on while it is attacked. Whether that made it hard to attack, or only hard for this attacker, another attack says.',
  equation: 'cost = return without attack - return under PGD of 0.3 deviations, 8 steps along the slope',
  config: {
    v: 1,
    env: { id: 'pendulum' },
    algo: { id: 'observation-attacker', config: { ...ZOO_PENDULUM, gamma: 0.95, eps: 0.3 } },
    run: { steps: 250_000, evalEpisodes: 20 },
  },
  arms,
  quantity: { title: 'return that a new attack costs', of: 'explained' },
  contrasts: [
    { id: 'loses less than undisturbed', kind: 'difference', arm: 'retrained', over: 'longer', claim: 'below', size: -100, paired: true },
    {
      id: 'loses less than with random changes',
      kind: 'difference',
      arm: 'retrained',
      over: 'noise',
      claim: 'below',
      size: -100,
      paired: true,
    },
    {
      id: 'no worse without attack',
      kind: 'difference',
      arm: 'retrained-clean',
      over: 'longer-clean',
      claim: 'above',
      none: -100,
      paired: true,
    },
  ],
  scale: { better: 'more' },
  exempt: [
    {
      check: 'steps',
      arms: VICTIMS.flatMap(([id]) => [id, `${id}-clean`]),
      why: 'the victims have as many steps of their own; the others spend three in ten on their attacker',
    },
  ],
  tunedOn: [901, 905],
  firstSeed: 3001,
  looks: [5, 10, 20],
  quick: { run: { steps: 125_000 }, seeds: 2 },
  scaledDown:
    'One pendulum; PPO learns 100,000 steps, an attacker 75,000, PPO again 75,000 while it is attacked; the rival learns 175,000 steps without attack. The attacker is not the one that judges: that is PGD on the policy as it then is, new to all three. Nothing was chosen; two tuning seeds showed costs of 129, 368 and 365, and sizes were set at less than half of what they showed. It found: the new attack costs the retrained victim 168, the one that learned on under random changes 503, the undisturbed one 674; without attack they end at -153, -152 and -148.',
  dishonest: 'Judging a victim by the attacker it was trained against; a rival with fewer steps of its own.',
  next: 'Train one of the three and ask the panel “Adversarial observations” what it would cost, by the strength you choose.',
});
