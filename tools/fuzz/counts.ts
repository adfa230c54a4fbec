/**
 * Lists without end in every field of every reader of JSON: in place of each value of a whole file in turn stand as many empty lists as are read
 * at most, at night a million too. No reader may take many times what the bare list takes, or keep more than a small part of what a tab has.
 */
import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import { judgeTables } from '#claims/judge-table.ts';
import { parseTransfer } from '#contract/catalog/transfer.ts';
import { readContainer, unzipContainer } from '#contract/files/container.ts';
import { type Dataset, decodeDataset, encodeDataset } from '#contract/files/dataset.ts';
import { configOfJson, decodePolicyFile, encodePolicyFile, parse, summarySchema } from '#contract/files/files.ts';
import { decodePoints, encodePoints } from '#contract/files/points-file.ts';
import { decodePolicies, encodePolicies } from '#contract/files/policies-file.ts';
import { GYM_WIRE, readGymDescription, readGymMake } from '#contract/game/gym-wire.ts';
import { utf8 } from '#contract/kit/canonical.ts';
import { LabError } from '#contract/kit/errors.ts';
import { MOST_VALUES, objectOf, readJson } from '#contract/kit/json.ts';
import { cardOfJson, decodeCard, type OwnCard } from '#contract/link/card.ts';
import { unpackJson } from '#contract/link/code.ts';
import { decodeLesson, type OwnLesson } from '#contract/link/lesson.ts';
import { decodeLink } from '#contract/link/link.ts';
import { readLabSaid } from '#contract/own/lab.ts';
import { ownRunText, readOwnRun } from '#contract/own/run-file.ts';
import { readSaid } from '#contract/own/sandbox.ts';
import { fromWire } from '#contract/own/wire.ts';
import { pilotSchema } from '#contract/papers/pilots.ts';
import { paperResultSchema } from '#contract/papers/results.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import { readSweepFile, sweepFile } from '#contract/sweep/folder.ts';
import { parseSweep, readKeptSweeps } from '#contract/sweep/sweep.ts';
import { completeRun } from '#core/run/loaded.ts';
import { config, run, snapshot } from './files.ts';
import { lessonOfJson, linkOfJson, savedWith } from './wrap.ts';

/** A file that is opened as it is, and who reads it. */
interface Reader {
  readonly whole: unknown;
  /** Packs a text as that file holds it; the call that it returns reads the file. Only reading is measured. */
  readonly pack: (text: string) => () => unknown;
}
/** A file that is its text. */
const bare =
  (read: (text: string) => unknown): Reader['pack'] =>
  (text) =>
  () =>
    read(text);
const packed =
  <File>(pack: (text: string) => File, read: (file: File) => unknown): Reader['pack'] =>
  (text) => {
    const file = pack(text);
    return () => read(file);
  };

const result = { seed: 7, finalReturn: 1, evalReturn: 2, evalLoops: 1, perAgent: [1], measured: { a: 1 }, steps: 30 };
const seedResult = { ...result, seconds: 1, stepsPerSecond: 30, parameterHash: 'ab' };
const index = { kind: 'project', version: 2, savedAt: '2026-01-02T03:04:05Z', runs: [{ folder: 'r1', name: 'a', hash: 'b', seeds: [] }] };
const finding = {
  id: 'a',
  title: 'a',
  evidence: ['a'],
  sure: 'likely',
  since: 1,
  ways: [{ text: 'a', path: 'a', value: 1, begin: 'start' }],
};
const wholeRun = {
  ...run,
  parent: { id: 'r0', step: 1, seeds: [{ seed: 7, step: 1 }] },
  stops: { seconds: 1 },
  origin: { kind: 'file', title: 'a' },
  seeds: run.seeds.map((seed) => ({ ...seed, marks: seed.marks.map((mark) => ({ ...mark, finding })) })),
};

