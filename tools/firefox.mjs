/**
 * The parameters that Firefox learns against those that are recorded (tools/hashes.json, what Node gave), on the built page, driven by
 * puppeteer-core over WebDriver BiDi.
 *   node tools/firefox.mjs [ID ...]      recorded cases, or those of own worlds below: eight runs and all of them if none is named
 * "own-world" is a world written for this, trained in its sandbox at #/write, in the laboratory, and by "rl train --env-file" in Node
 * (e2e/write.spec.ts: in Chromium); "hostile-worlds" are the files of tools/own-cases.mjs that try to get out of the sandbox, opened where they are
 * written, and "endless-worlds" those of tools/own-endless.mjs; "hostile-in-lab" opens those that the laboratory takes by its link and trains them, with
 * those that speak its own language; "threads" is a run with large products in the page that the service worker isolates (what comes after it is tried there); "by-keys" walks the roads of tools/keyboard-roads.mjs; "foreign-files" is one world that tries to get out, brought by a link, a config, a policy and a project file.
 * Firefox: FIREFOX_PATH, else firefox-esr or firefox from the PATH. Exit code 0: all are equal; 1: some differ; 77: there is no Firefox here.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { launch } from 'puppeteer-core';
import { ROADS } from './keyboard-roads.mjs';
import { FRIENDLY, HOSTILE, HOSTILE_IN_LAB, labLink, OTHER, OWN_CODE, OWN_STEPS, openTrap, walk, writeLink } from './own-cases.mjs';
import { ENDLESS } from './own-endless.mjs';
import { serve } from './serve.mjs';
import { WIDE } from './wide.mjs';

const OWN = 'own-world';
const TRIED = 'hostile-worlds';
const UNENDING = 'endless-worlds';
const IN_LAB = 'hostile-in-lab';
const FILES = 'foreign-files';
const TWO = 'two-programs';
const BY_KEYS = 'by-keys';
const THREADS = 'threads';
const CASES = [
  'ppo-cartpole',
  'sac',
  'qmix',
  'recurrent-ppo',
  'dqn',
  'maddpg',
  'box2d-lander',
  'box2d-walker',
  THREADS,
  BY_KEYS,
  OWN,
  TWO,
  TRIED,
  UNENDING,
  IN_LAB,
  FILES,
];
const NO_FIREFOX = 77;
/** ms that Firefox may take to start, that a page may take to be ready, and that a case may train. */
const START_MS = 60_000;
const READY_MS = 60_000;
const TRAIN_MS = 600_000;
/** ms for which code in a sandbox may keep the page from answering. */
const MOST_TURN_MS = 1000;
const SLOW = 'kept the page for';

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

