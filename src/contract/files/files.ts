/**
 * Files that people keep: a policy (plain JSON), a run (plain JSON of what it is and gave), a project (a zip of both and the
 * checkpoints, see storage/project.ts) and the last line of the command line's JSON. Readers throw LabError('file-invalid').
 */
import { z } from 'zod';
import { stopRulesSchema } from '../game/stop-rules.ts';
import { FIRST_ISSUE, jsonObject, jsonSchema, recordOf } from '../kit/bounded.ts';
import { crc32, fromBase64, toBase64 } from '../kit/bytes.ts';
import { canonicalJson, utf8 } from '../kit/canonical.ts';
import { fail } from '../kit/errors.ts';
import { isObject, JsonBoundError, type JsonObject, readJson } from '../kit/json.ts';
import { executorSchema, runConfigSchema } from '../run/config.ts';
import type { PolicySnapshot, Saved, SeedResult } from '../run/events.ts';
import { findingSchema } from '../run/findings.ts';
import { originSchema } from '../run/origin.ts';
import { arrayOf, bytesOf, typeOf } from '../run/saved.ts';

/** Arrays of a policy or state: chunks of a replay buffer among them. */
export const MOST_ARRAYS = 20_000;
const MOST_AGENTS = 10_000;
const MOST_SEEDS = 1000;
/** Marks of a seed, some seven times what the longest runs have. */
const MOST_MARKS = 20_000;

const refSchema = z.object({ id: z.string().min(1), version: z.int().min(1), config: jsonObject });

/** Arrays as base64 of their little-endian bytes. */
const savedFileSchema = z.object({
  meta: jsonObject,
  arrays: recordOf(z.object({ type: z.enum(['f32', 'f64', 'u32', 'i32', 'u8']), data: z.string() }), MOST_ARRAYS),
});

export const policyFileSchema = z.object({
  kind: z.literal('policy'),
  version: z.literal(1),
  env: refSchema,
  algo: refSchema,
  seed: z.int().min(0),
  step: z.number().min(0),
  executor: executorSchema,
  saved: savedFileSchema,
  /** CRC-32 of the file's canonical JSON without this field, as 8 hex digits; files written before it lack it. */
  checksum: z.string().optional(),
});

function savedToFile(saved: Saved): z.infer<typeof savedFileSchema> {
  const arrays = Object.entries(saved.arrays).map(([name, array]) => [name, { type: typeOf(array), data: toBase64(bytesOf(array)) }]);
  return { meta: saved.meta as z.infer<typeof jsonObject>, arrays: Object.fromEntries(arrays) };
}

function savedFromFile(file: z.infer<typeof savedFileSchema>): Saved {
  const arrays: Record<string, Saved['arrays'][string]> = {};
  for (const [name, { type, data }] of Object.entries(file.arrays)) {
    const bytes = fromBase64(data);
    const array = bytes === null ? null : arrayOf(type, bytes);
    if (array === null)
      throw fail('file-invalid', `The array "${name}" of this file is broken.`, 'Save the file again from where it came.');
    if (array instanceof Float32Array && !array.every(Number.isFinite))
      throw fail(
        'file-invalid',
        `The array "${name}" of this file holds numbers that are not finite.`,
        'Choose a policy from before that.',
      );
    arrays[name] = array;
  }
  return { meta: file.meta, arrays };
}

/** The text of a policy file. */
export function encodePolicyFile(snapshot: PolicySnapshot): string {
  const { kind, version, env, algo, seed, step, executor, saved } = snapshot;
  const file = { kind, version, env, algo, seed, step, executor, saved: savedToFile(saved) };
  return canonicalJson({ ...file, checksum: checksumOf(file) });
}

const checksumOf = (file: object): string =>
  crc32(utf8(canonicalJson(file)))
    .toString(16)
    .padStart(8, '0');

export function decodePolicyFile(source: string | Uint8Array): PolicySnapshot {
  const { checksum, ...file } = parse(policyFileSchema, source, 'a policy file');
  if (checksum !== undefined && checksum !== checksumOf(file))
    throw fail('file-invalid', 'This policy file is damaged: its checksum does not match.', 'Save the file again from where it came.');
  return { ...file, env: file.env, algo: file.algo, saved: savedFromFile(file.saved) };
}

export const seedResultSchema: z.ZodType<SeedResult> = z.object({
  seed: z.int().min(0),
  finalReturn: z.number().nullable().transform(notMeasured),
  evalReturn: z.number().nullable().transform(notMeasured),
  evalLoops: z.int().min(0),
  perAgent: z.array(z.number().nullable().transform(notMeasured)).max(MOST_AGENTS),
  measured: recordOf(z.number().nullable().transform(notMeasured), 1000).optional(),
  steps: z.number().min(0),
  seconds: z.number().min(0),
  stepsPerSecond: z.number().min(0),
  parameterHash: z.string(),
});

/** JSON has no NaN: what was not measured is null in files and NaN in memory. */
function notMeasured(value: number | null): number {
  return value ?? Number.NaN;
}

export const markSchema = z.object({
  kind: z.literal('mark'),
  step: z.number(),
  type: z.enum(['edit', 'resume', 'executor', 'warning', 'recovered', 'checkpoint', 'gap', 'stop']),
  text: z.string(),
  path: z.string().optional(),
  value: jsonSchema.optional(),
  by: z.enum(['user', 'system']),
  finding: findingSchema.optional(),
  ends: z.string().optional(),
});

const failureSchema = z.object({ id: z.string(), message: z.string(), fix: z.string(), field: z.string().optional() });

