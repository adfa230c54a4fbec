/**
 * One process of `npm run fuzz` (tools/fuzz.mjs), which starts it with a small heap. The last line of its output is JSON.
 *   links COUNT SEED | files COUNT SEED    generated cases; exit code 1 and the smallest failing case where a promise is broken
 *   counts (day|night)                     lists without end in every field of every reader
 *   make FOLDER                            writes the input of every heavy case, input-0 and so on; answers their names
 *   idle | read NAME FILE                  what a process needs that reads nothing much, and one that reads that input
 * Promises: an input is opened or refused with a LabError that says what and what to do; what is refused leaves nothing behind; nothing
 * reaches the prototypes of objects; what a link opens to is no larger than links may be.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { readDatasetFile } from '#cli/train/datasets.ts';
import { decodeDataset } from '#contract/files/dataset.ts';
import { datasetFromNpz } from '#contract/files/dataset-npz.ts';
import type { RunFile } from '#contract/files/files.ts';
import { LabError } from '#contract/kit/errors.ts';
import { isZip } from '#contract/kit/zip.ts';
import { decodeLink, encodeLink } from '#contract/link/link.ts';
import { newRunId } from '#contract/run/run-names.ts';
import { completeRun } from '#core/run/loaded.ts';
import { memoryDriver } from '#storage/driver.ts';
import { Library } from '#storage/library.ts';
import { openFile } from '#storage/opening.ts';
import { addProject } from '#storage/project.ts';
import { countValues } from './counts.ts';
import { hostileFile, sampleProject } from './files.ts';
import { HEAVY_DATASETS, HEAVY_FILES, HEAVY_LINKS } from './heavy.ts';
import { hostileLink } from './links.ts';

const LARGEST_CONFIG = 2_000_000; // characters of JSON

/** As they were when the process began. */
const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Function.prototype];
const own = (): string => PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype).map(String).join()).join(';');
const untouched = own();

type Outcome = 'opened' | 'refused' | 'empty';

function promise(holds: boolean, what: string): void {
  if (!holds) throw new Error(`broken promise: ${what}`);
}

function refusal(error: unknown): Outcome {
  if (!(error instanceof LabError)) throw error;
  promise(error.failure.message.length > 10 && error.failure.message.length < 2000, 'a refusal says what is wrong, in a few lines');
  return 'refused';
}

/** What the page does with the hash of its address (client/links.ts). */
function readLink(hash: string): Outcome {
  try {
    const link = decodeLink(hash);
    if (link === null) return 'empty';
    const { algo, ...rest } = link.config as { readonly algo: { readonly id?: string } };
    const config = completeRun({ ...rest, algo: { id: 'ppo', ...algo } });
    promise(JSON.stringify(config).length <= LARGEST_CONFIG, 'a link opens to no more than links may hold');
    encodeLink(config, { env: {}, algo: {} }, link.view, Number.POSITIVE_INFINITY);
    return 'opened';
  } catch (error) {
    return refusal(error);
  } finally {
    promise(own() === untouched, 'no prototype changes');
  }
}

/** What the page does with a file that is dropped on it (client/archive.ts). */
async function readFile(bytes: Uint8Array): Promise<Outcome> {
  const driver = memoryDriver();
  const library = new Library(driver);
  try {
    const found = await openFile(new Blob([bytes as Uint8Array<ArrayBuffer>]), 'file');
    const options = {
      newId: ({ config }: RunFile) => newRunId(config, 1, 0.5),
      check: async (config: RunFile['config']) => completeRun(config),
    };
    if (found.kind === 'runs') await addProject(library, found, options);
    if (found.kind === 'config') completeRun(found.config);
    return 'opened';
  } catch (error) {
    promise((await driver.keys('runs')).length === 0 && (await library.orphans()).length === 0, 'what is refused leaves nothing behind');
    return refusal(error);
  } finally {
    promise(own() === untouched, 'no prototype changes');
  }
}

/** What the page and the command line do with a recording. */
function readDataset(path: string): Outcome {
  try {
    const bytes = readDatasetFile(path);
    if (isZip(bytes)) datasetFromNpz(bytes, 'x.npz', null);
    else decodeDataset(bytes);
    return 'opened';
  } catch (error) {
    return refusal(error);
  }
}

