/**
 * Answers by rules that do not do the task: what a policy can earn without looking at what the prompt asks. A method that stays below the best
 * of them has shown nothing.
 */
import { fieldOf, type Item, type Knobs, type TaskName, verify } from './tasks.ts';

/** The answer to a prompt by such a rule. */
interface Shortcut {
  readonly words: string;
  answer(prompt: string): string;
}

const body = (prompt: string): string => prompt.slice(prompt.indexOf(':') + 1, -1);
const count = (text: string, symbol: string): number => text.split(symbol).length - 1;
/** As many of one kind of bracket opened as closed. */
const isEven = (text: string): boolean => ['()', '[]', '{}', '<>'].every((pair) => count(text, pair[0]!) === count(text, pair[1]!));

/** From start to goal sideways, then up or down, whatever stands between. */
function straight(prompt: string): string {
  const { start, goal } = fieldOf(prompt);
  const [dx, dy] = [goal[0] - start[0], goal[1] - start[1]];
  return (dx < 0 ? 'l' : 'r').repeat(Math.abs(dx)) + (dy < 0 ? 'u' : 'd').repeat(Math.abs(dy));
}

/** Two of the numbers, or one, that give the target of a countdown; else the first. */
function twoOfThem(prompt: string): string {
  const [target = '', rest = ''] = prompt.slice(0, -1).split(':');
  const numbers = rest.split(',').map(Number);
  const value = Number(target);
  if (numbers.includes(value)) return target;
  for (const [i, a] of numbers.entries())
    for (const [j, b] of numbers.entries()) {
      if (i === j) continue;
      if (a + b === value) return `${a}+${b}`;
      if (a - b === value) return `${a}-${b}`;
      if (a * b === value) return `${a}*${b}`;
    }
  return String(numbers[0]);
}

const SHORTCUTS: Readonly<Partial<Record<TaskName, readonly Shortcut[]>>> = {
  brackets: [
    { words: 'counting each kind of bracket', answer: (prompt) => (prompt.startsWith('v') && isEven(body(prompt)) ? '1' : '0') },
    { words: 'closing the last bracket', answer: (prompt) => ')]}>'['([{<'.indexOf(body(prompt).at(-1) ?? '(')] ?? ')' },
  ],
  countdown: [{ words: 'one or two of the numbers', answer: twoOfThem }],
  graph: [{ words: 'start and goal, as if they were joined', answer: (prompt) => prompt.slice(-4, -1).replace('>', '') }],
  lookup: [{ words: 'the first digit of the prompt', answer: (prompt) => /\d/.exec(prompt)?.[0] ?? '0' }],
  maze: [{ words: 'the straight way, walls ignored', answer: straight }],
  mod: [
    { words: 'the first number', answer: (prompt) => /\d+/.exec(prompt)?.[0] ?? '0' },
    { words: 'the result, no remainder', answer: plain },
  ],
  rewrite: [{ words: 'the word as it stands', answer: (prompt) => prompt.slice(prompt.indexOf(';') + 1, -1) }],
  seq: [{ words: 'the word as it stands', answer: body }],
};

/** `(a+b)%p=` without the modulus; below 0 as it is, which is no answer. */
function plain(prompt: string): string {
  const [, a, op, b] = /\((\d+)([-+*])(\d+)\)/.exec(prompt) ?? [];
  const [x, y] = [Number(a), Number(b)];
  return String(op === '+' ? x + y : op === '-' ? x - y : x * y);
}

/** The answer that is right most often, for every prompt. */
function commonest(items: readonly Item[]): Shortcut {
  const counts = new Map<string, number>();
  for (const { answer } of items) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const [best] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
  return { words: `always ${best}`, answer: () => best };
}

/** What the best shortcut earns on these items: `value` its mean reward, `right` its share of right answers. */
export function bestShortcut(
  task: TaskName,
  k: Knobs,
  items: readonly Item[],
  rewardOf: (verdict: ReturnType<typeof verify>) => number,
): { readonly words: string; readonly value: number; readonly right: number } {
  const tried = [...(SHORTCUTS[task] ?? []), commonest(items)].map(({ words, answer }) => {
    const verdicts = items.map((item) => verify(task, k, item, (k.scratch ? '#' : '') + answer(item.prompt), true));
    const mean = (of: (v: (typeof verdicts)[number]) => number): number => verdicts.reduce((sum, v) => sum + of(v), 0) / items.length;
    return { words, value: mean(rewardOf), right: mean(({ correct }) => correct) };
  });
  return tried.reduce((a, b) => (b.value > a.value ? b : a));
}