export const seedFileSchema = z.object({
  seed: z.int().min(0),
  state: z.enum(['queued', 'starting', 'running', 'paused', 'done', 'stopped', 'failed', 'interrupted']),
  step: z.number().min(0),
  seconds: z.number().min(0),
  stepsPerSecond: z.number().min(0),
  checkpointStep: z.number(),
  result: seedResultSchema.nullable(),
  failure: failureSchema.nullable(),
  marks: z.array(markSchema).max(MOST_MARKS),
});

/** What is known of a run without its curves and checkpoints: `run.json` in a project, a row of the run store. */
export const runFileSchema = z.object({
  kind: z.literal('run'),
  version: z.literal(1),
  id: z.string().min(1),
  name: z.string(),
  config: runConfigSchema,
  hash: z.string(),
  colour: z.int().min(0).max(7),
  dash: z.int().min(0).max(3),
  createdAt: z.number(),
  visible: z.boolean(),
  note: z.string(),
  parent: z
    .object({
      id: z.string(),
      step: z.number(),
      seeds: z
        .array(z.object({ seed: z.int().min(0), step: z.number().min(0) }))
        .max(MOST_SEEDS)
        .optional(),
      same: z.literal(true).optional(),
    })
    .nullable(),
  /** Live edits of all its seeds; runs of earlier builds have them as marks of their seeds alone. */
  edits: z
    .array(z.object({ step: z.number().min(0), path: z.string(), value: jsonSchema }))
    .max(MOST_MARKS)
    .optional(),
  executorReason: z.string(),
  stops: stopRulesSchema.optional(),
  /** Another program logged these curves; the config names only what they are compared with. */
  imported: z.object({ source: z.string(), file: z.string() }).optional(),
  /** Runs of earlier builds have none; one that cannot be read, of a later build for instance, does not cost the run. */
  origin: originSchema.optional().catch(undefined),
  seeds: z.array(seedFileSchema).max(MOST_SEEDS),
});
export type RunFile = z.infer<typeof runFileSchema>;

const textSchema = z.string().max(400);
/** How the page was arranged when all runs were exported: what of it is no person's own taste (theme, motion). */
export const projectLayoutSchema = z.object({
  depth: z.enum(['teach', 'lab', 'research']),
  leftOpen: z.boolean(),
  rightOpen: z.boolean(),
  runsOpen: z.boolean(),
  /** Id of the run that was looked at. */
  active: textSchema.nullable(),
  filter: textSchema,
  sort: z.object({ column: textSchema, down: z.boolean() }),
  metric: textSchema,
  xAxis: z.enum(['steps', 'episodes', 'updates', 'seconds']),
  smoothing: z.number().min(0).max(0.999),
  rawSeeds: z.boolean(),
});
export type ProjectLayout = z.infer<typeof projectLayoutSchema>;

/** Last line of `rl train --json`. */
export const summarySchema = z.object({
  type: z.literal('summary'),
  env: z.string(),
  algo: z.string(),
  config: runConfigSchema,
  executor: executorSchema,
  seeds: z
    .array(
      z.object({
        seed: z.int().min(0),
        finalReturn: z.number().nullable(),
        evalReturn: z.number().nullable(),
        evalLoops: z.int().min(0).optional(),
        perAgent: z.array(z.number().nullable()).max(MOST_AGENTS).optional(),
        steps: z.number().min(0),
        seconds: z.number().min(0),
        stepsPerSecond: z.number().min(0),
        parameterHash: z.string(),
      }),
    )
    .max(MOST_SEEDS),
  iqm: z.object({ finalReturn: z.number().nullable(), evalReturn: z.number().nullable() }),
  ci95: z.object({
    finalReturn: z.tuple([z.number(), z.number()]).nullable(),
    evalReturn: z.tuple([z.number(), z.number()]).nullable(),
  }),
});
export type Summary = z.infer<typeof summarySchema>;

/** JSON, as a text or as UTF-8 bytes, checked against a schema; `what` names the file in the message. */
export function parse<T>(schema: z.ZodType<T>, source: string | Uint8Array, what: string): T {
  let json: unknown;
  try {
    json = readJson(source);
  } catch (error) {
    const why = error instanceof JsonBoundError ? error.message : 'it is not JSON';
    throw fail('file-invalid', `This is not ${what}: ${why}.`, 'Choose a file that this workbench saved.');
  }
  const result = schema.safeParse(json, FIRST_ISSUE);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw fail(
    'file-invalid',
    issue === undefined || issue.path.length === 0
      ? `This is not ${what}: it has another form.`
      : `This is not ${what}: "${issue.path.join('.')}" is missing or has a value that is not allowed.`,
    'Choose a file that this workbench saved.',
  );
}

/** One metric of one seed, for CSV and projects. */
export interface CurveColumn {
  readonly seed: number;
  readonly metric: string;
  readonly steps: Float64Array;
  readonly values: Float64Array;
}

/** The config of a pasted or dropped JSON text: a RunConfig, a run file or a summary. Fields are checked by `complete` later. */
export function configOfJson(source: string | Uint8Array): JsonObject {
  const json = parse(jsonObject, source, 'a run config');
  const inner = json.config;
  const isRun = 'env' in json && 'algo' in json && typeof json.env === 'object';
  if (isRun) return json;
  if (isObject(inner) && 'env' in inner) return inner;
  throw fail('file-invalid', 'This JSON holds no run config.', 'It needs at least "env" and "algo".');
}
