/**
 * Tasks with one answer: a prompt from a seed, an answer that an exact verifier judges, and the steps of a scratchpad where there are any.
 * A seed gives the same prompt everywhere (math/xorshift.ts); the order of draws of each generator is part of its definition.
 * num(d): a number of d digits, the first not 0 unless it is the only one.
 */
import { Xorshift } from '#math/xorshift.ts';
import { parseExpression } from './expression.ts';

export interface Item {
  readonly prompt: string;
  readonly answer: string;
  /** Intermediate results, '' where a task has none. */
  readonly steps: string;
}

export interface Verdict {
  /** Ended, and of the right form. */
  readonly format: 0 | 1;
  readonly correct: 0 | 1;
  /** Share of the answer that is right, 0 to 1. */
  readonly partial: number;
}

export interface Knobs {
  /** Digits of the operands. */
  readonly da: number;
  readonly db: number;
  readonly dc: number;
  /** add: digits from the units on. */
  readonly rev: boolean;
  /** The completion is steps#answer. */
  readonly scratch: boolean;
  /** mod: the modulus. */
  readonly p: number;
  /** chain: operations; countdown: numbers; brackets: symbols; lookup: entries; graph: nodes. */
  readonly n: number;
  readonly ops: string;
  /** countdown: largest number given, largest value on the way, every number to be used. */
  readonly max: number;
  readonly limit: number;
  readonly exact: boolean;
  /** seq: copy, reverse, sort. */
  readonly op: 'c' | 'r' | 's';
  /** seq, rewrite: letters in a word; seq: letters there are. */
  readonly L: number;
  readonly A: number;
  readonly types: number;
  readonly mode: 'complete' | 'check';
  /** brackets, check: half of the spoilt texts keep their symbols and have two of them exchanged, so that counting does not tell them. */
  readonly exchanged: boolean;
  readonly rules: readonly (readonly [from: string, to: string])[];
  readonly hops: number;
  readonly extra: number;
  readonly w: number;
  readonly h: number;
  /** maze: walls in a hundred cells. */
  readonly wall: number;
}

export const DEFAULT_KNOBS: Knobs = {
  da: 2,
  db: 2,
  dc: 2,
  rev: false,
  scratch: false,
  p: 13,
  n: 3,
  ops: '+',
  max: 9,
  limit: 50,
  exact: false,
  op: 'r',
  L: 3,
  A: 4,
  types: 2,
  mode: 'complete',
  exchanged: false,
  rules: [
    ['ab', 'c'],
    ['bc', 'a'],
    ['ca', 'b'],
  ],
  hops: 1,
  extra: 2,
  w: 4,
  h: 4,
  wall: 25,
};

export interface Task {
  generate(rng: Xorshift, k: Knobs): Item;
  /** What an answer may look like. */
  readonly pattern: (k: Knobs, item: Item) => RegExp;
  /** What prompts that are the same question in another order have in common; absent: the prompt itself. */
  readonly alike?: (prompt: string) => string;
  /** Right or partly right, where equality with `answer` does not decide. `null`: not even of the right form. */
  readonly judge?: (answer: string, item: Item, k: Knobs) => Pick<Verdict, 'correct' | 'partial'> | null;
}

const LETTER_A = 97;
const letter = (i: number): string => String.fromCharCode(LETTER_A + i);
/** Symbols of an answer at most, if the right one has no more. */
const LONGEST = 16;
/** The same of a way through a maze. */
const LONGEST_WAY = 32;
/** One symbol of the class `of` or more, up to `most`. */
const symbols = (of: string, { answer }: Item, most = LONGEST): RegExp => new RegExp(`^[${of}]{1,${Math.max(most, answer.length)}}$`);
const digits = (item: Item): RegExp => new RegExp(`^\\d{1,${Math.max(8, item.answer.length)}}$`);

function numberOf(rng: Xorshift, d: number): number {
  const lo = d === 1 ? 0 : 10 ** (d - 1);
  return lo + rng.draw(10 ** d - lo);
}

function operate(a: number, op: string, b: number): number {
  return op === '+' ? a + b : op === '-' ? a - b : a * b;
}
const modulo = (a: number, n: number): number => ((a % n) + n) % n;
/** a and b of a prompt `a*b..`, the smaller one first: the order of two factors or summands says nothing new. */
const eitherWay = (prompt: string): string =>
  prompt.replace(/(\d+)([+*])(\d+)/, (whole, a: string, op: string, b: string) => (Number(a) <= Number(b) ? whole : b + op + a));
const reversed = (text: string): string => [...text].reverse().join('');

