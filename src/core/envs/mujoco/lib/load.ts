/** Gets the bindings: in Node from the package, in the page from the file that a host names. */
import type { MainModule } from '@mujoco/mujoco';
import { fail, LabError } from '#contract/kit/errors.ts';

export type { DoubleBuffer as NumberBuffer, MainModule, MjData as DataHandle, MjModel as ModelHandle } from '@mujoco/mujoco';

/** The physics is part of what an environment computes: another version is another environment. */
export const MUJOCO_VERSION = '3.14.0';

/** Size of mujoco.wasm of that version, for progress. */
export const MUJOCO_BYTES = 10_313_475;

/** How a page comes by the module. */
export interface MujocoHost {
  /** Bytes of mujoco.wasm. Throws what `fetch` and the like throw; a LabError reaches the page as it is. */
  readonly read: () => Promise<ArrayBuffer>;
  /** The module is there, and its loader. */
  readonly loaded: () => Promise<void>;
}

let host: MujocoHost | null = null;

/** Where the module comes from in a page. Without it the package reads its own file, as in Node. */
export function hostMujoco(given: MujocoHost): void {
  host = given;
}

/** Throws LabError('engine-missing') where the package or its file cannot be read, LabError('incompatible') for another version. */
export async function loadBindings(): Promise<MainModule> {
  let bindings: MainModule;
  try {
    const given = host === null ? {} : { wasmBinary: await host.read() };
    const { default: create } = await import('@mujoco/mujoco');
    bindings = await create(given);
    await host?.loaded();
  } catch (error) {
    if (error instanceof LabError) throw error;
    throw fail(
      'engine-missing',
      `MuJoCo could not be loaded: ${error instanceof Error ? error.message : String(error)}`,
      'In the page: open such an environment once while there is a connection; it is kept from then on. In a program: npm install @mujoco/mujoco.',
    );
  }
  const version = bindings.mj_versionString();
  if (version !== MUJOCO_VERSION)
    throw fail(
      'incompatible',
      `MuJoCo ${version} is installed.`,
      `Install @mujoco/mujoco ${MUJOCO_VERSION}: other versions give other numbers.`,
    );
  return bindings;
}
