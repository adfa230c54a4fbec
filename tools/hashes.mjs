/**
 * What is trained stays the same, bit for bit: trains every line of `tools/hashes.json` on the command line and compares parameter hash,
 * final and evaluated return with the recorded ones.
 *   npm run hashes [-- ID ...]        compares (only these ids); exit code 1 where one differs
 *   npm run hashes -- --write [ID ...] records; only for a change that raises the version of what it changes
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'tools/hashes.json';
const args = process.argv.slice(2);
const write = args.includes('--write');
const asked = args.filter((arg) => !arg.startsWith('--'));
const cases = JSON.parse(readFileSync(FILE, 'utf8'));
let failed = 0;
let passed = 0;

for (const line of cases) {
  if (asked.length > 0 && !asked.includes(line.id)) continue;
  const run = spawnSync(process.execPath, ['tools/rl.mjs', 'train', '--config', line.link, '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const seeds = run.stdout
    .split('\n')
    .filter((row) => row.startsWith('{"type":"seed"'))
    .map((row) => JSON.parse(row))
    .map(({ seed, parameterHash, finalReturn, evalReturn, steps }) => ({ seed, parameterHash, finalReturn, evalReturn, steps }));
  if (run.status !== 0 || seeds.length === 0) {
    console.log(`FAILED ${line.id}: ${run.stderr.trim() || run.stdout.trim().slice(-500)}`);
    failed++;
    continue;
  }
  if (write) {
    line.seeds = seeds;
    writeFileSync(FILE, `${JSON.stringify(cases, null, 1)}\n`);
  }
  const same = JSON.stringify(seeds) === JSON.stringify(line.seeds);
  if (same) passed++;
  else failed++;
  console.log(`${same ? 'ok    ' : 'DIFFER'} ${line.id} ${seeds.map((seed) => seed.parameterHash).join(' ')}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
