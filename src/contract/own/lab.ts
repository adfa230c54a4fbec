/**
 * What a sandbox of an own world is asked by the laboratory, and what it answers: the training of one seed (own side: workers/host/own/
 * own-lab-host.ts, other side: remote-session.ts), and what the stage asks of an environment (client/own/lab.ts). Answers may be anything, so
 * they are read by the strict, bounded schemas below and by nothing else.
 */
import { z } from 'zod';
import type { StopRules } from '../game/stop-rules.ts';
import { checkedJson, FIRST_ISSUE, recordOf } from '../kit/bounded.ts';
import { type Failure, fail, type LabError } from '../kit/errors.ts';
import type { Json } from '../kit/json.ts';
import type { RunConfig } from '../run/config.ts';
import type { EditOf, PolicySnapshot, Replay, Saved, SessionEvent } from '../run/events.ts';
import type { EditRequest, StepSize } from '../session/session.ts';
import { fromWire } from './wire.ts';

/** A command to a session; see Session. */
export type SessionCommand =
  | { readonly do: 'pause' | 'resume' | 'stop' }
  | { readonly do: 'step'; readonly size: StepSize | null }
  | { readonly do: 'stopAt'; readonly rules: StopRules }
  | { readonly do: 'edit'; readonly edit: EditRequest }
  | { readonly do: 'release'; readonly edits: readonly EditOf[]; readonly keep: boolean };

/** What the outside says to a sandbox. Answers carry the same id. */
export type LabAsk =
  | {
      readonly kind: 'begin';
      readonly config: RunConfig;
      readonly seed: number;
      readonly resume: Saved | null;
      /** `resume` is a state of another run. */
      readonly fork: boolean;
      readonly stops: StopRules | null;
      /** Before the first iteration. */
      readonly commands: readonly SessionCommand[];
      /** Live edits of a stored run that is done again, by step. */
      readonly edits?: readonly EditOf[];
    }
  | { readonly kind: 'command'; readonly command: SessionCommand }
  | { readonly kind: 'save'; readonly id: number }
  /** See Session; answered with where it stands. */
  | { readonly kind: 'hold'; readonly id: number; readonly edit: EditRequest }
  /** Is it there? */
  | { readonly kind: 'ping' }
  | { readonly kind: 'call'; readonly id: number; readonly method: string; readonly args: readonly unknown[] };

/** Arrays of a state, and members of other objects. */
const MOST_MEMBERS = 20_000;
export const words = (most: number) => z.string().max(most);
export const count = (most: number) => z.int().min(0).max(most);
const steps = count(1e10);
/** Also those that are none, as a return before the first episode. */
export const anyNumber = z.custom<number>((value) => typeof value === 'number');
export const jsonObject = recordOf(checkedJson, MOST_MEMBERS, words(200)) as z.ZodType<{ readonly [key: string]: Json }>;

export const floats = (most: number) => z.instanceof(Float32Array).refine(({ length }) => length <= most, 'too long');
export const doubles = (most: number) => z.instanceof(Float64Array).refine(({ length }) => length <= most, 'too long');
export const bytes = (most: number) => z.instanceof(Uint8Array).refine(({ length }) => length <= most, 'too long');

/** Failures that a sandbox may report; others would be acted on, and become faults of its code. */
const failureId = z
  .enum([
    'config-invalid',
    'unknown-id',
    'incompatible',
    'dataset-missing',
    'state-invalid',
    'action-invalid',
    'nan-loss',
    'nan-input',
    'collapse',
    'storage-full',
  ])
  .or(words(40).transform((): 'world-invalid' => 'world-invalid'));
export const failureSchema: z.ZodType<Failure> = z.strictObject({
  id: failureId,
  message: words(1100),
  fix: words(1100),
  field: words(200).exactOptional(),
});

const ref = z.strictObject({ id: words(60), version: count(1000), config: jsonObject });
/** Bytes of the arrays of one state. */
const MOST_STATE = 150_000_000;
const savedArray = z.union([
  z.instanceof(Float32Array),
  z.instanceof(Float64Array),
  z.instanceof(Uint32Array),
  z.instanceof(Int32Array),
  z.instanceof(Uint8Array),
]);
const savedSchema: z.ZodType<Saved> = z
  .strictObject({ meta: jsonObject, arrays: recordOf(savedArray, MOST_MEMBERS, words(300)) })
  .refine(({ arrays }) => Object.values(arrays).reduce((sum, { byteLength }) => sum + byteLength, 0) <= MOST_STATE, 'too large');
/** A state of a session says its step, and which of its arrays never change again. */
const stateSchema = savedSchema.refine(
  ({ meta }) =>
    z.object({ session: z.object({ step: steps }), sealed: z.array(words(300)).max(MOST_MEMBERS).optional() }).safeParse(meta, FIRST_ISSUE)
      .success,
  'no state of a session',
);

export const snapshotSchema: z.ZodType<PolicySnapshot> = z.strictObject({
  kind: z.literal('policy'),
  version: z.literal(1),
  env: ref,
  algo: ref,
  seed: count(0xffff_ffff),
  step: steps,
  executor: z.literal('wasm'),
  saved: savedSchema,
});

export const replaySchema: z.ZodType<Replay> = z.strictObject({
  env: ref,
  seed: z.number(),
  start: bytes(1_000_000),
  actions: floats(20_000_000),
  reward: floats(20_000_000),
  ended: z.enum(['terminated', 'truncated', 'cut']),
  told: words(2000).exactOptional(),
  human: z.instanceof(Int16Array).exactOptional(),
  pulls: floats(10_000_000).exactOptional(),
  cells: z.instanceof(Int16Array).exactOptional(),
});

