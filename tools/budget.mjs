/**
 * What a first visit loads: the entry of dist/index.html and everything it imports statically, gzipped, against the budget;
 * and whether the heavy libraries stayed in chunks that are loaded later. Reads the list of chunks that the build wrote (vite.config.ts).
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET = 250_000; // bytes of gzip
const LATER = ['three', '@tensorflow/', 'recharts', 'uplot', 'mediabunny'];
const CHUNKS = 'node_modules/.cache/rl-workbench/chunks.json';

export function checkBudget() {
  const chunks = new Map(JSON.parse(readFileSync(CHUNKS, 'utf8')).map((chunk) => [chunk.fileName, chunk]));
  const first = new Set();
  const visit = (name) => {
    if (first.has(name)) return;
    first.add(name);
    for (const next of chunks.get(name)?.imports ?? []) visit(next);
  };
  for (const chunk of chunks.values()) if (chunk.isEntry) visit(chunk.fileName);

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
  for (const line of found) console.log(line);
  const failures = (bytes > BUDGET || first.size === 0 ? 1 : 0) + (found.length > 0 ? 1 : 0);
  return { passed: 2 - failures, failed: failures };
}
