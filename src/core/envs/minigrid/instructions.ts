/**
 * BabyAI instructions on top of the MiniGrid core (Chevalier-Boisvert et al. 2019): go-to, open, pickup, put-next, joined by and,
 * before, after. Which parts are done so far is a bit set in the state, one bit per node in the order below.
 * A description { type, color, location } matches things that stood on the map at the start; location (front, behind, left,
 * right) is relative to the start pose and holds only inside the start room.
 */
import { fail } from '#contract/errors.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import { colourCode, colourOf, DOOR, OPEN, objectCode, objectOf, originOf, stateOf, WALL } from './cells.ts';
import { DROP, type Moment, PICKUP, TOGGLE } from './moment.ts';
import { DX, DY } from './view.ts';

export interface Description {
  readonly object: number; // -1: any
  readonly colour: number; // -1: any
  readonly location: 'front' | 'behind' | 'left' | 'right' | null;
}

export type Instruction =
  | { readonly kind: 'go-to' | 'open' | 'pickup'; readonly bit: number; readonly what: Description }
  | { readonly kind: 'put-next'; readonly bit: number; readonly move: Description; readonly fixed: Description }
  | { readonly kind: 'and' | 'before'; readonly bit: number; readonly first: Instruction; readonly second: Instruction };

/** Where the episode started: what locations refer to. */
export interface StartPose {
  readonly x: number;
  readonly y: number;
  readonly dir: number;
}

const LOCATIONS = ['front', 'behind', 'left', 'right'];

export function compileInstruction(json: Json): Instruction {
  let bits = 0;
  const compile = (value: Json): Instruction => {
    const node = (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as JsonObject;
    const bit = 1 << bits++;
    switch (node.type) {
      case 'go-to':
      case 'open':
      case 'pickup':
        return { kind: node.type, bit, what: describe(node.object) };
      case 'put-next':
        return { kind: 'put-next', bit, move: describe(node.move), fixed: describe(node.fixed) };
      case 'and':
      case 'before':
        return { kind: node.type, bit, first: compile(node.first as Json), second: compile(node.second as Json) };
      case 'after': // first after second
        return { kind: 'before', bit, first: compile(node.second as Json), second: compile(node.first as Json) };
      default:
        throw bad(`there is no instruction "${String(node.type)}"`, 'Use go-to, open, pickup, put-next, and, before, after.');
    }
  };
  return compile(json);
}

function describe(value: Json | undefined): Description {
  const d = (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null) as JsonObject | null;
  if (d === null) throw bad('a description is missing', 'Give { "type", "color", "location" }, each a name or null.');
  const object = d.type === undefined || d.type === null ? -1 : objectCode(d.type);
  const colour = d.color === undefined || d.color === null ? -1 : colourCode(d.color);
  if ((d.type ?? null) !== null && object < 0) throw bad(`there is no object "${String(d.type)}"`, 'Use door, key, ball or box.');
  if ((d.color ?? null) !== null && colour < 0)
    throw bad(`there is no colour "${String(d.color)}"`, 'Use red, green, blue, purple, yellow, grey.');
  const location = (d.location ?? null) as Description['location'];
  if (location !== null && !LOCATIONS.includes(location)) throw bad(`there is no location "${location}"`, `Use ${LOCATIONS.join(', ')}.`);
  return { object, colour, location };
}

function bad(what: string, fix: string): Error {
  return fail('config-invalid', `endRule: ${what}.`, fix, 'env.endRule');
}

/** Cells of the room the agent started in: reached without passing walls or doors. */
function startRoom(m: Moment, height: number, start: StartPose): Set<number> {
  const room = new Set<number>([start.y * m.width + start.x]);
  const queue = [...room];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (let d = 0; d < 4; d++) {
      const x = (at % m.width) + (DX[d] as number);
      const y = Math.floor(at / m.width) + (DY[d] as number);
      const to = y * m.width + x;
      if (x < 0 || y < 0 || x >= m.width || y >= height || room.has(to)) continue;
      const object = objectOf(m.words[m.base + to] as number);
      if (object === WALL) continue;
      room.add(to); // a door belongs to the room, what is behind it does not
      if (object !== DOOR) queue.push(to);
    }
  }
  return room;
}

function matches(word: number, d: Description, m: Moment, height: number, start: StartPose): boolean {
  const origin = originOf(word);
  if (word === 0 || origin === 0) return false;
  if (d.object >= 0 && objectOf(word) !== d.object) return false;
  if (d.colour >= 0 && colourOf(word) !== d.colour) return false;
  if (d.location === null) return true;
  const at = origin - 1;
  if (!startRoom(m, height, start).has(at)) return false;
  const vx = (at % m.width) - start.x;
  const vy = Math.floor(at / m.width) - start.y;
  const ahead = vx * (DX[start.dir] as number) + vy * (DY[start.dir] as number);
  const right = -vx * (DY[start.dir] as number) + vy * (DX[start.dir] as number);
  return d.location === 'front' ? ahead > 0 : d.location === 'behind' ? ahead < 0 : d.location === 'right' ? right > 0 : right < 0;
}

/** New bit set of what is done after this moment; the whole is fulfilled when its own bit is set. */
export function follow(node: Instruction, done: number, m: Moment, height: number, start: StartPose): number {
  if ((done & node.bit) !== 0) return done;
  const front = m.front < 0 ? 0 : (m.words[m.base + m.front] as number);
  switch (node.kind) {
    case 'go-to':
      return matches(front, node.what, m, height, start) ? done | node.bit : done;
    case 'open':
      return m.action === TOGGLE && objectOf(front) === DOOR && stateOf(front) === OPEN && matches(front, node.what, m, height, start)
        ? done | node.bit
        : done;
    case 'pickup':
      return m.action === PICKUP && m.heldBefore === 0 && matches(m.heldAfter, node.what, m, height, start) ? done | node.bit : done;
    case 'put-next':
      return m.action === DROP && m.heldBefore !== 0 && m.heldAfter === 0 && putNext(node, m, height, start) ? done | node.bit : done;
    case 'and': {
      const after = follow(node.second, follow(node.first, done, m, height, start), m, height, start);
      return (after & node.first.bit) !== 0 && (after & node.second.bit) !== 0 ? after | node.bit : after;
    }
    case 'before': {
      const first = follow(node.first, done, m, height, start);
      if ((first & node.first.bit) === 0) return first;
      const second = follow(node.second, first, m, height, start);
      return (second & node.second.bit) !== 0 ? second | node.bit : second;
    }
  }
}

/** The dropped thing lies in front; a fixed one at Manhattan distance 1 of it. */
function putNext(node: Extract<Instruction, { kind: 'put-next' }>, m: Moment, height: number, start: StartPose): boolean {
  if (!matches(m.heldBefore, node.move, m, height, start)) return false;
  for (let d = 0; d < 4; d++) {
    const x = m.frontX + (DX[d] as number);
    const y = m.frontY + (DY[d] as number);
    if (x < 0 || y < 0 || x >= m.width || y >= height) continue;
    const word = m.words[m.base + y * m.width + x] as number;
    if (originOf(word) !== originOf(m.heldBefore) && matches(word, node.fixed, m, height, start)) return true;
  }
  return false;
}
