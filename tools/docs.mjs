/**
 * `npm run docs`: the generated documents, into dist-docs/: lists of algorithms, environments, explainers and scores, results of all papers and
 * claims (cli/pages/documents.ts), the picture of the rooms, and, after `npm run build`, the licences of what the page carries.
 *   node tools/docs.mjs [FOLDER]
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';
import { notices } from './notices.mjs';

/** Empties the folder and writes the documents of cli/pages/documents.ts there; resolves with how many. */
export async function writeDocuments(folder) {
  const { documents } = await import(pathToFileURL(join(await bundle('cli'), 'documents.mjs')).href);
  const texts = documents('.');
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of texts) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return texts.size;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = process.argv[2] ?? 'dist-docs';
  const count = await writeDocuments(folder);
  // Only here: the build's own config imports this file, and measuring needs a parser.
  const [{ roomsPicture }, { measureRooms }] = await Promise.all([import('./rooms-picture.mjs'), import('./structure.mjs')]);
  writeFileSync(join(folder, 'rooms.svg'), roomsPicture(measureRooms()));
  const licences = notices();
  if (licences !== null) writeFileSync(join(folder, 'THIRD_PARTY_NOTICES.md'), licences);
  console.log(
    `${folder}/: ${count} documents, rooms.svg${licences === null ? '; for the licences run "npm run build" first' : ', THIRD_PARTY_NOTICES.md'}`,
  );
}
