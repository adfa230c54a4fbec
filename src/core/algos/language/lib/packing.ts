/**
 * Lines of tokens as programs read them. Lines are seldom full: their tokens stand at the beginning, some lines hold none, and what stands behind
 * the last written token teaches nothing. So the tokens that count are put next to each other, and what is done to each by itself, which is
 * nearly all of the work, is done to them alone; attention reads lines, cut where all of them have ended. What the last layer does for a token
 * that is not followed by a written one is left out, too. Programs of several sizes share parameters and memory, and the smallest that
 * holds the tokens runs.
 * Nothing that is left out had a gradient other than 0, what is left keeps its order, and the exact executor adds in this order: the bits are those
 * of whole lines. Other executors are given whole lines: making programs costs more there, and so does adding by index.
 */
import { concat, gather, reshape } from '#core/engine/ops.ts';
import type { Engine, Shape, Tensor } from '#core/engine/types.ts';
import type { PackedLines } from '#core/nets/transformer.ts';

/** Lines of tokens. */
export interface TokenLines {
  /** [lines, places + 1] ids, 0 behind the end. */
  readonly ids: Float32Array;
  /** The same, 1 where the policy wrote the token. */
  readonly written: Float32Array;
}

/** How much a program holds: lines with tokens, tokens in all, how many of them are followed by a written one, and places of a line up to the last of those. */
export interface Held {
  readonly used: number;
  readonly tokens: number;
  readonly asked: number;
  readonly reach: number;
}

/** What a program is made for: so many lines of so many places. */
export interface LineShape {
  readonly lines: number;
  readonly places: number;
  /** null: every place is computed. */
  readonly held: Held | null;
}

/** A program of whole lines, on any executor. */
export const wholeLines = (lines: number, places: number): LineShape => ({ lines, places, held: null });

/** Feeds of such a program. Without packing ids and the tokens that follow them [lines, places]; else [tokens] and [asked], and where they stand. */
export function tokenInputs({ lines, places, held }: LineShape): {
  readonly ids: Shape;
  readonly targets: Shape;
  /** [tokens] the place of each in its line. */
  readonly positions: Shape | null;
  /** As PackedLines has them. */
  readonly tokenAt: Shape | null;
  readonly placeOf: Shape | null;
  readonly asked: Shape | null;
  readonly askedPlace: Shape | null;
  readonly askedAt: Shape | null;
  /** [lines * places] which token that is asked for stands at a place of whole lines; one beyond the last where none does. */
  readonly answerAt: Shape | null;
} {
  if (held === null) {
    const each = [lines, places];
    const none = { positions: null, tokenAt: null, placeOf: null, asked: null, askedPlace: null, askedAt: null, answerAt: null };
    return { ids: each, targets: each, ...none };
  }
  const tokens = [held.tokens];
  const asked = [held.asked];
  const at = [held.used * held.reach];
  return {
    ids: tokens,
    targets: asked,
    positions: tokens,
    tokenAt: at,
    placeOf: tokens,
    asked,
    askedPlace: asked,
    askedAt: at,
    answerAt: [lines * places],
  };
}

type Where = 'positions' | 'tokenAt' | 'placeOf' | 'asked' | 'askedPlace' | 'askedAt' | 'answerAt';

/** The tensors of tokenInputs() in a program. */
export type TokenTensors = { readonly [K in 'ids' | 'targets']: Tensor } & { readonly [K in Where]?: Tensor | undefined };

/** How the tokens of a packed program stand in lines; undefined where it has whole lines. */
export function packedLines(x: TokenTensors, { held }: LineShape): PackedLines | undefined {
  const { tokenAt, placeOf, asked, askedPlace, askedAt } = x;
  if (held === null || !tokenAt || !placeOf || !asked || !askedPlace || !askedAt) return undefined;
  return { lines: held.used, reach: held.reach, tokenAt, placeOf, asked, askedPlace, askedAt };
}

/** A number for every token that is asked for as one for every place [lines, places], 0 where there is none. */
export function atPlaces(y: Tensor, x: TokenTensors, { lines, places, held }: LineShape): Tensor {
  if (held === null || x.answerAt === undefined) return y;
  const table = concat([reshape(y, [held.asked, 1]), y.graph.constant([0], [1, 1])], 0);
  return reshape(gather(table, x.answerAt), [lines, places]);
}

/** The views of tokenInputs(). */
export type TokenViews = { readonly [K in 'ids' | 'targets']: Float32Array } & { readonly [K in Where]: Float32Array | undefined };

/** Programs of one kind, by size. */
export interface LinePrograms<P> {
  /** The smallest program that holds the tokens of `count` lines, fed with them; `line`: where the k-th stands in what was collected, -1: it is empty. */
  holding(last: TokenLines, count: number, line: (k: number) => number): P;
}

