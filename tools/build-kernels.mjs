/**
 * Compiles src/core/engine/kernels/assembly/*.ts (AssemblyScript) into src/core/engine/kernels/module.ts: the bytes of the kernel
 * module, deflated, as base64 and a hash of the sources, so that Node, workers and the offline page instantiate the very same bytes.
 * `node tools/build-kernels.mjs` writes the file; `sourceHash()` is what the test compares.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'src/core/engine/kernels');

// No -O: its simplify-locals would sink every value to where it is used first. The sources put independent operations side by side;
// compilers of today keep that order, and processors need it: sunk, the same operations are long chains one after another, and products
// of matrices a tenth slower. PASSES do the rest of what -O does.
const FLAGS = [
  ...['-O0', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--disable', 'mutable-globals'],
  ...['--importMemory', '--initialMemory', '1', '--memoryBase', '64', '--use', 'abort='],
];
const TIDY = [
  ...['dce', 'remove-unused-names', 'remove-unused-brs', 'remove-unused-names', 'optimize-instructions', 'pick-load-signs'],
  ...['precompute-propagate', 'vacuum', 'reorder-locals', 'merge-locals', 'coalesce-locals', 'reorder-locals', 'vacuum', 'merge-blocks'],
  ...['remove-unused-brs', 'remove-unused-names', 'merge-blocks', 'precompute', 'optimize-instructions', 'rse', 'vacuum'],
];
const PASSES = ['duplicate-function-elimination', 'remove-unused-module-elements', 'ssa-nomerge', ...TIDY, ...TIDY, 'reorder-functions'];

/**
 * `// #repeat N $x` to `// #end` stands for N copies of the lines between, with $x replaced by 0 .. N - 1; innermost first.
 * For loops that must be written out: AssemblyScript has no way to do so over local variables.
 */
function expand(text) {
  const innermost = /^ *\/\/ #repeat (\d+) (\$\w+)\n((?:(?! *\/\/ #repeat)[^\n]*\n)*?) *\/\/ #end\n/m;
  for (let found = innermost.exec(text); found !== null; found = innermost.exec(text)) {
    const [all, count, name, body] = found;
    const copies = Array.from({ length: Number(count) }, (_, i) => body.replaceAll(name, String(i)));
    text = text.slice(0, found.index) + copies.join('') + text.slice(found.index + all.length);
  }
  return text;
}

/** SHA-256 over the compilers' versions and flags, and name and text of every assembly source in name order. */
export function sourceHash() {
  const versions = ['assemblyscript', 'binaryen'].map(
    (name) => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version,
  );
  const hash = createHash('sha256').update(`${[...versions, ...FLAGS, ...PASSES].join(' ')}\n`);
  for (const name of readdirSync(join(folder, 'assembly')).sort()) {
    hash.update(`${name}\n${expand(readFileSync(join(folder, 'assembly', name), 'utf8'))}\n`);
  }
  return hash.digest('hex');
}

async function tidied(bytes) {
  const { default: binaryen } = await import('binaryen');
  const module = binaryen.readBinary(bytes);
  const { SIMD128, BulkMemory, SignExt, NontrappingFPToInt } = binaryen.Features;
  module.setFeatures(SIMD128 | BulkMemory | SignExt | NontrappingFPToInt);
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  module.runPasses(PASSES);
  if (!module.validate()) throw new Error('the kernels are not a valid module');
  return Buffer.from(module.emitBinary());
}

/** Compiles in memory; returns the module's bytes. Throws with the compiler's messages. */
async function compile() {
  const { default: asc } = await import('assemblyscript/asc');
  const out = mkdtempSync(join(tmpdir(), 'kernels-'));
  try {
    const file = join(out, 'kernels.wasm');
    const readFile = (name, base) => {
      const path = resolve(base, name);
      return existsSync(path) ? expand(readFileSync(path, 'utf8')) : null;
    };
    const { error, stderr } = await asc.main([join(folder, 'assembly/index.ts'), '--outFile', file, ...FLAGS], { readFile });
    if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
    return tidied(readFileSync(file));
  } finally {
    rmSync(out, { recursive: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const bytes = await compile();
  const lines =
    deflateSync(bytes, { level: 9 })
      .toString('base64')
      .match(/.{1,160}/g) ?? [];
  writeFileSync(
    join(folder, 'module.ts'),
    `/** Written by \`npm run kernels\` from assembly/*.ts; do not edit. ${bytes.length} bytes. */\n` +
      `export const kernelSourceHash = '${sourceHash()}';\nexport const kernelBytes =\n  '${lines.join("' +\n  '")}';\n`,
  );
  process.stdout.write(`kernels: ${bytes.length} bytes\n`);
}
