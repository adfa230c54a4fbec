/**
 * Compiles src/core/engine/kernels/assembly/*.ts (AssemblyScript) into src/core/engine/kernels/module.ts: the bytes of the kernel
 * module as base64 and a hash of the sources, so that Node, workers and the offline page instantiate the very same bytes.
 * `node tools/build-kernels.mjs` writes the file; `sourceHash()` is what the test compares.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'src/core/engine/kernels');

const FLAGS = [
  ...['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--disable', 'mutable-globals'],
  ...['--importMemory', '--initialMemory', '1', '--memoryBase', '64', '--use', 'abort='],
];

/** SHA-256 over the compiler's version and flags, and name and text of every assembly source in name order. */
export function sourceHash() {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/assemblyscript/package.json'), 'utf8'));
  const hash = createHash('sha256').update(`${version} ${FLAGS.join(' ')}\n`);
  for (const name of readdirSync(join(folder, 'assembly')).sort()) {
    hash.update(`${name}\n${readFileSync(join(folder, 'assembly', name), 'utf8')}\n`);
  }
  return hash.digest('hex');
}

/** Compiles in memory; returns the module's bytes. Throws with the compiler's messages. */
async function compile() {
  const { default: asc } = await import('assemblyscript/asc');
  const out = mkdtempSync(join(tmpdir(), 'kernels-'));
  try {
    const file = join(out, 'kernels.wasm');
    const { error, stderr } = await asc.main([join(folder, 'assembly/index.ts'), '--outFile', file, ...FLAGS]);
    if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
    return readFileSync(file);
  } finally {
    rmSync(out, { recursive: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const bytes = await compile();
  const lines = bytes.toString('base64').match(/.{1,160}/g) ?? [];
  writeFileSync(
    join(folder, 'module.ts'),
    `/** Written by \`npm run kernels\` from assembly/*.ts; do not edit. ${bytes.length} bytes. */\n` +
      `export const kernelSourceHash = '${sourceHash()}';\nexport const kernelBytes =\n  '${lines.join("' +\n  '")}';\n`,
  );
  process.stdout.write(`kernels: ${bytes.length} bytes\n`);
}
