/** Copies of what verify reads, each with something changed, and how they are judged. Copies are verified by one command each, which trains equal runs once. */
import { execFile } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll } from 'vitest';
import { crc32 } from '#contract/kit/bytes.ts';
import { canonicalJson, utf8 } from '#contract/kit/canonical.ts';
import type { Json } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';

const RL = resolve('tools/rl.mjs');
export const home = join(tmpdir(), `rl-verify-test-${process.pid}`);

/** To be called in a file of tests: the folder is there while they run. Files may share this module, so each makes it anew. */
export function atHome(): void {
  beforeAll(() => mkdirSync(home, { recursive: true }));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
}

export function rl(...args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((done) => {
    const env = { ...process.env, INIT_CWD: home };
    execFile(process.execPath, ['--', RL, ...args], { env, cwd: home, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      const { code } = (error ?? {}) as { code?: number | string };
      done({ code: error ? (typeof code === 'number' ? code : -1) : 0, stdout, stderr });
    });
  });
}

/** Files by their names, as they stand in a folder or a zip. */
export type Files = ReadonlyMap<string, Uint8Array>;

export function filesOf(folder: string, below = ''): Files {
  const all = readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry): [string, Uint8Array][] => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? [...filesOf(folder, path)] : [[path, new Uint8Array(readFileSync(join(folder, path)))]];
  });
  return new Map(all);
}

/** A copy with some files replaced, or removed (null). */
export interface Change {
  readonly what: string;
  readonly files: { readonly [file: string]: Uint8Array | string | null };
  /** As a zip; false: a folder. */
  readonly zipped?: boolean;
}

const bytesOf = (data: Uint8Array | string): Uint8Array => (typeof data === 'string' ? utf8(data) : data);

/** Nothing is changed. */
export const AS_IT_IS = 'as it is';

/** Writes the changed copies and answers how each was judged, by what was changed: 'same', 'differs', 'unverified' or 'broken'. */
export async function judged(base: Files, changes: readonly Change[]): Promise<ReadonlyMap<string, string>> {
  const at = mkdtempSync(join(home, 'copies-'));
  const whole = join(at, 'whole');
  for (const [name, data] of base) {
    mkdirSync(dirname(join(whole, name)), { recursive: true });
    writeFileSync(join(whole, name), data);
  }
  const words = changes.map(({ files, zipped = false }, i) => {
    const copy = join(at, String(i));
    const kept = [...base].filter(([name]) => !(name in files));
    const put = Object.entries(files).flatMap(([name, data]) => (data === null ? [] : [[name, bytesOf(data)] as const]));
    if (zipped) {
      writeFileSync(`${copy}.zip`, zipSync(Object.fromEntries([...kept, ...put]), { level: 0 }));
      return `${copy}.zip`;
    }
    if (base.size === 1) {
      writeFileSync(`${copy}.json`, put[0]?.[1] ?? '');
      return `${copy}.json`;
    }
    for (const [name] of kept) {
      mkdirSync(dirname(join(copy, name)), { recursive: true });
      linkSync(join(whole, name), join(copy, name));
    }
    for (const [name, data] of put) {
      mkdirSync(dirname(join(copy, name)), { recursive: true });
      writeFileSync(join(copy, name), data);
    }
    return copy;
  });
  const outcomes = new Map<string, string>();
  for (let from = 0; from < words.length; from += 400) {
    const some = words.slice(from, from + 400);
    const { stdout, stderr } = await rl('verify', '--json', ...some);
    for (const line of stdout.split('\n').filter((text) => text.startsWith('{"type":"summary"'))) {
      const { of, outcome } = JSON.parse(line) as { of: string; outcome: string };
      outcomes.set(changes[words.indexOf(of)]?.what ?? '', outcome);
    }
    const lost = some.find((word) => !outcomes.has(changes[words.indexOf(word)]?.what ?? ''));
    if (lost !== undefined) throw new Error(`${changes[words.indexOf(lost)]?.what} was not judged: ${stderr.slice(-2000)}`);
  }
  rmSync(at, { recursive: true });
  return outcomes;
}

type Path = readonly (string | number)[];

function leavesOf(value: Json, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return inner.flatMap(([name, member]) => leavesOf(member as Json, [...path, name]));
}

/** Another value of the same kind; of a date another date. */
function other(value: Json): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return 1;
  return /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(Date.parse(value) + 1).toISOString() : `${value}1`;
}

function withLeaf(value: Json, [name, ...rest]: Path): Json {
  if (name === undefined) return other(value);
  if (Array.isArray(value)) return value.with(Number(name), withLeaf(value[Number(name)] as Json, rest)) as Json;
  return { ...(value as object), [name]: withLeaf((value as { readonly [key: string]: Json })[name] as Json, rest) } as Json;
}

