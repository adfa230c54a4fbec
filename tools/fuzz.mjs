/**
 * `npm run fuzz`: hostile links and files, read as the page reads them, in processes whose heap is limited to 300 MB; then the heavy ones,
 * each in a process of its own that may need 100 MB more than an idle one. Cases follow from the seed. Promises: tools/fuzz/main.ts.
 * Lists without end in every field of every reader of JSON may take sixteen times the
 * processor that reading the largest list alone takes on the same machine, and 50 MB.
 *   npm run fuzz                       300 links and 100 files, as CI does
 *   npm run fuzz -- --night            10,000 and 3,000
 *   npm run fuzz -- --seed N           other cases
 *   npm run fuzz -- --record           also writes bench/results/fuzz.json
 * Exit code 1 where a promise is broken or memory goes past its limit. Times are of the processor; those of generated cases are told and not judged.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { jsonRows } from './rows.mjs';

const HEAP_MB = 300;
const ABOVE_IDLE_MB = 100;
const COUNTED_TIMES = 16;
const COUNTED_MB = 50;
const option = (name, fallback) => {
  const at = process.argv.indexOf(name);
  return at > 0 ? Number(process.argv[at + 1]) : fallback;
};
const night = process.argv.includes('--night');
const seed = option('--seed', 1);

const main = join(await bundle('fuzz'), 'main.mjs');

/** Runs main.ts; its answer, or null where it failed, whose reason is then on the terminal. */
const child = (args, heap = HEAP_MB) =>
  new Promise((resolve) => {
    const options = { encoding: 'utf8', maxBuffer: 1e8 };
    execFile(process.execPath, [`--max-old-space-size=${heap}`, main, ...args.map(String)], options, (error, stdout, stderr) => {
      process.stderr.write(stderr);
      resolve(error === null ? JSON.parse(stdout.trim().split('\n').at(-1)) : null);
    });
  });

/** The answers to all of them, in order; a process a core, at most four at a time. */
async function each(items, ask) {
  const answers = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      answers[at] = await ask(items[at], at);
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, cpus().length) }, worker));
  return answers;
}

let failed = 0;
const fail = (what) => {
  failed++;
  console.log(`FAILED ${what}`);
};

const results = { seed, heapLimitMB: HEAP_MB, links: null, files: null, heavy: {} };
const campaigns = [
  ['links', night ? 10_000 : 300],
  ['files', night ? 3000 : 100],
];
// Beside them: it counts the processor's time of its own process.
const counts = child(['counts', night ? 'night' : 'day'], 2000);
const answers = await each(campaigns, ([kind, count]) => child([kind, count, seed]));
for (const [i, [kind]] of campaigns.entries()) {
  const found = answers[i];
  results[kind] = found;
  if (found === null) fail(`${kind}: a promise is broken, or the heap of ${HEAP_MB} MB was not enough`);
  else if (found.heldMB > HEAP_MB) fail(`${kind} held ${found.heldMB} MB`);
  else
    console.log(
      `ok     ${kind}: ${found.opened} opened, ${found.refused} refused, ${found.empty} empty; median ${found.ms.median} ms, most ${found.ms.most} ms, ${found.over100ms} over 100 ms; at most ${found.heldMB} MB held`,
    );
}

const folder = mkdtempSync(join(tmpdir(), 'rl-fuzz-'));
try {
  const [idle, made, counted] = await Promise.all([child(['idle']), child(['make', folder], 2000), counts]);
  results.counts = counted;
  if (counted === null) fail('counts: a promise is broken');
  else {
    const { times, mb, what } = counted.most;
    const told = `${counted.cases} files with lists without end: at most ${times.toFixed(1)} times a bare list, and ${mb} MB (${what})`;
    if (times > COUNTED_TIMES || mb > COUNTED_MB) fail(told);
    else console.log(`ok     ${told}`);
  }

  const names = made ?? [];
  if (idle === null || names.length === 0) fail('the idle process');
  const read = await each(names, (name, i) => child(['read', name, join(folder, `input-${i}`)]));
  for (const [i, name] of names.entries()) {
    const found = read[i];
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
  writeFileSync('bench/results/fuzz.json', jsonRows({ date: new Date().toISOString(), machine, ...results }));
}
console.log(failed === 0 ? 'every promise held' : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
