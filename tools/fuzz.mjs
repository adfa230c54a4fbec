/**
 * `npm run fuzz`: hostile links and files, read as the page reads them, in processes whose heap is limited to 300 MB; then the heavy ones,
 * each in a process of its own that may need 100 MB more than an idle one. Cases follow from the seed. Promises: tools/fuzz/main.ts.
 *   npm run fuzz                       1,000 links and 300 files, as CI does
 *   npm run fuzz -- --night            10,000 and 3,000
 *   npm run fuzz -- --seed N           other cases
 *   npm run fuzz -- --record           also writes bench/results/fuzz.json
 * Exit code 1 where a promise is broken or memory goes past its limit. Times are of the processor, told and never judged.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';

const HEAP_MB = 300;
const ABOVE_IDLE_MB = 100;
const option = (name, fallback) => {
  const at = process.argv.indexOf(name);
  return at > 0 ? Number(process.argv[at + 1]) : fallback;
};
const night = process.argv.includes('--night');
const seed = option('--seed', 1);

const main = join(await bundle('fuzz'), 'main.mjs');

/** Runs main.ts; its answer, or null where it failed, whose reason is then on the terminal. */
function child(args, heap = HEAP_MB) {
  const { status, stdout } = spawnSync(process.execPath, [`--max-old-space-size=${heap}`, main, ...args.map(String)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1e8,
  });
  if (status !== 0) return null;
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

let failed = 0;
const fail = (what) => {
  failed++;
  console.log(`FAILED ${what}`);
};

const results = { seed, heapLimitMB: HEAP_MB, links: null, files: null, heavy: {} };
for (const [kind, count] of [
  ['links', night ? 10_000 : 1000],
  ['files', night ? 3000 : 300],
]) {
  const found = child([kind, count, seed]);
  results[kind] = found;
  if (found === null) fail(`${kind}: a promise is broken, or the heap of ${HEAP_MB} MB was not enough`);
  else if (found.heldMB > HEAP_MB) fail(`${kind} held ${found.heldMB} MB`);
  else
    console.log(
      `ok     ${kind}: ${found.opened} opened, ${found.refused} refused, ${found.empty} empty; median ${found.ms.median} ms, most ${found.ms.most} ms, ${found.over100ms} over 100 ms; at most ${found.heldMB} MB held`,
    );
}

const folder = mkdtempSync(join(tmpdir(), 'rl-fuzz-'));
const file = join(folder, 'input');
try {
  const idle = child(['idle']);
  const names = child(['names']) ?? [];
  if (idle === null || names.length === 0) fail('the idle process');
  for (const name of names) {
    const found = child(['make', name, file], 2000) === null ? null : child(['read', name, file]);
    const above = found === null ? null : Math.round((found.peakMB - idle.peakMB) * 10) / 10;
    results.heavy[name] = found === null ? null : { outcome: found.outcome, ms: found.ms, aboveIdleMB: above };
    if (found === null) fail(`${name}: it broke a promise or ran out of memory`);
    else if (above > ABOVE_IDLE_MB) fail(`${name}: ${above} MB above an idle process`);
    else console.log(`ok     ${name}: ${found.outcome} in ${found.ms} ms, ${above} MB above an idle process`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
if (process.argv.includes('--record')) {
  const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, node: process.versions.node };
  writeFileSync('bench/results/fuzz.json', `${JSON.stringify({ date: new Date().toISOString(), machine, ...results }, null, 1)}\n`);
}
console.log(failed === 0 ? 'every promise held' : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