const add: Task = {
  alike: eitherWay,
  pattern: (_k, item) => digits(item),
  generate(rng, { da, db, rev }) {
    const a = numberOf(rng, da);
    const b = numberOf(rng, db);
    const columns: string[] = [];
    let carry = 0;
    const digit = (x: number, i: number): number => Math.floor(x / 10 ** i) % 10;
    for (let i = 0; i < Math.max(da, db); i++) {
      const total = digit(a, i) + digit(b, i) + carry;
      const next = total >= 10 ? 1 : 0;
      columns.push(`${digit(a, i)}${digit(b, i)}${carry}>${next}${total % 10}`);
      carry = next;
    }
    const sum = String(a + b);
    return { prompt: `${a}+${b}=`, answer: rev ? reversed(sum) : sum, steps: columns.join(',') };
  },
};

const mul: Task = {
  alike: eitherWay,
  pattern: (_k, item) => digits(item),
  generate(rng, { da, db }) {
    const a = numberOf(rng, da);
    const b = numberOf(rng, db);
    // each digit of the first number times the whole second one, from the units on
    const parts = [...reversed(String(a))].map((digit, i) => Number(digit) * 10 ** i * b);
    return { prompt: `${a}*${b}=`, answer: String(a * b), steps: parts.join('+') };
  },
};

const mod: Task = {
  alike: eitherWay,
  pattern: () => /^\d{1,3}$/,
  generate(rng, { p, ops }) {
    const a = rng.draw(p);
    const b = rng.draw(p);
    const op = ops[rng.draw(ops.length)]!;
    const value = operate(a, op, b);
    const answer = modulo(value, p);
    return { prompt: `(${a}${op}${b})%${p}=`, answer: String(answer), steps: String(value < 0 ? answer : value) };
  },
};

const chain: Task = {
  pattern: () => /^\d$/,
  generate(rng, { n, ops }) {
    let value = rng.draw(10);
    let prompt = String(value);
    let steps = '';
    for (let i = 0; i < n; i++) {
      const op = ops[rng.draw(ops.length)]!;
      const digit = rng.draw(10);
      prompt += `${op}${digit}`;
      value = modulo(operate(value, op, digit), 10);
      steps += String(value);
    }
    return { prompt: `${prompt}=`, answer: String(value), steps };
  },
};

/** The numbers of a countdown prompt and its target. */
function countdownOf(prompt: string): { readonly target: number; readonly numbers: readonly number[] } {
  const [target = '', rest = ''] = prompt.slice(0, -1).split(':');
  return { target: Number(target), numbers: rest.split(',').map(Number) };
}

const countdown: Task = {
  alike(prompt) {
    const { target, numbers } = countdownOf(prompt);
    return `${target}:${numbers.toSorted((x, y) => x - y).join()}=`;
  },
  pattern: () => /^[-\d+*/()]+$/,
  generate(rng, { n, max, limit, ops }) {
    for (;;) {
      const numbers = Array.from({ length: n }, () => 1 + rng.draw(max));
      const order = rng.shuffle(Array.from({ length: n }, (_, i) => i));
      let value = numbers[order[0]!]!;
      let text = String(value);
      const steps: string[] = [];
      let inside = true;
      for (const i of order.slice(1)) {
        const op = ops[rng.draw(ops.length)]!;
        const other = numbers[i]!;
        const next = operate(value, op, other);
        steps.push(`${value}${op}${other}=${next}`);
        text = op === '*' && /[+-]/.test(text) ? `(${text})${op}${other}` : `${text}${op}${other}`;
        value = next;
        if (value < 0 || value > limit) {
          inside = false;
          break;
        }
      }
      if (inside) return { prompt: `${value}:${numbers.join(',')}=`, answer: text, steps: steps.join(',') };
    }
  },
  judge(answer, item, { exact }) {
    const parsed = parseExpression(answer);
    if (parsed === null) return null;
    const { target, numbers } = countdownOf(item.prompt);
    const left = [...numbers];
    for (const used of parsed.numbers) {
      const at = left.indexOf(used);
      if (at < 0) return null;
      left.splice(at, 1);
    }
    if (exact && left.length > 0) return null;
    const correct = parsed.value === target ? 1 : 0;
    return { correct, partial: correct };
  },
};

const seq: Task = {
  pattern: (_k, item) => symbols('a-z', item),
  generate(rng, { op, L, A }) {
    const word = Array.from({ length: L }, () => letter(rng.draw(A)));
    const answer = op === 'c' ? word : op === 'r' ? [...word].reverse() : [...word].sort();
    return { prompt: `${op}:${word.join('')}=`, answer: answer.join(''), steps: '' };
  },
};

