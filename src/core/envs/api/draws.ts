/**
 * Every random number of an environment goes through here, by name, so that a golden case can replay the draws of a reference
 * in their order. Without a script the row's own generator draws.
 */
import { fail } from '#contract/kit/errors.ts';
import type { Json } from '#contract/kit/json.ts';
import { cos, log, sqrt } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import type { DrawSource } from './types.ts';

/** Standard normal from two uniform numbers in [0, 1) (Box and Muller 1958). */
export const boxMuller = (first: number, second: number): number => sqrt(-2 * log(1 - first)) * cos(2 * Math.PI * second);

export class Draws {
  private readonly rng: readonly Rng[];
  private readonly script: DrawSource | undefined;

  constructor(rng: readonly Rng[], script: DrawSource | undefined) {
    this.rng = rng;
    this.script = script;
  }

  /** Uniform in [0, 1). */
  uniform(row: number, name: string): number {
    const given = this.script?.uniform(row, name);
    return given === undefined ? (this.rng[row] as Rng).uniform() : given;
  }

  /** Normal with mean 0 and deviation 1 from two uniform draws. */
  normal(row: number, name: string): number {
    return boxMuller(this.uniform(row, name), this.uniform(row, name));
  }

  /** Uniform integer in 0..n-1. */
  int(row: number, n: number, name: string): number {
    const given = this.script?.int(row, n, name);
    return given === undefined ? (this.rng[row] as Rng).int(n) : given;
  }
}

/**
 * A script of [["rand", u] | ["randint", k], ...] in the order used. A value may be an array of draws in a row. A draw that is
 * missing, of the other kind or out of range is an error: the environment does not draw as the reference does.
 */
export function scriptedDraws(entries: readonly Json[]): DrawSource {
  const queue: { readonly kind: string; readonly value: number }[] = [];
  for (const entry of entries) {
    if (!Array.isArray(entry) || entry.length !== 2) throw wrong(`draw ${JSON.stringify(entry)} is not [kind, value]`);
    const [kind, value] = entry as readonly Json[];
    if (kind !== 'rand' && kind !== 'randint') throw wrong(`draw kind ${JSON.stringify(kind)} is not known`);
    for (const v of Array.isArray(value) ? (value as readonly Json[]) : [value as Json]) {
      if (typeof v !== 'number') throw wrong(`draw ${JSON.stringify(v)} is not a number`);
      queue.push({ kind, value: v });
    }
  }
  let next = 0;
  const take = (kind: string, name: string): number => {
    const draw = queue[next];
    if (draw === undefined) throw wrong(`the environment draws "${name}" after the ${queue.length} listed draws`);
    if (draw.kind !== kind) throw wrong(`draw ${next} is listed as ${draw.kind}, but "${name}" is a ${kind}`);
    next++;
    return draw.value;
  };
  return {
    uniform: (_row, name) => take('rand', name),
    int(_row, n, name) {
      const k = take('randint', name);
      if (!Number.isInteger(k) || k < 0 || k >= n) throw wrong(`listed draw ${k} for "${name}" is not in 0..${n - 1}`);
      return k;
    },
  };
}

function wrong(what: string): Error {
  return fail('file-invalid', `Scripted draws: ${what}.`, 'Compare the order of draws with the reference.');
}
