/**
 * `npm test`: everything CI runs, stage by stage, to the end even when a stage fails. The last line is "N passed, N failed".
 *   node tools/test.mjs [STAGE ...]      only these stages, e.g. `npm test -- types unit`
 * Exit code: 0 when nothing failed, 1 otherwise, 2 for an unknown stage.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { findBrowser, HOW_TO_GET_ONE } from './browser.mjs';
import { checkBudget } from './budget.mjs';

const CACHE = 'node_modules/.cache/rl-workbench';

/** Runs a Node script with output passed on; resolves with its exit code. */
function node(script, args = [], env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit', env: { ...process.env, ...env } });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** One check that is green or not. */
const check =
  (script, ...args) =>
  async () =>
    (await node(script, args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };

function report(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

async function unit() {
  const file = `${CACHE}/vitest.json`;
  rmSync(file, { force: true });
  const code = await node('node_modules/vitest/vitest.mjs', ['run', '--reporter=default', '--reporter=json', `--outputFile=${file}`]);
  const result = report(file);
  if (!result) return { passed: 0, failed: 1 };
  // A file that cannot be loaded has no tests to count, but it failed.
  const broken = result.testResults.filter((suite) => suite.status === 'failed' && suite.assertionResults.length === 0).length;
  const failed = result.numFailedTests + broken;
  return { passed: result.numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed, skipped: result.numPendingTests };
}

async function e2e() {
  const browser = await findBrowser();
  if (!browser) {
    console.error(HOW_TO_GET_ONE);
    return { passed: 0, failed: 1 };
  }
  const file = `${CACHE}/playwright.json`;
  rmSync(file, { force: true });
  const code = await node('node_modules/@playwright/test/cli.js', ['test', '--reporter=list,json'], {
    CHROMIUM_PATH: browser,
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  const stats = report(file)?.stats;
  if (!stats) return { passed: 0, failed: 1 };
  const failed = stats.unexpected;
  // A test that passed on its second try is counted as passed and named by Playwright as flaky.
  return { passed: stats.expected + stats.flaky, failed: code !== 0 && failed === 0 ? 1 : failed, skipped: stats.skipped };
}

async function claims() {
  const total = { passed: 0, failed: 0 };
  for (const suite of ['basics', 'multi-agent']) {
    const file = `${CACHE}/claims.json`;
    rmSync(file, { force: true });
    const code = await node('tools/rl.mjs', ['claims', suite, '--quick', '--report', file]);
    const verdicts = report(file)?.claims ?? [];
    const passed = verdicts.filter((claim) => claim.verdict === 'reproduced').length;
    const failed = verdicts.length - passed;
    total.passed += passed;
    total.failed += code !== 0 && failed === 0 ? 1 : failed;
  }
  return total;
}

const STAGES = {
  format: check(
    'node_modules/@biomejs/biome/bin/biome',
    'ci',
    '--error-on-warnings',
    ...(process.stdout.isTTY ? [] : ['--colors=off']),
    '.',
  ),
  types: check('node_modules/typescript/bin/tsc', '-b'),
  imports: check('tools/check-imports.mjs'),
  structure: check('tools/structure.mjs'),
  unused: check('node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'),
  unit,
  claims,
  build: check('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'),
  budget: async () => checkBudget(),
  e2e,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in STAGES));
if (unknown.length > 0) {
  console.error(`Unknown stage ${unknown.join(', ')}. Use any of: ${Object.keys(STAGES).join(', ')}.`);
  process.exit(2);
}

mkdirSync(CACHE, { recursive: true });
const total = { passed: 0, failed: 0, skipped: 0 };
const lines = [];
for (const [name, run] of Object.entries(STAGES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n== ${name}`);
  const start = performance.now();
  const { passed, failed, skipped = 0 } = await run();
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  lines.push(
    `${failed > 0 ? 'FAILED' : 'ok    '} ${name.padEnd(8)} ${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''} in ${seconds} s`,
  );
  console.log(lines.at(-1));
}
console.log(`\n== all\n${lines.join('\n')}`);
if (total.skipped > 0) console.log(`${total.skipped} skipped`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);
