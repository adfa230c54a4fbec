/**
 * Own code that never ends or never stops saying something, in every function that the workbench calls: the sandbox ends it, the page
 * says so and goes on answering (docs/reliability.md). Read by e2e/write.spec.ts at night and by tools/firefox.mjs.
 */
import { outside, player, reward, walk } from './own-cases.mjs';

/** `(func (export "f") (loop (br 0)))` */
const WASM = '0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11';
const NO_ANSWER = /did not answer for \d+ seconds/;
const ENDED = /did not answer for \d+ seconds|failed/;

/** What is called, by a statement that does not end. */
const LOOPS = [
  ['a loop', 'for (;;);', NO_ANSWER],
  ['calls of calls', '(function f() { try { f(); } finally { f(); } })();', NO_ANSWER],
  ['a getter', '({ get a() { for (;;); } }).a;', NO_ANSWER],
  ['a proxy', 'new Proxy({}, { get() { for (;;); } }).a;', NO_ANSWER],
  ['WebAssembly', `new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([${WASM}]))).exports.f();`, ENDED],
  // Firefox gives such a pattern up itself
  ['a pattern that tries every way', "/^(a+)+$/.test('a'.repeat(60) + '!');", ENDED],
];

/** Functions that the workbench calls, around such a statement. */
const HOOKS = [
  ['reset', (statement) => walk(`reset() { ${statement} return { place: 0 }; }`)],
  ['step', (statement) => walk(`step() { ${statement} return { reward: 0, ended: false }; }`)],
  ['observe', (statement) => walk(`observe() { ${statement} return [0]; }`)],
  ['reward', (statement) => reward(`() => { ${statement} return 0; }`)],
  ['act', (statement) => player(`() => { ${statement} return 0; }`)],
];

/** The call returns, and nothing else in the worker has its turn: the page asks whether it still answers. */
const PROMISES = '(function again() { Promise.resolve().then(again); })();';

const REJECTIONS = 'rejections that nothing takes';
/** Each ends in some words: what comes too fast is cut, what cannot be sent is an error. */
const FLOODS = [
  ['short messages without end', "for (;;) postMessage('x')"],
  ['long messages without end', "for (;;) postMessage('x'.repeat(1e6))"],
  ['messages of a timer without end', "setInterval(() => postMessage('x'), 0)"],
  ['messages to a port of its own', "const c = new MessageChannel(); for (let i = 0; i < 1e5; i++) c.port1.postMessage('x')"],
  ['a million lines for the console', 'for (let i = 0; i < 1e6; i++) console.log(i)'],
  [REJECTIONS, 'for (let i = 0; i < 1e5; i++) Promise.reject(new Error(String(i)))'],
  ['errors of a timer without end', "setInterval(() => { throw new Error('x'); }, 0)"],
  ['a stack as deep as it goes', '(function f(n) { return f(n + 1) + 1; })(0)'],
  ['an error of ten million characters', "throw new Error('x'.repeat(1e7))"],
  ['a stack that computes', 'Error.prepareStackTrace = () => { for (;;); }; null.x'],
  ['a message that is a proxy', 'postMessage(new Proxy({}, {}))'],
  ['lists in lists', 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; postMessage(a)'],
  ['a hundred thousand timers', 'for (let i = 0; i < 1e5; i++) setTimeout(() => postMessage("x"), 0)'],
  ['buffers that are handed over', 'for (let i = 0; i < 100; i++) { const b = new ArrayBuffer(1e6); postMessage(b, [b]); }'],
  ['broadcasts without end', "const b = new BroadcastChannel('x'); for (let i = 0; i < 1e5; i++) b.postMessage('x')"],
  ['200 workers', "for (let i = 0; i < 200; i++) new Worker(URL.createObjectURL(new Blob(['for (;;);'])))"],
  ['64 drawing contexts', "const all = []; for (let i = 0; i < 64; i++) all.push(new OffscreenCanvas(1, 1).getContext('webgl2'))"],
  [
    'a shader without end',
    `const gl = new OffscreenCanvas(64, 64).getContext('webgl2'); const p = gl.createProgram();
for (const [kind, text] of [[gl.VERTEX_SHADER, 'attribute vec2 a; void main() { gl_Position = vec4(a, 0., 1.); }'], [gl.FRAGMENT_SHADER, 'precision highp float; void main() { float x = 0.; for (int i = 0; i < 1000000000; i++) x = sin(x + float(i)); gl_FragColor = vec4(x); }']]) {
  const s = gl.createShader(kind); gl.shaderSource(s, text); gl.compileShader(s); gl.attachShader(p, s);
}
gl.linkProgram(p); gl.useProgram(p); gl.drawArrays(gl.TRIANGLES, 0, 3)`,
  ],
  [
    'a computation without end on the graphics card',
    "navigator.gpu.requestAdapter().then((a) => a.requestDevice()).then((d) => d.createShaderModule({ code: '@compute @workgroup_size(1) fn main() { loop { } }' }))",
  ],
];

/**
 * Milliseconds for which Firefox may leave the page without a turn, where that is more than elsewhere. It does so for each rejection in a worker, also in
 * a page that has nothing but the worker, and whether a listener takes the rejection or not: 0.6 s for 100,000, 6 s for a million on a quiet machine.
 */
const IN_FIREFOX = { [REJECTIONS]: 15_000 };

/** `firefoxMs`: see IN_FIREFOX. */
export const ENDLESS = [
  ...HOOKS.flatMap(([hook, around]) =>
    LOOPS.map(([what, statement, says]) => ({ what: `${what} in ${hook}`, code: around(statement), says })),
  ),
  ...HOOKS.map(([hook, around]) => ({
    what: `promises that make promises in ${hook}`,
    code: around(PROMISES),
    says: NO_ANSWER,
  })),
  ...FLOODS.map(([what, code]) => ({ what, code: outside(code), says: /./, firefoxMs: IN_FIREFOX[what] })),
];
