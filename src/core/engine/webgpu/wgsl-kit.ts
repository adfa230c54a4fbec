/** A kit (engine/kit.ts) that writes WGSL: terms are names or literals, each operation one `let`. Floats are float32 there. */
import type { Kit, Variable } from '../kit.ts';
import { literal } from './emit.ts';

/** Buffers of a kernel, all of type array<u32>: integers pass through a float untouched only where it is no subnormal number. */
export const KERNEL_BUFFERS = ['params', 'feed', 'out'] as const;

/** Where a named memory begins, in words. */
export interface MemoryPlace {
  readonly buffer: (typeof KERNEL_BUFFERS)[number];
  readonly offset: number;
}

export interface WgslKit extends Kit<string, string, string> {
  /** What was written so far. */
  readonly text: string;
}

const float = (x: string | number): string => (typeof x === 'number' ? literal(Math.fround(x)) : x);
const word = (x: string | number): string => (typeof x === 'number' ? `${x >>> 0}u` : x);

/** Throws Error for a memory that `placeOf` does not know. */
export function wgslKit(placeOf: (memory: string) => MemoryPlace): WgslKit {
  const lines: string[] = [];
  let count = 0;
  const name = (expression: string): string => {
    const made = `v${count++}`;
    lines.push(`let ${made} = ${expression};`);
    return made;
  };
  const block = (head: string, body: () => void): void => {
    lines.push(`${head} {`);
    body();
    lines.push('}');
  };
  const floats =
    (sign: string) =>
    (a: string | number, b: string | number): string =>
      name(`${float(a)} ${sign} ${float(b)}`);
  const words =
    (sign: string) =>
    (a: string | number, b: string | number): string =>
      name(`${word(a)} ${sign} ${word(b)}`);
  const shifted = (sign: string) => (a: string | number, by: number) => name(`${word(a)} ${sign} ${by}u`);
  const called =
    (fn: string) =>
    (...x: readonly string[]): string =>
      name(`${fn}(${x.join(', ')})`);
  const element = (memory: string, at: string | number): string => {
    const { buffer, offset } = placeOf(memory);
    return typeof at === 'number' ? `${buffer}[${offset + at}u]` : `${buffer}[${offset}u + ${at}]`;
  };
  const variable =
    (type: string, term: (x: string | number) => string) =>
    (start: string | number): Variable<string | number, string> => {
      const made = `x${count++}`;
      lines.push(`var ${made}: ${type} = ${term(start)};`);
      return { get: () => name(made), set: (value) => void lines.push(`${made} = ${term(value)};`) };
    };
  return {
    get text() {
      return lines.join('\n');
    },
    add: floats('+'),
    sub: floats('-'),
    mul: floats('*'),
    div: floats('/'),
    max: (a, b) => name(`max(${float(a)}, ${float(b)})`),
    sqrt: called('sqrt'),
    sin: called('sin_'),
    cos: called('cos_'),
    exp: called('exp_'),
    log: called('log_'),
    below: floats('<'),
    atMost: floats('<='),
    pick: (condition, yes, no) => name(`select(${float(no)}, ${float(yes)}, ${condition})`),
    plus: words('+'),
    minus: words('-'),
    times: words('*'),
    over: words('/'),
    rest: words('%'),
    and: words('&'),
    or: words('|'),
    xor: words('^'),
    left: shifted('<<'),
    right: shifted('>>'),
    same: words('=='),
    less: words('<'),
    choose: (condition, yes, no) => name(`select(${word(no)}, ${word(yes)}, ${condition})`),
    not: (a) => name(`!${a}`),
    both: (a, b) => name(`${a} && ${b}`),
    either: (a, b) => name(`${a} || ${b}`),
    toFloat: called('f32'),
    toWord: called('u32'),
    random: called('random_'),
    float: (memory, at) => name(`bitcast<f32>(${element(memory, at)})`),
    setFloat: (memory, at, value) => void lines.push(`${element(memory, at)} = bitcast<u32>(${float(value)});`),
    word: (memory, at) => name(element(memory, at)),
    setWord: (memory, at, value) => void lines.push(`${element(memory, at)} = ${word(value)};`),
    floatVariable: variable('f32', float),
    wordVariable: variable('u32', word),
    when(condition, yes, no) {
      block(`if (${condition})`, yes);
      if (no !== undefined) block('else', no);
    },
    loop(times, body) {
      const i = `i${count++}`;
      block(`for (var ${i} = 0u; ${i} < ${word(times)}; ${i}++)`, () => body(name(i)));
    },
    whilst(condition, body) {
      block('loop', () => {
        lines.push(`if (!${condition()}) { break; }`);
        body();
      });
    },
  };
}