/** Sizes are so many parts of the whole, but no smaller than so many tokens. */
const PARTS = 32;
const LEAST = 64;
/** Of the tokens that are asked for, of lines, and of the length of a line. */
const FEWER_PARTS = 16;
const LINE_PARTS = 8;
const LENGTHS = 4;

/** `compile` makes a program for at most `lines` lines of `places` places. */
export function linePrograms<P extends { readonly in: TokenViews }>(
  engine: Pick<Engine, 'exact'>,
  lines: number,
  places: number,
  compile: (shape: LineShape) => P,
): LinePrograms<P> {
  const all = lines * places;
  const made = new Map<string, P>();
  const programOf = (held: Held): P => {
    const key = Object.values(held).join();
    const found = made.get(key) ?? compile({ lines, places, held: engine.exact ? held : null });
    made.set(key, found);
    return found;
  };
  // the largest first: all others fit into its memory
  const whole = programOf({ used: lines, tokens: all, asked: all, reach: places });
  const lengths = new Int32Array(lines);
  return {
    holding(last, count, line) {
      const lineOf = (k: number): number => (k < count ? line(k) : -1);
      if (!engine.exact) {
        feedWhole(whole.in, last, { lines, places, lineOf });
        return whole;
      }
      let [used, tokens, asked, longest] = [0, 0, 0, 1];
      for (let k = 0; k < lines; k++) {
        const at = lineOf(k);
        lengths[k] = 0;
        for (let t = 0; t < places && at >= 0; t++) {
          if (last.written[at * (places + 1) + t + 1] === 0) continue;
          lengths[k] = t + 1;
          asked++;
        }
        used += Number(lengths[k]! > 0);
        tokens += lengths[k]!;
        longest = Math.max(longest, lengths[k]!);
      }
      const held = {
        used: roomFor(used, lines, Math.ceil(lines / LINE_PARTS)),
        tokens: roomFor(tokens, all, Math.max(LEAST, Math.ceil(all / PARTS))),
        asked: roomFor(asked, all, Math.max(LEAST, Math.ceil(all / FEWER_PARTS))),
        reach: roomFor(longest, places, Math.ceil(places / LENGTHS)),
      };
      const program = programOf(held);
      feedPacked(program.in, last, { places, held, lengths, lineOf });
      return program;
    },
  };
}

/** The next step from `n` on, at least one of them and at most `all`. */
const roomFor = (n: number, all: number, step: number): number => Math.min(all, Math.max(1, Math.ceil(n / step)) * step);

interface Whole {
  readonly lines: number;
  readonly places: number;
  readonly lineOf: (k: number) => number;
}

function feedWhole({ ids, targets }: TokenViews, last: Pick<TokenLines, 'ids'>, { lines, places, lineOf }: Whole): void {
  for (let k = 0; k < lines; k++) {
    const at = lineOf(k);
    const from = at * (places + 1);
    if (at < 0) for (const into of [ids, targets]) into.fill(0, k * places, (k + 1) * places);
    else {
      ids.set(last.ids.subarray(from, from + places), k * places);
      targets.set(last.ids.subarray(from + 1, from + places + 1), k * places);
    }
  }
}

interface Packed {
  readonly places: number;
  readonly held: Held;
  /** By line: places up to the last that is followed by a written token. */
  readonly lengths: Int32Array;
  readonly lineOf: (k: number) => number;
}

function feedPacked(views: TokenViews, last: TokenLines, { places, held: { asked: most, reach }, lengths, lineOf }: Packed): void {
  const { ids, targets, positions, tokenAt, placeOf, asked, askedPlace, askedAt, answerAt } = views;
  if (!positions || !tokenAt || !placeOf || !asked || !askedPlace || !askedAt || !answerAt)
    throw new Error('this program takes whole lines');
  for (const into of [tokenAt, askedAt]) into.fill(0);
  answerAt.fill(most);
  let [n, m, used] = [0, 0, 0];
  for (let k = 0; k < lengths.length; k++) {
    const length = lengths[k]!;
    if (length === 0) continue;
    const from = lineOf(k) * (places + 1);
    const first = used++ * reach;
    for (let t = 0; t < length; t++, n++) {
      const place = first + t;
      ids[n] = last.ids[from + t]!;
      positions[n] = t;
      placeOf[n] = place;
      tokenAt[place] = n;
      if (last.written[from + t + 1] === 0) continue;
      targets[m] = last.ids[from + t + 1]!;
      asked[m] = n;
      askedPlace[m] = place;
      askedAt[place] = m;
      answerAt[k * places + t] = m++;
    }
  }
  for (const into of [ids, positions, placeOf]) into.fill(0, n);
  for (const into of [targets, asked, askedPlace]) into.fill(0, m);
}
