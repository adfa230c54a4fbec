/**
 * A judge that was fitted to marks (logistic regression on words, math/logistic.ts): how likely its owner is to call an answer good. It knows
 * words, not sentences: what it likes can be had by saying liked words, which is how such judges are fooled.
 */
import { JUDGED_TIMES } from '#contract/run/tokens.ts';
import { sigmoid } from '#math/logistic.ts';
import { WORDS } from './words.ts';

export interface Taste {
  readonly bias: number;
  /** By word, a word that is missing counts nothing. */
  readonly weights: ReadonlyMap<string, number>;
}

/** In place of a word: the bias. */
const BIAS = '*';
const LARGEST = 100;

export interface TasteFault {
  readonly message: string;
  readonly fix: string;
}

/** "word:weight" with spaces between them, "*:bias" among them. */
export function readTaste(text: string): Taste | TasteFault {
  const weights = new Map<string, number>();
  let bias = 0;
  for (const part of text.split(' ').filter((one) => one !== '')) {
    const [word = '', number = ''] = part.split(':');
    const weight = number === '' ? Number.NaN : Number(number);
    const wrong = (message: string): TasteFault => ({ message, fix: 'Write words with a weight each, such as happy:0.5 sad:-0.5.' });
    if (!(Math.abs(weight) <= LARGEST)) return wrong(`"${part}" is no word with a weight from -${LARGEST} to ${LARGEST}.`);
    if (word === BIAS) bias = weight;
    else if (!WORDS.includes(word)) return wrong(`"${word}" is no word of these stories.`);
    else weights.set(word, weight);
  }
  return { bias, weights };
}

/** From 0 to 1. Without any weights nothing is liked or disliked: 0. */
export function liking({ bias, weights }: Taste, answer: readonly string[]): number {
  if (weights.size === 0) return 0;
  const times = new Map<string, number>();
  for (const word of answer) times.set(word, (times.get(word) ?? 0) + 1);
  let sum = bias;
  for (const [word, n] of times) sum += (weights.get(word) ?? 0) * Math.min(n, JUDGED_TIMES);
  return sigmoid(sum);
}
