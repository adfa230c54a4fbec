/**
 * Arithmetic in whole numbers: + - * / and brackets, left to right within a rank, no sign before a number, no leading zeros, no spaces.
 * `value` is null where a division leaves a rest or has no divisor; the whole is null where the text is no expression.
 */
export interface Parsed {
  readonly value: number | null;
  /** The numbers in the order of the text. */
  readonly numbers: readonly number[];
}

export function parseExpression(text: string): Parsed | null {
  const numbers: number[] = [];
  let at = 0;
  let broken = false;
  const apply = (a: number | null, op: string, b: number | null): number | null => {
    if (a === null || b === null) return null;
    if (op === '+') return a + b;
    if (op === '-') return a - b;
    if (op === '*') return a * b;
    return b === 0 || a % b !== 0 ? null : a / b;
  };
  const factor = (): number | null => {
    if (text[at] === '(') {
      at++;
      const inner = level(0);
      if (text[at] !== ')') broken = true;
      at++;
      return inner;
    }
    const found = /^(0|[1-9]\d*)(?!\d)/.exec(text.slice(at));
    if (found === null) {
      broken = true;
      return null;
    }
    at += found[0].length;
    numbers.push(Number(found[0]));
    return Number(found[0]);
  };
  const RANKS = ['+-', '*/'] as const;
  const level = (rank: 0 | 1): number | null => {
    const below = () => (rank === 0 ? level(1) : factor());
    let left = below();
    while (!broken && at < text.length && RANKS[rank].includes(text[at]!)) {
      const op = text[at++]!;
      left = apply(left, op, below());
    }
    return left;
  };
  // deep nesting would use up the stack
  if (text.length > 200) return null;
  const value = level(0);
  return broken || at !== text.length ? null : { value, numbers };
}
