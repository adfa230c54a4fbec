/**
 * Recorded play: a dataset is whole episodes of one environment, one row per step, in the order they were played. A file is a Saved
 * (saved.ts) whose meta is the header below; the same play gives the same bytes, and the SHA-256 of the bytes (dataset-hash.ts) names it.
 * Shapes: T steps, E episodes, A agents, O numbers per observation, D numbers per action, S bytes per state.
 * decodeDataset checks sizes before anything is decoded and throws LabError('file-invalid') naming what is wrong.
 */
import { z } from 'zod';
import { FIRST_ISSUE, jsonObject } from '../kit/bounded.ts';
import { fail } from '../kit/errors.ts';
import { isZip } from '../kit/zip.ts';
import type { Saved } from '../run/events.ts';
import { checkBeginning, decodeSaved, encodeSaved } from '../run/saved.ts';

/** Who played. */
export const PLAYERS = ['random', 'script', 'run', 'population', 'human', 'several', 'import'] as const;
/** How well, as D4RL names it: `replay` is play of policies kept on the way of a training run; `mixed` is of several grades. */
export const GRADES = ['random', 'medium', 'expert', 'mixed', 'replay', 'ungraded'] as const;
export type Grade = (typeof GRADES)[number];

/** Bytes of a file; a larger one is refused unread. */
export const MOST_DATASET_BYTES = 256 * 1024 * 1024;
/** Bytes of a header; a longer one is refused unread. */
export const LARGEST_DATASET_HEADER = 1024 * 1024;
export const MOST_DATASET_STEPS = 10_000_000;
const LONGEST_TEXT = 200;
const text = z.string().max(LONGEST_TEXT);
const size = z.int().min(0).max(MOST_DATASET_STEPS);

export const datasetHeaderSchema = z.strictObject({
  kind: z.literal('dataset'),
  version: z.literal(1),
  title: text,
  env: z.strictObject({
    id: z.string().min(1).max(100),
    version: z.int().min(1),
    config: jsonObject,
  }),
  who: z.enum(PLAYERS),
  /** Which script, which run at which step, or what the file was called that it came from. */
  player: text,
  grade: z.enum(GRADES),
  licence: text,
  /** Seed of the first episode; the others follow. */
  seed: z.int().min(0).max(0xffff_ffff),
  steps: size, // T
  episodes: size, // E
  agents: z.int().min(1).max(10_000), // A
  obsSize: z.int().min(0).max(1_000_000), // O
  actionSize: z.int().min(1).max(10_000), // D
  /** Actions are whole numbers below this; 0: they are points in a box. */
  actionCount: z.int().min(0).max(1_000_000),
});
export type DatasetHeader = z.infer<typeof datasetHeaderSchema>;

export interface Dataset {
  readonly header: DatasetHeader;
  readonly observations: Float32Array; // [T, A, O] what was seen before each step
  readonly actions: Float32Array; // [T, A, D] in the environment's units
  readonly rewards: Float32Array; // [T, A]
  readonly terminals: Uint8Array; // [T] 1: the episode ended by its rules
  readonly timeouts: Uint8Array; // [T] 1: it was cut here
  readonly finals: Float32Array; // [E, A, O] what was seen after the last step
  readonly returns: Float64Array; // [E] the team's return, by the environment's own rule
  /** [E * S] states at the start, from which episodes are played again; missing where rows came from elsewhere. */
  readonly starts?: Uint8Array;
  /**
   * [E / 2] Answers of a person or a rater: episodes 2k and 2k + 1 were shown side by side, 1: the first was preferred, 0: the second, 0.5: neither.
   * Missing where no pair was compared; a part or a merger has none.
   */
  readonly choices?: Float32Array;
}

/** Summary for lists; the returns in the environment's units. */
export interface DatasetCard {
  /** SHA-256 of the file, 64 hex digits. */
  readonly hash: string;
  readonly bytes: number;
  readonly header: DatasetHeader;
  readonly meanReturn: number;
  readonly leastReturn: number;
  readonly mostReturn: number;
  /** Episodes can be shown in the scene. */
  readonly playable: boolean;
  /** Answers about pairs of its episodes; 0: no pair was compared. */
  readonly answers: number;
}

