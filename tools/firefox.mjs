/**
 * The parameters that Firefox learns against those that are recorded (tools/hashes.json, what Node gave), on the built page, driven by WebDriver
 * BiDi over one WebSocket.
 *   node tools/firefox.mjs [ID ...]      recorded cases, or those of own worlds below: six methods and all of them if none is named
 * "own-world" is a world written for this, trained in its sandbox at #/write, in the laboratory, and by "rl train --env-file" in Node
 * (e2e/write.spec.ts: in Chromium); "hostile-worlds" are the files of tools/own-cases.mjs that try to get out of the sandbox, opened where they are
 * written, and "endless-worlds" those of tools/own-endless.mjs; "hostile-in-lab" opens those that the laboratory takes by its link and trains them, with
 * those that speak its own language; "foreign-files" is one world that tries to get out, brought by a link, a config, a policy and a project file.
 * Firefox: FIREFOX_PATH, else firefox-esr or firefox from the PATH. Exit code 0: all are equal; 1: some differ; 77: there is no Firefox here.
 */
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { FRIENDLY, HOSTILE, HOSTILE_IN_LAB, labLink, OTHER, OWN_CODE, OWN_STEPS, openTrap, walk, writeLink } from './own-cases.mjs';
import { ENDLESS } from './own-endless.mjs';
import { serve } from './serve.mjs';

const OWN = 'own-world';
const TRIED = 'hostile-worlds';
const UNENDING = 'endless-worlds';
const IN_LAB = 'hostile-in-lab';
const FILES = 'foreign-files';
const TWO = 'two-programs';
const CASES = ['ppo-cartpole', 'sac', 'qmix', 'recurrent-ppo', 'dqn', 'maddpg', OWN, TWO, TRIED, UNENDING, IN_LAB, FILES];
const NO_FIREFOX = 77;
/** ms that Firefox may take to start, that a page may take to be ready, and that a case may train. */
const START_MS = 60_000;
const READY_MS = 60_000;
const TRAIN_MS = 600_000;
/** ms for which code in a sandbox may keep the page from answering. */
const MOST_TURN_MS = 1000;
const SLOW = 'kept the page for';

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

const TRAIN = `[...document.querySelectorAll('[role="group"][aria-label="Training"] button')].find((b) => b.textContent.includes('Train'))`;
const READY = `((window.__lab?.configHash ?? '') !== '' && ${TRAIN} !== undefined && !${TRAIN}.disabled)`;

async function go(session, context, address) {
  await session.send('browsingContext.navigate', { context, url: 'about:blank', wait: 'complete' });
  await session.send('browsingContext.navigate', { context, url: address, wait: 'complete' });
}

/** Trains what a link describes as a person does, and answers the results of its seeds. */
async function trained(session, context, url, link) {
  await go(session, context, url + link);
  return results(session, context, link);
}

/** Presses Train where the laboratory is open, and waits for all seeds. */
async function results(session, context, what) {
  await until(() => evaluate(session, context, READY), READY_MS, 'the page');
  const before = await evaluate(session, context, 'window.__lab.runs.length');
  await evaluate(session, context, `(${TRAIN}.click(), true)`);
  const run = `window.__lab.runs.length > ${before} ? window.__lab.activeRun : null`;
  return until(
    async () => {
      const seeds = await evaluate(session, context, `(${run})?.seeds.map(({ state, result, failure }) => ({ state, result, failure }))`);
      const failed = seeds?.find(({ failure }) => failure !== null);
      if (failed) throw new Error(failed.failure.message);
      return seeds?.every(({ state, result }) => state === 'done' && result !== null) ? seeds.map(({ result }) => result) : null;
    },
    TRAIN_MS,
    what,
  );
}

