/**
 * The parameters that Firefox learns against those that are recorded (tools/hashes.json, what Node gave), on the built page, driven by WebDriver
 * BiDi over one WebSocket.
 *   node tools/firefox.mjs [ID ...]      recorded cases, "own-world" or "hostile-worlds": six methods and both if none is named
 * "own-world" is a world written for this, trained in its sandbox at #/write and by "rl train --env-file" in Node (e2e/write.spec.ts: in
 * Chromium); "hostile-worlds" are the files of tools/own-cases.mjs that try to get out of the sandbox.
 * Firefox: FIREFOX_PATH, else firefox-esr or firefox from the PATH. Exit code 0: all are equal; 1: some differ; 77: there is no Firefox here.
 */
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { HOSTILE, OWN_CODE, OWN_STEPS, openTrap, writeLink } from './own-cases.mjs';
import { serve } from './serve.mjs';

const OWN = 'own-world';
const TRIED = 'hostile-worlds';
const CASES = ['ppo-cartpole', 'sac', 'qmix', 'recurrent-ppo', 'dqn', 'maddpg', OWN, TRIED];
const NO_FIREFOX = 77;
/** ms that Firefox may take to start, that a page may take to be ready, and that a case may train. */
const START_MS = 60_000;
const READY_MS = 60_000;
const TRAIN_MS = 600_000;
/** ms for which code in a sandbox may keep the page from answering. */
const MOST_TURN_MS = 1000;

// Node 20 has the WebSocket of the platform behind a flag.
if (globalThis.WebSocket === undefined) {
  const again = spawnSync(process.execPath, ['--experimental-websocket', ...process.argv.slice(1)], { stdio: 'inherit' });
  process.exit(again.status ?? 1);
}

function findFirefox() {
  const runs = (path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  const asked = process.env.FIREFOX_PATH;
  if (asked) return runs(asked) ? asked : null;
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => ['firefox-esr', 'firefox'].map((name) => join(folder, name))).find(runs) ?? null;
}

/** Starts it without a window in a profile of its own; resolves with its process and the address at which it listens. */
function start(path, profile) {
  const child = spawn(path, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile, MOZ_HEADLESS: '1' },
  });
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`Firefox does not say where it listens: ${said.slice(-400)}`)), START_MS);
    child.stderr.on('data', (part) => {
      said += part;
      const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(said);
      if (found === null) return;
      clearTimeout(timer);
      resolve({ child, address: found[1] });
    });
    child.once('exit', (code) => reject(new Error(`Firefox ended with ${code}: ${said.slice(-400)}`)));
    child.once('error', reject);
  });
}

/** A BiDi session: commands by id, each answered or refused. */
async function connect(address) {
  const socket = new WebSocket(`${address}/session`);
  const open = new Map();
  let last = 0;
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('Firefox takes no connection.'));
  });
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    const waiting = open.get(message.id);
    if (waiting === undefined) return; // an event
    open.delete(message.id);
    if (message.type === 'success') waiting.resolve(message.result);
    else waiting.reject(new Error(`${message.error}: ${message.message}`));
  };
  socket.onclose = () => {
    for (const { reject } of open.values()) reject(new Error('Firefox has closed the connection.'));
  };
  const send = (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      open.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  const { capabilities } = await send('session.new', { capabilities: {} });
  return { send, version: capabilities.browserVersion, close: () => socket.close() };
}

/** What an expression is in the page, as JSON. */
async function evaluate({ send }, context, expression) {
  const { type, result, exceptionDetails } = await send('script.evaluate', {
    expression: `JSON.stringify(${expression})`,
    target: { context },
    awaitPromise: false,
  });
  if (type === 'exception') throw new Error(exceptionDetails.text);
  return result.type === 'string' ? JSON.parse(result.value) : undefined;
}