/** First step of each episode, and T behind the last: [E + 1]. Throws LabError('file-invalid') where the flags do not fit the header. */
export function episodeBounds({ header, terminals, timeouts }: Pick<Dataset, 'header' | 'terminals' | 'timeouts'>): Int32Array {
  const bounds = new Int32Array(header.episodes + 1);
  let episode = 0;
  for (let t = 0; t < terminals.length; t++) {
    if (terminals[t] === 0 && timeouts[t] === 0) continue;
    episode++;
    if (episode > header.episodes) break;
    bounds[episode] = t + 1;
  }
  if (episode !== header.episodes || bounds[episode] !== header.steps)
    throw broken(`its flags end ${episode} episodes, the header says ${header.episodes}`);
  return bounds;
}

/** What the observations were followed by, [T, A, O]: the next row, or the final observation at an episode's end. */
export function nextObservations(data: Dataset): Float32Array {
  const { steps, agents, obsSize } = data.header;
  const width = agents * obsSize;
  const next = new Float32Array(steps * width);
  next.set(data.observations.subarray(width));
  const bounds = episodeBounds(data);
  for (let e = 0; e < data.header.episodes; e++) next.set(data.finals.subarray(e * width, (e + 1) * width), (bounds[e + 1]! - 1) * width);
  return next;
}

const broken = (why: string): Error => fail('file-invalid', `This is not a whole dataset: ${why}.`, 'Record or export it again.');

/** Throws LabError('file-invalid') where lengths do not fit the header. Answers its argument. */
export function checkedDataset(data: Dataset): Dataset {
  const { steps: T, episodes: E, agents: A, obsSize: O, actionSize: D } = data.header;
  const lengths: readonly (readonly [string, ArrayLike<number>, number])[] = [
    ['observations', data.observations, T * A * O],
    ['actions', data.actions, T * A * D],
    ['rewards', data.rewards, T * A],
    ['terminals', data.terminals, T],
    ['timeouts', data.timeouts, T],
    ['finals', data.finals, E * A * O],
    ['returns', data.returns, E],
  ];
  for (const [name, array, length] of lengths)
    if (array.length !== length) throw broken(`"${name}" holds ${array.length} numbers, not ${length}`);
  if (data.starts !== undefined && (E === 0 ? data.starts.length > 0 : data.starts.length % E !== 0))
    throw broken('its start states are not of one size');
  const { choices } = data;
  if (choices !== undefined && (2 * choices.length !== E || !choices.every((c) => c === 0 || c === 0.5 || c === 1)))
    throw broken('its answers are not one of 0, 0.5 and 1 for each pair of episodes');
  for (const [name, array] of [
    ['observations', data.observations] as const,
    ['actions', data.actions] as const,
    ['rewards', data.rewards] as const,
    ['finals', data.finals] as const,
    ['returns', data.returns] as const,
  ])
    if (!array.every(Number.isFinite)) throw broken(`"${name}" holds numbers that are not finite`);
  const N = data.header.actionCount;
  if (N > 0 && !data.actions.every((a) => Number.isInteger(a) && a >= 0 && a < N))
    throw broken(`its actions are not whole numbers below ${N}`);
  episodeBounds(data);
  return data;
}

export function encodeDataset(data: Dataset): Uint8Array {
  const { header, observations, actions, rewards, terminals, timeouts, finals, returns, starts, choices } = data;
  const optional = { ...(starts && { starts }), ...(choices && { choices }) };
  const arrays: Saved['arrays'] = { observations, actions, rewards, terminals, timeouts, finals, returns, ...optional };
  return encodeSaved({ meta: header, arrays });
}

/** The bytes that `checkDatasetFile` asks for. */
export const DATASET_BEGINNING = 16;

