/** Trains the model of the little stories (train.ts), bundled for Node. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from '../bundle.mjs';

await import(pathToFileURL(join(await bundle('stories'), 'train.mjs')).href);