async function until(question, patience, what) {
  const end = performance.now() + patience;
  for (;;) {
    const answer = await question();
    if (answer) return answer;
    if (performance.now() > end) throw new Error(`${what} takes too long`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Trains what a link describes as a person does, and answers the results of its seeds. */
async function trained(session, context, url, link) {
  await session.send('browsingContext.navigate', { context, url: 'about:blank', wait: 'complete' });
  await session.send('browsingContext.navigate', { context, url: url + link, wait: 'complete' });
  const button = `[...document.querySelectorAll('[role="group"][aria-label="Training"] button')].find((b) => b.textContent.includes('Train'))`;
  const ready = `(window.__lab?.configHash ?? '') !== '' && ${button} !== undefined && !${button}.disabled`;
  await until(() => evaluate(session, context, ready), READY_MS, 'the page');
  const before = await evaluate(session, context, 'window.__lab.runs.length');
  await evaluate(session, context, `(${button}.click(), true)`);
  const run = `window.__lab.runs.length > ${before} ? window.__lab.activeRun : null`;
  return until(
    async () => {
      const seeds = await evaluate(session, context, `(${run})?.seeds.map(({ state, result, failure }) => ({ state, result, failure }))`);
      const failed = seeds?.find(({ failure }) => failure !== null);
      if (failed) throw new Error(failed.failure.message);
      return seeds?.every(({ state, result }) => state === 'done' && result !== null) ? seeds.map(({ result }) => result) : null;
    },
    TRAIN_MS,
    link,
  );
}

/** Hashes of what three seeds of the own world learn in Node. */
function ownInNode() {
  const folder = mkdtempSync(join(tmpdir(), 'rl-own-'));
  const file = join(folder, 'own.js');
  writeFileSync(file, OWN_CODE);
  const args = ['tools/rl.mjs', 'train', '--env-file', file, '--steps', String(OWN_STEPS), '--seeds', '3', '--json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  rmSync(folder, { recursive: true, force: true });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1)).seeds.map(({ parameterHash }) => parameterHash);
}

/** Opens a link to code and runs it, as a person does who was given it. */
async function openCode(session, context, url, code) {
  await session.send('browsingContext.navigate', { context, url: 'about:blank', wait: 'complete' });
  await session.send('browsingContext.navigate', { context, url: url + writeLink(code), wait: 'complete' });
  await press(session, context, 'Run this code');
}

async function press(session, context, text) {
  const button = `[...document.querySelectorAll('button')].find((b) => b.textContent.includes('${text}') && !b.disabled)`;
  await until(() => evaluate(session, context, `${button} !== undefined`), READY_MS, `"${text}"`);
  await evaluate(session, context, `(${button}.click(), true)`);
}

/** The same in the sandbox of the page. */
async function ownInPage(session, context, url) {
  await openCode(session, context, url, OWN_CODE);
  await press(session, context, 'Train 3 seeds');
  const hashes = `[...document.querySelectorAll('section[aria-label="Training"] tbody tr')].map((row) => row.lastElementChild?.textContent ?? '')`;
  return until(
    async () => {
      const found = await evaluate(session, context, hashes);
      return found?.length === 3 && found.every((text) => /^[0-9a-f]{16}$/.test(text)) ? found : null;
    },
    TRAIN_MS,
    OWN,
  );
}

/** Turns of a timer in the page, so that the longest time shows in which it did nothing. */
const WATCH_TURNS = `(() => {
  let last = performance.now();
  window.longestTurn = 0;
  setInterval(() => {
    const now = performance.now();
    window.longestTurn = Math.max(window.longestTurn, now - last);
    last = now;
  }, 20);
  return true;
})()`;

/** What is wrong with how the page took this code: '' where it reached nothing, ends in the words that belong to it and the page answers. */
async function faultOf(session, context, url, trap, { code, says }) {
  trap.calls();
  await openCode(session, context, url, trap.aim(code));
  await evaluate(session, context, WATCH_TURNS);
  // what went wrong, or what stands beside the scene
  const words = `[...document.querySelectorAll('[role="alert"], [role="status"]')].filter((e) => e.role === 'alert' || /(Walk|[RPM]( \\(.*\\))?): sees/.test(e.textContent)).map((e) => e.textContent).join(' ')`;
  let heard = '';
  try {
    await until(
      async () => {
        heard = (await evaluate(session, context, words)) ?? '';
        return says.test(heard);
      },
      READY_MS,
      'an answer',
    );
  } catch {
    return `says ${JSON.stringify(heard.slice(-300))}`;
  }
  await new Promise((resolve) => setTimeout(resolve, 500)); // what it asks for may come later than its words
  const calls = trap.calls();
  if (calls > 0) return `connected to the outside ${calls} times`;
  const state = `[Reflect.get({}, 'polluted') === undefined && typeof [].map === 'function', document.querySelector('h1')?.textContent, window.longestTurn]`;
  const [clean, heading, turn] = await evaluate(session, context, state);
  if (!clean) return 'changed what the page is made of';
  if (heading !== 'Write your own') return `left the page with "${heading}"`;
  return turn > MOST_TURN_MS ? `kept the page for ${Math.round(turn)} ms` : '';
}

const path = findFirefox();
if (path === null) {
  console.log('skipped: the parameters that Firefox learns (no Firefox: set FIREFOX_PATH, or "apt-get install firefox-esr" on Debian)');
  process.exit(NO_FIREFOX);
}
const recorded = JSON.parse(readFileSync(new URL('hashes.json', import.meta.url), 'utf8'));
const named = process.argv.slice(2);
const ids = named.length > 0 ? named : CASES;
const profile = mkdtempSync(join(tmpdir(), 'rl-firefox-'));
const { server, url } = await serve({ dir: 'dist', port: 0, base: '/lab/' });
let browser = null;
let differing = 0;
try {
  browser = await start(path, profile);
  const session = await connect(browser.address);
  const { context } = await session.send('browsingContext.create', { type: 'tab' });
  console.log(`Firefox ${session.version}`);
  for (const id of ids) {
    if (id === OWN) {
      const [node, page] = [ownInNode(), await ownInPage(session, context, url)];
      if (node.join() !== page.join()) differing++;
      console.log(`${node.join() === page.join() ? 'equal ' : 'DIFFERS'} ${id} ${page.join(' ')}`);
      continue;
    }
    if (id === TRIED) {
      const trap = await openTrap();
      await session.send('browsingContext.navigate', { context, url: 'about:blank', wait: 'complete' });
      await evaluate(session, context, `(void fetch('${trap.url}').catch(() => {}), true)`);
      await until(() => trap.calls() > 0, READY_MS, 'the call that shows that calls are heard');
      for (const one of HOSTILE) {
        const fault = await faultOf(session, context, url, trap, one);
        if (fault !== '') differing++;
        console.log(fault === '' ? `held   ${one.what}` : `FAILED ${one.what}: ${fault}`);
      }
      trap.close();
      continue;
    }
    const found = recorded.find((one) => one.id === id);
    if (found === undefined) throw new Error(`tools/hashes.json has no case "${id}"`);
    const begun = performance.now();
    const results = await trained(session, context, url, found.link);
    const pick = ({ seed, parameterHash, finalReturn, evalReturn }) => JSON.stringify([seed, parameterHash, finalReturn, evalReturn]);
    const same = results.map(pick).join() === found.seeds.map(pick).join();
    if (!same) differing++;
    const took = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`${same ? 'equal ' : 'DIFFERS'} ${id} ${results.map(({ parameterHash }) => parameterHash).join(' ')} in ${took} s`);
  }
  session.close();
} catch (error) {
  console.error(error.message);
  differing++;
} finally {
  browser?.child.removeAllListeners('exit');
  browser?.child.kill('SIGKILL');
  server.close();
  server.closeAllConnections();
  // It writes to its profile for a moment longer.
  await new Promise((resolve) => setTimeout(resolve, 500));
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(differing > 0 ? 1 : 0);
