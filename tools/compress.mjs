/**
 * Writes a .br and a .gz beside every file of a build that is worth it, for a server that sends them as they are. Those that are newer than
 * their file stay. Resolves with how many were written.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXT = /\.(html|js|css|json|svg|wasm|webmanifest|txt)$/;
const SMALLEST = 1024; // bytes: below, the headers weigh more than what is saved
const ENCODERS = {
  // Quality 9 of 11: the last two take many times as long for a few per cent.
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

export async function compress(dir) {
  const tasks = [];
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const file = join(dir, name);
    if (!TEXT.test(name) || !statSync(file).isFile()) continue;
    const { size, mtimeMs } = statSync(file);
    if (size < SMALLEST) continue;
    for (const [ending, encode] of Object.entries(ENCODERS)) {
      const packed = `${file}.${ending}`;
      if ((statSync(packed, { throwIfNoEntry: false })?.mtimeMs ?? 0) > mtimeMs) continue;
      tasks.push(encode(readFileSync(file)).then((bytes) => writeFileSync(packed, bytes)));
    }
  }
  await Promise.all(tasks);
  return tasks.length;
}
