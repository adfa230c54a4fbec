/** Settings of matrix games, and the game they mean. Throws LabError('config-invalid') where payoffs do not fit the number of players. */
import { z } from 'zod';
import type { Bimatrix } from '#contract/game/payoffs.ts';
import { badConfig } from '#core/envs/api/parse.ts';
import { GAMES, gameOf, symmetric } from '#core/envs/lib/payoffs.ts';
import { CROWDS, crowd, fromBimatrix, type NormalForm, normalForm } from './normal-form.ts';

const PAIRS = Object.keys(GAMES) as (keyof typeof GAMES)[];
const MANY = Object.keys(CROWDS) as (keyof typeof CROWDS)[];
const table = () => z.array(z.array(z.number()).min(1).max(9)).min(1).max(9).nullable().default(null);

export const config = z.strictObject({
  game: z
    .enum([...PAIRS, ...MANY])
    .default('prisoners-dilemma')
    .meta({
      title: 'game',
      description: `Which payoffs, unless you give your own. For any number of players: ${MANY.join(', ')}.`,
      source: 'Foerster et al. 2018',
      editor: 'payoffs',
      payoffs: {
        games: Object.fromEntries(PAIRS.map((name) => [name, gameOf(name)])),
        symmetric: 'payoffs',
        row: 'rowPayoffs',
        column: 'columnPayoffs',
        tensor: 'payoffTensor',
        players: 'players',
      },
    }),
  players: z
    .int()
    .min(2)
    .max(5)
    .default(2)
    .meta({ title: 'players', description: 'More than two only in games for many, or with an own table.' }),
  payoffs: z.array(z.number()).length(4).nullable().default(null).meta({
    title: 'payoffs',
    description: 'Own symmetric game of two actions: what a player gets for CC, CD, DC, DD, own action first; empty: those of the game.',
    editor: 'hidden',
  }),
  rowPayoffs: table().meta({
    title: 'payoffs of the row player',
    description: 'Own table, one list per action of the row player; empty: those of the game.',
    editor: 'hidden',
  }),
  columnPayoffs: table().meta({
    title: 'payoffs of the column player',
    description: 'Own table of the same shape; empty: the same payoffs for both.',
    editor: 'hidden',
  }),
  payoffTensor: z.array(z.array(z.number()).min(2).max(5)).min(4).max(1024).nullable().default(null).meta({
    title: 'payoffs of all players',
    description: 'Own table for any number of players: one list of payoffs per joint action, the first player’s action changing slowest.',
    editor: 'hidden',
  }),
  multiplier: z.number().min(0).max(100).default(1.6).meta({
    title: 'multiplier',
    description: 'Public goods: what is given grows by this before it is shared; a dilemma between 1 and the number of players.',
    group: 'payoffs',
  }),
  needed: z
    .int()
    .min(1)
    .max(5)
    .nullable()
    .default(null)
    .meta({ title: 'hunters needed', description: 'Stag hunt for many: so many bring down the stag; empty: all.', group: 'payoffs' }),
  memory: z
    .int()
    .min(0)
    .max(3)
    .default(1)
    .meta({ title: 'memory', unit: 'rounds', description: 'How many of the last rounds players see.' }),
  gamma: z
    .number()
    .min(0)
    .max(0.9999)
    .default(0.96)
    .meta({ title: 'discount', description: 'Discount per round, for exact values.', source: 'Foerster et al. 2018' }),
  maxSteps: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(100)
    .meta({ title: 'rounds', unit: 'rounds', description: 'Rounds of one episode; 1 is the game played once.', log: true }),
});
export type Config = z.infer<typeof config>;

const isPair = (name: Config['game']): name is keyof typeof GAMES => name in GAMES;

/** The two tables of a game of two players that is given as such; null: it is not. */
export function bimatrix(c: Config): Bimatrix | null {
  if (c.payoffTensor !== null) return null;
  const own = c.rowPayoffs !== null || c.columnPayoffs !== null || c.payoffs !== null;
  if ((own || isPair(c.game)) && c.players !== 2)
    throw badConfig(
      'players',
      own ? 'These payoffs are for two players.' : `The game ${c.game} is for two players.`,
      `Set 2 players, give payoffTensor, or choose one of: ${MANY.join(', ')}.`,
    );
  if (c.rowPayoffs !== null || c.columnPayoffs !== null) {
    const row = c.rowPayoffs ?? c.columnPayoffs ?? [];
    const column = c.columnPayoffs ?? row;
    const width = row[0]?.length ?? 0;
    if (row.length !== column.length || [...row, ...column].some((r) => r.length !== width))
      throw badConfig('columnPayoffs', 'The payoff tables are not of one shape.', 'Give both tables the same rows and columns.');
    const named = isPair(c.game) ? gameOf(c.game) : null;
    const fits = named !== null && named.rowActions.length === row.length && named.columnActions.length === width;
    return {
      row,
      column,
      rowActions: fits ? named.rowActions : row.map((_, i) => `row ${i + 1}`),
      columnActions: fits ? named.columnActions : Array.from({ length: width }, (_, i) => `column ${i + 1}`),
    };
  }
  if (c.payoffs !== null) {
    const [cc = 0, cd = 0, dc = 0, dd = 0] = c.payoffs;
    const named = isPair(c.game) ? gameOf(c.game) : null;
    const rows = [
      [cc, cd],
      [dc, dd],
    ];
    return symmetric(rows, named?.rowActions.length === 2 ? named.rowActions : ['cooperate', 'defect']);
  }
  return isPair(c.game) ? gameOf(c.game) : null;
}

export function gameFor(c: Config): NormalForm {
  const pair = bimatrix(c);
  if (pair !== null) return fromBimatrix(pair);
  if (c.payoffTensor === null) {
    if (c.needed !== null && c.needed > c.players)
      throw badConfig('needed', `${c.needed} hunters of ${c.players} players cannot be.`, 'Lower it, or leave it empty.');
    return crowd(c.game as keyof typeof CROWDS, { players: c.players, multiplier: c.multiplier, needed: c.needed ?? c.players });
  }
  const rows = c.payoffTensor;
  let n = 1;
  while (n ** c.players < rows.length) n++;
  if (n ** c.players !== rows.length)
    throw badConfig('payoffTensor', `${rows.length} joint actions are not those of ${c.players} players.`, 'Give actions ^ players lists.');
  if (rows.some((row) => row.length !== c.players))
    throw badConfig('payoffTensor', 'A list has not one payoff per player.', `Give ${c.players} numbers in every list.`);
  const labels = n === 2 ? ['cooperate', 'defect'] : Array.from({ length: n }, (_, i) => `action ${i + 1}`);
  return normalForm(
    Array.from({ length: c.players }, () => labels),
    (joint, p) => rows[joint.reduce((at, a) => at * n + a, 0)]![p]!,
  );
}
