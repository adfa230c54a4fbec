/**
 * What a first visit loads: the entry of dist/index.html and everything it imports statically, gzipped, against the budget;
 * whether the heavy libraries stayed in chunks that are loaded later; and what each worker parses before it knows what it runs.
 * Reads the lists of chunks that the build wrote (vite.config.ts).
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET = 250_000; // bytes of gzip
const LATER = ['@mujoco/', 'three', '@tensorflow/', 'recharts', 'uplot', 'mediabunny'];
const WORKER_BUDGET = 700_000; // bytes of script, not gzipped: they are parsed
const WORKERS = 'node_modules/.cache/rl-workbench/workers.json';
const CHUNKS = 'node_modules/.cache/rl-workbench/chunks.json';

const chunksOf = (file) => new Map(JSON.parse(readFileSync(file, 'utf8')).map((chunk) => [chunk.fileName, chunk]));

/** A chunk and all that it imports statically. */
function closure(chunks, entry) {
  const found = new Set([entry]);
  for (const name of found) for (const next of chunks.get(name)?.imports ?? []) found.add(next);
  return found;
}

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

export function checkBudget() {
  const chunks = chunksOf(CHUNKS);
  const first = new Set();
  for (const chunk of chunks.values()) if (chunk.isEntry) for (const name of closure(chunks, chunk.fileName)) first.add(name);

  let bytes = 0;
  const found = [];
  for (const name of first) {
    const size = gzipSync(readFileSync(`dist/${name}`)).length;
    bytes += size;
    console.log(`${(size / 1000).toFixed(1).padStart(7)} kB gz  ${name}`);
    const heavy = LATER.filter((library) => chunks.get(name)?.moduleIds.some((id) => id.includes(`/node_modules/${library}`)));
    found.push(...heavy.map((library) => `${library} is in ${name}, which loads first`));
  }
  console.log(`${(bytes / 1000).toFixed(1)} kB gz of ${BUDGET / 1000} kB load before the first paint`);
  const large = largeWorkers();
  for (const line of [...found, ...large]) console.log(line);
  const failures = (bytes > BUDGET || first.size === 0 ? 1 : 0) + (found.length > 0 ? 1 : 0) + (large.length > 0 ? 1 : 0);
  return { passed: 3 - failures, failed: failures };
}