/** The project with one of its files replaced. */
const project = (name: string): Reader['pack'] =>
  packed(
    (text) => {
      const files = { 'project.json': index, 'r1/run.json': wholeRun, 'r1/seed-7/result.json': seedResult };
      const entries = Object.entries({ ...files, [name]: null }).map(([own, data]) => [
        own,
        utf8(data === null ? text : JSON.stringify(data)),
      ]);
      return zipSync(Object.fromEntries(entries));
    },
    (bytes) => readContainer(unzipContainer(bytes)),
  );

const sweep = { kind: 'sweep', version: 1, config, fields: { 'algo.x': [0.1, 0.9] }, search: { by: 'grid' } };
const setup = { number: 1, point: [0.25], values: { 'algo.x': 0.1 }, config, scores: [1, null, 3], score: null, first: null, steps: 10 };
const swept = sweepFile(
  parseSweep(sweep),
  { setups: [setup], best: null, reported: null },
  { date: '2026-11-21T00:00:00.000Z', commit: 'x' },
  { state: 'running', runs: { done: 2, total: 6, failed: 1 } },
);

/** A saved state as text and what stands behind it. */
function opened(bytes: Uint8Array): { readonly whole: unknown; readonly body: Uint8Array } {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  return { whole: readJson(bytes.subarray(16, 16 + length)), body: bytes.subarray((16 + length + 7) & ~7) };
}
const savedReader = (bytes: Uint8Array, read: (bytes: Uint8Array) => unknown): Reader => {
  const { whole, body } = opened(bytes);
  return { whole, pack: packed((text) => savedWith(text, body), read) };
};

const header: Dataset['header'] = {
  kind: 'dataset',
  version: 1,
  title: 'a',
  env: { id: 'cartpole', version: 1, config: {} },
  who: 'random',
  player: 'a',
  grade: 'random',
  licence: 'a',
  seed: 1,
  steps: 1,
  episodes: 1,
  agents: 1,
  obsSize: 1,
  actionSize: 1,
  actionCount: 2,
};
const dataset: Dataset = {
  header,
  observations: Float32Array.of(0),
  actions: Float32Array.of(0),
  rewards: Float32Array.of(0),
  terminals: Uint8Array.of(1),
  timeouts: Uint8Array.of(0),
  finals: Float32Array.of(0),
  returns: Float64Array.of(0),
};
const summary = {
  type: 'summary',
  env: 'cartpole',
  algo: 'ppo',
  config,
  executor: 'wasm',
  seeds: [seedResult],
  iqm: { finalReturn: 1, evalReturn: 1 },
  ci95: { finalReturn: [1, 2], evalReturn: null },
};
const ownRun = {
  code: 'a',
  setup: { settings: { a: 1 }, method: {}, seat: '' },
  algo: 'ppo',
  steps: 1,
  seeds: [{ seed: 1, step: 1, state: '' }],
};
const said = { kind: 'progress', id: 1, step: 1, return: 1, old: null, metrics: [1], stepsPerSecond: 1 };
const gym = {
  wire: GYM_WIRE,
  name: 'a',
  versions: { a: 'b' },
  agents: [{ name: 'a', obs: { kind: 'box', shape: [1], low: 0, high: 1 }, action: { kind: 'discrete', n: 2, labels: ['a', 'b'] } }],
  masked: false,
  limit: 0,
  fps: 30,
  picture: null,
};

