/**
 * Judges of how a story goes on: each gives a number from 0 to 1. All are exact but the last, which was fitted to the marks of a user. Sentences are those of the answer; one that was cut off by the last word
 * that was allowed counts for none of them.
 */
import { parse, read, sentencesOf } from './grammar.ts';
import { rhyme } from './rhymes.ts';
import { liking, type Taste } from './taste.ts';

/** What is judged. */
export interface Told {
  readonly prompt: readonly string[];
  readonly answer: readonly string[];
  /** The answer ended by itself, not at the last word that was allowed. */
  readonly ended: boolean;
}

export interface JudgeSettings {
  readonly friendly: ReadonlySet<string>;
  /** Words that an answer may have. */
  readonly most: number;
  /** Words that it is to have. */
  readonly target: number;
  /** A judge that was fitted to the marks of a user. */
  readonly taste: Taste;
}

export const JUDGES = ['grammar', 'truth', 'rhyme', 'friendly', 'length', 'fresh', 'own'] as const;
export type Judge = (typeof JUDGES)[number];

/** Sentences that rhymes are counted in at least: a single line that rhymes is no poem. */
const LEAST_LINES = 3;

const whole = ({ answer, ended }: Told): readonly string[][] => {
  const all = sentencesOf(answer);
  return !ended && all.at(-1)?.at(-1) !== '.' ? all.slice(0, -1) : all;
};

const share = (part: number, all: number): number => (all === 0 ? 0 : part / all);
const spoken = (answer: readonly string[]): readonly string[] => answer.filter((word) => word !== '.');
/** The last word of a line, its full stop left out. */
const endOf = (line: readonly string[]): string => line.at(line.at(-1) === '.' ? -2 : -1) ?? '';

/** grammar: share of sentences that are of the grammar. */
function grammar(told: Told): number {
  const sentences = whole(told);
  return share(sentences.filter((sentence) => parse(sentence).length > 0).length, sentences.length);
}

/** truth: share of sentences that are of the grammar and true of the story as the prompt and the sentences before have it. */
function truth(told: Told): number {
  const { state } = read(told.prompt);
  const sentences = whole(told);
  return share(read(sentences.flat(), state).true, sentences.length);
}

/** rhyme: share of sentences whose last word rhymes with that of the sentence before; the first one follows the prompt. */
function rhymes(told: Told): number {
  const lines = [sentencesOf(told.prompt).at(-1) ?? [], ...whole(told)];
  const found = lines.filter((line, i) => i > 0 && rhyme(endOf(lines[i - 1]!), endOf(line))).length;
  return found / Math.max(LEAST_LINES, lines.length - 1);
}

const RULES: { readonly [J in Judge]: (told: Told, c: JudgeSettings) => number } = {
  grammar,
  truth,
  rhyme: rhymes,
  /** Words of the list, as a share of the words that an answer may have. */
  friendly: ({ answer }, { friendly, most }) => Math.min(1, share(answer.filter((word) => friendly.has(word)).length, most)),
  /** 1 for as many words as wanted, 0 for none and for twice as many. */
  length: ({ answer }, { target }) => Math.max(0, 1 - Math.abs(spoken(answer).length - target) / target),
  /** Share of words that were not said before in the answer. */
  fresh: ({ answer }) => share(new Set(spoken(answer)).size, spoken(answer).length),
  /** What the fitted judge makes of the words. */
  own: ({ answer }, { taste }) => liking(taste, answer),
};

/** What each judge says, in the order of JUDGES. */
export const judged = (told: Told, c: JudgeSettings): readonly number[] => JUDGES.map((judge) => RULES[judge](told, c));