const OPEN = '([{<';
const CLOSE = ')]}>';

/** Exchanges that are tried until a text no longer fits. */
const EXCHANGES = 32;

function balanced(text: string): boolean {
  const open: number[] = [];
  for (const c of text) {
    const kind = OPEN.indexOf(c);
    if (kind >= 0) open.push(kind);
    else if (open.pop() !== CLOSE.indexOf(c)) return false;
  }
  return open.length === 0;
}

/** Exchanges two different symbols of a text that fits; where all are alike, it stays. */
function exchangedIn(text: string, rng: Xorshift): string {
  const first = rng.draw(text.length);
  const others = [...text].flatMap((c, i) => (c === text[first] ? [] : [i]));
  const second = others[rng.draw(Math.max(1, others.length))];
  if (second === undefined) return text;
  return [...text].map((c, i) => (i === first ? text[second]! : i === second ? text[first]! : c)).join('');
}

const brackets: Task = {
  pattern: ({ mode }, item) => (mode === 'check' ? /^[01]$/ : symbols(')\\]}>', item)),
  generate(rng, { n, types, mode, exchanged }) {
    let text = '';
    const open: number[] = [];
    const begin = (): void => {
      const kind = rng.draw(types);
      open.push(kind);
      text += OPEN[kind]!;
    };
    for (let i = 0; i < n; i++) {
      if (open.length === 0 || rng.draw(2) === 0) begin();
      else text += CLOSE[open.pop() ?? 0]!;
    }
    if (mode === 'complete') {
      if (open.length === 0) begin();
      return {
        prompt: `b:${text}=`,
        answer: [...open]
          .reverse()
          .map((kind) => CLOSE[kind]!)
          .join(''),
        steps: '',
      };
    }
    text += [...open]
      .reverse()
      .map((kind) => CLOSE[kind]!)
      .join('');
    if (rng.draw(2) === 1) {
      if (exchanged && rng.draw(2) === 1) {
        const fits = text;
        // most exchanges leave a text that does not fit; some texts have none
        for (let tries = 0; tries < EXCHANGES && balanced(text); tries++) text = exchangedIn(fits, rng);
        return { prompt: `v:${text}=`, answer: balanced(text) ? '1' : '0', steps: '' };
      }
      const at = rng.draw(text.length);
      const symbols = Array.from({ length: types }, (_, kind) => [OPEN[kind]!, CLOSE[kind]!]).flat();
      const others = symbols.filter((c) => c !== text[at]);
      text = text.slice(0, at) + others[rng.draw(others.length)]! + text.slice(at + 1);
    }
    return { prompt: `v:${text}=`, answer: balanced(text) ? '1' : '0', steps: '' };
  },
};

const rewrite: Task = {
  pattern: (_k, item) => symbols('a-z', item),
  generate(rng, { L, rules }) {
    let word = Array.from({ length: L }, () => letter(rng.draw(3))).join('');
    const prompt = `${rules.map(([from, to]) => `${from}>${to}`).join(',')};${word}=`;
    const steps: string[] = [];
    for (;;) {
      const rule = rules.find(([from]) => word.includes(from));
      if (rule === undefined || steps.length > 200) break;
      word = word.replace(rule[0], rule[1]);
      steps.push(word);
    }
    return { prompt, answer: word, steps: steps.join('>') };
  },
};

const lookup: Task = {
  pattern: () => /^\d$/,
  generate(rng, { n, hops }) {
    const keys = rng.shuffle(Array.from({ length: 26 }, (_, i) => letter(i))).slice(0, n);
    const values = Array.from({ length: n }, () => String(rng.draw(10)));
    const entries = keys.map((key, i) => key + (i < hops - 1 ? keys[i + 1]! : values[i]!));
    const on = keys.slice(1, hops).join('');
    return { prompt: `${rng.shuffle(entries).join(',')}?${keys[0]}=`, answer: values[hops - 1]!, steps: on };
  },
};

/** Nodes a path visits from `start`, fewest first; neighbours in the order given. Null: there is none. */
function shortest<T>(start: T, goal: T, next: (at: T) => readonly T[], key: (at: T) => string): T[] | null {
  const from = new Map<string, T | null>([[key(start), null]]);
  const queue = [start];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    if (key(at) === key(goal)) {
      const path: T[] = [];
      for (let step: T | null | undefined = at; step !== null && step !== undefined; step = from.get(key(step))) path.unshift(step);
      return path;
    }
    for (const other of next(at)) {
      if (from.has(key(other))) continue;
      from.set(key(other), at);
      queue.push(other);
    }
  }
  return null;
}