const lesson: OwnLesson = {
  title: 'a',
  goal: 'a',
  env: { id: 'cartpole' },
  algo: { id: 'ppo' },
  run: { steps: 1000 },
  show: ['algo.lr'],
  steps: [{ title: 'a', say: 'a', run: true, ask: { ask: 'a', options: ['a', 'b'] } }],
  check: { measure: 'evalReturn', of: 'each', min: 1 },
};
const card: OwnCard = {
  title: 'a',
  question: 'a',
  config: { env: { id: 'cartpole', config: { a: 1 } }, algo: { id: 'ppo' }, run: { steps: 1000 } },
  arms: [{ id: 'a', title: 'a', differs: { algo: { config: { a: [1] } } } }],
  quantity: { title: 'a', of: 'finalReturn' },
  contrasts: [{ id: 'a', kind: 'level', arm: 'a', claim: 'above', none: 1 }],
  better: 'more',
  looks: [5],
  firstSeed: 1001,
  exempt: [{ check: 'steps', arms: ['a'], why: 'a' }],
};
const mark = { kind: 'mark', step: 1, type: 'edit', text: 'a', path: 'algo.lr', value: [1], by: 'user', finding };
const labResult = { kind: 'result', result: seedResult };
const paper = objectOf(readJson(readFileSync('public/results/papers/q-learning-cliff.json')));
const state = { meta: { session: { step: 30 } }, arrays: { w: Float32Array.of(1, 2), r: Uint8Array.of(9) } };
const points = encodePoints({
  newest: { saved: state, step: 30, sealedNames: ['r'] },
  point: true,
  points: [{ saved: { ...state, meta: { session: { step: 20 } } }, step: 20, sealedNames: ['r'] }],
});
const started = {
  env: { id: 'cartpole', config: { contexts: { draw: { halfLength: [0.5, 0.6] } } } },
  algo: { id: 'ppo' },
};
const scores = { contrasts: [{ id: 'main', kind: 'level', arm: 'a', claim: 'above', none: 1 }], scores: { a: [1, 2, 3, 4, 5] } };

const READERS: { readonly [name: string]: Reader } = {
  'project.json': { whole: index, pack: project('project.json') },
  'run.json': { whole: wholeRun, pack: project('r1/run.json') },
  'result.json': { whole: seedResult, pack: project('r1/seed-7/result.json') },
  'a policy': { whole: readJson(encodePolicyFile(snapshot)), pack: bare(decodePolicyFile) },
  'a config': { whole: config, pack: bare(configOfJson) },
  'a summary': { whole: summary, pack: bare((text) => parse(summarySchema, text, 'a summary')) },
  'a paper': {
    whole: JSON.parse(readFileSync('public/results/papers/dyna.json', 'utf8')),
    pack: bare((text) => parse(paperResultSchema, text, 'a result')),
  },
  'sweep.json': { whole: swept, pack: bare(readSweepFile) },
  'sweeps of the page': { whole: [{ id: 'a', file: sweep, over: true, asked: ['a'] }], pack: bare(readKeptSweeps) },
  'a sweep to run': { whole: sweep, pack: bare((text) => parseSweep(readJson(text))) },
  'a state': savedReader(encodeSaved({ meta: { a: [1] }, arrays: { w: Float32Array.of(1) } }), decodeSaved),
  policies: savedReader(encodePolicies([snapshot]), decodePolicies),
  'a recording': savedReader(encodeDataset(dataset), decodeDataset),
  'a link': {
    whole: { env: { id: 'a', version: 1, config: {} }, algo: { id: 'b' }, view: { lock: ['a'] } },
    pack: packed(linkOfJson, decodeLink),
  },
  'a run of own code': { whole: JSON.parse(ownRunText(ownRun)), pack: bare(readOwnRun) },
  'words of a sandbox': { whole: said, pack: bare(readSaid) },
  'answers of a sandbox': { whole: { a: [1] }, pack: bare(fromWire) },
  'an environment in Python': { whole: gym, pack: packed(utf8, readGymDescription) },
  'a lesson in a link': { whole: lesson, pack: packed(lessonOfJson, decodeLesson) },
  'a card in a link': { whole: card, pack: packed(lessonOfJson, decodeCard) },
  'a card as a file': { whole: card, pack: bare((text) => cardOfJson(readJson(text))) },
  'settings in a code of a class': { whole: [{ a: [1] }], pack: packed((text) => utf8(`\0${text}`), unpackJson) },
  "words of the laboratory's sandbox": { whole: { kind: 'events', events: [mark, labResult] }, pack: bare(readLabSaid) },
  'points of a run': savedReader(points ?? new Uint8Array(), (bytes) => decodePoints(bytes, state, 30)),
  'a plan of transfer': {
    whole: { kind: 'transfer', version: 1, config, field: 'env.halfLength', train: [0.5, '0.5..2'], test: [1], episodes: 2 },
    pack: bare((text) => parseTransfer(readJson(text))),
  },
  'a pilot': { whole: paper.pilot, pack: bare((text) => parse(pilotSchema, text, 'a pilot')) },
  'scores to judge': { whole: scores, pack: bare((text) => judgeTables(readJson(text))) },
  'a run to start': { whole: started, pack: bare((text) => completeRun(configOfJson(text))) },
  'what Python asks for': { whole: { env: 'a', config: {}, copies: 1 }, pack: packed(utf8, readGymMake) },
};

