/**
 * A task: a goal, rules in the order in which they act, and the things that lie there at the start. In a config they are the reference's encodings
 * (XLand-MiniGrid 0.9.3, core/goals.py and core/rules.py), in the state one word each.
 *   goal  5 numbers: kind, then tile and colour of a and of b, or [5, a, row, column], [6, row, column]
 *   rule  7 numbers: kind, then a, or a and b, then the product c
 */
import { badConfig } from '../../api/parse.ts';
import { COLOURS_COUNT, TILES, thing } from './tiles.ts';

/** Words of the state. A goal: kind, then 8 bits each of a, b, or a, row, column, or row, column. A rule: kind, then a, b, c (b is 0 where there is none). */
export interface Task {
  readonly goal: number;
  readonly rules: Uint32Array;
  readonly tiles: Uint32Array;
}

export const GOAL_KINDS = 15;
export const RULE_KINDS = 12;
/** Kinds of goals. */
export const GOAL = { none: 0, hold: 1, on: 2, near: 3, pair: 4, tileAt: 5, agentAt: 6, pairUp: 7, nearUp: 11 } as const;
/** Kinds of rules. */
export const RULE = { none: 0, hold: 1, near: 2, pair: 3, pairUp: 4, nearUp: 8 } as const;

/** Kinds of rules with two inputs. */
export const isPairRule = (kind: number): boolean => kind >= RULE.pair && kind < RULE.nearUp;
/** Goals about two things. */
export const isPairGoal = (kind: number): boolean => kind === GOAL.pair || (kind >= GOAL.pairUp && kind < GOAL.nearUp);

export const packed = (kind: number, x: number, y: number, z: number): number => (kind | (x << 4) | (y << 12) | (z << 20)) >>> 0;
export const kindOf = (word: number): number => word & 15;
export const firstOf = (word: number): number => (word >>> 4) & 255;
export const secondOf = (word: number): number => (word >>> 12) & 255;
export const thirdOf = (word: number): number => (word >>> 20) & 255;

type Numbers = readonly number[];

function checkedTile(field: string, [tile = 0, colour = 0]: Numbers, what: string): number {
  if (tile >= TILES) throw badConfig(field, `${what} is tile ${tile}, which does not exist.`, `Tiles are 0 to ${TILES - 1}.`);
  if (colour >= COLOURS_COUNT)
    throw badConfig(field, `${what} has colour ${colour}, which does not exist.`, `Colours are 0 to ${COLOURS_COUNT - 1}.`);
  return thing(tile, colour);
}

/** `height`, `width`: of the map, for goals about positions. Throws LabError('config-invalid') naming the field. */
export function packGoal(numbers: Numbers, height: number, width: number, field = 'task.goal'): number {
  const [kind = 0, n1 = 0, n2 = 0, n3 = 0, n4 = 0] = numbers;
  if (kind >= GOAL_KINDS) throw badConfig(field, `There is no goal of kind ${kind}.`, `Kinds are 0 to ${GOAL_KINDS - 1}.`);
  const place = (row: number, column: number): void => {
    if (row >= height || column >= width)
      throw badConfig(
        field,
        `Row ${row}, column ${column} lies outside the map.`,
        `Rows are 0 to ${height - 1}, columns 0 to ${width - 1}.`,
      );
  };
  if (kind === GOAL.none) return 0;
  if (kind === GOAL.agentAt) {
    place(n1, n2);
    return packed(kind, n1, n2, 0);
  }
  const a = checkedTile(field, [n1, n2], 'What the goal is about');
  if (kind === GOAL.tileAt) {
    place(n3, n4);
    return packed(kind, a, n3, n4);
  }
  return packed(kind, a, isPairGoal(kind) ? checkedTile(field, [n3, n4], 'The other thing of the goal') : 0, 0);
}

export function unpackGoal(word: number): readonly number[] {
  const kind = kindOf(word);
  const [x, y, z] = [firstOf(word), secondOf(word), thirdOf(word)];
  if (kind === GOAL.none) return [0, 0, 0, 0, 0];
  if (kind === GOAL.agentAt) return [kind, x, y, 0, 0];
  if (kind === GOAL.tileAt) return [kind, x & 15, x >>> 4, y, z];
  return [kind, x & 15, x >>> 4, y & 15, y >>> 4];
}

/** Throws LabError('config-invalid') naming the field. */
export function packRule(numbers: Numbers, field: string): number {
  const [kind = 0, n1 = 0, n2 = 0, n3 = 0, n4 = 0, n5 = 0, n6 = 0] = numbers;
  if (kind >= RULE_KINDS) throw badConfig(field, `There is no rule of kind ${kind}.`, `Kinds are 0 to ${RULE_KINDS - 1}.`);
  if (kind === RULE.none) return 0;
  const a = checkedTile(field, [n1, n2], 'The first thing of the rule');
  const second = checkedTile(field, [n3, n4], isPairRule(kind) ? 'The second thing of the rule' : 'What the rule makes');
  if (!isPairRule(kind)) return packed(kind, a, 0, second);
  return packed(kind, a, second, checkedTile(field, [n5, n6], 'What the rule makes'));
}

export function unpackRule(word: number): readonly number[] {
  const kind = kindOf(word);
  const [a, b, c] = [firstOf(word), secondOf(word), thirdOf(word)];
  if (kind === RULE.none) return [0, 0, 0, 0, 0, 0, 0];
  if (!isPairRule(kind)) return [kind, a & 15, a >>> 4, c & 15, c >>> 4, 0, 0];
  return [kind, a & 15, a >>> 4, b & 15, b >>> 4, c & 15, c >>> 4];
}

/** Throws LabError('config-invalid') naming the field. */
export function packTask(
  c: { readonly goal: Numbers; readonly rules: readonly Numbers[]; readonly initTiles: readonly Numbers[] },
  height: number,
  width: number,
): Task {
  return {
    goal: packGoal(c.goal, height, width),
    rules: Uint32Array.from(c.rules, (rule, i) => packRule(rule, `task.rules[${i}]`)),
    // [0, 0] is padding of the reference: nothing is placed for it
    tiles: Uint32Array.from(c.initTiles, (tile, i) => checkedTile(`task.initTiles[${i}]`, tile, `Thing ${i + 1} of the start`)).filter(
      (word) => word !== 0,
    ),
  };
}
