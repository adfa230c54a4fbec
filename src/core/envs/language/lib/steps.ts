/**
 * Searches in visible steps. `pairs`: which two of the numbers sum to the target; a try is the letter of a pair, the world verifies it, and the
 * searcher says when it has found it. `exchange`: a list is put in order by exchanging neighbours; the row begins anew with the list as it
 * stands, so that any list on the way is a task of its own. The same seed and the same steps give the same episode.
 */
import type { RewardTerm } from '#contract/catalog/catalog.ts';
import { Xorshift } from '#math/xorshift.ts';
import { type Answer, MALFORMED, type Talk } from './define.ts';
import { nameOf } from './tokens.ts';

export interface StepKnobs {
  /** Numbers of the task. */
  readonly numbers: number;
  /** Steps at most. */
  readonly steps: number;
  /** pairs: reward of a try that was not made before, whatever becomes of the answer. */
  readonly stepBonus: number;
  /** Share of the novice's turns that are poor. */
  readonly mistakes: number;
}

/** Steps at which success is counted. */
export const MARKS = [1, 2, 4, 8, 16] as const;

interface StepKind {
  create(k: StepKnobs, seed: number): Talk;
  /** The same text for prompts that are one question: what is held out or not. */
  question(k: StepKnobs, seed: number): string;
  /** Most tokens of the prompt and of a turn, and of a reply; `rows`: the row begins anew after each turn, so often at most. */
  sizes(k: StepKnobs): {
    readonly prompt: number;
    readonly turn: number;
    readonly written: number;
    readonly reply: number;
    readonly rows?: number;
  };
}

/** exchange: as bad as two exchanges in the wrong direction of seven numbers, or writing nonsense would be the safe choice. */
const NO_EXCHANGE: Answer = { ...MALFORMED, reward: -0.1, terms: [0, 0, -0.1] };

/** Parts of the reward, in the order of Answer.terms. */
export const stepTerms: readonly RewardTerm[] = [
  { id: 'right', title: 'right', weights: [] },
  { id: 'bonus', title: 'new tries', weights: ['task.stepBonus'] },
  { id: 'form', title: 'no exchange', weights: [] },
];

/** What is measured of an episode: whether it was solved within so many steps, and useful backtracks. */
const measured = (solved: boolean, steps: number, backtracks: number): readonly number[] => [
  ...MARKS.map((mark) => (solved && steps <= mark ? 1 : 0)),
  solved ? backtracks : 0,
];

/** The sums of every two numbers, in the order (1st, 2nd), (1st, 3rd), ... */
const sumsOf = (numbers: readonly number[]): readonly number[] => numbers.flatMap((a, i) => numbers.slice(i + 1).map((b) => a + b));

/** The order of draws is part of the definition: numbers, then the target among their sums. */
function drawPairs({ numbers }: StepKnobs, seed: number) {
  const rng = new Xorshift(seed);
  const given = rng.shuffle([1, 2, 3, 4, 5, 6, 7, 8, 9]).slice(0, numbers);
  const sums = sumsOf(given);
  return { given, sums, target: sums[rng.draw(sums.length)]! };
}

const pairs: StepKind = {
  sizes: ({ numbers, steps }) => ({ prompt: 4 + numbers, turn: 1, written: steps + 1, reply: 1 }),
  question(k, seed) {
    const { given, target } = drawPairs(k, seed);
    return `${target}:${given.toSorted((a, b) => a - b).join('')}`;
  },
  create(k, seed) {
    const { steps, stepBonus, mistakes } = k;
    const { given, sums, target } = drawPairs(k, seed);
    const made = new Set<number>();
    let count = 0;
    let backtracks = 0;
    let last: number | null = null;
    let solved = false;
    /** The last try stands as the answer. */
    const close = (text: string, bonus: number): Answer => {
      solved = last === target;
      return { text, done: true, reward: bonus + (solved ? 1 : 0), terms: [solved ? 1 : 0, bonus], format: 1, solved: solved ? 1 : 0 };
    };
    return {
      prompt: `${String(target).padStart(2, '0')}:${given.join('')}=`,
      ends: () => true,
      play(turn) {
        if (turn === '!') return last === null ? MALFORMED : close('', 0);
        const pair = turn.charCodeAt(0) - 97;
        const sum = sums[pair];
        if (sum === undefined) return MALFORMED;
        const fresh = !made.has(pair);
        if (fresh && last !== null && last !== target) backtracks++;
        made.add(pair);
        count++;
        last = sum;
        const text = sum === target ? '=' : sum < target ? '<' : '>';
        const bonus = fresh ? stepBonus : 0;
        return count < steps ? { text, done: false, reward: bonus, terms: [0, bonus], format: 1, solved: 0 } : close(text, bonus);
      },
      suggest(how, luck) {
        if (last === target) return '!';
        if (how === 'expert') return nameOf(sums.indexOf(target));
        if (last !== null && luck.draw(1000) < 1000 * mistakes) return '!';
        const left = sums.flatMap((_, pair) => (made.has(pair) ? [] : [pair]));
        return left.length === 0 ? '!' : nameOf(left[luck.draw(left.length)]!);
      },
      measured: () => measured(solved, count, backtracks),
    };
  },
};

/** Pairs of a list that stand in the wrong order: exchanges of neighbours that are still needed. */
export function inversions(list: readonly number[]): number {
  let n = 0;
  for (let i = 0; i < list.length; i++) for (let j = i + 1; j < list.length; j++) if (list[i]! > list[j]!) n++;
  return n;
}

/** Numbers in an order that is wrong somewhere. */
function drawList({ numbers }: StepKnobs, seed: number): number[] {
  const rng = new Xorshift(seed);
  for (;;) {
    const list = rng.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).slice(0, numbers);
    if (inversions(list) > 0) return list;
  }
}

const exchange: StepKind = {
  sizes: ({ numbers, steps }) => ({ prompt: numbers + 1, turn: 1, written: steps, reply: 0, rows: steps }),
  question: (k, seed) => drawList(k, seed).join(''),
  create(k, seed) {
    const { numbers, steps, mistakes } = k;
    const list = drawList(k, seed);
    const most = (numbers * (numbers - 1)) / 2;
    let left = inversions(list);
    let count = 0;
    const row = (): string => `${list.join('')}:`;
    return {
      prompt: row(),
      ends: () => true,
      play(turn) {
        const at = Number(turn);
        if (!/^[1-9]$/.test(turn) || at >= numbers) return NO_EXCHANGE;
        [list[at - 1], list[at]] = [list[at]!, list[at - 1]!];
        const now = inversions(list);
        const reward = (left - now) / most;
        left = now;
        count++;
        return { text: '', again: row(), done: left === 0 || count >= steps, reward, format: 1, solved: left === 0 ? 1 : 0 };
      },
      suggest(how, luck) {
        const wrong = list.findIndex((value, i) => i + 1 < list.length && value > list[i + 1]!);
        const poor = how === 'novice' && luck.draw(1000) < 1000 * mistakes;
        return String(poor ? 1 + luck.draw(numbers - 1) : wrong + 1);
      },
      measured: () => measured(left === 0, count, 0),
    };
  },
};

export const STEP_KINDS = { exchange, pairs } as const satisfies Record<string, StepKind>;

export const STEP_TASKS = Object.keys(STEP_KINDS) as readonly (keyof typeof STEP_KINDS)[];
