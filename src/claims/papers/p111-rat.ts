/** P111: a frozen controller whose sight is changed by an attacker that learns from answers which behaviour to force, by one that wants it to lose, or at random. */
import type { Arm } from '#contract/papers/papers.ts';
import { ZOO_PENDULUM } from '#contract/papers/published.ts';
import { definePaper } from '../define.ts';

const ATTACKS = [
  { id: 'answers', title: 'from answers' },
  { id: 'loss', title: 'from the victim’s loss' },
  { id: 'random', title: 'at random' },
] as const;

const arms = ATTACKS.map(({ id, title }): Arm => ({ id, title, trials: 4, differs: { algo: { config: { attack: id } } } }));

export const rat = definePaper({
  id: 'P111',
  title: 'RAT: Adversarial Attacks on Deep Reinforcement Agents for Targeted Behaviors',
  authors: 'Bai et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2412.10713',
  claim:
    'An intention policy that is aligned with people’s preferences names the behaviour an adversary forces on a victim, and states are weighted in the replay; this induces specified behaviours more often than other attacks do on robot simulations, and training against it makes agents more robust.',
  source: {
    read: 'Authors’ code, train_RAT_mani.py, bi_level() and run().',
    table: [
      {
        of: 'an intention policy learns on a reward of answers',
        ours: 'src/core/algos/preferences/observation-attacker.ts (rewardOfAttack)',
        state: 'kept',
      },
      { of: 'by SAC', ours: 'src/core/algos/preferences/observation-attacker.ts (observationAttacker)', state: 'changed', note: 'PPO.' },
      {
        of: 'an adversary’s network moves what the victim sees by at most epsilon, towards the intention’s action',
        ours: 'src/core/algos/preferences/observation-attacker.ts (underAttack)',
        state: 'changed',
        note: 'Found by its slope in each step.',
      },
      { of: 'rows weighed by a third network, learned from the intention’s critic', ours: '', state: 'left out', note: 'All weigh alike.' },
      { of: 'training against the attack', ours: '', state: 'left out', note: 'None.' },
    ],
  },
  differs: [
    'one behaviour of a pendulum in place of arms and walkers; victim and intention learn by PPO',
    'slopes in place of the adversary’s network, no weights of states',
    'no training against the attack',
  ],
  found: {
    outcome: 'shown',
    text: 'An attacker that learns from answers brings 0.37 more of the behaviour than one that follows the loss, and 0.52 more than an attack by chance.',
  },
  question:
    'Does an attacker that learns from sixty answers that a pendulum’s controller should turn left make it do so more often than one that wants it to lose, at the same strength?',
  idea: 'Who only wants a controller to lose gets some failure, whichever comes first. Who wants one behaviour has to say which. Here a script says it in sixty answers to "which of these two seconds is nearer to it?"; from them an intention is learned, and what the controller sees is changed a little so that it does what the intention would do.',
  equation: 'o’ = o + clip(eps sigma sign grad -|mu(o’) - u|^2),   u from the intention, which climbs the reward of the answers',
  config: {
    v: 1,
    env: { id: 'pendulum' },
    // wanted: to turn left faster than 3 rad/s, which the victim does on its way up only
    algo: { id: 'observation-attacker', config: { ...ZOO_PENDULUM, gamma: 0.95, eps: 0.5, number: 2, side: 'above', level: 3 } },
    run: { steps: 200_704, evalEpisodes: 5 },
  },
  arms,
  quantity: {
    title: 'share of the time in which the attacked victim shows the behaviour, last rollout',
    metric: 'behaviour',
    take: 'last',
  },
  contrasts: [
    {
      id: 'more of the behaviour than by loss',
      kind: 'difference',
      arm: 'answers',
      over: 'loss',
      claim: 'above',
      size: 0.25, // of the time; half of what two tuning seeds showed
      paired: true,
    },
    { id: 'more than at random', kind: 'difference', arm: 'answers', over: 'random', claim: 'above', size: 0.25, paired: true },
  ],
  // a share of the time; random: the attack by chance at the same strength, mean of the pilot's seeds 901 and 902
  scale: { better: 'more', random: 0.16, ceiling: 1 },
  exempt: [
    {
      check: 'random',
      arms: ['loss', 'random'],
      why: 'attacks that do not know the behaviour are there to show what comes of it by itself',
    },
  ],
  leftOut:
    'Not the whole of RAT: the adversary’s network and the weights of states are not built, and nothing is trained against the attack.',
  tunedOn: [901, 905],
  quick: { run: { steps: 100_352 }, seeds: 2 },
  scaledDown:
    'One pendulum and one behaviour, 200,704 steps, half of them the victim’s. The victim is the same in all arms of a seed, and each number that it sees moves by at most half of its own deviation. A script answers, one answer in ten wrong; people can answer in its place. On seeds 901 and 902 four other forms were tried before the rule was fixed: a lean to the right came as often by loss alone (0.49 and 0.49 of the time); a cart that should stay on the right does so by itself on some seeds; with half of the strength the lead was 0.05; with a discount of 0.9 one of two attackers never learned to turn it over the top.',
  dishonest: 'A behaviour that the victim shows anyway or that any failure brings; another strength for each attack; calling it black box.',
  next: 'Record episodes, answer pairs of them on the Data page, and choose your answers in place of the script’s: the attacker then wants what you prefer.',
});