interface GraphQuestion {
  readonly joined: ReadonlySet<string>;
  readonly start: string;
  readonly goal: string;
}
function graphOf(prompt: string): GraphQuestion {
  const [edges = '', ends = ''] = prompt.slice(0, -1).split(';');
  const joined = new Set(edges.split(',').flatMap((e) => [e, reversed(e)]));
  return { joined, start: ends[0] ?? '', goal: ends[2] ?? '' };
}

const graph: Task = {
  pattern: (_k, item) => symbols('a-z', item),
  generate(rng, { n, extra }) {
    const edges = new Set<string>();
    const join = (a: number, b: number): void => {
      if (a !== b) edges.add(`${Math.min(a, b)},${Math.max(a, b)}`);
    };
    for (let i = 1; i < n; i++) join(rng.draw(i), i);
    for (let i = 0; i < extra; i++) join(rng.draw(n), rng.draw(n));
    const names = rng.shuffle(Array.from({ length: n }, (_, i) => letter(i)));
    const pairs = [...edges].map((e) => e.split(',').map(Number) as [number, number]).sort((x, y) => x[0] - y[0] || x[1] - y[1]);
    const shuffled = rng.shuffle(pairs);
    const start = rng.draw(n);
    const goal = (start + 1 + rng.draw(n - 1)) % n;
    // of several shortest paths the first in the alphabet is named; all count as right
    const byName = Array.from({ length: n }, (_, i) => i).sort((x, y) => (names[x]! < names[y]! ? -1 : 1));
    const near = (at: number): number[] => byName.filter((i) => edges.has(`${Math.min(i, at)},${Math.max(i, at)}`));
    const path = shortest(start, goal, near, String) ?? [];
    const prompt = `${shuffled.map(([a, b]) => names[a]! + names[b]!).join(',')};${names[start]}>${names[goal]}=`;
    return { prompt, answer: path.map((i) => names[i]!).join(''), steps: '' };
  },
  judge(answer, item) {
    const { joined, start, goal } = graphOf(item.prompt);
    const walks = [...answer].every((c, i) => i === 0 || joined.has(answer[i - 1]! + c));
    if (!walks || answer[0] !== start || answer.at(-1) !== goal) return { correct: 0, partial: 0 };
    return answer.length === item.answer.length ? { correct: 1, partial: 1 } : { correct: 0, partial: 0.5 };
  },
};

export const MOVES: Readonly<Record<string, readonly [dx: number, dy: number]>> = { d: [0, 1], l: [-1, 0], r: [1, 0], u: [0, -1] };

export interface Field {
  readonly width: number;
  readonly height: number;
  /** Row-major, true: a wall. */
  readonly walls: readonly boolean[];
  readonly start: readonly [x: number, y: number];
  readonly goal: readonly [x: number, y: number];
}

const free = (f: Field, [x, y]: readonly [number, number]): boolean =>
  x >= 0 && y >= 0 && x < f.width && y < f.height && f.walls[y * f.width + x] !== true;

/** Letters of a shortest way, looking in the order of MOVES; null: no way. */
export function wayThrough(f: Field, from: readonly [number, number] = f.start): string | null {
  type Place = { readonly at: readonly [number, number]; readonly by: string };
  const path = shortest<Place>(
    { at: from, by: '' },
    { at: f.goal, by: '' },
    ({ at: [x, y] }) =>
      Object.entries(MOVES).flatMap(([by, [dx, dy]]) => {
        const at = [x + dx, y + dy] as const;
        return free(f, at) ? [{ at, by }] : [];
      }),
    ({ at: [x, y] }) => `${x},${y}`,
  );
  return path === null ? null : path.map(({ by }) => by).join('');
}

/** Walls, start and goal, drawn until the two differ, are free and connected. */
export function drawField(rng: Xorshift, width: number, height: number, wall: number): Field {
  for (;;) {
    const walls = Array.from({ length: width * height }, () => rng.draw(100) < wall);
    const start = [rng.draw(width), rng.draw(height)] as const;
    const goal = [rng.draw(width), rng.draw(height)] as const;
    const f: Field = { width, height, walls, start, goal };
    if (start.join() === goal.join() || !free(f, start) || !free(f, goal) || wayThrough(f) === null) continue;
    return f;
  }
}

