/**
 * State of one MiniGrid row. As JSON it is the text form of golden files: layout (without the agent), agentPos, agentDir, carrying,
 * stepCount; and, where they are not what a fresh map would say, what boxes contain, where things stood at the start, the start
 * pose, what is done of an instruction, and the rule's numbers.
 */
import { fail } from '#contract/kit/errors.ts';
import { isObject, type Json, type JsonObject } from '#contract/kit/json.ts';
import { defineState, viewOf } from '../../api/state.ts';
import type { StateSpec } from '../../api/types.ts';
import {
  BOX,
  canOverlap,
  contentOf,
  hasOrigin,
  objectOf,
  originOf,
  parseLayout,
  parseToken,
  TOKEN_HELP,
  toToken,
  withOrigin,
} from './cells.ts';
import { SENTENCE_WORDS } from './sentence-code.ts';

/** Offsets behind the cells. */
export const X = 0;
export const Y = 1;
export const DIR = 2;
export const CARRYING = 3;
export const STEPS = 4;
export const START_X = 5;
export const START_Y = 6;
export const START_DIR = 7;
export const PROGRESS = 8;
export const RULE_A = 9;
export const RULE_B = 10;
/** Only where every episode has an instruction of its own. */
export const SENTENCE = 11;
const NUMBERS = 11;

const KEYS = [
  'version',
  'layout',
  'agentPos',
  'agentDir',
  'carrying',
  'stepCount',
  'boxes',
  'origins',
  'startPos',
  'startDir',
  'progress',
  'rule',
  'instruction',
  'rng',
];

/** Five words of sentence-code.ts and their JSON. */
export interface SentenceField {
  toJson(words: Uint32Array): Json;
  /** For a map whose JSON does not say: the instruction of the config. `cells` is the map before anything moved. */
  fromJson(json: Json | undefined, cells: Uint32Array, start: readonly [x: number, y: number, dir: number]): Uint32Array;
}

