/** Target networks. */
import type { PolyakProgram } from '../engine/types.ts';

/** Runs `engine.polyak(target, online)`: target <- (1 - tau) target + tau online; tau 1 copies. Await the promise if there is one. */
export function updateTarget(program: PolyakProgram, tau: number): Promise<void> | undefined {
  program.in.tau[0] = tau;
  return program.run();
}