/** Refuses a recording before it is read whole. `beginning`: its first bytes, `size`: all of them. Throws LabError('file-invalid'). */
export function checkDatasetFile(beginning: Uint8Array, size: number): void {
  if (size > MOST_DATASET_BYTES)
    throw fail('file-invalid', `A dataset of ${Math.round(size / 1e6)} MB is too large here.`, 'Keep it below 256 MB: record fewer steps.');
  if (!isZip(beginning)) checkBeginning(beginning, LARGEST_DATASET_HEADER);
}

/** Throws LabError('file-invalid'). */
export function decodeDataset(bytes: Uint8Array): Dataset {
  checkDatasetFile(bytes, bytes.length);
  const saved = decodeSaved(bytes, LARGEST_DATASET_HEADER);
  const header = datasetHeaderSchema.safeParse(saved.meta, FIRST_ISSUE);
  if (!header.success) {
    const issue = header.error.issues[0];
    throw broken(`its header is wrong at "${issue?.path.join('.') ?? ''}" (${issue?.message ?? ''})`);
  }
  const of = <T>(name: string, kind: new (length: number) => T): T => {
    const array: unknown = saved.arrays[name];
    if (!(array instanceof kind)) throw broken(`"${name}" is missing`);
    return array;
  };
  const starts = saved.arrays.starts === undefined ? {} : { starts: of('starts', Uint8Array) };
  const choices = saved.arrays.choices === undefined ? {} : { choices: of('choices', Float32Array) };
  return checkedDataset({
    header: header.data,
    observations: of('observations', Float32Array),
    actions: of('actions', Float32Array),
    rewards: of('rewards', Float32Array),
    terminals: of('terminals', Uint8Array),
    timeouts: of('timeouts', Uint8Array),
    finals: of('finals', Float32Array),
    returns: of('returns', Float64Array),
    ...starts,
    ...choices,
  });
}

/** What a run says whose dataset is not here. */
export const datasetMissing = (hash: string): Error =>
  fail(
    'dataset-missing',
    `The dataset ${hash.slice(0, 12)} that this run learns from is not on this machine.`,
    'Import its file on the Data page (on the command line: put it into the folder datasets/), or choose another dataset.',
    'algo.dataset',
  );

/** What lists show of a dataset. */
export function cardOf(data: Dataset, hash: string, bytes: number): DatasetCard {
  const { header, returns, starts } = data;
  let [least, most, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const value of returns) [least, most, sum] = [Math.min(least, value), Math.max(most, value), sum + value];
  const count = returns.length;
  return {
    hash,
    bytes,
    header,
    meanReturn: count === 0 ? 0 : sum / count,
    leastReturn: count === 0 ? 0 : least,
    mostReturn: count === 0 ? 0 : most,
    playable: starts !== undefined,
    answers: data.choices?.length ?? 0,
  };
}

/** These episodes alone, in this order. `title` names the part. */
export function selectEpisodes(data: Dataset, episodes: readonly number[], title: string): Dataset {
  const { header } = data;
  const { agents: A, obsSize: O, actionSize: D } = header;
  const bounds = episodeBounds(data);
  const steps = episodes.reduce((sum, e) => sum + bounds[e + 1]! - bounds[e]!, 0);
  const state = data.starts === undefined || header.episodes === 0 ? 0 : data.starts.length / header.episodes;
  const out = {
    observations: new Float32Array(steps * A * O),
    actions: new Float32Array(steps * A * D),
    rewards: new Float32Array(steps * A),
    terminals: new Uint8Array(steps),
    timeouts: new Uint8Array(steps),
    finals: new Float32Array(episodes.length * A * O),
    returns: new Float64Array(episodes.length),
    starts: new Uint8Array(episodes.length * state),
  };
  let t = 0;
  episodes.forEach((e, i) => {
    const [from, to] = [bounds[e]!, bounds[e + 1]!];
    out.observations.set(data.observations.subarray(from * A * O, to * A * O), t * A * O);
    out.actions.set(data.actions.subarray(from * A * D, to * A * D), t * A * D);
    out.rewards.set(data.rewards.subarray(from * A, to * A), t * A);
    out.terminals.set(data.terminals.subarray(from, to), t);
    out.timeouts.set(data.timeouts.subarray(from, to), t);
    out.finals.set(data.finals.subarray(e * A * O, (e + 1) * A * O), i * A * O);
    out.returns[i] = data.returns[e]!;
    if (data.starts !== undefined) out.starts.set(data.starts.subarray(e * state, (e + 1) * state), i * state);
    t += to - from;
  });
  const { starts, ...rows } = out;
  return {
    header: { ...header, title: title.slice(0, LONGEST_TEXT), steps, episodes: episodes.length },
    ...rows,
    ...(data.starts && { starts }),
  };
}

