/**
 * The wire between the workbench and an environment in Python (python/rl_gym_bridge.py, docs/python.md): messages with a header of 12 bytes,
 * "RLWG", wire version (u8), type (u8), 0 (u16), bytes of the body (u32), little-endian. The length is checked before a body is read.
 */
import { z } from 'zod';
import { FIRST_ISSUE, jsonObject, recordOf } from '../kit/bounded.ts';
import { fail, type LabError } from '../kit/errors.ts';
import { readJson } from '../kit/json.ts';

export const GYM_WIRE = 1;
export const GYM_HEADER = 12;
/** Bytes of a body. */
export const LARGEST_GYM_BODY = 64 * 2 ** 20;
const MAGIC = [0x52, 0x4c, 0x57, 0x47];

export const GYM = { hello: 1, make: 2, reset: 3, step: 4, render: 5, load: 6, close: 7, ok: 128, error: 255 } as const;

export interface GymMessage {
  readonly type: number;
  readonly body: Uint8Array;
}

const MOST_NUMBERS = 2 ** 22;
const name = z.string().min(1).max(200);
const bound = z.number().nullable();
const size = z.int().min(1).max(MOST_NUMBERS);

const seen = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('box'),
    shape: z.array(size).min(1).max(3),
    low: bound,
    high: bound,
    labels: z.array(z.string().max(200)).max(256).optional(),
  }),
  z.strictObject({ kind: z.literal('discrete'), n: size }),
]);
const done = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('discrete'), n: z.int().min(1).max(4096), labels: z.array(z.string().max(400)).max(4096) }),
  z.strictObject({
    kind: z.literal('box'),
    size: z.int().min(1).max(4096),
    low: z.array(z.number()).max(4096),
    high: z.array(z.number()).max(4096),
    labels: z.array(z.string().max(200)).max(4096),
  }),
]);

const descriptionSchema = z.strictObject({
  wire: z.literal(GYM_WIRE),
  name,
  versions: recordOf(z.string().max(80), 100, z.string().max(40)),
  agents: z
    .array(
      z.strictObject({
        name,
        obs: seen,
        /** What version 1 of these environments saw, where that differs. */
        first: seen.optional(),
        /** What is done to its numbers, for people. */
        notes: z.array(z.string().max(300)).max(8).optional(),
        action: done,
      }),
    )
    .min(1)
    .max(64),
  masked: z.boolean(),
  /** Steps after which it truncates episodes itself; 0: it names none. */
  limit: z.int().min(0),
  fps: z.int().min(1).max(120),
  picture: z.tuple([z.int().min(1).max(1024), z.int().min(1).max(1024)]).nullable(),
});

/** What a bridge says of the environment that it serves. */
export type GymDescription = z.infer<typeof descriptionSchema>;

/** Something on the wire that cannot be read. */
export const badWire = (what: string): LabError =>
  fail('file-invalid', `Python sent ${what}.`, `Use the files of python/ that belong to this version (wire ${GYM_WIRE}).`);

export function encodeGym(type: number, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(GYM_HEADER + body.byteLength);
  out.set(MAGIC);
  const view = new DataView(out.buffer);
  view.setUint8(4, GYM_WIRE);
  view.setUint8(5, type);
  view.setUint32(8, body.byteLength, true);
  out.set(body, GYM_HEADER);
  return out;
}

/** Type and length of the body that follow a header. Throws LabError('file-invalid') for what is none, and for bodies that are too long. */
export function decodeGymHeader(bytes: Uint8Array): { readonly type: number; readonly length: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < GYM_HEADER || MAGIC.some((byte, i) => bytes[i] !== byte) || view.getUint16(6, true) !== 0)
    throw badWire('bytes that are not of the wire');
  if (bytes[4] !== GYM_WIRE) throw badWire(`wire version ${bytes[4]}`);
  const length = view.getUint32(8, true);
  if (length > LARGEST_GYM_BODY) throw badWire(`a body of ${length} bytes, more than ${LARGEST_GYM_BODY}`);
  return { type: bytes[5]!, length };
}

/** Throws LabError('file-invalid') naming what is wrong. */
export function readGymDescription(body: Uint8Array): GymDescription {
  const parsed = descriptionSchema.safeParse(readJson(body), FIRST_ISSUE);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw badWire(`a description whose "${issue?.path.join('.') ?? ''}" is not valid (${issue?.message ?? ''})`);
  }
  for (const { name: agent, obs, first = obs, action } of parsed.data.agents) {
    const [numbers = 0, before] = [obs, first].map((one) => (one.kind === 'box' ? one.shape.reduce((a, b) => a * b, 1) : one.n));
    if (numbers > MOST_NUMBERS) throw badWire(`an observation of ${numbers} numbers for ${agent}`);
    if (before !== numbers) throw badWire(`an observation of ${agent} that has another size in version 1`);
    const wrong =
      action.kind === 'box'
        ? [action.low, action.high, action.labels].some((list) => list.length !== action.size)
        : action.labels.length !== action.n;
    if (wrong) throw badWire(`an action of ${agent} whose lists differ in length`);
  }
  return parsed.data;
}

const makeSchema = z.strictObject({
  env: z.string().max(100),
  config: jsonObject,
  copies: z.int().min(1).max(1024),
});

/** Which copies Python asks for (cli/gym/host.ts). Throws LabError('file-invalid'). */
export function readGymMake(body: Uint8Array): z.infer<typeof makeSchema> {
  const asked = makeSchema.safeParse(readJson(body), FIRST_ISSUE);
  if (asked.success) return asked.data;
  throw badWire(`"${asked.error.issues[0]?.path.join('.') ?? ''}" of what to make, which is not valid`);
}

const errorSchema = z.object({ kind: z.string().max(40), message: z.string().max(4000), fix: z.string().max(4000) });

/** The body of an answer. Throws LabError with the words of an error that came in its place. */
export function gymAnswer({ type, body }: GymMessage): Uint8Array {
  if (type === GYM.ok) return body;
  if (type !== GYM.error) throw badWire(`an answer of type ${type}`);
  const said = errorSchema.safeParse(readJson(body), FIRST_ISSUE);
  if (!said.success) throw badWire('an error without words');
  const { kind, message, fix } = said.data;
  if (kind === 'refused') throw fail('state-invalid', message, fix);
  if (kind === 'token') throw fail('incompatible', message, fix);
  throw fail('engine-missing', `The environment in Python failed: ${message}`, fix);
}
