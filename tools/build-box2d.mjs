/**
 * Compiles src/core/envs/box2d/lib/solver/assembly/*.ts (AssemblyScript) into ../module.ts beside it: the bytes of the rigid-body solver, deflated, as
 * base64, and a hash of the sources. `npm run box2d` writes the file; `sourceHash()` is what its test compares.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'src/core/envs/box2d/lib/solver');

// No fast mathematics exists in wasm: float32 operations stay what and in which order they are written.
const FLAGS = ['-O3', '--runtime', 'stub', '--noAssert', '--initialMemory', '2', '--memoryBase', '64', '--use', 'abort='];

/** SHA-256 over the compilers' versions and flags, and name and text of every source in name order. */
export function sourceHash() {
  const versions = ['assemblyscript', 'binaryen'].map(
    (name) => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version,
  );
  const hash = createHash('sha256').update(`${[...versions, ...FLAGS].join(' ')}\n`);
  for (const name of readdirSync(join(folder, 'assembly')).sort()) {
    hash.update(`${name}\n${readFileSync(join(folder, 'assembly', name), 'utf8')}\n`);
  }
  return hash.digest('hex');
}

/** The module's bytes. Throws with the compiler's messages. */
async function compile() {
  const { default: asc } = await import('assemblyscript/asc');
  const out = mkdtempSync(join(tmpdir(), 'box2d-'));
  try {
    const file = join(out, 'solver.wasm');
    const { error, stderr } = await asc.main([join(folder, 'assembly/index.ts'), '--outFile', file, ...FLAGS]);
    if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
    return readFileSync(file);
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
    `/** Written by \`npm run box2d\` from assembly/*.ts; do not edit. ${bytes.length} bytes. */\n` +
      `export const solverSourceHash = '${sourceHash()}';\nexport const solverBytes =\n  '${lines.join("' +\n  '")}';\n`,
  );
  process.stdout.write(`box2d: ${bytes.length} bytes\n`);
}
