/**
 * `npm run rl -- COMMAND`: installs if needed, bundles cli/ for Node (see bundle.mjs) and runs it. Works from any folder.
 * Paths in arguments count from where the command was typed: npm changes into the project and leaves that folder in INIT_CWD.
 */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureInstalled } from './install.mjs';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const typedIn = process.env.INIT_CWD ?? process.cwd();
process.chdir(project);
ensureInstalled();
const { bundle } = await import('./bundle.mjs');
const folder = await bundle('cli');
const { main } = await import(pathToFileURL(join(folder, 'main.mjs')).href);
const servePage = async (options) => (await import('./page-build.mjs')).servePage(options);
process.exitCode = await main(process.argv.slice(2), { project, typedIn, bundle, servePage });