/** What an expression is in the page, as JSON. */
async function evaluate(page, expression) {
  const json = await page.evaluate(`JSON.stringify(${expression})`);
  return json === undefined ? undefined : JSON.parse(json);
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

async function go(page, address) {
  await page.goto('about:blank');
  await page.goto(address);
}

/** Trains what a link describes as a person does, and answers the results of its seeds. */
async function trained(page, url, link) {
  await go(page, url + link);
  return results(page, link);
}

/** Presses Train where the laboratory is open, and waits for all seeds. */
async function results(page, what) {
  await until(() => evaluate(page, READY), READY_MS, 'the page');
  const before = await evaluate(page, 'window.__lab.runs.length');
  await evaluate(page, `(${TRAIN}.click(), true)`);
  const run = `window.__lab.runs.length > ${before} ? window.__lab.activeRun : null`;
  return until(
    async () => {
      const seeds = await evaluate(page, `(${run})?.seeds.map(({ state, result, failure }) => ({ state, result, failure }))`);
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
  try {
    return inNode('--env-file', file, ...algo, '--steps', String(OWN_STEPS), '--seeds', '3');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Does this in a tab that shares no storage with the others, so that no code is known there. */
async function apart(page, act) {
  const context = await page.browser().createBrowserContext();
  try {
    return await act(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Opens a link to code and runs it, as a person does who was given it. */
async function openCode(page, address) {
  await go(page, address);
  await press(page, 'Run this code');
}

async function press(page, text) {
  const button = `[...document.querySelectorAll('button')].find((b) => b.textContent.includes('${text}') && !b.disabled)`;
  await until(() => evaluate(page, `${button} !== undefined`), READY_MS, `"${text}"`);
  await evaluate(page, `(${button}.click(), true)`);
}

/** Hashes of the seeds that the command line trains with these arguments. */
function inNode(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/rl.mjs', 'train', ...args, '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1)).seeds.map(({ parameterHash }) => parameterHash);
}

/** What is wrong with a run whose products are divided among threads; '' for nothing. */
async function faultOfThreads(page, url) {
  await go(page, `${url}#env=cartpole&algo=ppo&steps=4096&seeds=1`);
  await until(() => evaluate(page, 'navigator.serviceWorker.controller !== null'), READY_MS, 'the service worker');
  await trained(page, url, '#env=cartpole&algo=ppo&steps=4096&seeds=1');
  if (!(await evaluate(page, 'crossOriginIsolated'))) return 'the page is not isolated at its second load';
  const there = (await trained(page, url, WIDE)).map(({ parameterHash }) => parameterHash);
  const [cores, threads] = await evaluate(page, '[navigator.hardwareConcurrency, window.__lab.activeRun.seeds[0].usage?.threads ?? 1]');
  if (cores > 1 && threads < 2) return `${cores} cores, ${threads} thread`;
  return there.join() === inNode('--config', WIDE).join() ? '' : 'other parameters than in Node';
}

/** The same in the sandbox of the page. */
async function ownInPage(page, url) {
  await openCode(page, url + writeLink(OWN_CODE));
  await press(page, 'Train 3 seeds');
  const hashes = `[...document.querySelectorAll('section[aria-label="Training"] tbody tr')].map((row) => row.lastElementChild?.textContent ?? '')`;
  return until(
    async () => {
      const found = await evaluate(page, hashes);
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
async function openInLab(page, address) {
  await go(page, address);
  await until(() => evaluate(page, `${SHOWN} !== null`), READY_MS, 'the code');
  await evaluate(page, WATCH_TURNS);
  return allow(page);
}

async function allow(page) {
  await press(page, 'Run this code');
  await until(() => evaluate(page, `${SHOWN} === null`), READY_MS, 'the start of the sandbox');
  const mine = `(document.querySelector('option:checked[value^="own-"]') !== null || (window.__lab?.activeRun ?? null) !== null)`;
  const refused = `document.querySelector('dialog[open]') !== null`;
  await until(() => evaluate(page, `${mine} || ${refused}`), READY_MS, 'the world or words');
  return evaluate(page, `${mine} && !${refused}`);
}

/** The same in the laboratory, whose links carry the code as well. */
const ownInLab = (page, url) =>
  apart(page, async (tab) => {
    await openInLab(tab, url + labLink(OWN_CODE, `algo=a2c&steps=${OWN_STEPS}&seeds=3`));
    return (await results(tab, `${OWN} in the laboratory`)).map(({ parameterHash }) => parameterHash);
  });

/** Of two programs with one short id, allowing one lets the other not run. Answers what is wrong, '' for nothing. */
const faultOfTwo = (page, url) =>
  apart(page, async (tab) => {
    if (!(await openInLab(tab, url + labLink(FRIENDLY)))) return 'the first one did not open';
    await go(tab, 'about:blank');
    await go(tab, url + labLink(OTHER));
    await until(() => evaluate(tab, `(${SHOWN}?.value ?? '').includes('Other walk')`), READY_MS, 'the code of the second');
    await new Promise((resolve) => setTimeout(resolve, 2000)); // a sandbox would have begun
    return (await evaluate(tab, `document.querySelector('iframe') === null`)) ? '' : 'the second one ran without a question';
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
async function harm(page, trap, mostTurn = MOST_TURN_MS) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  const calls = trap.calls();
  if (calls > 0) return `connected to the outside ${calls} times`;
  const state = `[Reflect.get({}, 'polluted') === undefined && typeof [].map === 'function' && localStorage.getItem('a') === null && document.cookie === '', window.longestTurn]`;
  const [clean, turn] = await evaluate(page, state);
  longestTurn = Math.max(longestTurn, turn);
  if (!clean) return 'changed what the page is made of';
  return turn > mostTurn ? `${SLOW} ${Math.round(turn)} ms` : '';
}

/** What is wrong with how the page took this code: '' where it reached nothing, ends in the words that belong to it and the page answers. */
async function faultOf(page, url, trap, { code, says, firefoxMs }) {
  trap.calls();
  await openCode(page, url + writeLink(trap.aim(code)));
  await evaluate(page, WATCH_TURNS);
  // what went wrong, or what stands beside the scene
  const words = `[...document.querySelectorAll('[role="alert"], [role="status"]')].filter((e) => e.role === 'alert' || /(Walk|[RPM]( \\(.*\\))?): sees/.test(e.textContent)).map((e) => e.textContent).join(' ')`;
  let heard = '';
  try {
    await until(
      async () => {
        heard = (await evaluate(page, words)) ?? '';
        return says.test(heard);
      },
      READY_MS,
      'an answer',
    );
  } catch {
    return `says ${JSON.stringify(heard.slice(-300))}`;
  }
  const heading = await evaluate(page, `document.querySelector('h1')?.textContent`);
  return heading === 'Write your own' ? harm(page, trap, firefoxMs) : `left the page with "${heading}"`;
}

/** The words of dialogs, alerts and seeds that failed. */
const WRONGS = `[...[...document.querySelectorAll('dialog, [role="alert"]')].map((e) => e.textContent), ...(window.__lab?.activeRun?.seeds ?? []).map(({ failure }) => failure?.message ?? '')].join(' ')`;

/** The same for the laboratory, where the code is opened by a link and trained: it ends in these words, or, where they are null, in any or in a policy. */
async function faultInLab(page, url, trap, { code, says }) {
  trap.calls();
  const states = `(window.__lab?.activeRun?.seeds ?? []).map(({ state }) => state)`;
  let heard = '';
  try {
    const opened = await openInLab(page, url + labLink(trap.aim(code), 'algo=ppo&steps=40000&seeds=1'));
    if (opened) {
      await until(() => evaluate(page, `${READY} || ${says === null ? 'false' : `${says}.test(${WRONGS})`}`), READY_MS, 'Train');
      await evaluate(page, `(${TRAIN}.click(), true)`);
    }
    await until(
      async () => {
        heard = (await evaluate(page, WRONGS)) ?? '';
        if (says !== null) return says.test(heard);
        const seeds = (await evaluate(page, states)) ?? [];
        const over = seeds.length > 0 && seeds.every((state) => state === 'done' || state === 'failed');
        return opened ? over : heard.length > 20;
      },
      2 * READY_MS,
      'an answer',
    );
  } catch (error) {
    return `${error.message}; says ${JSON.stringify(heard.slice(-300))}`;
  }
  return harm(page, trap);
}

/** A world that asks for the outside when it is made, and trains all the same. */
const asks = (address) =>
  `}; try { fetch('${address}').catch(() => 0); new WebSocket('${address.replace('http', 'ws')}'); importScripts('${address}'); } catch {} self.ownWorld = function (defineEnv, defineReward, definePlayer, defineMethod, Math) {\n${walk('')}`;

/** Files of a run of this code, in base64, as the page writes them. */
async function writtenFiles(page, url, code) {
  await openInLab(page, url + labLink(code));
  await results(page, FILES);
  const keep = `(window.kept = [], window.make = URL.createObjectURL, URL.createObjectURL = (blob) => (window.kept.push(blob), window.make.call(URL, blob)), true)`;
  await evaluate(page, keep);
  const files = {};
  for (const [item, name] of [
    ['Run as JSON', 'run.json'],
    ['Policy', 'walk.policy.json'],
    ['Project file', 'walk.lab'],
  ]) {
    const menu = `[...document.querySelectorAll('button')].find((b) => (b.getAttribute('aria-label') ?? '').startsWith('Actions for'))`;
    await until(() => evaluate(page, `${menu} !== undefined`), READY_MS, 'the menu of the run');
    await evaluate(page, `(window.kept.length = 0, delete window.bytes, ${menu}.click(), true)`);
    const entry = `[...([...document.querySelectorAll('button')].find((b) => b.textContent === 'Curves as CSV')?.parentElement?.querySelectorAll('button') ?? [])].find((b) => b.textContent === '${item}')`;
    await until(() => evaluate(page, `${entry} !== undefined`), READY_MS, `"${item}"`);
    await evaluate(page, `(${entry}.click(), true)`);
    await until(() => evaluate(page, 'window.kept.length > 0'), READY_MS, `"${item}"`);
    const read = `window.kept[0].arrayBuffer().then((all) => { window.bytes = btoa(Array.from(new Uint8Array(all), (byte) => String.fromCharCode(byte)).join('')); })`;
    await evaluate(page, `(void ${read}, true)`);
    files[name] = await until(() => evaluate(page, 'window.bytes ?? null'), READY_MS, `"${item}"`);
  }
  const config = await evaluate(page, 'window.__lab.activeRun.config');
  return { ...files, 'config.json': Buffer.from(JSON.stringify(config)).toString('base64') };
}

/** What is wrong with how a browser that never saw this code takes a file that carries it. */
async function faultOfFile(page, url, trap, name, base64) {
  trap.calls();
  try {
    await go(page, `${url}#env=cliff-walking&algo=q-learning`);
    await until(() => evaluate(page, READY), READY_MS, 'the page');
    await evaluate(page, WATCH_TURNS);
    const drop = `(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(atob('${base64}'), (char) => char.charCodeAt(0))], '${name}'));
      document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      return true;
    })()`;
    await evaluate(page, drop);
    await until(() => evaluate(page, `${SHOWN}?.value.includes("title: 'Walk'")`), READY_MS, 'the code of the file');
    if ((await evaluate(page, `document.querySelectorAll('iframe').length`)) > 0) return 'ran before it was asked about';
    if (!(await allow(page))) return `says ${await evaluate(page, WRONGS)}`;
    await until(() => evaluate(page, `document.querySelectorAll('iframe').length > 0`), READY_MS, 'its sandbox');
    return await harm(page, trap);
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
const { server, url } = await serve({ dir: 'dist', port: 0, base: '/lab/' });
let browser = null;
let differing = 0;
try {
  browser = await launch({
    browser: 'firefox',
    executablePath: path,
    headless: true,
    defaultViewport: { width: 1440, height: 900 },
    timeout: START_MS,
    protocolTimeout: TRAIN_MS,
  });
  const page = await browser.newPage();
  console.log(await browser.version());
  for (const id of ids) {
    if (id === OWN) {
      for (const [where, node, seen] of [
        ['where it is written', ownInNode(), await ownInPage(page, url)],
        ['in the laboratory', ownInNode(['--algo', 'a2c']), await ownInLab(page, url)],
      ]) {
        if (node.join() !== seen.join()) differing++;
        console.log(`${node.join() === seen.join() ? 'equal ' : 'DIFFERS'} ${id} ${where} ${seen.join(' ')}`);
      }
      continue;
    }
    if (id === BY_KEYS) {
      for (const [name, walk] of Object.entries(ROADS)) {
        const fault = await apart(page, (tab) => walk(tab, url)).then(
          () => '',
          (error) => error.message,
        );
        if (fault !== '') differing++;
        console.log(fault === '' ? `walked by keys: ${name}` : `FAILED by keys: ${name}: ${fault}`);
      }
      continue;
    }
    if (id === THREADS) {
      const fault = await faultOfThreads(page, url);
      if (fault !== '') differing++;
      console.log(fault === '' ? `held   ${THREADS}` : `FAILED ${THREADS}: ${fault}`);
      continue;
    }
    if (id === TWO) {
      const fault = await faultOfTwo(page, url);
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
      await go(page, 'about:blank');
      await evaluate(page, `(void fetch('${trap.url}').catch(() => {}), true)`);
      await until(() => trap.calls() > 0, READY_MS, 'the call that shows that calls are heard');
      longestTurn = 0;
      const written = { [TRIED]: HOSTILE, [UNENDING]: ENDLESS }[id] ?? [];
      for (const one of written) tell(one.what, await tried(one, (given) => faultOf(page, url, trap, given)));
      if (id === IN_LAB) {
        // kinds of code that the laboratory does not take are tried where they are written; so is code that cannot be read
        // A line more makes it other code than that which ran where it is written, and may run without a question from then on.
        const worlds = HOSTILE.filter(({ code }) => code.includes('defineEnv')).map((one) => ({
          ...one,
          code: `${one.code}\n// in the laboratory`,
          says: null,
        }));
        for (const one of [...HOSTILE_IN_LAB, ...worlds])
          tell(`in the laboratory: ${one.what}`, await tried(one, (given) => faultInLab(page, url, trap, given)));
      }
      if (id === FILES) {
        const files = await writtenFiles(page, url, asks(trap.url));
        tell('a link', await harm(page, trap));
        for (const [name, base64] of Object.entries(files))
          tell(name, await apart(page, (tab) => faultOfFile(tab, url, trap, name, base64)));
      }
      console.log(`${id}: the page did nothing else for ${Math.round(longestTurn)} ms at most`);
      trap.close();
      continue;
    }
    const found = recorded.find((one) => one.id === id);
    if (found === undefined) throw new Error(`tools/hashes.json has no case "${id}"`);
    const begun = performance.now();
    const results = await trained(page, url, found.link);
    const pick = ({ seed, parameterHash, finalReturn, evalReturn }) => JSON.stringify([seed, parameterHash, finalReturn, evalReturn]);
    const same = results.map(pick).join() === found.seeds.map(pick).join();
    if (!same) differing++;
    const took = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`${same ? 'equal ' : 'DIFFERS'} ${id} ${results.map(({ parameterHash }) => parameterHash).join(' ')} in ${took} s`);
  }
} catch (error) {
  console.error(error.message);
  differing++;
} finally {
  await browser?.close();
  server.close();
  server.closeAllConnections();
}
process.exit(differing > 0 ? 1 : 0);
