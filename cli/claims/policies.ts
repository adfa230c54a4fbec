/**
 * What the arms of a paper learned, for the page to play at once: one policy for each arm that trains, of the seed whose score lies nearest to the
 * arm's interquartile mean, as long as all of a paper fit into 360 kB (LARGER: more). Arms that a contrast reads first come first, then those that
 * scored best; arms that are the same runs share a file. A kept policy is the policy file of its run, compressed by gzip.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { decodePolicyFile, encodePolicyFile } from '#contract/files/files.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import { armsOf } from '#math/contrasts.ts';
import { iqm } from '#math/stats.ts';
import { POLICIES, ROUNDED } from '../../tools/facts/papers.ts';
import { packed, typical } from '../kit/kept-policy.ts';
import { readSeed, seedFolder, writeWhole } from '../kit/seed-folder.ts';
import type { RanPaper } from './run.ts';

/** Bytes of all policies of one paper. */
const MOST = 360_000;
/** Of papers whose networks read pictures of many codes: P039 has four learners of 88,000 numbers to be held beside each other. */
const LARGER: { readonly [paper: string]: number } = { P039: 860_000 };

const SAME = 'the same run as another arm';
const NONE = 'no policy of the published run';

/** What became of an arm's policy; `bytes` as kept, or as it would have been. */
export interface Kept {
  readonly paper: string;
  readonly arm: string;
  readonly state: 'kept' | 'kept, rounded' | typeof SAME | 'no room' | typeof NONE;
  readonly bytes: number;
}

/** The policy file of a run, if that run is one of those that the result reports. */
function policyOf(folder: string, seed: number, published: readonly string[]): string | null {
  const file = join(seedFolder(folder, seed), 'policy.json');
  const { result } = readSeed(folder, seed);
  return result !== null && published.includes(result.parameterHash) && existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** Bits of a single-precision number's fraction that a rounded policy keeps, of 23: an error of 0.2 % at most. */
const FRACTION = 8;

/** The nearest numbers with a short fraction: their last bits are 0, which compresses well. Numbers too large for that stay. */
export function rounded(values: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const bits = new Uint32Array(values.slice().buffer);
  const drop = 23 - FRACTION;
  const out = new Float32Array(bits.map((word) => ((word + 2 ** (drop - 1)) >>> drop) << drop).buffer);
  return out.map((value, i) => (Number.isFinite(value) ? value : values[i]!));
}

function roundedFile(text: string): string {
  const snapshot = decodePolicyFile(text);
  const arrays = Object.entries(snapshot.saved.arrays).map(([name, array]) => [
    name,
    array instanceof Float32Array ? rounded(Float32Array.from(array)) : array,
  ]);
  return encodePolicyFile({ ...snapshot, saved: { ...snapshot.saved, arrays: Object.fromEntries(arrays) } });
}

/** Which of these files there is room for, in their order. */
function fitting(files: readonly (Buffer | null)[], most: number): readonly boolean[] {
  let left = most;
  return files.map((file) => {
    const fits = file !== null && file.length <= left;
    if (fits) left -= file.length;
    return fits;
  });
}

/** Arms that are read by the paper's own quantity, the best first, then the others in their order. */
function bestFirst({ arms, scale }: JudgedCard, result: PaperResult): readonly string[] {
  const sign = scale.better === 'more' ? -1 : 1;
  const middle = (k: number): number => {
    const known = (result.arms[k]?.scores ?? []).filter((score) => score !== null);
    return known.length === 0 ? Number.POSITIVE_INFINITY : sign * iqm(known);
  };
  const own = arms.flatMap((arm, k) => (arm.quantity === undefined ? [{ id: arm.id, at: middle(k) }] : []));
  return [...own.toSorted((a, b) => a.at - b.at), ...arms].map(({ id }) => id);
}

/**
 * Replaces the policies of a paper by those of these runs, without training anything; answers what became of each arm that learns. Where more
 * arms fit with rounded weights than whole, all of the paper are rounded, so that none has an advantage.
 */
export function writePolicies(project: string, ran: Pick<RanPaper, 'paper' | 'arms' | 'seeds'>, result: PaperResult): readonly Kept[] {
  const { paper, arms, seeds } = ran;
  const folder = join(project, POLICIES);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (name.startsWith(`${paper.id}-`)) rmSync(join(folder, name));
  const order = [...new Set([...paper.contrasts.flatMap(armsOf), ...bestFirst(paper, result)])];
  const most = LARGER[paper.id] ?? MOST;
  const learners = order.flatMap((id) => {
    const k = paper.arms.findIndex((arm) => arm.id === id);
    const { scores, config, parameterHashes } = result.arms[k]!;
    const at = typical(scores);
    if (paper.arms[k]!.script !== undefined) return [];
    return [{ id, config, text: at === null ? null : policyOf(arms[k]!.folder, seeds[at]!, parameterHashes) }];
  });
  // Arms that are the same runs share a file. One that is only asked about after training may come before the one that has it.
  const holders = learners.filter(
    ({ config, text }, i) => text !== null && learners.findIndex((one) => one.config === config && one.text !== null) === i,
  );
  const whole = holders.map(({ text }) => (text === null ? null : packed(text)));
  const count = (fits: readonly boolean[]): number => fits.filter(Boolean).length;
  const short =
    count(fitting(whole, most)) === holders.length ? [] : holders.map(({ text }) => (text === null ? null : packed(roundedFile(text))));
  const round = count(fitting(short, most)) > count(fitting(whole, most));
  const files = round ? short : whole;
  const fits = fitting(files, most);
  return learners.map(({ id, config }): Kept => {
    const told = (state: Kept['state'], bytes = 0): Kept => ({ paper: paper.id, arm: id, state, bytes });
    const k = holders.findIndex((one) => one.config === config);
    const file = files[k];
    if (file === undefined || file === null) return told(NONE);
    if (holders[k]?.id !== id) return told(SAME);
    if (!fits[k]) return told('no room', file.length);
    writeWhole(join(folder, `${paper.id}-${id}${round ? ROUNDED : ''}.policy`), file);
    return told(round ? 'kept, rounded' : 'kept', file.length);
  });
}
