/**
 * `sweep.json` in the folder of a sweep of the command line: what was searched, how far it is, and what came of it. Written again while the
 * sweep goes on, so that a page can follow it. Readers take it from anywhere: it is checked and bounded.
 */
import { z } from 'zod';
import { FIRST_ISSUE, jsonObject, recordOf } from '../kit/bounded.ts';
import { canonicalJson, utf8 } from '../kit/canonical.ts';
import { fail } from '../kit/errors.ts';
import { type Json, type JsonObject, readJson } from '../kit/json.ts';
import { configHash, sha256 } from '../run/config-hash.ts';
import { contrastsOver, importances, verdictOf } from './report.ts';
import type { Setup, Swept } from './run.ts';
import { MOST_SETUPS, parseSweep, type Sweep, valueSchema } from './sweep.ts';

export const SWEEP_FILE = 'sweep.json';
/** Levels of folders below a results folder in which sweeps are looked for, and sweeps of it that are shown. */
export const SWEEP_LEVELS = 3;
export const MOST_LISTED = 200;

/** A sweep that was found in a results folder. */
export interface ListedSweep {
  /** Folder below the results folder, "" for itself; parts separated by slashes. */
  readonly path: string;
  /** Changes when its file does. */
  readonly stamp: string;
  readonly bytes: number;
}

/** Characters of a file that are read: a thousand set-ups of twelve fields on a hundred seeds. */
export const LONGEST_SWEEP_FILE = 16_000_000;

const MOST_SEEDS = 100;
/** Combinations that were left out: eight draws for each set-up. */
const MOST_LEFT = 8 * MOST_SETUPS;
/** Values of a file: of the most set-ups, each with the scores of ten seeds and twenty fields. */
const MOST_VALUES = 400_000;
const score = z.number().nullable();
const scores = z.array(score).max(MOST_SEEDS);

const setupSchema = z.object({
  setup: z.int().min(1).max(MOST_SETUPS),
  point: z.array(z.number().min(0).max(1)).max(64),
  values: recordOf(valueSchema, 1000, z.string().max(200)),
  scores,
  score,
  first: score,
  steps: z.number().min(0),
  config: z.string().max(64),
  pruned: z
    .array(z.object({ seed: z.int().min(0), step: z.number().min(0), value: z.number(), bound: z.number() }))
    .max(MOST_SEEDS)
    .optional(),
});

const leftSchema = z.object({
  values: recordOf(valueSchema, 1000, z.string().max(200)),
  like: z.int().min(1).max(MOST_SETUPS),
  idle: z.array(z.object({ field: z.string().max(200), beside: z.string().max(200), is: z.string().max(200) })).max(64),
});

const fileSchema = z.object({
  type: z.literal('sweep'),
  sweep: jsonObject,
  state: z.enum(['running', 'interrupted', 'done']),
  /** Of all that are known to be asked for. */
  runs: z.object({ done: z.int().min(0), total: z.int().min(0), failed: z.int().min(0) }),
  date: z.string().max(40),
  best: z.int().min(1).max(MOST_SETUPS).nullable(),
  reported: z
    .object({
      seeds: z.array(z.int().min(0)).max(MOST_SEEDS),
      best: scores,
      base: scores.nullable(),
      baseConfig: z.string().max(64).optional(),
      arms: z
        .array(z.object({ value: valueSchema, setup: z.int().min(1).nullable(), scores }))
        .max(100)
        .optional(),
    })
    .nullable(),
  setups: z.array(setupSchema).max(MOST_SETUPS),
  /** Earlier versions ran every combination and have none. */
  left: z.array(leftSchema).max(MOST_LEFT).optional(),
});

export type SweepFileState = z.infer<typeof fileSchema>['state'];

export interface SweepProgress {
  readonly state: SweepFileState;
  readonly runs: { readonly done: number; readonly total: number; readonly failed: number };
}

/** A set-up as its file has it: by the hash of its config, which the reader can make again from the values. */
export type FiledSetup = Omit<Setup, 'config'> & { readonly config: string };

export interface FiledSweep extends SweepProgress {
  readonly sweep: Sweep;
  /** The sweep as the command line was given it, with defaults. */
  readonly file: JsonObject;
  /** When it began or was gone on with, ISO 8601. */
  readonly date: string;
  readonly setups: readonly FiledSetup[];
  /** Number of the best set-up; null while there is none. */
  readonly best: number | null;
  readonly reported: Swept['reported'];
  readonly left?: Swept['left'];
}

/** The sweep as its file has it: without what is derived from it. */
export const plainOf = ({ names: _, dimensions: __, every: ___, ...plain }: Sweep) => plain;

/** The file's content, with the SHA-256 of what was asked, but for the lines about machine and commit, which `about` brings. */
export function sweepFile<T extends { readonly date: string }>(sweep: Sweep, swept: Swept, about: T, progress: SweepProgress) {
  const setups = swept.setups.map(({ number: setup, point, values, scores: own, score: whole, first, steps, config, pruned }) => ({
    setup,
    point,
    values,
    scores: own,
    score: whole,
    first,
    steps,
    config: configHash(config),
    ...(pruned !== undefined && { pruned }),
  }));
  return {
    type: 'sweep',
    sweep: plainOf(sweep),
    hash: sha256(utf8(canonicalJson(plainOf(sweep)))),
    ...about,
    ...progress,
    best: swept.best?.number ?? null,
    importance: swept.setups.some(({ first }) => first !== null) ? importances(sweep, swept) : [],
    reported: swept.reported && {
      ...swept.reported,
      verdict: verdictOf(sweep, swept.reported),
      contrast: swept.reported.arms === undefined ? [] : contrastsOver([{ env: '', arms: swept.reported.arms }], sweep.better).pairs,
    },
    setups,
    ...(swept.left !== undefined && { left: swept.left }),
  };
}

/** Throws LabError('file-invalid') with what is wrong in it. */
export function readSweepFile(text: string): FiledSweep {
  const name = 'sweep.json';
  if (text.length > LONGEST_SWEEP_FILE)
    throw fail('file-invalid', `This ${name} is longer than 16 MB.`, 'Open the folder of one sweep.', name);
  let json: Json;
  try {
    json = readJson(text, MOST_VALUES);
  } catch {
    throw fail('file-invalid', `This ${name} is no JSON.`, 'Open a folder that sweep --out wrote.', name);
  }
  const parsed = fileSchema.safeParse(json, FIRST_ISSUE);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw fail(
      'file-invalid',
      `"${issue?.path.join('.') ?? ''}" of this ${name} is not valid: ${issue?.message ?? ''}.`,
      'Run the sweep again with this version: what is done is kept.',
      name,
    );
  }
  const { sweep: file, setups, ...rest } = parsed.data;
  const sweep: Sweep = { ...parseSweep(file), ...(rest.left === undefined && { every: true }) };
  const wrong = setups.find(({ point }) => point.length !== sweep.dimensions.length);
  if (wrong !== undefined)
    throw fail(
      'file-invalid',
      `Set-up ${wrong.setup} of this ${name} has ${wrong.point.length} values, not ${sweep.dimensions.length}.`,
      'Run the sweep again.',
      name,
    );
  return { ...rest, file, sweep, setups: setups.map(({ setup, ...other }) => ({ number: setup, ...other })) };
}
