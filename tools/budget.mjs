/**
 * What a first visit loads: the entry of dist/index.html and everything it imports statically, gzipped, against the budget, and the same with
 * the front page, which shows the first worlds; whether the heavy libraries stayed in chunks that are loaded later; what each worker parses before it knows what it
 * runs, what is kept for offline at the first visit, and in how many files the views of a world come.
 * Reads the lists of chunks that the build wrote (vite.config.ts).
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET = 189_000; // bytes of gzip
const FRONT_BUDGET = 223_200; // bytes of gzip, the entry included; the names of chunks alone move it by 30
const FRONT = '/src/ui/home/home.page.tsx';
const VIEWS = [
  '/src/ui/Laboratory.tsx',
  '/src/ui/stage/Stage.tsx',
  '/src/ui/runs/curves/CurvesRoom.tsx',
  '/src/ui/explain/team/WhyRoom.tsx',
];
const MOST_FILES = 12; // of scripts before a view shows: a request costs a browser more than a few kilobytes (first-load.ts)
const LATER = ['@mujoco/', 'three', '@tensorflow/', 'recharts', 'uplot', 'mediabunny', 'fflate'];
const WORKER_BUDGET = 700_000; // bytes of script, not gzipped: they are parsed
const WORKERS = 'node_modules/.cache/rl-workbench/workers.json';
const OFFLINE_BUDGET = 8_000_000; // bytes that the service worker fetches at the first visit
const CHUNKS = 'node_modules/.cache/rl-workbench/chunks.json';

const chunksOf = (file) => new Map(JSON.parse(readFileSync(file, 'utf8')).map((chunk) => [chunk.fileName, chunk]));

/** A chunk and all that it imports statically. */
function closure(chunks, entry) {
  const found = new Set([entry]);
  for (const name of found) for (const next of chunks.get(name)?.imports ?? []) found.add(next);
  return found;
}

/** The chunk that holds the module of this name. */
const chunkWith = (chunks, module) => [...chunks.values()].find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));

/** Workers above their budget, a line each. */
function largeWorkers() {
  const chunks = chunksOf(WORKERS);
  const large = [];
  for (const { fileName, isEntry } of chunks.values()) {
    if (!isEntry) continue;
    let bytes = 0;
    for (const name of closure(chunks, fileName)) bytes += readFileSync(`dist/${name}`).length;
    const line = `${(bytes / 1000).toFixed(1).padStart(7)} kB of ${WORKER_BUDGET / 1000} kB  ${fileName}`;
    console.log(line);
    if (bytes > WORKER_BUDGET) large.push(`${fileName} is too large`);
  }
  return large;
}

/** Bytes of gzip of these files of dist/, each printed where `say` is set. */
function gzipped(names, say) {
  let bytes = 0;
  for (const name of names) {
    const size = gzipSync(readFileSync(`dist/${name}`)).length;
    bytes += size;
    if (say) console.log(`${(size / 1000).toFixed(1).padStart(7)} kB gz  ${name}`);
  }
  return bytes;
}

/** Bytes of the files that the service worker keeps at the first visit. */
function keptAtFirst() {
  const urls = [...readFileSync('dist/sw.js', 'utf8').matchAll(/"url":"([^"]+)"/g)].map(([, url]) => url);
  return [...new Set(urls)].reduce((sum, url) => sum + readFileSync(`dist/${url}`).length, 0);
}

/** Files that must be there before the views of a world show. */
function filesOfViews(chunks) {
  const needed = new Set();
  for (const view of VIEWS) {
    const chunk = chunkWith(chunks, view);
    if (chunk === undefined) return Number.POSITIVE_INFINITY;
    for (const name of closure(chunks, chunk.fileName)) needed.add(name);
  }
  return needed.size;
}

export function checkBudget() {
  const chunks = chunksOf(CHUNKS);
  const first = new Set();
  for (const chunk of chunks.values()) if (chunk.isEntry) for (const name of closure(chunks, chunk.fileName)) first.add(name);
  const bytes = gzipped(first, true);
  const found = [...first].flatMap((name) => {
    const heavy = LATER.filter((library) => chunks.get(name)?.moduleIds.some((id) => id.includes(`/node_modules/${library}`)));
    return heavy.map((library) => `${library} is in ${name}, which loads first`);
  });
  const home = chunkWith(chunks, FRONT);
  const front =
    home === undefined
      ? Number.POSITIVE_INFINITY
      : bytes +
        gzipped(
          [...closure(chunks, home.fileName)].filter((name) => !first.has(name)),
          false,
        );
  console.log(`${(bytes / 1000).toFixed(1)} kB gz of ${BUDGET / 1000} kB load before the first paint`);
  console.log(`${(front / 1000).toFixed(1)} kB gz of ${FRONT_BUDGET / 1000} kB with the front page`);
  const offline = keptAtFirst();
  console.log(`${(offline / 1e6).toFixed(2)} MB of ${OFFLINE_BUDGET / 1e6} MB are kept for offline at the first visit`);
  const files = filesOfViews(chunks);
  console.log(`${files} of ${MOST_FILES} files of scripts before a world shows`);
  const large = largeWorkers();
  for (const line of [...found, ...large]) console.log(line);
  const tooLarge = bytes > BUDGET || front > FRONT_BUDGET || first.size === 0;
  const failures =
    (tooLarge ? 1 : 0) +
    (found.length > 0 ? 1 : 0) +
    (large.length > 0 ? 1 : 0) +
    (offline > OFFLINE_BUDGET || offline === 0 ? 1 : 0) +
    (files > MOST_FILES ? 1 : 0);
  return { passed: 5 - failures, failed: failures };
}