export const jsonOf = (base: Files, file: string): Json => JSON.parse(new TextDecoder().decode(base.get(file))) as Json;

/** Every leaf of JSON changed. */
export const leafChanges = (base: Files, file: string): readonly Change[] =>
  leavesOf(jsonOf(base, file)).map((path) => ({
    what: `${file}: ${path.join('.')}`,
    files: { [file]: `${JSON.stringify(withLeaf(jsonOf(base, file), path), null, 2)}\n` },
  }));

/** Every leaf of a policy file changed, under a checksum that is right. */
export const policyChanges = (base: Files, file: string): readonly Change[] =>
  leavesOf(jsonOf(base, file))
    .filter(([name]) => name !== 'checksum')
    .map((path) => {
      const plain = jsonOf(base, file) as { readonly [key: string]: Json };
      const last = path.at(-1);
      const arrays = (plain.saved as { arrays: { [name: string]: { data: string } } }).arrays;
      // A base64 text of other bytes, of the same length.
      const data = last === 'data' ? arrays[String(path.at(-2))]?.data : undefined;
      const flipped = data === undefined ? null : `${data.startsWith('AACA') ? 'AAAA' : 'AACA'}${data.slice(4)}`;
      const { checksum: _, ...rest } = (flipped === null ? withLeaf(plain, path) : put(plain, path, flipped)) as {
        readonly [key: string]: Json;
      };
      const checksum = crc32(utf8(canonicalJson(rest)))
        .toString(16)
        .padStart(8, '0');
      return { what: `${file}: ${path.join('.')}`, files: { [file]: canonicalJson({ ...rest, checksum }) } };
    });

export function put(value: Json, [name, ...rest]: Path, leaf: Json): Json {
  if (name === undefined) return leaf;
  return { ...(value as object), [name]: put((value as { readonly [key: string]: Json })[name] as Json, rest, leaf) } as Json;
}

/** Every cell of a table changed; of its columns the first is who the rows are of. */
export function cellChanges(base: Files, file: string): readonly Change[] {
  const lines = new TextDecoder().decode(base.get(file)).split('\n');
  return lines.flatMap((line, row) =>
    line === ''
      ? []
      : line.split(',').map((cell, column): Change => {
          const changed = line.split(',').with(column, cell === '' || Number.isNaN(Number(cell)) ? `${cell}1` : String(Number(cell) + 1));
          const metric = lines[row]?.split(',')[3] ?? '';
          return {
            what: `${file}: ${metric === 'seconds' && column === 4 ? 'seconds' : `line ${row + 1}`}.${column}`,
            files: { [file]: lines.with(row, changed.join(',')).join('\n') },
          };
        }),
  );
}

/** Every word and number of a text changed. */
export function wordChanges(base: Files, file: string): readonly Change[] {
  const text = new TextDecoder().decode(base.get(file));
  return [...text.matchAll(/[\w.-]+/g)].map(({ index, 0: word }) => ({
    what: `${file}: ${word} at ${index}`,
    files: {
      [file]: `${text.slice(0, index)}${/\d$/.test(word) ? `${word.slice(0, -1)}${(Number(word.at(-1)) + 1) % 10}` : `${word}x`}${text.slice(index + word.length)}`,
    },
  }));
}

/** Every leaf of the list of a state or of policies changed, and one number of each array, under a checksum that is right. */
export function savedChanges(base: Files, file: string): readonly Change[] {
  const saved = decodeSaved(base.get(file) as Uint8Array);
  const meta = leavesOf(saved.meta).map((path) => ({
    what: `${file}: ${path.join('.')}`,
    files: { [file]: encodeSaved({ ...saved, meta: withLeaf(saved.meta, path) as Saved['meta'] }) },
  }));
  const arrays = Object.entries(saved.arrays).flatMap(([name, array]): Change[] => {
    if (array.length === 0) return [];
    const copy = array.slice();
    copy[0] = copy[0] === 0 ? 1 : 0;
    return [{ what: `${file}: ${name}`, files: { [file]: encodeSaved({ ...saved, arrays: { ...saved.arrays, [name]: copy } }) } }];
  });
  return [...meta, ...arrays];
}

/** What was changed and not found, by name: the last part of a path that is no number. */
export function missed(outcomes: ReadonlyMap<string, string>): readonly string[] {
  const names = [...outcomes].filter(([, outcome]) => outcome === 'same').map(([what]) => what.split(': ')[1] ?? what);
  return [...new Set(names.map((path) => path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path))].sort();
}

export const swapped = (base: Files, a: string, b: string): Change => ({
  what: `${a} and ${b} swapped`,
  files: { [a]: base.get(b) ?? null, [b]: base.get(a) ?? null },
});
export const without = (base: Files, start: string): Change => ({
  what: `without ${start}`,
  files: Object.fromEntries([...base.keys()].filter((name) => name.startsWith(start)).map((name) => [name, null])),
});
