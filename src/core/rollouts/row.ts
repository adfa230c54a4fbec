/**
 * One copy of an environment whose state lies in two memories of a kit: `floats` [copies, F] and `words` [copies, W], fields in the order
 * of envs/api/state.ts, the generator last. Draws are those of the CPU's environment, word for word.
 */
import type { Kit } from '../engine/kit.ts';
import { fieldLength } from '../envs/api/state.ts';
import type { StateSpec } from '../envs/api/types.ts';

/** 2^-32. */
const PER_WORD = 2.3283064365386963e-10;

export interface StateLayout {
  readonly floats: number;
  readonly words: number;
  /** Throws Error for a field that is not there. */
  offset(field: string): number;
}

export function stateLayout(spec: StateSpec): StateLayout {
  const offsets = new Map<string, number>();
  const stride = { f64: 0, u32: 0 };
  for (const field of spec.fields) {
    const array = field.type === 'f64' ? 'f64' : 'u32';
    offsets.set(field.name, stride[array]);
    stride[array] += fieldLength(field);
  }
  return {
    floats: stride.f64,
    words: stride.u32,
    offset(field) {
      const at = offsets.get(field);
      if (at === undefined) throw new Error(`this state has no field "${field}"`);
      return at;
    },
  };
}

/** Uniform in [0, 1] from a word: float32 rounds the largest ones up to 1. */
export const uniformOf = <F, W, B>(k: Kit<F, W, B>, word: W): F => k.mul(k.toFloat(word), PER_WORD);

export class Row<F, W, B> {
  private readonly k: Kit<F, W, B>;
  private readonly layout: StateLayout;
  private readonly floats: W;
  private readonly words: W;

  constructor(k: Kit<F, W, B>, layout: StateLayout, row: W) {
    this.k = k;
    this.layout = layout;
    this.floats = k.times(row, layout.floats);
    this.words = k.times(row, layout.words);
  }
  private at(base: W, field: string, index: W | number): W {
    const { k, layout } = this;
    const from = k.plus(base, layout.offset(field));
    return index === 0 ? from : k.plus(from, index);
  }
  float(field: string, index: W | number = 0): F {
    return this.k.float('floats', this.at(this.floats, field, index));
  }
  setFloat(field: string, value: F | number, index: W | number = 0): void {
    this.k.setFloat('floats', this.at(this.floats, field, index), value);
  }
  word(field: string, index: W | number = 0): W {
    return this.k.word('words', this.at(this.words, field, index));
  }
  setWord(field: string, value: W | number, index: W | number = 0): void {
    this.k.setWord('words', this.at(this.words, field, index), value);
  }

  /** The next 32 bits of this copy's generator. */
  draw(): W {
    const { k } = this;
    const low = this.word('rng', 2);
    const high = this.word('rng', 3);
    const word = k.random(this.word('rng'), this.word('rng', 1), low, high);
    const next = k.plus(low, 1);
    this.setWord('rng', next, 2);
    this.setWord('rng', k.choose(k.same(next, 0), k.plus(high, 1), high), 3);
    return word;
  }
  uniform(): F {
    return uniformOf(this.k, this.draw());
  }
  /** 0 to n - 1 without bias: words of the last, incomplete stretch of n are drawn again, as Rng.int does. n is not 0. */
  int(n: W | number): W {
    const { k } = this;
    const word = k.wordVariable(this.draw());
    const incomplete = k.rest(k.plus(k.rest(0xffff_ffff, n), 1), n);
    const last = k.minus(0xffff_ffff, incomplete);
    k.whilst(
      () => k.less(last, word.get()),
      () => word.set(this.draw()),
    );
    return k.rest(word.get(), n);
  }
}
