/**
 * A BabyAI sentence as five 32-bit words of the state: how up to four clauses are joined, then the clauses. A clause is its kind
 * (3 bits), strict (1), and two descriptions of object (4), colour + 1 (3), location (3), and whether several things match (1).
 */
import { fail } from '#contract/kit/errors.ts';
import type { Description, Sentence } from './instructions.ts';

export const SENTENCE_WORDS = 5;
const KINDS = ['none', 'go-to', 'open', 'pickup', 'put-next'] as const;
const SEQUENCES = ['none', 'before', 'after'] as const;

type Clause = Exclude<Sentence, { readonly first: Sentence }>;

/** `many`: for each description whether several things match it; its article is then "a" instead of "the". */
export function encodeSentence(sentence: Sentence, many: (d: Description) => boolean): Uint32Array {
  const out = new Uint32Array(SENTENCE_WORDS);
  const clause = (node: Sentence): number => {
    if ('first' in node)
      throw fail('config-invalid', 'endRule: the instruction is nested too deep.', 'Join at most two pairs.', 'env.endRule');
    const kind = KINDS.indexOf(node.kind);
    if (node.kind === 'put-next') return kind | (describe(node.move) << 4) | (describe(node.fixed) << 15);
    return kind | (node.strict ? 8 : 0) | (describe(node.what) << 4);
  };
  const describe = (d: Description): number =>
    (d.object < 0 ? 0 : d.object) |
    ((d.colour + 1) << 4) |
    ((d.location === 0 ? 0 : 32 - Math.clz32(d.location)) << 7) |
    (many(d) ? 1 << 10 : 0);
  const part = (node: Sentence, at: number): number => {
    if (node.kind !== 'and') {
      out[at] = clause(node);
      return 0;
    }
    out[at] = clause(node.first);
    out[at + 1] = clause(node.second);
    return 1;
  };
  if (sentence.kind === 'before' || sentence.kind === 'after')
    out[0] = SEQUENCES.indexOf(sentence.kind) | (part(sentence.first, 1) << 2) | (part(sentence.second, 3) << 3);
  else out[0] = part(sentence, 1) << 2;
  return out;
}

/** null: no sentence there. Throws LabError('state-invalid') where the words are none of ours. */
export function decodeSentence(words: Uint32Array, at: number): Sentence | null {
  if (words[at + 1] === 0) return null;
  const shape = words[at]!;
  const part = (from: number, joined: number): Sentence =>
    joined === 0 ? clauseOf(words, from) : { kind: 'and', first: clauseOf(words, from), second: clauseOf(words, from + 1) };
  const sequence = SEQUENCES[shape & 3];
  if (sequence === undefined) throw broken();
  const first = part(at + 1, (shape >>> 2) & 1);
  return sequence === 'none' ? first : { kind: sequence, first, second: part(at + 3, (shape >>> 3) & 1) };
}

function clauseOf(words: Uint32Array, at: number): Clause {
  const word = words[at]!;
  const kind = KINDS[word & 7];
  if (kind === undefined || kind === 'none') throw broken();
  if (kind === 'put-next') return { kind, move: descriptionOf(word >>> 4), fixed: descriptionOf(word >>> 15) };
  return { kind, strict: (word & 8) !== 0, what: descriptionOf(word >>> 4) };
}

function descriptionOf(bits: number): Description {
  const object = bits & 15;
  const location = (bits >>> 7) & 7;
  return { object: object === 0 ? -1 : object, colour: ((bits >>> 4) & 7) - 1, location: location === 0 ? 0 : 1 << (location - 1) };
}

/** Whether several things matched each description, in the order of the sentence. */
export function articlesOf(words: Uint32Array, at: number): readonly boolean[] {
  const out: boolean[] = [];
  for (let i = 1; i < SENTENCE_WORDS; i++) {
    const word = words[at + i]!;
    if (word === 0) continue;
    out.push(((word >>> 14) & 1) === 1);
    if ((word & 7) === 4) out.push(((word >>> 25) & 1) === 1);
  }
  return out;
}

function broken(): Error {
  return fail('state-invalid', 'The instruction of this state cannot be read.', 'Use a state that this environment saved.', 'instruction');
}
