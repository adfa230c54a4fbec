/** The solver's module, inflated and compiled once: 24 KB that come with the environment's own code, so nothing is fetched. */
import { fail } from '#contract/kit/errors.ts';
import { inflateModule } from '#contract/kit/inflate-module.ts';
import { solverBytes } from './module.ts';

/** The exports of assembly/index.ts. Places in memory are in bytes. */
export interface SolverExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  inputAt(): number;
  imageAt(): number;
  imageSize(): number;
  groundAt(): number;
  groundSize(): number;
  setGroundCount(count: number): void;
  begin(contacts: number, step: number, velocityIterations: number, positionIterations: number): void;
  setGravity(y: number): void;
  addBody(count: number, density: number, friction: number, box: number): number;
  addJoint(a: number, b: number, ax: number, ay: number, bx: number, by: number, lower: number, upper: number): number;
  clear(): void;
  addGround(count: number, friction: number, its: number): void;
  setBody(i: number, x: number, y: number, angle: number): void;
  setMotor(i: number, speed: number, maxTorque: number): void;
  applyForce(i: number, x: number, y: number): void;
  applyTorque(i: number, torque: number): void;
  applyImpulse(i: number, x: number, y: number, atX: number, atY: number): void;
  step(): number;
  rayCast(x1: number, y1: number, x2: number, y2: number): number;
}

/** The few parts of the platform that this needs: core compiles without DOM types. */
interface Platform {
  readonly WebAssembly: {
    compile(bytes: Uint8Array): Promise<object>;
    readonly Instance: new (module: object, imports: object) => { readonly exports: object };
  };
}

let compiled: object | null = null;

export async function prepareSolver(): Promise<void> {
  const { WebAssembly } = globalThis as unknown as Platform;
  compiled ??= await WebAssembly.compile(await inflateModule(solverBytes));
}

/** A fresh module with a memory of its own. Throws LabError('internal') before `prepareSolver`. */
export function instantiateSolver(): SolverExports {
  if (compiled === null)
    throw fail('internal', 'The solver of rigid bodies is not loaded yet.', 'Await prepare() of the environment first.');
  const { WebAssembly } = globalThis as unknown as Platform;
  return new WebAssembly.Instance(compiled, {}).exports as SolverExports;
}
