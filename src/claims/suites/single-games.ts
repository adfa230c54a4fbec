/** Search that learns: AlphaZero against perfect play of tic-tac-toe and a scripted search of connect four. Suite: single.ts. */

import type { JsonObject } from '#contract/kit/json.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

/** Either side begins half of the games. */
const EXPERT: JsonObject = { opponent: 'expert', opponentStarts: 'drawn' };
/** Where neither player draws and games begin empty, most probable moves play one game from each seat. */
const DRAWN = { title: 'mean result of 200 games, moves drawn by visits', of: 'sampledReturn' } as const;
const GREEDY = { title: 'mean result of 200 games, most visited moves', of: 'evalReturn' } as const;

const BOTH = {
  authors: 'Silver et al.',
  year: 2018,
  link: 'https://doi.org/10.1126/science.aar6404',
  equation: 'loss = -pi ln p + (z - v)^2',
  arms: [
    { id: 'visited', title: 'most visited moves', trials: 1 },
    { id: 'drawn', title: 'the same runs, moves drawn by visits', trials: 1, quantity: DRAWN },
  ],
  quantity: GREEDY,
  scale: { better: 'more' },
  tunedOn: [1, 2],
} as const;

const ticTacToe = definePaper({
  ...BOTH,
  id: 'tic-tac-toe',
  title: 'AlphaZero against perfect play of tic-tac-toe',
  question: 'Does AlphaZero lose none of 200 games of tic-tac-toe to perfect play, from either seat?',
  idea: 'Perfect play cannot be beaten: the mean result is 0 where no game is lost, and below where one is.',
  config: {
    v: 1,
    env: { id: 'tic-tac-toe', config: EXPERT },
    algo: { id: 'alpha-zero' },
    run: { steps: 20_000, evalEpisodes: 200 },
  },
  contrasts: [
    { id: 'most visited moves lose none', kind: 'every', arm: 'visited', claim: 'above', none: 0 },
    { id: 'drawn moves lose none', kind: 'every', arm: 'drawn', claim: 'above', none: 0 },
  ],
  noQuick: 'nearly perfect is not perfect',
  scaledDown:
    '50 simulations a move. Against a player without chance 200 games of most visited moves are two; drawn moves make them differ.',
  dishonest: 'Counting 200 copies of one game as 200.',
  next: 'Fewer simulations: when does the network alone suffice?',
});

const connectFour = definePaper({
  ...BOTH,
  id: 'connect-four',
  title: 'AlphaZero against a search of connect four',
  question:
    'Does AlphaZero with 50 simulations a move win more than half of 200 games of connect four against a search of four moves, from random openings and either seat?',
  idea: 'A network learned from games against itself guides a small search; its opponent looks four moves ahead and weighs open lines.',
  config: {
    v: 1,
    env: { id: 'connect-four', config: { ...EXPERT, depth: 4, openings: 4 } },
    algo: {
      id: 'alpha-zero',
      config: { envs: 64, filters: 32, hidden: [128], noiseAlpha: 1.4, bufferSize: 50_000, symmetries: true, annealLr: true },
    },
    run: { steps: 700_000, evalEpisodes: 200 },
  },
  arms: [{ id: 'visited', title: 'most visited moves', trials: 3 }],
  contrasts: [{ id: 'more than half', kind: 'level', arm: 'visited', claim: 'above', none: 0 }],
  tunedOn: [1, 1],
  noQuick: 'it loses long before it wins',
  scaledDown:
    'Neither player draws its moves: the first four of every game are random ones, in the games that it learns from too, so that 200 games differ. A mean result of 0 is a score of one half. On seed 1 at a constant learning rate it stood at -0.34, -0.11, -0.15 and -0.07 after 74,000, 146,000, 214,000 and 279,000 steps, one to four core-minutes; three times as many updates, and draws in the first three moves only, came to the same.',
  dishonest: 'Playing from the first seat only, which wins with perfect play; counting copies of one game.',
  next: 'A search of six moves, or more simulations.',
});

export const games: readonly JudgedCard[] = [ticTacToe, connectFour];
