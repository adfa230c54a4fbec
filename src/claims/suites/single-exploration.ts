/** Exploration where chance finds nothing: deep sea, mountain car, the large room of key and door. Suite: single.ts. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const MANY: JsonObject = { envs: 16, rolloutSteps: 64, lr: 1e-3, annealLr: false, entropyCoef: 0.005 };
const bonus = (kind: string): JsonObject => ({ ...MANY, bonus: kind, bonusWeight: 0.5 });

const deepSea = definePaper({
  id: 'deep-sea',
  title: 'Deep sea 20: counts, distillation, bootstrapped values',
  authors: 'Osband et al.',
  year: 2020,
  link: 'https://arxiv.org/abs/1908.03568',
  question:
    'Do a count bonus, random network distillation and bootstrapped values find the treasure of deep sea 20 where epsilon-greedy DQN does not?',
  idea: 'Twenty rows down, and only the move to the right in every one of them leads to the treasure; each costs a little. By chance one episode in a million does.',
  equation: 'P(treasure by chance) = 2^-20',
  config: {
    v: 1,
    env: { id: 'deep-sea', config: { size: 20 } },
    algo: { id: 'ppo', config: bonus('counts') },
    run: { steps: 250_000, evalEpisodes: 20 },
  },
  arms: [
    { id: 'counts', title: 'PPO with a count bonus', trials: 1 },
    { id: 'rnd', title: 'PPO with random network distillation', trials: 1, differs: { algo: { id: 'ppo', config: bonus('RND') } } },
    {
      id: 'bootstrapped',
      title: 'bootstrapped DQN, 10 networks',
      trials: 1,
      differs: {
        algo: { id: 'bootstrapped-dqn', config: { heads: 10, batchSize: 64, trainEvery: 4, targetEvery: 16 } },
        run: { steps: 40_000 },
      },
    },
    {
      id: 'epsilon',
      title: 'DQN, epsilon-greedy',
      trials: 1,
      differs: { algo: { id: 'dqn', config: { batchSize: 64, trainEvery: 4, targetEvery: 16 } } },
    },
  ],
  quantity: { title: 'mean greedy return', of: 'evalReturn' },
  contrasts: [
    { id: 'a count bonus', kind: 'difference', arm: 'counts', over: 'epsilon', claim: 'above', size: 0.5 },
    { id: 'random network distillation', kind: 'difference', arm: 'rnd', over: 'epsilon', claim: 'above', size: 0.5 },
    { id: 'bootstrapped values', kind: 'difference', arm: 'bootstrapped', over: 'epsilon', claim: 'above', size: 0.5 },
  ],
  scale: { better: 'more', ceiling: 0.99 },
  exempt: [
    { check: 'random', arms: ['epsilon'], why: 'that dithering does not meet the treasure is the claim' },
    { check: 'steps', arms: ['bootstrapped'], why: 'it is given a sixth of the steps of its rival, against its own claim' },
    {
      check: 'parameters',
      arms: ['counts', 'rnd', 'bootstrapped', 'epsilon'],
      why: 'curiosity and ten values are networks beside the policy',
    },
  ],
  tunedOn: [1, 3],
  noQuick: 'the treasure is found late in the budget or not at all',
  scaledDown:
    'The suite asks after 10,000 episodes; here 12,500 in one size, and 2,000 for bootstrapped values, whose networks take ten times as long. Settings are those of the presets of each method, chosen on this world.',
  dishonest: 'Giving the comparator fewer steps; counting a treasure met once in training.',
  next: 'Size 30, or the noisy form, where counting is harder.',
});

/** Both arms see standardised place and speed: without that a network hardly sees the speed, of 0.07 at most. */
const STANDARDISED: JsonObject = { ...MANY, entropyCoef: 0.01, normaliseObs: true };

