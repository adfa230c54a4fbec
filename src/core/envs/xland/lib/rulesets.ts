/**
 * Draws tasks as the reference's generator does (XLand-MiniGrid 0.9.3, scripts/ruleset_generator.py): a goal, then a tree of rules that produce its
 * things, then things and rules that lead nowhere. Rulesets are drawn one by one, so that two of them may be equal; the reference's lists hold each once.
 */
import { GOAL, isPairGoal, isPairRule, packed, type Task } from './task.ts';
import { FLOOR, SHAPES, TASK_COLOURS, thing } from './tiles.ts';

export interface Difficulty {
  /** Levels of the tree of rules. */
  readonly depth: number;
  /** Chance that a thing of a level lies there at the start and needs no rule. */
  readonly prune: number;
  /** At most so many rules that lead nowhere; their number is drawn. */
  readonly rules: number;
  /** Things that no rule of the tree needs. */
  readonly objects: number;
}

/** Those of scripts/generate_benchmarks.sh. */
export const BENCHMARKS = {
  trivial: { depth: 0, prune: 0, rules: 0, objects: 3 },
  small: { depth: 1, prune: 0.3, rules: 2, objects: 2 },
  medium: { depth: 2, prune: 0.1, rules: 3, objects: 2 },
  high: { depth: 3, prune: 0.1, rules: 4, objects: 1 },
} as const;
export const BENCHMARK_NAMES = ['trivial', 'small', 'medium', 'high'] as const;

/** The most rules and things of a task: a full tree of pairs. */
export const mostRules = (d: Difficulty): number => 2 * (2 ** d.depth - 1) + d.rules;
export const mostTiles = (d: Difficulty): number => 2 ** (d.depth + 1) + 2 * d.rules + d.objects;

const GOALS = [1, 3, 11, 13, 14, 12, 4, 7, 9, 10, 8] as const;
const RULES = [1, 2, 8, 10, 11, 9, 3, 4, 6, 7, 5] as const;
/** P of the reference: 60 things that can be taken; L: those and ten goal tiles; Q: those of P and the ground, which makes things vanish. */
const TAKEN = SHAPES.flatMap((tile) => TASK_COLOURS.map((colour) => thing(tile, colour)));
const LAID = [...TAKEN, ...TASK_COLOURS.map((colour) => thing(6, colour))];
const MADE = [...TAKEN, FLOOR];

/** `int(n)`: uniform in 0..n-1; `uniform()` in [0, 1). */
export function drawTask(d: Difficulty, int: (n: number) => number, uniform: () => number): Task {
  const used = new Set<number>();
  const pick = (from: readonly number[]): number => from[int(from.length)]!;
  const unused = (from: readonly number[]): readonly number[] => from.filter((word) => !used.has(word));
  const tiles: number[] = [];
  const rules: number[] = [];
  const rule = (product: number, fresh: boolean): readonly number[] => {
    const kind = pick(RULES);
    const of = (from: readonly number[]): number => pick(fresh ? unused(from) : from);
    const pair = isPairRule(kind);
    const a = of(pair ? LAID : TAKEN);
    const b = pair ? of(TAKEN) : 0;
    rules.push(packed(kind, a, b, product));
    return pair ? [a, b] : [a];
  };

  const kind = pick(GOALS);
  const a = pick(kind === GOAL.hold ? TAKEN : LAID);
  const b = isPairGoal(kind) ? pick(TAKEN) : 0;
  let level = isPairGoal(kind) ? [a, b] : [a];
  for (const word of level) used.add(word);
  for (let k = 0; k < d.depth; k++) {
    const next: number[] = [];
    for (const product of level.reverse()) {
      if (d.prune > 0 && uniform() < d.prune) {
        tiles.push(product);
        continue;
      }
      const inputs = rule(product, true);
      for (const word of inputs) used.add(word);
      next.push(...inputs);
    }
    level = next;
  }
  tiles.push(...level);
  const spare = unused(LAID);
  for (let k = 0; k < d.objects; k++) tiles.push(pick(spare));
  for (let k = d.rules > 0 ? int(d.rules + 1) : 0; k > 0; k--) tiles.push(...rule(pick(unused(MADE)), false));
  return { goal: packed(kind, a, b, 0), rules: Uint32Array.from(rules), tiles: Uint32Array.from(tiles) };
}
