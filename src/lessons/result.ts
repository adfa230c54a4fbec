/**
 * A pupil's result as bytes, for a short code (contract/link/code.ts), and what of it a simulation on another machine must give again.
 * The code names lesson, step, settings, seeds and the measure of every seed: the measures follow from the rest, so a simulation of the
 * run knows whether they are true. No name is in it, only the number of a seat.
 */
import { crc32 } from '#contract/kit/bytes.ts';
import { utf8 } from '#contract/kit/canonical.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Json } from '#contract/kit/json.ts';
import { damaged, decodeCode, encodeCode, packJson, unpackJson } from '#contract/link/code.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash, sha256 } from '#contract/run/config-hash.ts';
import type { SeedResult } from '#contract/run/events.ts';
import { readPath } from '#contract/run/paths.ts';
import type { Answer, Arm, Lesson, Measure, Outcome, Prediction, Step } from './define.ts';

/** One seed of one run: its measure as float32, and the first byte of the hash of what it learned. */
export interface ClaimedSeed {
  readonly value: number;
  readonly learned: number;
}

export interface PupilResult {
  readonly lesson: Lesson;
  /** Of the word of the class; 0: none. */
  readonly salt: number;
  /** 0: none. */
  readonly seat: number;
  readonly step: number;
  readonly envVersion: number;
  readonly algoVersion: number;
  /** Config hash of the first run. */
  readonly hash: string;
  readonly seedStart: number;
  /** By arm of the step, then by seed. */
  readonly claimed: readonly (readonly ClaimedSeed[])[];
  /** Steps whose check was met. */
  readonly met: readonly number[];
  readonly answers: Readonly<Record<number, Answer>>;
  /** Values of the controls that the step shows, in its order; null where the setting has none. */
  readonly values: readonly Json[];
}

const MOST_SEATS = 255;
const FIRST_CLASS_SEED = 1_000;
/** Steps of training per seed that a teacher's page simulates; more is not asked of it. */
export const MOST_STEPS = 2_000_000;

/** The runs of a step that a result is about: the pupil's own, or those of a lesson that has none. */
export const countedArms = (step: Step): readonly Arm[] => step.own ?? step.arms ?? [];

/** Steps that give a result: those with runs of the pupil's own; where there is none, the first with runs. */
export function resultSteps({ steps }: Lesson): readonly number[] {
  const own = steps.flatMap((step, i) => (step.own === undefined ? [] : [i]));
  const first = steps.findIndex(({ arms }) => arms !== undefined);
  return own.length > 0 || first < 0 ? own : [first];
}

/** What the test of the step looks at first; the return at the end unless it says otherwise. */
export const measureOf = (step: Step): Measure =>
  step.measure ?? step.check?.measure ?? step.arms?.[0]?.expect?.[0]?.measure ?? 'finalReturn';

/** A word that the teacher's page makes up for a class; 4 to 8 capitals and digits. null: not such a word. */
export function saltOf(word: string | undefined): number | null {
  return word !== undefined && /^[A-Z0-9]{4,8}$/.test(word) ? crc32(utf8(`class ${word}`)) : null;
}

/** First seed of a seat's own runs: apart for every seat, so that a neighbour's result is no result of one's own. */
export function seedOfSeat(salt: number, seat: number): number {
  return FIRST_CLASS_SEED + (crc32(utf8(`seat ${salt} ${seat}`)) >>> 8);
}

/** Why a result does not belong on the board of the class with this salt; `forged`: no page makes such a code. null: it belongs there. */
export function strangerTo(
  salt: number,
  result: Pick<PupilResult, 'salt' | 'seat' | 'seedStart'>,
): { readonly forged: boolean; readonly why: string } | null {
  // Without a class all run the same seeds, so that a seat in such a code says nothing of whose run it is.
  if (result.salt === 0 && result.seat !== 0) return { forged: true, why: `it names seat ${result.seat} and no class` };
  if (result.salt === 0) return salt === 0 ? null : { forged: false, why: 'made without the class' };
  if (result.salt !== salt) return { forged: false, why: 'handed in for another class' };
  if (result.seedStart !== seedOfSeat(salt, result.seat)) return { forged: true, why: `its seeds are not those of seat ${result.seat}` };
  return null;
}

