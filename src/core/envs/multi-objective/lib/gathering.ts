/** Settings of item gathering, the field they mean, and the gatherer that walks to the nearest item. Throws LabError('config-invalid'). */
import { z } from 'zod';
import type { MapFormat } from '#contract/game/maps.ts';
import { maxStepsField } from '../../api/limits.ts';
import { badConfig } from '../../api/parse.ts';
import type { ScriptedPolicy } from '../../api/types.ts';
import { weightsField } from './weights.ts';

const SOURCE = 'MOMAland item gathering';
const MAP = ['.......A', '........', '.....2..', '..2.23..', '...1....', '..11.3..', '........', 'A.......'];
export const COLOURS = ['red', 'green', 'yellow', 'blue'] as const;

const FIELD: MapFormat = {
  size: [2, 24],
  tiles: [
    { code: '.', title: 'empty', look: 'empty' },
    { code: 'A', title: 'agent', look: 'agent' },
    ...COLOURS.map((colour, i) => ({ code: String(i + 1), title: `${colour} item`, look: 'food', colour }) as const),
  ],
  rules: [
    { rule: 'count', of: ['A'], least: 1, most: 8, says: 'There must be one to eight agents.' },
    { rule: 'count', of: ['1', '2', '3', '4'], least: 1, says: 'There is no item to gather. Paint one.' },
  ],
};

export const config = z.strictObject({
  map: z
    .array(
      z
        .string()
        .regex(/^[.A1234]+$/)
        .min(2)
        .max(24),
    )
    .min(2)
    .max(24)
    .default(MAP)
    .meta({
      title: 'map',
      description: 'Rows of the field: . empty, A agent, 1 red, 2 green, 3 yellow, 4 blue item.',
      source: SOURCE,
      editor: 'grid-map',
      map: FIELD,
    }),
  shuffle: z.boolean().default(false).meta({
    title: 'shuffled items',
    description: 'Each episode exchanges the rows, then the columns, two or more cells from the border.',
    source: SOURCE,
  }),
  sharedReward: z.boolean().default(false).meta({ title: 'shared reward', description: 'All get what anyone gathers.' }),
  weights: weightsField(['the colours in order'], 4),
  maxSteps: maxStepsField(10, SOURCE),
});
export type Config = z.infer<typeof config>;

export interface Field {
  readonly rows: number;
  readonly columns: number;
  readonly cells: number;
  readonly agents: readonly number[]; // start cells
  readonly items: Uint8Array; // [cells] 0 none, else 1 + colour index
  readonly colours: number; // K
  readonly total: number; // items
}

export function fieldOf(c: Config): Field {
  const columns = (c.map[0] as string).length;
  if (c.map.some((row) => row.length !== columns)) throw badConfig('map', 'The rows of the map differ in length.', 'Make them equal.');
  const letters = [...c.map.join('')];
  const agents = letters.flatMap((letter, cell) => (letter === 'A' ? [cell] : []));
  if (agents.length === 0) throw badConfig('map', 'The map has no agent.', 'Put at least one A on it.');
  if (agents.length > 8) throw badConfig('map', `The map has ${agents.length} agents.`, 'Put at most 8 A on it.');
  const used = ['1', '2', '3', '4'].filter((letter) => letters.includes(letter));
  if (used.length === 0) throw badConfig('map', 'The map has no item.', 'Put at least one of 1, 2, 3, 4 on it.');
  if (c.weights !== null && c.weights.length !== used.length)
    throw badConfig(
      'weights',
      `There are ${c.weights.length} weights for ${used.length} colours.`,
      'Give one weight per colour on the map.',
    );
  return {
    rows: c.map.length,
    columns,
    cells: letters.length,
    agents,
    items: Uint8Array.from(letters, (letter) => used.indexOf(letter) + 1),
    colours: used.length,
    total: letters.filter((letter) => used.includes(letter)).length,
  };
}

export function colourNames(c: Config): readonly string[] {
  const text = c.map.join('');
  return COLOURS.filter((_, i) => text.includes(String(i + 1)));
}

/** Each goes to the item with the best weight per step of way, columns after rows, as if alone. */
export function greedy(c: Config): ScriptedPolicy {
  const f = fieldOf(c);
  const planes = 2 + f.colours;
  const size = f.cells * planes;
  const weights = c.weights ?? new Array<number>(f.colours).fill(1);
  const find = (obs: Float32Array, from: number, plane: number) => {
    for (let cell = 0; cell < f.cells; cell++) if (obs[from + cell * planes + plane] === 1) return cell;
    return 0;
  };
  return {
    act(env, { obs }, out) {
      for (let slot = 0; slot < env.batch * f.agents.length; slot++) {
        const from = slot * size;
        const me = find(obs, from, 0);
        let best = 0;
        let goal = me;
        for (let cell = 0; cell < f.cells; cell++)
          for (let k = 0; k < f.colours; k++) {
            if (obs[from + cell * planes + 2 + k] !== 1) continue;
            const far =
              Math.abs(Math.floor(cell / f.columns) - Math.floor(me / f.columns)) + Math.abs((cell % f.columns) - (me % f.columns));
            const worth = weights[k]! / Math.max(1, far);
            if (worth > best) {
              best = worth;
              goal = cell;
            }
          }
        const down = Math.floor(goal / f.columns) - Math.floor(me / f.columns);
        const right = (goal % f.columns) - (me % f.columns);
        out[slot] = down !== 0 ? (down > 0 ? 2 : 1) : right > 0 ? 4 : right < 0 ? 3 : 0;
      }
    },
  };
}
