/** P085: what an attack on the observations of a heating controller costs: aimed at the other side of its actions, at anything else, or at the farthest. */
import type { AttackAim } from '#contract/explain/attack.ts';
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const VICTIMS = [
  { id: 'power', title: 'PPO, any power', levels: false },
  { id: 'levels', title: 'PPO, five levels', levels: true },
] as const;

const AIMS = [
  { id: 'side', title: 'the other side', aim: 'other side' },
  { id: 'any', title: 'anything else', aim: 'any other' },
  { id: 'far', title: 'the farthest', aim: 'farthest' },
] as const satisfies readonly { readonly id: string; readonly title: string; readonly aim: AttackAim }[];

const idOf = (aim: (typeof AIMS)[number]['id'], victim: string): string => `${aim}-${victim}`;

/** With one power to choose the farthest lies where the other side does: an arm of its own for the levels alone. */
const arms = VICTIMS.flatMap(({ id, title, levels }) =>
  AIMS.filter((one) => levels || one.id !== 'far').map(
    (one): Arm => ({
      id: idOf(one.id, id),
      title: `${title}: ${one.title}`,
      trials: 1,
      differs: { env: { config: { levels } } },
      explain: { judge: 'attack', question: { eps: 0.3, steps: 5, aim: one.aim, episodes: 20 } },
    }),
  ),
);

export const bifurcation = definePaper({
  id: 'P085',
  title:
    'A Novel Bifurcation Method for Observation Perturbation Attacks on Reinforcement Learning Agents: Load Altering Attacks on a Cyber Physical Power System',
  authors: 'Broda-Milian, Dagdougui and Al-Mallah',
  year: 2024,
  link: 'https://arxiv.org/abs/2407.05182',
  claim:
    'Gradient attacks on controllers of continuous actions, through a bifurcation layer and the difference of the logits of two groups, harm a smart-energy controller more than untargeted attacks, with far smaller distortion than optimally targeted ones; robust training reduces what attacks do.',
  source: {
    guess: {
      searches: [
        '“A Novel Bifurcation Method for Observation Perturbation Attacks” and 2407.05182 among public repositories: four daily lists of abstracts.',
        'Pages about a bifurcation layer and attacks on load control: the abstract only.',
        'Repositories by its authors: none of the paper.',
      ],
    },
  },
  differs: [
    'one room in place of buildings with batteries',
    'PPO, with power and with five levels; no SAC',
    'nothing is trained against attacks',
  ],
  found: {
    outcome: 'open',
    text: 'The attack on the bifurcation never crossed over: it made the controller better on all five seeds, and our loss for it was a guess.',
  },
  question:
    'Does an attack that pushes a heating controller to the other side of its actions cost more than one that wants anything else, at the same distortion?',
  idea: 'A heat pump that heats a little less than it should costs little; one that cools in winter costs much. An attack that only wants another action gets the nearest one. One that splits the actions into two groups, and pushes from one to the other, gets the harmful ones, and need not say which.',
  equation: 'L = (y, -y) of the other side - of its own side; o’ = o + clip(eps sigma sign grad L)',
  config: {
    v: 1,
    env: { id: 'building-energy' },
    algo: { id: 'ppo', config: { normaliseObs: true, gamma: 0.95 } },
    run: { steps: 200_000, evalEpisodes: 20 },
  },
  arms,
  quantity: { title: 'return that the attack costs', of: 'explained' },
  contrasts: [
    {
      id: 'more than anything else, any power',
      kind: 'difference',
      arm: idOf('side', 'power'),
      over: idOf('any', 'power'),
      claim: 'above',
      size: 3, // half as much again as the rival costs on tuning seeds
      paired: true,
    },
    {
      id: 'more than anything else, five levels',
      kind: 'difference',
      arm: idOf('side', 'levels'),
      over: idOf('any', 'levels'),
      claim: 'above',
      size: 15, // half as much again
      paired: true,
    },
    {
      id: 'more than the farthest, five levels',
      kind: 'difference',
      arm: idOf('side', 'levels'),
      over: idOf('far', 'levels'),
      claim: 'above',
      size: 5,
      paired: true,
    },
  ],
  scale: { better: 'more' },
  tunedOn: [901, 905],
  firstSeed: 3001,
  looks: [5, 10, 20],
  quick: { run: { steps: 30_000 }, seeds: 3 },
  scaledDown:
    'One heated room in winter, two days of quarter-hour steps, in place of a district with batteries. Each number seen changes by at most 0.3 of its own deviation, in five steps along the sign of the slope; all attacks have the same bound. Through the bifurcation a power y becomes the pair (y, -y); of five levels the two of cooling and the two of heating are the groups. The farthest level is the last one of the other side; the paper’s targets are optimal ones. Of the controller two settings were tried (discount and normalised observations, which bring it from -70 to -12; a thermostat gets -10.8, random play -282); the size of the attack was fixed before. Nothing is trained against attacks. On the three tuning seeds the untargeted attack cost more with both controllers.',
  dishonest: 'Distortion measured in another norm for each attack; an attack that is given more steps.',
  next: 'Attack a controller that you trained: the panel of adversarial attacks has the aims and the size of the change.',
});