const keyOf = (id: string): number => Number.parseInt(sha256(utf8(id)).slice(0, 6), 16);
/** The first byte of a parameter hash. */
export const learnedOf = ({ parameterHash }: SeedResult): number => Number.parseInt(parameterHash.slice(0, 2), 16);

export interface Finished {
  readonly lesson: Lesson;
  readonly step: number;
  readonly salt: number;
  readonly seat: number;
  /** Of every counted arm, with the pupil's values in it. */
  readonly configs: readonly RunConfig[];
  readonly results: readonly (readonly SeedResult[])[];
  readonly met: readonly number[];
  readonly answers: Readonly<Record<number, Answer>>;
}

/** The code of a finished step. Throws link-too-long where a map or many seeds make it too large. */
export function encodeResult({ lesson, step, salt, seat, configs, results, met, answers }: Finished): string {
  const at = lesson.steps[step]!;
  const [config] = configs;
  if (config === undefined || results.length === 0) throw fail('internal', 'This step has no run.', 'Run it first.');
  const measure = measureOf(at);
  const out = new Writer();
  out
    .u24(keyOf(lesson.id))
    .u8(lesson.version)
    .u32(salt)
    .u8(salt === 0 ? 0 : seat)
    .u8(step); // seats are those of a class
  out.u8(config.env.version).u8(config.algo.version);
  for (const byte of hexBytes(configHash(config))) out.u8(byte);
  out.u32(config.run.seedStart).u8(results[0]!.length).u8(results.length);
  for (const run of results) for (const seed of run) out.f32(seed[measure] ?? Number.NaN).u8(learnedOf(seed));
  out.u8(bits(met));
  const asked = lesson.steps.map(({ predict }, i) => ({ predict, answer: answers[i] }));
  out.u8(bits(asked.flatMap(({ predict, answer }, i) => (predict !== undefined && answer !== undefined ? [i] : []))));
  for (const { predict, answer } of asked) if (predict !== undefined && answer !== undefined) writeAnswer(out, predict, answer);
  for (const byte of packJson(at.show.map((path) => readPath(config, path) ?? null))) out.u8(byte);
  return encodeCode(out.bytes());
}

/** What a code says. `lessons`: those it may be of. Throws LabError naming what is wrong with it; nothing is simulated here. */
export function decodeResult(text: string, lessons: readonly Lesson[]): PupilResult {
  const read = new Reader(decodeCode(text));
  const key = read.u24();
  const version = read.u8();
  const lesson = lessons.find(({ id }) => keyOf(id) === key);
  if (lesson === undefined) {
    throw fail('link-foreign', 'This code is of another lesson.', 'Open the class page of that lesson, or ask for a code of this one.');
  }
  if (lesson.version !== version) {
    const fix = version > lesson.version ? 'Reload this page.' : 'The pupil reloads the lesson and runs it again.';
    throw fail('link-future', `This code is of version ${version} of the lesson; here it is version ${lesson.version}.`, fix);
  }
  const salt = read.u32();
  const seat = read.u8();
  const step = read.u8();
  const at = lesson.steps[step];
  if (at === undefined || !resultSteps(lesson).includes(step)) throw damaged(`the lesson has no result at step ${step + 1}`);
  const envVersion = read.u8();
  const algoVersion = read.u8();
  const hash = Array.from({ length: 6 }, () => read.u8().toString(16).padStart(2, '0')).join('');
  const seedStart = read.u32();
  const seeds = read.u8();
  const arms = read.u8();
  if (seeds === 0 || arms !== countedArms(at).length) throw damaged('it does not hold the runs of its step');
  const claimed = Array.from({ length: arms }, () => Array.from({ length: seeds }, () => ({ value: read.f32(), learned: read.u8() })));
  const met = places(read.u8());
  const answered = places(read.u8());
  const answers: Record<number, Answer> = {};
  for (const i of answered) {
    const predict = lesson.steps[i]?.predict;
    if (predict === undefined) throw damaged('it answers what was not asked');
    answers[i] = readAnswer(read, predict);
  }
  const values = unpackJson(read.rest());
  if (!Array.isArray(values) || values.length !== at.show.length) throw damaged('it does not hold the settings of its step');
  return { lesson, salt, seat, step, envVersion, algoVersion, hash, seedStart, claimed, met, answers, values: values as readonly Json[] };
}