/** Hashes of what three seeds of the own world learn in Node; `algo`: another method than the one that the world asks for. */
function ownInNode(algo = []) {
  const folder = mkdtempSync(join(tmpdir(), 'rl-own-'));
  const file = join(folder, 'own.js');
  writeFileSync(file, OWN_CODE);
  const args = ['tools/rl.mjs', 'train', '--env-file', file, ...algo, '--steps', String(OWN_STEPS), '--seeds', '3', '--json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  rmSync(folder, { recursive: true, force: true });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1)).seeds.map(({ parameterHash }) => parameterHash);
}

/** Does this in a tab that shares no storage with the others, so that no code is known there. */
async function apart(session, act) {
  const { userContext } = await session.send('browser.createUserContext', {});
  try {
    const { context } = await session.send('browsingContext.create', { type: 'tab', userContext });
    return await act(context);
  } finally {
    await session.send('browser.removeUserContext', { userContext });
  }
}

/** Opens a link to code and runs it, as a person does who was given it. */
async function openCode(session, context, address) {
  await go(session, context, address);
  await press(session, context, 'Run this code');
}

async function press(session, context, text) {
  const button = `[...document.querySelectorAll('button')].find((b) => b.textContent.includes('${text}') && !b.disabled)`;
  await until(() => evaluate(session, context, `${button} !== undefined`), READY_MS, `"${text}"`);
  await evaluate(session, context, `(${button}.click(), true)`);
}

/** The same in the sandbox of the page. */
async function ownInPage(session, context, url) {
  await openCode(session, context, url + writeLink(OWN_CODE));
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

const SHOWN = `document.querySelector('textarea[aria-label="Code of another author"]')`;

/**
 * Opens a link of the laboratory that carries code and runs it. Answers whether its world or run is open then; else the page has said why not.
 */
async function openInLab(session, context, address) {
  await go(session, context, address);
  await until(() => evaluate(session, context, `${SHOWN} !== null`), READY_MS, 'the code');
  await evaluate(session, context, WATCH_TURNS);
  return allow(session, context);
}

async function allow(session, context) {
  await press(session, context, 'Run this code');
  await until(() => evaluate(session, context, `${SHOWN} === null`), READY_MS, 'the start of the sandbox');
  const mine = `(document.querySelector('option:checked[value^="own-"]') !== null || (window.__lab?.activeRun ?? null) !== null)`;
  const refused = `document.querySelector('dialog[open]') !== null`;
  await until(() => evaluate(session, context, `${mine} || ${refused}`), READY_MS, 'the world or words');
  return evaluate(session, context, `${mine} && !${refused}`);
}

/** The same in the laboratory, whose links carry the code as well. */
const ownInLab = (session, url) =>
  apart(session, async (context) => {
    await openInLab(session, context, url + labLink(OWN_CODE, `algo=a2c&steps=${OWN_STEPS}&seeds=3`));
    return (await results(session, context, `${OWN} in the laboratory`)).map(({ parameterHash }) => parameterHash);
  });

/** Of two programs with one short id, allowing one lets the other not run. Answers what is wrong, '' for nothing. */
const faultOfTwo = (session, url) =>
  apart(session, async (context) => {
    if (!(await openInLab(session, context, url + labLink(FRIENDLY)))) return 'the first one did not open';
    await go(session, context, 'about:blank');
    await go(session, context, url + labLink(OTHER));
    await until(() => evaluate(session, context, `(${SHOWN}?.value ?? '').includes('Other walk')`), READY_MS, 'the code of the second');
    await new Promise((resolve) => setTimeout(resolve, 2000)); // a sandbox would have begun
    return (await evaluate(session, context, `document.querySelector('iframe') === null`)) ? '' : 'the second one ran without a question';
  });

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

/** The longest time, ms, for which the page did nothing else while code ran, over all of it. */
let longestTurn = 0;

/** What code has done outside its sandbox, '' for nothing. What it asks for may come later than its words. */
async function harm(session, context, trap, mostTurn = MOST_TURN_MS) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  const calls = trap.calls();
  if (calls > 0) return `connected to the outside ${calls} times`;
  const state = `[Reflect.get({}, 'polluted') === undefined && typeof [].map === 'function' && localStorage.getItem('a') === null && document.cookie === '', window.longestTurn]`;
  const [clean, turn] = await evaluate(session, context, state);
  longestTurn = Math.max(longestTurn, turn);
  if (!clean) return 'changed what the page is made of';
  return turn > mostTurn ? `${SLOW} ${Math.round(turn)} ms` : '';
}

/** What is wrong with how the page took this code: '' where it reached nothing, ends in the words that belong to it and the page answers. */
async function faultOf(session, context, url, trap, { code, says, firefoxMs }) {
  trap.calls();
  await openCode(session, context, url + writeLink(trap.aim(code)));
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
  const heading = await evaluate(session, context, `document.querySelector('h1')?.textContent`);
  return heading === 'Write your own' ? harm(session, context, trap, firefoxMs) : `left the page with "${heading}"`;
}

/** The words of dialogs, alerts and seeds that failed. */
const WRONGS = `[...[...document.querySelectorAll('dialog, [role="alert"]')].map((e) => e.textContent), ...(window.__lab?.activeRun?.seeds ?? []).map(({ failure }) => failure?.message ?? '')].join(' ')`;

/** The same for the laboratory, where the code is opened by a link and trained: it ends in these words, or, where they are null, in any or in a policy. */
async function faultInLab(session, context, url, trap, { code, says }) {
  trap.calls();
  const states = `(window.__lab?.activeRun?.seeds ?? []).map(({ state }) => state)`;
  let heard = '';
  try {
    const opened = await openInLab(session, context, url + labLink(trap.aim(code), 'algo=ppo&steps=40000&seeds=1'));
    if (opened) {
      await until(
        () => evaluate(session, context, `${READY} || ${says === null ? 'false' : `${says}.test(${WRONGS})`}`),
        READY_MS,
        'Train',
      );
      await evaluate(session, context, `(${TRAIN}.click(), true)`);
    }
    await until(
      async () => {
        heard = (await evaluate(session, context, WRONGS)) ?? '';
        if (says !== null) return says.test(heard);
        const seeds = (await evaluate(session, context, states)) ?? [];
        const over = seeds.length > 0 && seeds.every((state) => state === 'done' || state === 'failed');
        return opened ? over : heard.length > 20;
      },
      2 * READY_MS,
      'an answer',
    );
  } catch (error) {
    return `${error.message}; says ${JSON.stringify(heard.slice(-300))}`;
  }
  return harm(session, context, trap);
}

/** A world that asks for the outside when it is made, and trains all the same. */
const asks = (address) =>
  `}; try { fetch('${address}').catch(() => 0); new WebSocket('${address.replace('http', 'ws')}'); importScripts('${address}'); } catch {} self.ownWorld = function (defineEnv, defineReward, definePlayer, defineMethod, Math) {\n${walk('')}`;

/** Files of a run of this code, in base64, as the page writes them. */
async function writtenFiles(session, context, url, code) {
  await openInLab(session, context, url + labLink(code));
  await results(session, context, FILES);
  const keep = `(window.kept = [], window.make = URL.createObjectURL, URL.createObjectURL = (blob) => (window.kept.push(blob), window.make.call(URL, blob)), true)`;
  await evaluate(session, context, keep);
  const files = {};
  for (const [item, name] of [
    ['Run as JSON', 'run.json'],
    ['Policy', 'walk.policy.json'],
    ['Project file', 'walk.lab'],
  ]) {
    const menu = `[...document.querySelectorAll('button')].find((b) => (b.getAttribute('aria-label') ?? '').startsWith('Actions for'))`;
    await until(() => evaluate(session, context, `${menu} !== undefined`), READY_MS, 'the menu of the run');
    await evaluate(session, context, `(window.kept.length = 0, delete window.bytes, ${menu}.click(), true)`);
    const entry = `[...([...document.querySelectorAll('button')].find((b) => b.textContent === 'Curves as CSV')?.parentElement?.querySelectorAll('button') ?? [])].find((b) => b.textContent === '${item}')`;
    await until(() => evaluate(session, context, `${entry} !== undefined`), READY_MS, `"${item}"`);
    await evaluate(session, context, `(${entry}.click(), true)`);
    await until(() => evaluate(session, context, 'window.kept.length > 0'), READY_MS, `"${item}"`);
    const read = `window.kept[0].arrayBuffer().then((all) => { window.bytes = btoa(Array.from(new Uint8Array(all), (byte) => String.fromCharCode(byte)).join('')); })`;
    await evaluate(session, context, `(void ${read}, true)`);
    files[name] = await until(() => evaluate(session, context, 'window.bytes ?? null'), READY_MS, `"${item}"`);
  }
  const config = await evaluate(session, context, 'window.__lab.activeRun.config');
  return { ...files, 'config.json': Buffer.from(JSON.stringify(config)).toString('base64') };
}

/** What is wrong with how a browser that never saw this code takes a file that carries it. */
async function faultOfFile(session, context, url, trap, name, base64) {
  trap.calls();
  try {
    await go(session, context, `${url}#env=cliff-walking&algo=q-learning`);
    await until(() => evaluate(session, context, READY), READY_MS, 'the page');
    await evaluate(session, context, WATCH_TURNS);
    const drop = `(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(atob('${base64}'), (char) => char.charCodeAt(0))], '${name}'));
      document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      return true;
    })()`;
    await evaluate(session, context, drop);
    await until(() => evaluate(session, context, `${SHOWN}?.value.includes("title: 'Walk'")`), READY_MS, 'the code of the file');
    if ((await evaluate(session, context, `document.querySelectorAll('iframe').length`)) > 0) return 'ran before it was asked about';
    if (!(await allow(session, context))) return `says ${await evaluate(session, context, WRONGS)}`;
    await until(() => evaluate(session, context, `document.querySelectorAll('iframe').length > 0`), READY_MS, 'its sandbox');
    return await harm(session, context, trap);
  } catch (error) {
    return error.message;
  }
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
      for (const [where, node, page] of [
        ['where it is written', ownInNode(), await ownInPage(session, context, url)],
        ['in the laboratory', ownInNode(['--algo', 'a2c']), await ownInLab(session, url)],
      ]) {
        if (node.join() !== page.join()) differing++;
        console.log(`${node.join() === page.join() ? 'equal ' : 'DIFFERS'} ${id} ${where} ${page.join(' ')}`);
      }
      continue;
    }
    if (id === TWO) {
      const fault = await faultOfTwo(session, url);
      if (fault !== '') differing++;
      console.log(fault === '' ? `held   ${TWO}` : `FAILED ${TWO}: ${fault}`);
      continue;
    }
    if ([TRIED, UNENDING, IN_LAB, FILES].includes(id)) {
      const trap = await openTrap();
      const tell = (what, fault) => {
        if (fault !== '') differing++;
        console.log(fault === '' ? `held   ${what}` : `FAILED ${what}: ${fault}`);
      };
      /**
       * Once more where the page was only slow: another program may have had the processor. With a line more it is other code, which the page asks about
       * as it did about the first.
       */
      const tried = async (one, act) => {
        const before = longestTurn;
        const first = await act(one);
        if (!first.startsWith(SLOW)) return first;
        console.log(`again  ${one.what}: ${first}`);
        longestTurn = before;
        return act({ ...one, code: `${one.code}\n// again` });
      };
      await go(session, context, 'about:blank');
      await evaluate(session, context, `(void fetch('${trap.url}').catch(() => {}), true)`);
      await until(() => trap.calls() > 0, READY_MS, 'the call that shows that calls are heard');
      longestTurn = 0;
      const written = { [TRIED]: HOSTILE, [UNENDING]: ENDLESS }[id] ?? [];
      for (const one of written) tell(one.what, await tried(one, (given) => faultOf(session, context, url, trap, given)));
      if (id === IN_LAB) {
        // kinds of code that the laboratory does not take are tried where they are written; so is code that cannot be read
        // A line more makes it other code than that which ran where it is written, and may run without a question from then on.
        const worlds = HOSTILE.filter(({ code }) => code.includes('defineEnv')).map((one) => ({
          ...one,
          code: `${one.code}\n// in the laboratory`,
          says: null,
        }));
        for (const one of [...HOSTILE_IN_LAB, ...worlds])
          tell(`in the laboratory: ${one.what}`, await tried(one, (given) => faultInLab(session, context, url, trap, given)));
      }
      if (id === FILES) {
        const files = await writtenFiles(session, context, url, asks(trap.url));
        tell('a link', await harm(session, context, trap));
        for (const [name, base64] of Object.entries(files))
          tell(name, await apart(session, (tab) => faultOfFile(session, tab, url, trap, name, base64)));
      }
      console.log(`${id}: the page did nothing else for ${Math.round(longestTurn)} ms at most`);
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
