/**
 * Three in a row on 3 x 3 cells. Observation, mask, reward and the optional opponent: games/lib/board/define.ts. Actions are cells, row by row.
 * Played well by both it is a draw. The expert searches to the end (alpha-beta), so it never loses.
 * Numbers stated as exact follow from the whole game tree (5,478 positions) and are recomputed in the test.
 */
import { z } from 'zod';
import type { EnvMeta } from '../api/types.ts';
import { defineBoard, opponentShape } from './lib/board/define.ts';

const config = z.strictObject(opponentShape);
type Config = z.infer<typeof config>;

/** Mean win of the first player when both play at random; of perfect play against random, moving first and second. */
const RANDOM = 0.2968254;
const BEST_FIRST = 0.9947917;
const BEST_SECOND = 0.9248677;

function references(c: Config): EnvMeta['references'] {
  const exact = 'exact, whole game tree';
  if (c.opponent === 'none')
    return [
      { name: 'random', value: RANDOM, source: `${exact}, first player, both random` },
      { name: 'optimal', value: 0, source: `${exact}, a draw` },
    ];
  if (c.opponent === 'expert') return [{ name: 'optimal', value: 0, source: `${exact}, a draw` }];
  const side = { never: [RANDOM, BEST_FIRST], always: [-RANDOM, BEST_SECOND], drawn: [0, (BEST_FIRST + BEST_SECOND) / 2] } as const;
  const [random, best] = side[c.opponentStarts];
  return [
    { name: 'random', value: random, source: exact },
    { name: 'optimal', value: best, source: `${exact}, best reply to random moves` },
  ];
}

const KEYS = ['q', 'w', 'e', 'a', 's', 'd', 'z', 'x', 'c'] as const;

export const ticTacToe = defineBoard<Config>({
  id: 'tic-tac-toe',
  title: 'Tic-tac-toe',
  summary: 'Three in a row; with good play a draw.',
  source: { title: 'Some studies in machine learning using the game of checkers (games as test beds)', authors: 'Samuel', year: 1959 },
  config,
  presets: [
    { id: 'two-players', title: 'two players', config: {} },
    { id: 'against-random', title: 'against random moves', config: { opponent: 'random', opponentStarts: 'drawn' } },
    { id: 'against-expert', title: 'against the expert', config: { opponent: 'expert', opponentStarts: 'drawn' } },
  ],
  game: () => ({ rows: 3, columns: 3, connect: 3, falls: false }),
  depth: () => 9,
  labels: () => ['top left', 'top', 'top right', 'left', 'middle', 'right', 'bottom left', 'bottom', 'bottom right'],
  keys: () => KEYS.map((key, i) => [key, String(i + 1)]),
  references,
  stones: ['cross', 'nought'],
  stage: 'board',
  colours: [0, 2],
});