const mountainCar = definePaper({
  id: 'mountain-car-bonus',
  title: 'Mountain car by a bonus for what is new',
  authors: 'Tang et al.',
  year: 2017,
  link: 'https://arxiv.org/abs/1611.04717',
  question: 'Does a bonus by hash counts bring PPO up the hill within 100,000 steps, where plain PPO does not get there?',
  idea: 'Every step costs the same until the flag is reached, and random play never reaches it: only what is new says where to go.',
  equation: 'r + w / sqrt(n(hash(s)))',
  config: {
    v: 1,
    env: { id: 'mountain-car' },
    algo: { id: 'ppo', config: { ...STANDARDISED, bonus: 'hash counts', hashBits: 16, bonusWeight: 3 } },
    run: { steps: 100_000, evalEpisodes: 50 },
  },
  arms: [
    { id: 'counts', title: 'PPO with hash counts', trials: 20 },
    { id: 'plain', title: 'PPO', trials: 5, differs: { algo: { config: { bonus: 'none' } } } },
  ],
  quantity: { title: 'mean greedy return', of: 'evalReturn' },
  contrasts: [{ id: 'hash counts', kind: 'difference', arm: 'counts', over: 'plain', claim: 'above', size: 20 }],
  scale: { better: 'more', random: -200, ceiling: -102.6 },
  exempt: [
    { check: 'random', arms: ['plain'], why: 'that it does not get there is the claim' },
    { check: 'parameters', arms: ['counts', 'plain'], why: 'the bonus has a network of values beside the policy' },
    { check: 'trials', arms: ['plain'], why: 'more was tried of the bonus, in its favour' },
  ],
  tunedOn: [1, 4],
  noQuick: 'the flag is found late in the budget or not at all',
  scaledDown:
    'Mountain car in place of Atari. Bonus, weight and budget were chosen on seeds 1 to 4: there hash counts reach -146 on average after 100,000 steps and plain PPO -195; after 300,000 both are up the hill. Twenty forms were tried; random network distillation came hardly sooner than plain PPO at weights 1 and 3. Without standardised observations neither is up the hill after 500,000 steps.',
  dishonest: 'Withholding standardised observations from the rival alone; hiding that the rival gets there a little later.',
  next: 'The continuous car with a bonus, where doing nothing is rewarded.',
});

const largeDoor = definePaper({
  id: 'doorkey-16',
  title: 'Key and door 16x16 by counts',
  authors: 'Tang et al.',
  year: 2017,
  link: 'https://arxiv.org/abs/1611.04717',
  question: 'Does a count bonus open the door of the 16x16 room within three million steps where plain PPO does not?',
  idea: 'Key, door and goal lie far apart, and only the goal pays; a bonus by counts pays for views that were seldom seen.',
  equation: 'r + w / sqrt(n(s))',
  config: {
    v: 1,
    env: { id: 'minigrid-doorkey', config: { width: 16, height: 16 } },
    algo: {
      id: 'ppo',
      config: { envs: 16, rolloutSteps: 128, minibatches: 8, lr: 1e-3, gamma: 0.997, bonus: 'counts', bonusWeight: 0.002 },
    },
    run: { steps: 3_000_000 },
  },
  arms: [
    { id: 'counts', title: 'PPO with a count bonus', trials: 4 },
    { id: 'plain', title: 'PPO', trials: 2, differs: { algo: { id: 'ppo', config: { bonus: 'none' } } } },
  ],
  quantity: { title: 'mean greedy return', of: 'evalReturn' },
  // a tenth of the return of a solved room
  contrasts: [{ id: 'a count bonus', kind: 'difference', arm: 'counts', over: 'plain', claim: 'above', size: 0.1 }],
  scale: { better: 'more' },
  exempt: [
    { check: 'random', arms: ['plain'], why: 'that it does not get there is the claim' },
    { check: 'parameters', arms: ['counts', 'plain'], why: 'the bonus has a network of values beside the policy' },
    { check: 'trials', arms: ['plain'], why: 'more was tried of the bonus, in its favour' },
  ],
  secondLook: 'full',
  tunedOn: [1, 4],
  noQuick: 'nothing is found in fewer steps',
  scaledDown:
    'Five seeds of two arms take 13 core-minutes, and fewer steps find nothing: the suite stops after them, and the ten seeds of the result are of --full. At a discount of 0.99 a weight of 0.02 on seed 1 met the goal in the first 300,000 steps and forgot it, because the bonus then outweighs a goal that is hundreds of steps away. At 0.997, which both arms have, weights of 0.005 and 0.002 reached the goal on three and four of seeds 1 to 4; plain PPO on neither of seeds 1 and 2. What ten seeds showed: counts open the door on four, plain PPO on one; those of the set-up were lucky.',
  dishonest: 'Counting views that name the place, which the agent does not see; a smaller discount for the rival.',
  next: 'Counts of visited places within an episode, or random network distillation.',
});

export const exploration: readonly JudgedCard[] = [deepSea, mountainCar, largeDoor];
