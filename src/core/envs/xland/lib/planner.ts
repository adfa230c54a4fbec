/**
 * Ways to meet a goal, found by search, for one that knows all rules: breadth first over arrangements of things, the fewest changes first. Between two
 * changes the agent walks the shortest way on which nothing changes. Things are put down beside other things, or once anywhere to free the hand: a
 * task that needs a thing on a bare place may have a way that is not found.
 */
import { Field, FORWARD, PICK_UP, PUT_DOWN, TOGGLE, TURN_LEFT, TURN_RIGHT } from './act.ts';
import { GOAL, kindOf } from './task.ts';
import { FLOOR, tileOf, WALL_TILE } from './tiles.ts';

const WALKS = [FORWARD, TURN_RIGHT, TURN_LEFT];
const CHANGES = [PICK_UP, PUT_DOWN, TOGGLE];

/** One arrangement of things, with the agent and what it holds. */
interface Moment {
  readonly cells: Uint32Array;
  readonly row: number;
  readonly column: number;
  readonly dir: number;
  readonly pocket: number;
}
interface Node extends Moment {
  readonly before: Node | null;
  /** Actions that lead here from `before`. */
  readonly actions: readonly number[];
}

/** Actions from a moment to the goal; null: none found within `most` arrangements. */
export function planWay(
  start: Moment,
  height: number,
  width: number,
  goal: number,
  rules: Uint32Array,
  most: number,
): readonly number[] | null {
  const cells = height * width;
  const words = new Uint32Array(cells + rules.length);
  words.set(rules, cells);
  const field = new Field(words, height, width);
  const anywhere = kindOf(goal) === GOAL.tileAt; // things belong on bare places too
  const known = new Set<string>();
  const queue: Node[] = [{ ...start, before: null, actions: [] }];
  const poses = cells * 4;
  const from = new Int32Array(poses);
  const by = new Int8Array(poses);
  const order = new Int32Array(poses);

  /** Whether a thing other than a wall lies beside a cell. */
  const besideThing = (at: Uint32Array, row: number, column: number): boolean => {
    for (let d = 0; d < 4; d++) {
      const index = field.beside(row, column, d);
      if (index >= 0 && at[index] !== FLOOR && tileOf(at[index]!) !== WALL_TILE) return true;
    }
    return false;
  };

  for (let head = 0; head < queue.length && queue.length < most; head++) {
    const node = queue[head] as Node;
    const wayTo = (pose: number, last: number): readonly number[] => {
      const out = [last];
      for (let p = pose; from[p] !== -1; p = from[p]!) out.push(by[p]!);
      return out.reverse();
    };
    from.fill(-2);
    const first = (node.row * width + node.column) * 4 + node.dir;
    from[first] = -1;
    order[0] = first;
    let count = 1;
    let freed = false;
    words.set(node.cells);
    for (let i = 0; i < count; i++) {
      const pose = order[i]!;
      const cell = pose >> 2;
      for (const action of node.pocket === 0 ? [...WALKS, PICK_UP, PUT_DOWN, TOGGLE] : [...WALKS, ...CHANGES]) {
        field.row = Math.floor(cell / width);
        field.column = cell % width;
        field.dir = pose & 3;
        field.pocket = node.pocket;
        field.act(action);
        field.applyRules(cells, rules.length, action);
        if (field.meets(goal, action)) return [...history(node), ...wayTo(pose, action)];
        const same = field.pocket === node.pocket && equal(words, node.cells, cells);
        if (same) {
          const next = (field.row * width + field.column) * 4 + field.dir;
          if (from[next] === -2 && action < PICK_UP) {
            from[next] = pose;
            by[next] = action;
            order[count++] = next;
          }
          continue;
        }
        const plain = action === PUT_DOWN && field.pocket === 0 && !anywhere && words[field.qRow * width + field.qColumn] === node.pocket;
        const aside = plain && !besideThing(words, field.qRow, field.qColumn);
        if (!aside || !freed) {
          freed ||= aside;
          const key = `${field.pocket} ${aside ? '' : words.subarray(0, cells).join('')} ${aside ? head : ''}`;
          if (!known.has(key)) {
            known.add(key);
            queue.push({
              cells: words.slice(0, cells),
              row: field.row,
              column: field.column,
              dir: field.dir,
              pocket: field.pocket,
              before: node,
              actions: wayTo(pose, action),
            });
          }
        }
        words.set(node.cells);
      }
    }
  }
  return null;
}

function history(node: Node): readonly number[] {
  const parts: (readonly number[])[] = [];
  for (let at: Node | null = node; at !== null; at = at.before) parts.push(at.actions);
  return parts.reverse().flat();
}

function equal(a: Uint32Array, b: Uint32Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (a[i] !== b[i]) return false;
  return true;
}
