/**
 * What a person's method remembers, as numbers and a text: lists, objects and Float64Arrays of numbers, switches, texts and null. Numbers travel
 * as float64, so that a method that is resumed goes on with the same bits.
 */
import type { Json } from '#contract/kit/json.ts';
import { isObject, show, wrong } from './form.ts';

/** Numbers of a memory. */
const MOST = 2_000_000;
const DEEPEST = 20;

export interface PackedMemory {
  /** The memory with its numbers replaced: null in place of a number, { list: n } of a list of numbers, { floats: n } of a Float64Array. */
  readonly shape: Json;
  readonly numbers: Float64Array;
}

/** Throws LabError('world-invalid') naming the part that cannot be kept. */
export function packMemory(memory: unknown): PackedMemory {
  const numbers: number[] = [];
  const walk = (value: unknown, name: string, depth: number): Json => {
    const refuse = (why: string): Error =>
      wrong('start', `${name} is ${why}.`, 'Keep numbers, true or false, texts, null, lists, objects and Float64Arrays of numbers.');
    if (depth > DEEPEST) throw refuse('nested too deeply, or holds itself');
    if (numbers.length > MOST) throw wrong('start', `The memory has more than ${MOST} numbers.`, 'Keep less.');
    if (typeof value === 'number') {
      numbers.push(value);
      return { number: 1 };
    }
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return { plain: value };
    if (value instanceof Float64Array) {
      if (value.length > MOST) throw refuse(`a list of ${value.length}`);
      for (const x of value) numbers.push(x);
      return { floats: value.length };
    }
    if (Array.isArray(value)) {
      if (value.length > MOST) throw refuse(`a list of ${value.length}`);
      if (value.length > 0 && value.every((x) => typeof x === 'number')) {
        for (const x of value) numbers.push(Number(x));
        return { list: value.length };
      }
      return { items: value.map((item, i) => walk(item, `${name}[${i}]`, depth + 1)) };
    }
    if (!isObject(value) || ArrayBuffer.isView(value)) throw refuse(show(value));
    const bad = Object.keys(value).find((key) => key === '__proto__');
    if (bad !== undefined) throw refuse('an object with a member "__proto__"');
    return { members: Object.entries(value).map(([key, member]) => [key, walk(member, `${name}.${key}`, depth + 1)]) };
  };
  const shape = walk(memory, 'memory', 0);
  return { shape, numbers: Float64Array.from(numbers) };
}

/** The memory that packMemory took apart. Throws LabError('world-invalid') where shape and numbers do not fit. */
export function unpackMemory({ shape, numbers }: PackedMemory): unknown {
  let at = 0;
  const broken = (): Error => wrong('start', 'The stored memory of the method is damaged.', 'Train it again.');
  const take = (n: unknown): Float64Array => {
    if (typeof n !== 'number' || !Number.isInteger(n) || n < 0 || at + n > numbers.length) throw broken();
    at += n;
    return numbers.slice(at - n, at);
  };
  const build = (node: Json | undefined): unknown => {
    if (!isObject(node)) throw broken();
    if ('number' in node) return take(1)[0];
    if ('plain' in node) return node.plain;
    if ('floats' in node) return take(node.floats);
    if ('list' in node) return [...take(node.list)];
    if (Array.isArray(node.items)) return node.items.map((item: Json) => build(item));
    if (!Array.isArray(node.members)) throw broken();
    return Object.fromEntries(
      node.members.map((member: Json) => {
        if (!Array.isArray(member) || typeof member[0] !== 'string') throw broken();
        return [member[0], build(member[1])];
      }),
    );
  };
  const memory = build(shape);
  if (at !== numbers.length) throw broken();
  return memory;
}
