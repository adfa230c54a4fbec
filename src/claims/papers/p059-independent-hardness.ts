/** P059: independent learners in drawn Markov games and in one-shot games, with two to five players: how long until none regrets much. */
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const PLAYERS = [2, 3, 4, 5] as const;
const GAMES = { markov: { horizon: 3, title: 'Markov game' }, once: { horizon: 1, title: 'one-shot game' } } as const;

const idOf = (game: keyof typeof GAMES, players: number): string => `${game}-${players}`;
const namesOf = (game: keyof typeof GAMES): readonly string[] => PLAYERS.map((players) => idOf(game, players));

const arms = PLAYERS.flatMap((players) =>
  (['markov', 'once'] as const).map(
    (game): Arm => ({
      id: idOf(game, players),
      title: `${GAMES[game].title}, ${players} players`,
      trials: 0,
      differs: { env: { config: { players, horizon: GAMES[game].horizon } } },
    }),
  ),
);

export const independentHardness = definePaper({
  id: 'P059',
  title: 'Hardness of Independent Learning and Sparse Equilibrium Computation in Markov Games',
  authors: 'Foster, Golowich and Kakade',
  year: 2023,
  link: 'https://arxiv.org/abs/2303.12287',
  sign: 'ours',
  claim:
    'Theorems: unless PPAD equals P, no polynomial-time algorithm, run by all players of a general-sum Markov game independently, gives each of them no regret, even where the game is known and the players are few; where it is unknown, none does without a number of episodes exponential in the number of players. In one-shot games such algorithms exist. The abstract claims no measured result.',
  source: {
    read: 'The setting as the abstract says it; Hedge as Freund and Schapire 1997 write it.',
    table: [
      { of: 'Hedge: weights by the exponential of summed payoffs', ours: 'src/core/algos/games/hedge.ts (hedge)', state: 'kept' },
      { of: 'each player learns by itself', ours: 'src/core/algos/games/hedge.ts (hedge)', state: 'kept' },
      {
        of: 'regret against all policies of a player, also those that remember',
        ours: 'src/core/algos/games/hedge.ts (historiesOf)',
        state: 'kept',
      },
      {
        of: 'games built so that no such learner is fast',
        ours: 'src/core/envs/games/markov-game.ts (markovGame)',
        state: 'changed',
        note: 'Drawn at random.',
      },
      { of: 'payoffs from one episode at a time', ours: 'src/core/algos/games/hedge.ts (hedge)', state: 'changed', note: 'Exact values.' },
      { of: 'the proof', ours: '', state: 'left out', note: 'No game can confirm it.' },
    ],
  },
  differs: [
    'games drawn at random, not built to be hard',
    'three steps, eight places',
    'players are given exact values, not one sampled episode',
  ],
  found: {
    outcome: 'mixed',
    text: 'More players take more episodes (a slope of 0.27); that Markov games add to this over one-shot games did not show.',
  },
  dose: {
    size: 'players',
    points: PLAYERS.map((at) => ({ arm: `markov-${at}`, at })),
    place: {
      from: 2,
      to: null,
      text: 'The theorems speak of every number of players; where the game is unknown, of episodes exponential in it.',
    },
  },
  question:
    'In Markov games drawn at random, do independent learners need more episodes the more players there are, until the largest regret is a tenth of that of uniform play, and does their number grow faster than in one-shot games?',
  idea: 'In a one-shot game each player can learn on its own, and its regret goes to zero. In a game of several states the value of an action depends on what all the others will do later, and they are learning, too. The theorems say that there are games in which no such learner can succeed in reasonable time. These are the smallest games in which that could show.',
  equation: "regret_i(T) = 1/T [ max over pi' of sum_t V_i(pi', pi_t of the others) - sum_t V_i(pi_t) ]",
  config: {
    v: 1,
    env: { id: 'markov-game' },
    algo: { id: 'hedge', config: { game: 'drawn from the seed' } },
    run: { steps: 50_000, evalEpisodes: 10 },
  },
  arms,
  quantity: { title: 'log10 of the episodes until the worst regret is 0.1', metric: 'regret', reaches: 0.1, log10: true },
  contrasts: [
    {
      id: 'more players, more episodes',
      kind: 'slope',
      arms: namesOf('markov'),
      x: PLAYERS,
      claim: 'above',
      // a quarter more episodes with each player, twice as many with three more
      size: 0.1,
    },
    {
      id: 'more so than in one-shot games',
      kind: 'slope',
      arms: namesOf('markov'),
      over: namesOf('once'),
      x: PLAYERS,
      claim: 'above',
      size: 0.1,
    },
  ],
  scale: { better: 'less' },
  exempt: [
    {
      check: 'parameters',
      arms: arms.map(({ id }) => id),
      why: 'a table of chances has an entry for every player, step and place: what is compared is games of different sizes',
    },
  ],
  leftOut:
    'A theorem about the hardest games cannot be confirmed by games drawn at random: this shows only whether those become harder, too.',
  forms: 2,
  tunedOn: [901, 905],
  firstSeed: 3041,
  looks: [20, 40],
  quick: { run: { steps: 2000 }, seeds: 2 },
  scaledDown:
    'Games of eight places, two actions a player and three steps, with payoffs and moves drawn evenly, another game for every seed; the same players in one-shot games of one drawn table. Payoffs are scaled so that the best response to uniform play gains 1 for any number of players. After every episode each player is given the exact value of each of its actions against the others. A first form, on the seeds 3,001 to 3,020, also had arms of a softmax policy gradient and was inconclusive: in 7 of 20 one-shot games of five players the gradient never reached the level; hedge gave a slope of 0.29 (0.14 to 0.64). Regret is exact, against every policy that remembers the places and its own actions of an episode. Result: each further player takes 1.85 times as many episodes (1.4 to 2.8). In one-shot games the factor is about as large, so whether several places add to it remains open.',
  dishonest:
    'Hard games picked by hand; regret against policies that see only the place, presented as the regret of the theorem; a curve presented as a proof.',
  next: 'The policy gradient in its place; players that see only what they were paid; or a game built to be hard.',
});
