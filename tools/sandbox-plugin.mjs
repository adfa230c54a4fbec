/**
 * `virtual:sandbox`: the text of workers/own.worker.ts with all that it imports, as one classic script. A sandboxed frame can start nothing else:
 * no modules, and no files of the page (docs/reliability.md). tfjs and MuJoCo are left out: sandboxes train on the wasm executor.
 */
import { build } from 'vite';

const ID = 'virtual:sandbox';

const leftOut = {
  name: 'left-out-of-the-sandbox',
  enforce: 'pre',
  load: (id) => {
    if (/core\/engine\/tfjs\/engine\.ts$/.test(id))
      return `import { fail } from '#contract/kit/errors.ts';
        export async function createTfjsEngine() { throw fail('gpu-missing', 'A sandbox trains on the wasm executor alone.', 'Choose the wasm executor.'); }`;
    if (/core\/envs\/mujoco\/lib\/load\.ts$/.test(id))
      return `import { fail } from '#contract/kit/errors.ts';
        export const MUJOCO_VERSION = '';
        export const MUJOCO_BYTES = 0;
        export function hostMujoco() {}
        export async function loadBindings() {
          throw fail('incompatible', 'The bodies of MuJoCo are not in the sandbox.', 'Choose another environment, or run the file on the command line: rl train --env-file FILE.');
        }`;
    // The whole catalogue, and swarms on the graphics device: nothing asks a sandbox for them.
    if (/workers\/host\/(catalog|swarm)\.ts$/.test(id))
      return `export const catalog = () => null;
        export const openSwarm = () => { throw new Error('not in the sandbox'); };`;
    return undefined;
  },
};

let made = null;

async function sandboxCode() {
  const { output } = [
    await build({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      plugins: [leftOut],
      build: {
        write: false,
        target: 'esnext',
        modulePreload: false,
        rolldownOptions: {
          input: 'workers/own.worker.ts',
          output: { format: 'iife', codeSplitting: false, intro: 'globalThis.__zod_globalConfig ??= { jitless: true };' },
        },
      },
    }),
  ].flat()[0];
  const chunks = output.filter(({ type }) => type === 'chunk');
  if (chunks.length !== 1 || output.length !== 1)
    throw new Error(`The sandbox is ${output.length} files: ${output.map(({ fileName }) => fileName).join(', ')}.`);
  return chunks[0].code;
}

export const sandboxPlugin = () => ({
  name: 'sandbox',
  resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
  async load(id) {
    if (id !== `\0${ID}`) return undefined;
    made ??= sandboxCode();
    return `export default ${JSON.stringify(await made)}`;
  },
});
