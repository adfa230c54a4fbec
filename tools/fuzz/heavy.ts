/** Inputs made to cost far more than they weigh. Each is read in a process of its own (tools/fuzz.mjs). */
import { deflateRawSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { crc32 } from '#contract/kit/bytes.ts';
import { utf8 } from '#contract/kit/canonical.ts';
import { run } from './files.ts';
import { linkOfJson, savedWith, sealedLink, stored, type ZipEntry, zipOf } from './wrap.ts';

const MB = 1_000_000;

/** Deflated zeros: a thousandth of their size. */
const zeros = (bytes: number): Uint8Array => new Uint8Array(deflateRawSync(Buffer.alloc(bytes), { level: 9 }));
const bombEntry = (name: string, size: number, packed: Uint8Array): ZipEntry => ({ name, packed, method: 8, crc: 0, size });

/** A project of one run with right checksums, and these entries. */
function projectOf(...entries: readonly ZipEntry[]): Uint8Array {
  const index = { kind: 'project', version: 1, savedAt: '2026-01-02T03:04:05Z', runs: ['r1'] };
  const names = new Set(entries.map(({ name }) => name));
  const own = [
    stored('project.json', utf8(JSON.stringify(index))),
    stored('r1/run.json', utf8(JSON.stringify(run))),
    stored('r1/curves.csv', utf8('run,seed,step,metric,value\n')),
  ];
  return zipOf([...own.filter(({ name }) => !names.has(name)), ...entries]);
}

/** Arrays that all share the same bytes. */
function shared(): Uint8Array {
  const arrays = Array.from({ length: 2000 }, (_, i) => ({ name: `a${i}`, type: 'u8', offset: 0, length: MB }));
  return savedWith(JSON.stringify({ meta: {}, arrays }), new Uint8Array(MB));
}

export const HEAVY_LINKS: { readonly [name: string]: () => string } = {
  'a name of 100,000 dots': () => `#env=cartpole&algo=ppo&env.${'a.'.repeat(100_000)}b=1`,
  'a name of 20,000 dots': () => `#env=cartpole&algo=ppo&env.${'a.'.repeat(20_000)}b=1`,
  '60,000 open brackets': () => `#env=cartpole&algo=ppo&env.gravity=${'['.repeat(60_000)}`,
  '6,000 settings': () => `#env=cartpole&algo=ppo&${Array.from({ length: 6000 }, (_, i) => `env.k${i}=1`).join('&')}`,
  '48 kB that inflate to 35 MB': () => sealedLink(zeros(35 * MB)),
  '650 kB that inflate to 480 MB': () => sealedLink(zeros(480 * MB)),
  'a payload of 900 kB, nested 60 deep': () =>
    linkOfJson(`{"env":{"id":"cartpole","config":{"x":${'['.repeat(60)}${'1,'.repeat(400_000)}1${']'.repeat(60)}}},"algo":{"id":"ppo"}}`),
};

export const HEAVY_FILES: { readonly [name: string]: () => Uint8Array } = {
  'JSON nested 500,000 deep': () => utf8(`{"env":${'['.repeat(500_000)}`),
  'a project with curves of 400 MB': () => projectOf(bombEntry('r1/curves.csv', 400 * MB, zeros(400 * MB))),
  'a project with 20 policies of 20 MB': () => {
    const packed = zeros(20 * MB);
    return projectOf(...Array.from({ length: 20 }, (_, i) => bombEntry(`r1/1/policy-${i}.json`, 20 * MB, packed)));
  },
  'a project with a false checkpoint of 400 MB': () => projectOf(bombEntry('r1/1/checkpoint.bin', 400 * MB, zeros(400 * MB))),
  'a project of 60,000 files': () =>
    projectOf(
      ...Array.from({ length: 60_000 }, (_, i) => ({
        name: `r1/1/policy-${i}.json`,
        packed: new Uint8Array(0),
        method: 0,
        crc: 0,
        size: 0,
      })),
    ),
  'a project that says 1 kB and holds 400 MB': () => projectOf(bombEntry('r1/curves.csv', 1000, zeros(400 * MB))),
  'a project that says 4 GB and holds 1 kB': () =>
    projectOf({ name: 'r1/curves.csv', packed: zeros(MB), method: 8, crc: 0, size: 2 ** 32 - 2 }),
  'a checkpoint of 2,000 arrays over the same megabyte': () => {
    const data = shared();
    const packed = new Uint8Array(deflateRawSync(data));
    return projectOf({ name: 'r1/7/checkpoint.bin', packed, method: 8, crc: crc32(data), size: data.length });
  },
  'a checkpoint with a header of 100 MB': () => {
    const data = spacious();
    const packed = new Uint8Array(deflateRawSync(data));
    return projectOf({ name: 'r1/7/checkpoint.bin', packed, method: 8, crc: crc32(data), size: data.length });
  },
};

/** A right header with 100 MB of spaces behind it. */
const spacious = (): Uint8Array => savedWith('{"meta":{},"arrays":[]}'.padEnd(100 * MB), new Uint8Array(0));

/** Recordings: our own files and .npz. */
export const HEAVY_DATASETS: { readonly [name: string]: () => Uint8Array } = {
  'a recording with a header of 100 MB': spacious,
  'a .npz with a header of 100 MB': () => new Uint8Array(zipSync({ 'rl_workbench_header.npy': new Uint8Array(100 * MB).fill(32) })),
  'a .npz that says 1 kB and holds 400 MB': () => zipOf([bombEntry('rewards.npy', 1000, zeros(400 * MB))]),
};