/** A seat that can be written: a whole number from 1 to 255; null otherwise. */
export function seatOf(text: string): number | null {
  const seat = Number(text);
  return text.trim() !== '' && Number.isInteger(seat) && seat >= 1 && seat <= MOST_SEATS ? seat : null;
}

/** The claimed measures of one run, as `meets` takes them. */
export function claimedOutcome(seeds: readonly ClaimedSeed[], measure: Measure): Outcome {
  const nothing = { finalReturn: null, evalReturn: null };
  return seeds.map(({ value }) => ({ ...nothing, [measure]: Number.isNaN(value) ? null : value }));
}

/** Whether a simulated seed is what the code claims; the words say what differs. null: the same. */
export function differs(claimed: ClaimedSeed, simulated: SeedResult, measure: Measure): string | null {
  const value = Math.fround(simulated[measure] ?? Number.NaN);
  if (!Object.is(value, claimed.value)) return `claims ${short(claimed.value)}, the run gives ${short(value)}`;
  return learnedOf(simulated) === claimed.learned ? null : 'the value is right, what was learned is not';
}

const short = (value: number): string => (Number.isNaN(value) ? 'nothing' : Number(value.toPrecision(5)).toString());

const bits = (list: readonly number[]): number => list.reduce((sum, i) => (i < 8 ? sum | (1 << i) : sum), 0);
const places = (set: number): readonly number[] => Array.from({ length: 8 }, (_, i) => i).filter((i) => (set & (1 << i)) !== 0);
const hexBytes = (hex: string): readonly number[] =>
  Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));

function writeAnswer(out: Writer, predict: Prediction, answer: Answer): void {
  if (predict.kind === 'choice') out.u8(typeof answer === 'number' ? answer : 0);
  else if (predict.kind === 'number') out.f32(typeof answer === 'number' ? answer : Number.NaN);
  else {
    const heights = typeof answer === 'number' ? [] : answer;
    const { min, max, x } = predict;
    x.forEach((_, i) => void out.u8(Math.round((255 * ((heights[i] ?? min) - min)) / (max - min))));
  }
}

function readAnswer(read: Reader, predict: Prediction): Answer {
  if (predict.kind === 'choice') return Math.min(read.u8(), predict.options.length - 1);
  if (predict.kind === 'number') return read.f32();
  return predict.x.map(() => predict.min + (read.u8() * (predict.max - predict.min)) / 255);
}

class Writer {
  private readonly out: number[] = [];
  u8(value: number): this {
    this.out.push(value & 255);
    return this;
  }
  u24(value: number): this {
    return this.u8(value >>> 16)
      .u8(value >>> 8)
      .u8(value);
  }
  u32(value: number): this {
    return this.u8(value >>> 24).u24(value);
  }
  f32(value: number): this {
    const view = new DataView(new ArrayBuffer(4));
    view.setFloat32(0, value);
    return this.u32(view.getUint32(0));
  }
  bytes(): Uint8Array {
    return Uint8Array.from(this.out);
  }
}

/** Reads bytes in order; throws link-damaged where there are no more. */
class Reader {
  private readonly view: DataView;
  private at = 0;
  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  private step(size: number): number {
    const from = this.at;
    this.at += size;
    if (this.at > this.view.byteLength) throw damaged('it is shorter than it says');
    return from;
  }
  u8(): number {
    return this.view.getUint8(this.step(1));
  }
  u24(): number {
    return this.u8() * 65_536 + this.u8() * 256 + this.u8();
  }
  u32(): number {
    return this.view.getUint32(this.step(4));
  }
  f32(): number {
    return this.view.getFloat32(this.step(4));
  }
  rest(): Uint8Array {
    const { buffer, byteOffset, byteLength } = this.view;
    return new Uint8Array(buffer, byteOffset + this.at, byteLength - this.at);
  }
}
