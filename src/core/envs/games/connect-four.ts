/**
 * Four in a row on 6 x 7 cells; stones fall to the lowest free cell of their column. Observation, mask, reward and the optional
 * opponent: games/lib/board/define.ts. Actions are columns. The first player wins with perfect play (Allis 1988; Allen 1989).
 * The expert looks `depth` moves ahead (alpha-beta with a transposition table); towards the end of a game that is to the end.
 */
import { z } from 'zod';
import type { EnvMeta } from '../api/types.ts';
import { defineBoard, opponentShape } from './lib/board/define.ts';

const config = z.strictObject({
  ...opponentShape,
  rows: z.int().min(4).max(10).default(6).meta({ title: 'rows', unit: 'cells', description: 'Height of the board.' }),
  columns: z.int().min(4).max(9).default(7).meta({ title: 'columns', unit: 'cells', description: 'Width of the board.' }),
  connect: z.int().min(3).max(4).default(4).meta({ title: 'in a row', unit: 'stones', description: 'Stones in a line that win.' }),
  depth: z.int().min(1).max(12).default(6).meta({
    title: 'expert depth',
    unit: 'moves',
    description: 'How far the expert looks ahead; each move more takes it about three times as long.',
  }),
});
type Config = z.infer<typeof config>;

/** First player's mean when both play at random, and the expert of depth 6 against random moves, going first: 20,000 and 200 games. */
const RANDOM = 0.114;
const EXPERT = 1;

function references(c: Config): EnvMeta['references'] {
  if (c.rows !== 6 || c.columns !== 7 || c.connect !== 4) return [];
  if (c.opponent === 'none')
    return [
      { name: 'random', value: RANDOM, source: 'uniform legal moves of both, measured, first player' },
      { name: 'optimal', value: 1, source: 'Allis 1988: the first player wins' },
    ];
  if (c.opponent === 'random' && c.opponentStarts === 'never')
    return [
      { name: 'random', value: RANDOM, source: 'uniform legal moves of both, measured' },
      { name: 'expert', value: EXPERT, source: 'scripted policy of depth 6, measured' },
    ];
  return [];
}

export const connectFour = defineBoard<Config>({
  id: 'connect-four',
  title: 'Connect four',
  summary: 'Drop stones, four in a row wins.',
  source: {
    title: 'A knowledge-based approach of connect-four',
    authors: 'Allis',
    year: 1988,
  },
  config,
  presets: [
    { id: 'two-players', title: 'two players', config: {} },
    { id: 'against-random', title: 'against random moves', config: { opponent: 'random' } },
    { id: 'against-expert', title: 'against the expert', config: { opponent: 'expert', depth: 4 } },
    { id: 'small', title: '4x5, three in a row', config: { rows: 4, columns: 5, connect: 3 } },
  ],
  game: (c) => ({ rows: c.rows, columns: c.columns, connect: c.connect, falls: true }),
  depth: (c) => c.depth,
  labels: (board) => Array.from({ length: board.actions }, (_, i) => `column ${i + 1}`),
  keys: (board) => Array.from({ length: board.actions }, (_, i) => [String(i + 1)]),
  references,
  stones: ['disc', 'disc'],
  stage: 'rack',
  colours: [0, 4],
});
