/**
 * `npm test`: everything CI runs, stage by stage, to the end even when a stage fails. The last line is "N passed, N failed".
 * Installs what is missing first: dependencies, a browser, a server for the tests of the queue (install.mjs).
 *   node tools/test.mjs [STAGE ...]      only these stages, e.g. `npm test -- types unit`
 *   npm run test:push                    before a push: without the unit tests that took longer than SLOW seconds when durations were last
 *                                        recorded, and of the end-to-end tests the ten tagged @road; none of these where only files changed
 *                                        that no page reads (tiers.mjs)
 *   npm run test:night                   all unit tests, the end-to-end tests tagged @night, a queue whose workers are killed (with
 *                                        redis-server), thirty times the hostile links and files, a million agent-steps of every environment,
 *                                        cheap recommendations again in their bands, one seed of what every tile promises, the recorded parameters
 *                                        of every method, and six methods in Firefox where there is one; writes
 *                                        bench/results/{night,fuzz}.json
 *   ... --record                         also writes how long every stage and test file took to bench/results/tests.json, where all of the
 *                                        tier was run and nothing failed
 * Every run keeps the durations of its test files in the cache and names what took longest. End-to-end tests get a second try; those that needed it
 * are named, and more than one in a hundred fails.
 * Exit code: 0 when nothing failed, 1 otherwise, 2 for an unknown stage.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { relative } from 'node:path';
import { checkBudget } from './budget.mjs';
import { ensureBrowser, ensureInstalled, ensureRedis, nodeProblem } from './install.mjs';
import { jsonRows } from './rows.mjs';
import { changedPaths, MOST_RETRIED, recordProblem, retriedTests, stagesOfPush, TIERS } from './tiers.mjs';

const CACHE = 'node_modules/.cache/rl-workbench';

/** Runs a Node script with output passed on; resolves with its exit code. */
function node(script, args = [], env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit', env: { ...process.env, ...env } });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

const ofCode = (code) => (code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

/** One check that is green or not. */
const check =
  (script, ...args) =>
  async () =>
    ofCode(await node(script, args));

const waiting = [];
let running = 0;

function startNext() {
  if (running === 2 || waiting.length === 0) return;
  running++;
  waiting.shift()();
}

/** Two pieces of work run at a time, begun in the order of the calls. */
const twoAtATime = (work) =>
  new Promise((resolve) => {
    waiting.push(async () => {
      resolve(await work());
      running--;
      startNext();
    });
    startNext();
  });

/** The same for one that uses a single core and measures no time: all that are asked for begin with the first of them. */
function checkBeside(script, ...args) {
  let begun = null;
  const begin = () => {
    begun ??= twoAtATime(
      () =>
        new Promise((resolve) => {
          const start = performance.now();
          const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
          let said = '';
          const done = (code) => resolve({ ...ofCode(code ?? 1), said, took: (performance.now() - start) / 1000 });
          for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
          child.on('error', () => done(1));
          child.on('close', done);
        }),
    );
    return begun;
  };
  return Object.assign(
    async () => {
      const { said, ...result } = await begin();
      process.stdout.write(said);
      return result;
    },
    { begin },
  );
}

function report(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

const DURATIONS = 'bench/results/tests.json';
const DURATIONS_HERE = `${CACHE}/tests.json`;
const NIGHT = 'bench/results/night.json';
const SLOW = 2; // seconds
const tier = process.argv.includes('--push') ? 'push' : process.argv.includes('--night') ? 'night' : 'all';
const night = tier === 'night';
/** Seconds of test files in this run, by path. */
const seconds = {};

/** Seconds of end-to-end tests in this run, by file and title. */
const played = {};

/** End-to-end tests of this run that passed on their second try only. */
let retried = [];

/** Files that a push leaves out: what was slow wherever it was measured, here and when durations were recorded. */
function slowFiles() {
  const recorded = report(DURATIONS)?.files ?? {};
  const here = report(DURATIONS_HERE)?.files ?? {};
  return Object.keys({ ...recorded, ...here }).filter(
    (file) => Math.min(recorded[file] ?? here[file], here[file] ?? recorded[file]) > SLOW,
  );
}

/** What took longest, as lines. */
const longest = (durations) =>
  Object.entries(durations)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 12)
    .map(([what, took]) => `${took.toFixed(1).padStart(7)} s  ${what}`);

/** Seconds of the end-to-end tests of a suite of Playwright's report, with those of its parts. */
function secondsOf({ file, specs = [], suites = [] }) {
  for (const { title, tests } of specs)
    played[`${file}: ${title}`] = tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration / 1000, 0);
  for (const part of suites) secondsOf({ file, ...part });
}

async function unit() {
  const file = `${CACHE}/vitest.json`;
  rmSync(file, { force: true });
  const code = await node(
    'node_modules/vitest/vitest.mjs',
    [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile=${file}`,
      ...(night ? [] : ['--testNamePattern', '^(?!.*@night)']),
      ...(tier === 'push' ? slowFiles().flatMap((slow) => ['--exclude', slow]) : []),
    ],
    night ? { RL_NIGHT: '1' } : {},
  );
  const result = report(file);
  if (!result) return { passed: 0, failed: 1 };
  for (const { name, startTime, endTime } of result.testResults)
    seconds[relative('.', name)] = Math.round((endTime - startTime) / 100) / 10;
  // A file that cannot be loaded has no tests to count, but it failed.
  const broken = result.testResults.filter((suite) => suite.status === 'failed' && suite.assertionResults.length === 0).length;
  const failed = result.numFailedTests + broken;
  return { passed: result.numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed, skipped: result.numPendingTests };
}

async function e2e() {
  const browser = await ensureBrowser();
  if (browser === null) return { passed: 0, failed: 1 };
  const file = `${CACHE}/playwright.json`;
  rmSync(file, { force: true });
  const code = await node('node_modules/@playwright/test/cli.js', ['test', '--reporter=list,json', '--retries=1', ...TIERS[tier].e2e], {
    CHROMIUM_PATH: browser,
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  const result = report(file);
  if (!result?.stats) return { passed: 0, failed: 1 };
  const { stats, suites = [] } = result;
  for (const suite of suites) secondsOf(suite);
  retried = retriedTests(result);
  const passed = stats.expected + stats.flaky;
  const tooMany = retried.length > MOST_RETRIED * (passed + stats.unexpected) ? 1 : 0;
  if (tooMany > 0)
    console.log(`${retried.length} of ${passed} end-to-end tests passed on their second try only: more than ${MOST_RETRIED * 100} %.`);
  const failed = stats.unexpected + tooMany;
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped: stats.skipped };
}

/** Quick forms of suites and papers: in every run, and what comes with them at night. */
const QUICK_FORMS = ['basics', 'P064', ...(process.argv.includes('--night') ? ['multi-agent', 'P033', 'P109'] : [])];

async function claims() {
  const file = `${CACHE}/claims.json`;
  rmSync(file, { force: true });
  const code = await node('tools/rl.mjs', ['claims', ...QUICK_FORMS, '--quick', '--report', file]);
  const forms = report(file)?.claims ?? [];
  const passed = forms.filter((claim) => claim.shows).length;
  const failed = forms.length - passed;
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

const STAGES = {
  // the longest first
  // One checker a project: four, which is the default, each infer the types of the schemas again and take 3.5 times the processor's time.
  types: checkBeside('node_modules/typescript/bin/tsc', '-b', '--checkers', '1'),
  format: checkBeside(
    'node_modules/@biomejs/biome/bin/biome',
    'ci',
    '--error-on-warnings',
    ...(process.stdout.isTTY ? [] : ['--colors=off']),
    '.',
  ),
  unused: checkBeside('tools/unused.mjs'),
  imports: checkBeside('tools/check-imports.mjs'),
  structure: checkBeside('tools/structure.mjs'),
  build: checkBeside('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'),
  unit,
  claims,
  budget: async () => checkBudget(),
  e2e,
  fuzz: async () => check('tools/fuzz.mjs', ...(night ? ['--night', '--record'] : []))(),
  soak: check('tools/rl.mjs', 'soak'),
  bands: check('tools/rl.mjs', 'learn', 'all', '--check'),
  promises: check('tools/rl.mjs', 'learn', 'all', '--promises'),
  hashes: check('tools/hashes.mjs'),
  /** Skipped by name where there is no Firefox. */
  firefox: async () => {
    const code = await node('tools/firefox.mjs');
    return code === 77 ? { passed: 0, failed: 0, skipped: 1 } : code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  },
};
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const asked = named.length > 0 ? named : tier === 'push' ? stagesOfPush(changedPaths()) : TIERS[tier].stages;
const unknown = asked.filter((name) => !(name in STAGES));
if (unknown.length > 0) {
  console.error(`Unknown stage ${unknown.join(', ')}. Use any of: ${Object.keys(STAGES).join(', ')}.`);
  process.exit(2);
}
const problem = nodeProblem();
if (problem !== null) {
  console.error(problem);
  process.exit(1);
}
ensureInstalled();
if (asked.includes('unit') && tier !== 'push') ensureRedis();

mkdirSync(CACHE, { recursive: true });
const total = { passed: 0, failed: 0, skipped: 0 };
const lines = [];
const stages = {};
const ordered = Object.entries(STAGES).filter(([name]) => asked.includes(name));
for (const [i, [name, run]] of ordered.entries()) {
  console.log(`\n== ${name}`);
  const start = performance.now();
  if (run.begin) for (const [, other] of ordered.slice(i)) other.begin?.();
  const { passed, failed, skipped = 0, took: own } = await run();
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  const took = (own ?? (performance.now() - start) / 1000).toFixed(1);
  stages[name] = { seconds: Number(took), passed, failed };
  lines.push(
    `${failed > 0 ? 'FAILED' : 'ok    '} ${name.padEnd(8)} ${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''} in ${took} s`,
  );
  console.log(lines.at(-1));
}
console.log(`\n== ${tier}\n${lines.join('\n')}`);
const left = named.length > 0 ? [] : TIERS[tier].stages.filter((name) => !asked.includes(name));
if (left.length > 0) console.log(`left out, since no file that they read has changed: ${left.join(', ')}`);
if (retried.length > 0) console.log(`\npassed on their second try only:\n${retried.map((test) => `  ${test}`).join('\n')}`);
const summary = () => ({
  date: new Date().toISOString(),
  commit: spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).stdout?.trim() ?? '',
  machine: { cpu: cpus()[0]?.model ?? '', cores: cpus().length, node: process.versions.node },
  stages,
});
const write = (file, content) => writeFileSync(file, jsonRows(content));
if (night) write(NIGHT, summary());
for (const [what, durations] of [
  ['test files', seconds],
  ['end-to-end tests', played],
])
  if (Object.keys(durations).length > 0) console.log(`\n${what} that took longest:\n${longest(durations).join('\n')}`);
/** Files that did not run keep what was measured before. */
const filesAfter = (before, least) =>
  Object.fromEntries(
    Object.entries({ ...before?.files, ...seconds })
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .filter(([, took]) => took >= least),
  );
// At night files hold more tests.
if (!night) write(DURATIONS_HERE, { files: filesAfter(report(DURATIONS_HERE), 0) });
if (process.argv.includes('--record')) {
  const refused = recordProblem({ failed: total.failed, stages, tier });
  if (refused !== null) console.log(refused);
  else {
    const before = report(DURATIONS);
    const files = tier === 'all' ? filesAfter(null, 1) : before?.files;
    write(DURATIONS, { tiers: { ...before?.tiers, [tier]: { ...summary(), retried } }, files });
  }
}
if (total.skipped > 0) console.log(`${total.skipped} skipped`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);