/** The most memory this process had at once. Linux counts the peak of the process that started this one into the usual figure, but not here. */
function peak(): number {
  if (existsSync('/proc/self/status')) {
    const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    if (line !== null) return Number(line[1]) * 1024;
  }
  return process.resourceUsage().maxRSS * 1024;
}

/** Milliseconds of this process's work since then: a busy machine does not lengthen them, as it does those of a clock. */
function cpuMs(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Bytes of heap and array buffers. */
function held(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10;

/** Runs cases and tells how they ended, how long they took and how much memory was held. */
async function campaign<T>(
  cases: fc.Arbitrary<T>,
  count: number,
  seed: number,
  read: (item: T) => Outcome | Promise<Outcome>,
): Promise<object> {
  const outcomes: Record<Outcome, number> = { opened: 0, refused: 0, empty: 0 };
  const took: number[] = [];
  let most = 0;
  await fc.assert(
    fc.asyncProperty(cases, async (item) => {
      const start = process.cpuUsage();
      const outcome = await read(item);
      took.push(cpuMs(start));
      outcomes[outcome]++;
      most = Math.max(most, held());
    }),
    { numRuns: count, seed, endOnFailure: false },
  );
  took.sort((a, b) => a - b);
  const quantile = (q: number): number => Math.round((took[Math.min(took.length - 1, Math.floor(q * took.length))] ?? 0) * 100) / 100;
  return {
    cases: count,
    ...outcomes,
    ms: { median: quantile(0.5), p99: quantile(0.99), most: quantile(1) },
    over100ms: took.filter((ms) => ms > 100).length,
    heldMB: megabytes(most),
  };
}

interface HeavyCase {
  readonly make: () => string | Uint8Array;
  readonly read: (file: string) => Outcome | Promise<Outcome>;
}

function heavyCase(name: string): HeavyCase {
  const [link, file, dataset] = [HEAVY_LINKS[name], HEAVY_FILES[name], HEAVY_DATASETS[name]];
  if (link !== undefined) return { make: link, read: (path) => readLink(readFileSync(path, 'utf8')) };
  if (file !== undefined) return { make: file, read: (path) => readFile(readFileSync(path)) };
  if (dataset !== undefined) return { make: dataset, read: readDataset };
  throw new Error(`there is no case "${name}"`);
}

async function main([command = '', first = '', second = '']: readonly string[]): Promise<object> {
  switch (command) {
    case 'links': {
      const { schemas } = JSON.parse(readFileSync('src/contract/link/golden/links.json', 'utf8')) as {
        readonly schemas: Readonly<Record<string, readonly { readonly link: string }[]>>;
      };
      const corpus = Object.values(schemas).flatMap((links) => links.map(({ link }) => link));
      return campaign(hostileLink(corpus), Number(first), Number(second), readLink);
    }
    case 'files':
      return campaign(hostileFile(await sampleProject()), Number(first), Number(second), readFile);
    case 'counts':
      return countValues((call) => {
        const before = held();
        const start = process.cpuUsage();
        call();
        return { ms: cpuMs(start), mb: megabytes(held() - before) };
      }, first === 'night');
    case 'make': {
      const names = [HEAVY_LINKS, HEAVY_FILES, HEAVY_DATASETS].flatMap((cases) => Object.keys(cases));
      for (const [i, name] of names.entries()) writeFileSync(join(first, `input-${i}`), heavyCase(name).make());
      return names;
    }
    case 'idle':
    case 'read': {
      await readFile(await sampleProject());
      readLink('#env=cartpole&algo=ppo');
      const start = process.cpuUsage();
      let outcome: Outcome = 'empty';
      if (command === 'read') outcome = await heavyCase(first).read(second);
      const ms = cpuMs(start);
      return { outcome, ms: Math.round(ms), peakMB: megabytes(peak()) };
    }
    default:
      throw new Error(`unknown command "${command}"`);
  }
}

try {
  console.log(JSON.stringify(await main(process.argv.slice(2))));
} catch (error) {
  // fast-check tells the smallest case, and what went wrong with it as the cause.
  console.error(error instanceof Error ? `${error.message.slice(0, 4000)}\n${error.cause ?? ''}` : String(error));
  process.exitCode = 1;
}