const HERE = '@here@';

/** The value with each of its values in turn replaced by the mark, and with one member more. */
function* marked(value: unknown, longest = 1): Generator<unknown> {
  yield HERE;
  if (Array.isArray(value)) {
    for (const [i, item] of value.slice(0, longest).entries()) for (const inner of marked(item)) yield value.with(i, inner);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) for (const inner of marked(item)) yield { ...value, [key]: inner };
    yield { ...value, more: HERE };
  }
}

const listOf = (count: number, item: string): string => `[${Array.from({ length: count }, () => item).join(',')}]`;
/** The largest text that readJson still reads, which is read with nothing looked at: what a machine needs for it is the unit of what others cost. */
const YARDSTICK = listOf(MOST_VALUES / 2 - 5000, '{}');
const LONGEST = listOf(MOST_VALUES - 5000, '[]');
const NESTED = '[[[[[[[['.padEnd(1000, '[');
/** By day one list of each kind; at night others as well. */
const BY_DAY = [LONGEST, NESTED];
const AT_NIGHT = [listOf(1_000_000, '[]'), LONGEST, YARDSTICK, NESTED];

interface Counted {
  readonly cases: number;
  /** The most that one of them took: times what reading the yardstick takes on this machine, and megabytes of heap and buffers. */
  readonly most: { readonly times: number; readonly mb: number; readonly what: string };
}

/** A case that costs more than this is measured again, because the collector and the compiler work at times of their own. */
const DEAR = 12;
const MOST_TRIES = 8;

/** `work`: what a call took, in milliseconds of the processor and megabytes. */
export function countValues(work: (call: () => void) => { readonly ms: number; readonly mb: number }, night: boolean): Counted {
  const unit = (): number => work(() => readJson(YARDSTICK)).ms;
  const settled = Math.min(...Array.from({ length: 10 }, unit));
  let cases = 0;
  let most = { times: 0, mb: 0, what: '' };
  for (const [name, { whole, pack }] of Object.entries(READERS)) {
    const attempt = (read: () => unknown): void => {
      try {
        read();
      } catch (error) {
        if (!(error instanceof LabError || error instanceof SyntaxError)) throw error;
      }
    };
    for (let i = 0; i < 3; i++) if (pack(JSON.stringify(whole))() === null) throw new Error(`${name} is not opened as it is`);
    for (const form of marked(whole))
      for (const list of night ? AT_NIGHT : BY_DAY) {
        const text = JSON.stringify(form).replace(`"${HERE}"`, () => list);
        const read = pack(text);
        const tries = [work(() => attempt(read))];
        let units = [settled];
        const times = (): number => Math.min(...tries.map(({ ms }) => ms)) / Math.min(...units);
        if (times() > DEAR) units = [unit()]; // a machine that has become slower since is slower for the yardstick too
        for (let i = 1; i < MOST_TRIES && times() > DEAR; i++) {
          tries.push(work(() => attempt(read)));
          units.push(unit());
        }
        const mb = Math.max(...tries.map((one) => one.mb));
        cases++;
        if (times() > most.times || mb > most.mb) most = { times: Math.max(times(), most.times), mb: Math.max(mb, most.mb), what: name };
      }
  }
  return { cases, most };
}
