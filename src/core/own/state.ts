/**
 * The state object of a world as numbers in a row: its shape is taken from one reset and holds for all. Numbers, booleans, lists of them of
 * a fixed length (nested ones rectangular), objects, and lists of objects. Throws LabError('world-invalid') naming the part that does not fit.
 */
import type { StateField } from '../envs/api/types.ts';
import { isObject, show, type WorldState, wrong } from './form.ts';

const MOST = 20_000; // numbers of a state

type Node =
  | {
      readonly kind: 'values';
      readonly name: string;
      readonly shape: readonly number[];
      readonly boolean: boolean;
      readonly length: number;
    }
  | { readonly kind: 'object'; readonly name: string; readonly members: readonly (readonly [key: string, node: Node])[] }
  | { readonly kind: 'list'; readonly name: string; readonly items: readonly Node[] };

export interface StateShape {
  /** One f64 field for every number, switch or list of them, named by its place: 'x', 'cars.0.speed'. */
  readonly fields: readonly StateField[];
  /** Numbers of a state. */
  readonly length: number;
  /** Writes the state's numbers to out[at ..]. `when` is the function that gave the state. */
  write(state: unknown, out: Float64Array, at: number, when: 'reset' | 'step'): void;
  /** A new state object with the numbers of from[at ..]. */
  read(from: Float64Array, at: number): WorldState;
}

export function shapeOf(state: unknown): StateShape {
  if (!isObject(state))
    throw wrong('reset', `reset gives ${show(state)}.`, 'Return an object with the numbers of the state: return { place: 0 };');
  const root = nodeOf(state, '');
  const leaves: Extract<Node, { kind: 'values' }>[] = [];
  collect(root, leaves);
  const length = leaves.reduce((sum, leaf) => sum + leaf.length, 0);
  if (length > MOST) throw wrong('reset', `The state has ${length} numbers.`, `At most ${MOST} are possible.`);
  const fields = leaves.map(({ name, shape }): StateField => ({ name, type: 'f64', shape, doc: 'state of the world' }));
  return {
    fields,
    length,
    write: (given, out, at, when) => void put(given, root, out, at, when),
    read(from, at) {
      let next = at;
      const build = (node: Node): unknown => {
        if (node.kind === 'object') return Object.fromEntries(node.members.map(([key, member]) => [key, build(member)]));
        if (node.kind === 'list') return node.items.map(build);
        const flat = Array.from({ length: node.length }, () => from[next++]!);
        return nested(node.boolean ? flat.map((x) => x !== 0) : flat, node.shape);
      };
      return build(root) as WorldState;
    },
  };
}

const place = (name: string): string => (name === '' ? 'the state' : `state.${name}`);

function nodeOf(value: unknown, name: string): Node {
  if (typeof value === 'number' || typeof value === 'boolean')
    return { kind: 'values', name, shape: [], boolean: typeof value === 'boolean', length: 1 };
  const inside = (key: string): string => (name === '' ? key : `${name}.${key}`);
  if (isObject(value)) {
    const keys = Object.keys(value);
    const bad = keys.find((key) => !/^[A-Za-z_$][\w$]*$/.test(key) || key === '__proto__');
    if (bad !== undefined)
      throw wrong('reset', `${place(name)} has a member "${bad.slice(0, 40)}".`, 'Use a plain name of letters and digits.');
    if (name === '' && keys.includes('rng'))
      throw wrong('reset', 'The state has a member "rng".', 'Choose another name: that one is the generator.');
    return { kind: 'object', name, members: keys.map((key) => [key, nodeOf(value[key], inside(key))]) };
  }
  if (Array.isArray(value)) {
    const shape = rectangle(value);
    if (shape !== null) {
      const flat: readonly unknown[] = value.flat(shape.length - 1);
      return { kind: 'values', name, shape, boolean: typeof flat[0] === 'boolean', length: flat.length };
    }
    if (value.length > MOST) throw wrong('reset', `${place(name)} is a list of ${value.length}.`, `At most ${MOST} are possible.`);
    return { kind: 'list', name, items: value.map((item: unknown, i) => nodeOf(item, inside(String(i)))) };
  }
  throw wrong('reset', `${place(name)} is ${show(value)}.`, 'A state holds numbers, true or false, and lists and objects of them.');
}

/** Lengths of a list, nested or not, whose leaves are all numbers or all booleans; null: it is none. */
function rectangle(value: unknown): readonly number[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const kind = typeof value[0];
  if (kind === 'number' || kind === 'boolean') return value.every((item) => typeof item === kind) ? [value.length] : null;
  const first = rectangle(value[0]);
  if (first === null) return null;
  const same = value.every((item: unknown) => JSON.stringify(rectangle(item)) === JSON.stringify(first));
  return same ? [value.length, ...first] : null;
}

function nested(flat: readonly unknown[], shape: readonly number[]): unknown {
  const [length] = shape;
  if (length === undefined) return flat[0];
  if (shape.length === 1) return flat;
  const size = flat.length / length;
  return Array.from({ length }, (_, i) => nested(flat.slice(i * size, (i + 1) * size), shape.slice(1)));
}

function collect(node: Node, out: Extract<Node, { kind: 'values' }>[]): void {
  if (node.kind === 'values') out.push(node);
  else if (node.kind === 'list') for (const item of node.items) collect(item, out);
  else for (const [, member] of node.members) collect(member, out);
}

/** Writes what a node says; answers where the next one begins. */
function put(value: unknown, node: Node, out: Float64Array, at: number, when: string): number {
  const other = (expected: string): Error =>
    wrong(
      when,
      `After ${when}, ${place(node.name)} is ${show(value)}; after the first reset it was ${expected}.`,
      'A state keeps its members and the lengths of its lists. Make a list as long as it may get, and count how much of it is in use.',
    );
  if (node.kind === 'object') {
    if (!isObject(value)) throw other('an object');
    for (const key of Object.keys(value)) {
      if (!node.members.some(([name]) => name === key))
        throw wrong(when, `After ${when}, ${place(node.name)} has a new member "${key.slice(0, 40)}".`, 'Give it a value in reset.');
    }
    return node.members.reduce((next, [key, member]) => put(value[key], member, out, next, when), at);
  }
  if (node.kind === 'list') {
    if (!Array.isArray(value) || value.length !== node.items.length) throw other(`a list of ${node.items.length}`);
    return node.items.reduce((next, item, i) => put(value[i], item, out, next, when), at);
  }
  const kind = node.boolean ? 'boolean' : 'number';
  if (node.shape.length === 0) {
    if (typeof value !== kind) throw other(`a ${kind}`);
    out[at] = Number(value);
    return at + 1;
  }
  const shape = rectangle(value);
  if (shape === null || shape.length !== node.shape.length || shape.some((n, i) => n !== node.shape[i]))
    throw other(`a list of ${node.shape.join(' x ')} ${kind}s`);
  const flat = (value as readonly unknown[]).flat(shape.length - 1);
  flat.forEach((item, i) => {
    if (typeof item !== kind) throw other(`a list of ${kind}s`);
    out[at + i] = Number(item);
  });
  return at + node.length;
}