/** The maze of a prompt. */
export function fieldOf(prompt: string): Field {
  const rows = prompt.slice(0, -1).split('/');
  const cells = rows.join('');
  const width = rows[0]?.length ?? 1;
  const place = (c: string): readonly [number, number] => [cells.indexOf(c) % width, Math.floor(cells.indexOf(c) / width)];
  return { width, height: rows.length, walls: [...cells].map((c) => c === '^'), start: place('s'), goal: place('g') };
}

/** Where a walk ends: it stops before the first step that is none, or into a wall. */
export function walkTo(f: Field, moves: string): readonly [number, number] {
  let at = f.start;
  for (const c of moves) {
    const [dx, dy] = MOVES[c] ?? [Number.NaN, Number.NaN];
    const next = [at[0] + dx, at[1] + dy] as const;
    if (!free(f, next)) break;
    at = next;
  }
  return at;
}

const maze: Task = {
  pattern: (_k, item) => symbols('udlr', item, LONGEST_WAY),
  generate(rng, { w, h, wall }) {
    const f = drawField(rng, w, h, wall);
    const row = (y: number): string =>
      Array.from({ length: w }, (_, x) =>
        x === f.start[0] && y === f.start[1] ? 's' : x === f.goal[0] && y === f.goal[1] ? 'g' : f.walls[y * w + x] === true ? '^' : '.',
      ).join('');
    return { prompt: `${Array.from({ length: h }, (_, y) => row(y)).join('/')}=`, answer: wayThrough(f) ?? '', steps: '' };
  },
  judge(answer, item) {
    const f = fieldOf(item.prompt);
    let at = f.start;
    for (const c of answer) {
      const [dx, dy] = MOVES[c]!;
      at = [at[0] + dx, at[1] + dy];
      if (!free(f, at)) return { correct: 0, partial: 0 };
    }
    if (at.join() !== f.goal.join()) return { correct: 0, partial: 0 };
    return answer.length === item.answer.length ? { correct: 1, partial: 1 } : { correct: 0, partial: 0.5 };
  },
};

/** a * b + c or a * b - c, drawn as `tool` and the calculator's episodes are. */
export function drawProduct(rng: Xorshift, { da, db, dc }: Pick<Knobs, 'da' | 'db' | 'dc'>) {
  const a = numberOf(rng, da);
  const b = numberOf(rng, db);
  const c = numberOf(rng, dc);
  const sign = rng.draw(2) === 0 ? '+' : '-';
  return { a, b, c, sign, value: operate(a * b, sign, c) } as const;
}

const tool: Task = {
  alike: eitherWay,
  pattern: (_k, item) => new RegExp(`^-?\\d{1,${Math.max(8, item.answer.length)}}$`),
  generate(rng, k) {
    const { a, b, c, sign, value } = drawProduct(rng, k);
    return { prompt: `${a}*${b}${sign}${c}=`, answer: String(value), steps: '' };
  },
};

export const TASKS = { add, brackets, chain, countdown, graph, lookup, maze, mod, mul, rewrite, seq, tool } as const satisfies Record<
  string,
  Task
>;
export type TaskName = keyof typeof TASKS;
export const TASK_NAMES = Object.keys(TASKS) as readonly TaskName[];

/** The item of a seed. */
export const itemOf = (task: TaskName, k: Knobs, seed: number): Item => TASKS[task].generate(new Xorshift(seed), k);

/** What is held out or not: the same text for prompts that are one question in another order. */
export function questionOf(task: TaskName, { prompt }: Item): string {
  const { alike }: Task = TASKS[task];
  return alike === undefined ? prompt : alike(prompt);
}

/** What the expert writes. */
export const demonstration = (item: Item, k: Knobs): string => (k.scratch ? `${item.steps}#${item.answer}` : item.answer);

/** Judges a completion without its EOS; one that did not end scores nothing. */
export function verify(name: TaskName, k: Knobs, item: Item, completion: string, ended: boolean): Verdict {
  const nothing: Verdict = { format: 0, correct: 0, partial: 0 };
  if (!ended) return nothing;
  const parts = completion.split('#');
  if (parts.length !== (k.scratch ? 2 : 1)) return nothing;
  const answer = parts.at(-1) ?? '';
  const task: Task = TASKS[name];
  if (!task.pattern(k, item).test(answer)) return nothing;
  if (task.judge !== undefined) {
    const judged = task.judge(answer, item, k);
    return judged === null ? nothing : { format: 1, ...judged };
  }
  if (answer === item.answer) return { format: 1, correct: 1, partial: 1 };
  if (answer.length !== item.answer.length) return { format: 1, correct: 0, partial: 0 };
  const same = [...answer].filter((c, i) => c === item.answer[i]).length;
  return { format: 1, correct: 0, partial: same / answer.length };
}