/** Episodes whose return is at least `least`, in order. */
export const episodesAbove = (data: Dataset, least: number): number[] =>
  Array.from(data.returns.keys()).filter((e) => data.returns[e]! >= least);

/** The given share of episodes with the highest returns, at least one, in the order they were played; ties to the earlier one. */
export function bestEpisodes(data: Dataset, share: number): number[] {
  const order = Array.from(data.returns.keys()).sort((a, b) => data.returns[b]! - data.returns[a]! || a - b);
  return order.slice(0, Math.max(1, Math.round(share * order.length))).sort((a, b) => a - b);
}

/**
 * One dataset of several, one behind the other. Throws LabError('incompatible') where they are of different environments or sizes.
 * Start states are kept only where all have them.
 */
export function mergeDatasets(parts: readonly Dataset[], title: string): Dataset {
  const [first, ...others] = parts;
  if (first === undefined) throw fail('config-invalid', 'There is nothing to merge.', 'Choose at least one dataset.');
  const { header } = first;
  const shape = (h: DatasetHeader): string => JSON.stringify([h.env.id, h.agents, h.obsSize, h.actionSize, h.actionCount]);
  const odd = others.find((part) => shape(part.header) !== shape(header));
  if (odd !== undefined)
    throw fail(
      'incompatible',
      `"${odd.header.title}" and "${header.title}" do not have the same environment, observations and actions.`,
      'Merge datasets of one environment.',
    );
  const floats = (of: (part: Dataset) => Float32Array): Float32Array => joined(parts.map(of), (n) => new Float32Array(n));
  const bytes = (of: (part: Dataset) => Uint8Array): Uint8Array => joined(parts.map(of), (n) => new Uint8Array(n));
  const states = new Set(
    parts.map(({ starts, header: h }) => (starts === undefined || h.episodes === 0 ? -1 : starts.length / h.episodes)),
  );
  const same = (of: (h: DatasetHeader) => string, mixed: string): string => {
    const values = new Set(parts.map((part) => of(part.header)));
    return values.size === 1 ? of(header) : mixed;
  };
  const merged: DatasetHeader = {
    ...header,
    title: title.slice(0, LONGEST_TEXT),
    who: same((h) => h.who, 'several') as DatasetHeader['who'],
    player: [...new Set(parts.map((part) => part.header.player))].join(', ').slice(0, LONGEST_TEXT),
    grade: same((h) => h.grade, 'mixed') as Grade,
    licence: [...new Set(parts.map((part) => part.header.licence))].join('; ').slice(0, LONGEST_TEXT),
    steps: parts.reduce((sum, part) => sum + part.header.steps, 0),
    episodes: parts.reduce((sum, part) => sum + part.header.episodes, 0),
  };
  return {
    header: merged,
    observations: floats((d) => d.observations),
    actions: floats((d) => d.actions),
    rewards: floats((d) => d.rewards),
    terminals: bytes((d) => d.terminals),
    timeouts: bytes((d) => d.timeouts),
    finals: floats((d) => d.finals),
    returns: joined(
      parts.map((d) => d.returns),
      (n) => new Float64Array(n),
    ),
    ...(states.size === 1 && !states.has(-1) && { starts: bytes((d) => d.starts as Uint8Array) }),
  };
}

function joined<T extends Float32Array | Float64Array | Uint8Array>(parts: readonly T[], make: (length: number) => T): T {
  const out = make(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