const findingSchema = z.strictObject({
  id: words(60),
  title: words(300),
  evidence: z.array(words(1000)).max(20),
  sure: z.enum(['certain', 'likely', 'possible']),
  since: z.number(),
  ways: z.array(z.strictObject({ text: words(300), path: words(200), value: checkedJson, begin: z.enum(['state', 'start']) })).max(20),
});

/** Of one event; checkpoints are written outside, and only the outside speaks of them. */
const eventSchema: z.ZodType<SessionEvent> = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('state'),
    state: z.enum(['starting', 'running', 'paused', 'done', 'stopped', 'failed']),
    step: steps,
    error: failureSchema.exactOptional(),
  }),
  z
    .strictObject({ kind: z.literal('metrics'), columns: z.array(words(100)).min(1).max(1000), rows: doubles(4_000_000) })
    .refine(({ columns, rows }) => rows.length % (columns.length + 1) === 0, 'rows that do not fit their columns')
    .refine(({ columns, rows }) => {
      for (let at = 0; at < rows.length; at += columns.length + 1) if (!(rows[at]! >= 0 && rows[at]! <= 1e10)) return false;
      return true;
    }, 'rows of no step'),
  z.strictObject({
    kind: z.literal('progress'),
    step: steps,
    seconds: z.number(),
    stepsPerSecond: anyNumber,
    usage: z.strictObject({ bytes: z.number(), tensors: z.number() }).exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('mark'),
    step: steps,
    type: z.enum(['edit', 'resume', 'warning', 'recovered', 'stop']),
    text: words(2000),
    path: words(200).exactOptional(),
    value: checkedJson.exactOptional(),
    by: z.enum(['user', 'system']),
    finding: findingSchema.exactOptional(),
    ends: words(60).exactOptional(),
  }),
  z.strictObject({ kind: z.literal('policy'), snapshot: snapshotSchema, keep: z.boolean().exactOptional() }),
  z.strictObject({ kind: z.literal('visits'), step: steps, counts: doubles(100_000) }),
  z.strictObject({
    kind: z.literal('result'),
    result: z.strictObject({
      seed: count(0xffff_ffff),
      finalReturn: anyNumber,
      evalReturn: anyNumber,
      evalLoops: count(1e6),
      perAgent: z.array(anyNumber).max(10_000),
      measured: recordOf(anyNumber, 1000, words(100)).exactOptional(),
      steps,
      seconds: z.number(),
      stepsPerSecond: anyNumber,
      parameterHash: z.string().regex(/^[0-9a-f]{0,64}$/),
    }),
  }),
]);

const editSchema: z.ZodType<EditRequest> = z.strictObject({ path: words(200), value: checkedJson });
const sealedSchema = z.array(words(300)).max(MOST_MEMBERS);

/** Everything a sandbox may say to the laboratory. `known`: arrays of the state that were sent before and have not changed. */
const labSaidSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('events'), events: z.array(eventSchema).max(2000) }),
  z.strictObject({ kind: z.literal('saved'), id: count(1e9), saved: stateSchema, known: sealedSchema }),
  /** A state on the way, from which other runs may go on. */
  z.strictObject({ kind: z.literal('rung'), saved: stateSchema, known: sealedSchema }),
  z.strictObject({ kind: z.literal('held'), id: count(1e9), held: z.strictObject({ step: steps, edit: editSchema }).nullable() }),
  z.strictObject({ kind: z.literal('ended') }),
  z.strictObject({ kind: z.literal('here') }),
  z.strictObject({ kind: z.literal('refused'), id: count(1e9), failure: failureSchema }),
  z.strictObject({ kind: z.literal('answer'), id: count(1e9), value: z.unknown() }),
  /** An explanation so far; the last comes as its answer. */
  z.strictObject({ kind: z.literal('told'), id: count(1e9), value: z.unknown() }),
]);
export type LabSaid = z.infer<typeof labSaidSchema>;

/** What a text of a sandbox says; null: it is none of its messages. */
export function readLabSaid(text: string): LabSaid | null {
  try {
    const read = labSaidSchema.safeParse(fromWire(text), FIRST_ISSUE);
    return read.success ? read.data : null;
  } catch {
    return null; // no wire text at all: the same to who reads it
  }
}

/** What one seed may send before it is taken for a flood: rows of curves (bytes), marks, and policies or states that are kept. */
const MOST_ROWS = 256_000_000;
const MOST_MARKS = 5000;
const MOST_KEPT = 300;

/** Counts what a session sends. */
export class Flood {
  private rows = 0;
  private marks = 0;
  private kept = 0;

  /** Whether this is more than any run sends. */
  isTooMuch(event: SessionEvent | { readonly kind: 'rung' }): boolean {
    if (event.kind === 'metrics') this.rows += event.rows.byteLength;
    else if (event.kind === 'mark' || event.kind === 'state') this.marks++;
    else if (event.kind === 'rung' || (event.kind === 'policy' && event.keep === true)) this.kept++;
    return this.rows > MOST_ROWS || this.marks > MOST_MARKS || this.kept > MOST_KEPT;
  }
}

/** A failure as a sandbox may report it. */
export function cutFailure({ id, message, fix, field }: Failure): Failure {
  return { id, message: message.slice(0, 1100), fix: fix.slice(0, 1100), ...(field !== undefined && { field: field.slice(0, 200) }) };
}

export const saidSomethingElse = (): LabError =>
  fail(
    'world-invalid',
    "The code of this environment sent something that is none of the workbench's messages, and was ended.",
    'Correct the code where it was written and choose it again.',
    'env',
  );
