/**
 * `npm run build:single`: dist-single/rl-workbench.html, the whole workbench in one file that opens from a disk. It trains on the wasm
 * executor; service worker, tfjs, MuJoCo and the pictures and results beside the page are left out. Its policy allows only what is in the file:
 * scripts and styles by their hashes, no request at all. Fails above 3.6 MB of gzip.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, loadConfigFromFile } from 'vite';

const FOLDER = 'node_modules/.cache/rl-workbench/single';
const OUT = 'dist-single';
const FILE = `${OUT}/rl-workbench.html`;
const LARGEST = 3_600_000;

/** In place of what the file leaves out. */
const STUBS = [
  [
    /core\/engine\/tfjs\/engine\.ts$/,
    `import { fail } from '#contract/kit/errors.ts';
     export async function createTfjsEngine() { throw fail('gpu-missing', 'The single file trains on the wasm executor alone.', 'Open the hosted page to use another one.'); }`,
  ],
  [
    /core\/envs\/mujoco\/lib\/load\.ts$/,
    `import { fail } from '#contract/kit/errors.ts';
     export function hostMujoco() {}
     export async function loadBindings() { throw fail('engine-missing', 'The single file does not contain MuJoCo, which would make it twice as large.', 'Open the hosted page for environments with MuJoCo.'); }`,
  ],
  [/workers\/host\/mujoco-file\.ts$/, 'export function hostMujocoFile() {}'],
  [/core\/engine\/tfjs\/hosted\.ts$/, 'export function hostWasmFiles() {}'],
  [/home\/front-films\.ts$/, 'export const filmOf = async () => null;'],
  [/shell\/pwa\/pwa\.ts$/, 'export function startPwa() {} export function applyUpdate() {}'],
];
const leftOut = {
  name: 'left-out-of-the-single-file',
  enforce: 'pre',
  load: (id) => STUBS.find(([pattern]) => pattern.test(id))?.[1],
};

const names = async (plugins) => (await Promise.all([plugins].flat(Infinity))).filter(Boolean);
const { config } = await loadConfigFromFile({ command: 'build', mode: 'production' });
const kept = (await names(config.plugins))
  .flat()
  .filter(({ name }) => !/^vite-plugin-pwa|^chunk-report$|^offline-list$|^documents$/.test(name));
const whole = { ...config.build.rolldownOptions, output: { ...config.build.rolldownOptions.output, codeSplitting: false } };
await build({
  ...config,
  test: undefined,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  define: { ...config.define, PICTURES: '[]' },
  plugins: [leftOut, ...kept],
  // As one script without imports it is a classic one, too: browsers load no module workers for a page from a disk.
  worker: { format: 'es', plugins: () => [leftOut], rolldownOptions: whole },
  build: {
    ...config.build,
    outDir: FOLDER,
    emptyOutDir: true,
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 100_000_000,
    rolldownOptions: whole,
  },
});

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
const one = (pattern) => {
  const found = files.filter((name) => pattern.test(name));
  if (found.length !== 1) throw new Error(`There are ${found.length} files like ${pattern} in ${FOLDER}: ${files.join(', ')}.`);
  return { name: basename(found[0]), text: readFileSync(join(FOLDER, found[0]), 'utf8') };
};
/** Code that may stand inside <script>. */
const inside = (text) => text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const page = one(/^index\.html$/).text;
const script = inside(one(/index-[\w-]+\.js$/).text);
const style = one(/\.css$/).text;
const workers = [/session\.worker-[\w-]+\.js$/, /watch\.worker-[\w-]+\.js$/].map(one);
/** Of the sandbox's script, as the page's own policy allows it. */
const frameHash = /'sha256-[^']+'/.exec(page)?.[0] ?? '';
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)} ${frameHash} 'wasm-unsafe-eval' blob:`,
  `style-src ${hashOf(style)}`,
  'img-src blob: data:',
  'font-src data:',
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

// Replacements are functions: code is full of "$&" and the like.
const html = page
  .replace(/<script[^>]*src=[^>]*><\/script>/g, '')
  .replace(/<link[^>]*rel="(?:stylesheet|icon|apple-touch-icon|manifest|modulepreload)"[^>]*>/g, '')
  .replace(/(http-equiv="Content-Security-Policy"\s+content=")[^"]*/, (_, before) => before + policy)
  .replace('</head>', () => `<style>${style}</style>\n</head>`)
  .replace('</body>', () => {
    // workers.ts finds its scripts by the names of their files
    const data = workers.map(({ name, text }) => `<script type="text/plain" data-worker="${name}">'use strict';${inside(text)}</script>`);
    return `${data.join('\n')}\n<script type="module">${script}</script>\n</body>`;
  });

mkdirSync(OUT, { recursive: true });
writeFileSync(FILE, html);
const packed = gzipSync(html, { level: 9 }).length;
console.log(`${FILE}: ${(html.length / 1e6).toFixed(2)} MB, ${(packed / 1e6).toFixed(2)} MB of gzip`);
if (packed > LARGEST) {
  console.error(`It may have ${LARGEST / 1e6} MB of gzip.`);
  process.exit(1);
}