/** `numbers` gives the rule's numbers for a map whose JSON does not say them. */
export function minigridState(
  width: number,
  height: number,
  numbers: (words: Uint32Array) => readonly [number, number],
  sentence?: SentenceField,
): StateSpec {
  const count = NUMBERS + (sentence === undefined ? 0 : SENTENCE_WORDS);
  const cells = width * height;
  const scalar = (name: string, doc: string) => ({ name, type: 'u32', shape: [], doc }) as const;
  const spec = defineState(1, [
    { name: 'cells', type: 'u32', shape: [height, width], doc: 'what stands in each cell, see minigrid/lib/cells.ts' },
    scalar('agentX', 'column of the agent'),
    scalar('agentY', 'row of the agent, downwards'),
    scalar('agentDir', '0 right, 1 down, 2 left, 3 up'),
    scalar('carrying', 'thing in hand, 0 none'),
    scalar('stepCount', 'steps done in this episode'),
    scalar('startX', 'where the agent started'),
    scalar('startY', 'where the agent started'),
    scalar('startDir', 'how the agent started'),
    scalar('progress', 'parts of an instruction that are fulfilled, one bit each'),
    scalar('ruleA', 'first number of the end rule'),
    scalar('ruleB', 'second number of the end rule'),
    ...(sentence === undefined
      ? []
      : [
          {
            name: 'instruction',
            type: 'u32',
            shape: [SENTENCE_WORDS],
            doc: 'what is to be done, see minigrid/lib/sentence-code.ts',
          } as const,
        ]),
  ]);
  return {
    ...spec,
    toJSON(state) {
      viewOf(spec, state);
      const words = new Uint32Array(state.slice(8).buffer);
      const at = (i: number) => words[cells + i]!;
      const rows = Array.from({ length: height }, (_, y) =>
        Array.from({ length: width }, (__, x) => toToken(words[y * width + x]!)).join(' '),
      );
      const held = at(CARRYING);
      const boxes: Json[] = [];
      const origins: Json[] = [];
      for (let i = 0; i < cells; i++) {
        const word = words[i]!;
        const pos = [i % width, Math.floor(i / width)];
        if (contentOf(word) !== 0) boxes.push({ pos, content: toToken(contentOf(word)) });
        if (hasOrigin(objectOf(word)) && originOf(word) !== i + 1) origins.push({ pos, origin: originOf(word) });
      }
      if (held !== 0) {
        if (contentOf(held) !== 0) boxes.push({ pos: null, content: toToken(contentOf(held)) });
        origins.push({ pos: null, origin: originOf(held) });
      }
      return {
        version: spec.version,
        layout: rows,
        agentPos: [at(X), at(Y)],
        agentDir: at(DIR),
        carrying: held === 0 ? null : toToken(held),
        stepCount: at(STEPS),
        boxes,
        origins,
        startPos: [at(START_X), at(START_Y)],
        startDir: at(START_DIR),
        progress: at(PROGRESS),
        rule: [at(RULE_A), at(RULE_B)],
        ...(sentence !== undefined && {
          instruction: sentence.toJson(words.subarray(cells + SENTENCE, cells + SENTENCE + SENTENCE_WORDS)),
        }),
        rng: Array.from(words.subarray(cells + count, cells + count + 4)),
      };
    },
    fromJSON(json) {
      const source = isObject(json) ? json : {};
      for (const key of Object.keys(source)) if (!KEYS.includes(key)) throw bad(key, 'is not known here', `Fields: ${KEYS.join(', ')}.`);
      if (source.version !== undefined && source.version !== spec.version)
        throw bad('version', 'is not ours', `Version ${spec.version} is needed.`);
      if (!Array.isArray(source.layout) || source.layout.some((row) => typeof row !== 'string'))
        throw bad('layout', 'is not a list of rows', `Give rows of ${TOKEN_HELP}.`);
      const map = parseLayout(source.layout as readonly string[], 'state-invalid', 'layout');
      if (map.width !== width || map.height !== height)
        throw bad('layout', `is ${map.width} x ${map.height}`, `This config is ${width} x ${height}.`);
      const { words } = map;
      const state = new Uint8Array(spec.bytes);
      const out = new Uint32Array(state.buffer);
      out[0] = spec.version;
      const [x, y] = pair(source.agentPos, 'agentPos', width, height);
      const dir = whole(source.agentDir, 'agentDir', 3);
      let held = 0;
      if (source.carrying !== null && source.carrying !== undefined) {
        const word = typeof source.carrying === 'string' ? parseToken(source.carrying) : undefined;
        if (word === undefined) throw bad('carrying', 'is no thing', `Use one of the ${TOKEN_HELP}, or null.`);
        held = word;
      }
      for (const entry of list(source.boxes, 'boxes')) {
        const content = typeof entry.content === 'string' ? parseToken(entry.content) : undefined;
        if (content === undefined) throw bad('boxes', 'has an unknown content', `Use ${TOKEN_HELP}.`);
        if (entry.pos === null) held |= content << 9;
        else {
          const [bx, by] = pair(entry.pos, 'boxes', width, height);
          if (objectOf(words[by * width + bx]!) !== BOX) throw bad('boxes', `names no box at ${bx}, ${by}`, 'Give the place of a box.');
          words[by * width + bx] = (words[by * width + bx]! | (content << 9)) >>> 0;
        }
      }
      // The rule is about the map as it was drawn: its numbers are taken before origins are written.
      const rule = source.rule === undefined ? numbers(words) : (source.rule as readonly number[]);
      const [startX, startY] = source.startPos === undefined ? [x, y] : pair(source.startPos, 'startPos', width, height);
      const startDir = source.startDir === undefined ? dir : whole(source.startDir, 'startDir', 3);
      if (sentence === undefined && source.instruction !== undefined)
        throw bad('instruction', 'is not known here', 'Only BabyAI levels have one.');
      const told = sentence?.fromJson(source.instruction, words, [startX, startY, startDir]);
      for (const entry of list(source.origins, 'origins')) {
        const origin = whole(entry.origin, 'origins', cells);
        if (entry.pos === null) held = withOrigin(held, origin - 1);
        else {
          const [ox, oy] = pair(entry.pos, 'origins', width, height);
          words[oy * width + ox] = withOrigin(words[oy * width + ox]!, origin - 1);
        }
      }
      if (!canOverlap(words[y * width + x]!)) throw bad('agentPos', 'is a cell that cannot be entered', 'Put the agent on a free cell.');
      out.set(words, 2);
      out.set(
        [
          x,
          y,
          dir,
          held,
          source.stepCount === undefined ? 0 : whole(source.stepCount, 'stepCount', 0xffff_ffff),
          startX,
          startY,
          startDir,
          source.progress === undefined ? 0 : whole(source.progress, 'progress', 0xffff_ffff),
          whole(rule[0], 'rule', 0xffff_ffff),
          whole(rule[1], 'rule', 0xffff_ffff),
        ],
        2 + cells,
      );
      if (told !== undefined) out.set(told, 2 + cells + SENTENCE);
      const rng = source.rng === undefined ? [0, 0, 0, 0] : (source.rng as readonly Json[]);
      if (!Array.isArray(rng) || rng.length !== 4) throw bad('rng', 'has not four words', 'Give four 32-bit integers or leave it out.');
      out.set(
        rng.map((word) => whole(word as Json, 'rng', 0xffff_ffff)),
        2 + cells + count,
      );
      return state;
    },
  };
}

function bad(field: string, what: string, fix: string): Error {
  return fail('state-invalid', `State field "${field}" ${what}.`, fix, field);
}

function whole(value: Json | undefined, field: string, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > most)
    throw bad(field, `cannot be ${JSON.stringify(value)}`, `Give an integer from 0 to ${most}.`);
  return value;
}

function pair(value: Json | undefined, field: string, width: number, height: number): [number, number] {
  const [x, y] = Array.isArray(value) && value.length === 2 ? (value as readonly Json[]) : [];
  if (typeof x !== 'number' || typeof y !== 'number') throw bad(field, 'is not [x, y]', 'Give two integers.');
  return [whole(x, field, width - 1), whole(y, field, height - 1)];
}

function list(value: Json | undefined, field: string): readonly JsonObject[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw bad(field, 'is not a list', 'Give a list of objects with "pos".');
  return value as readonly JsonObject[];
}
