/** `npm run texts`: writes the catalogues of translations (tools/texts/main.ts). */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';

await import(pathToFileURL(join(await bundle('texts'), 'main.mjs')).href);
