/** Target networks, which follow those that learn. */
import type { Program } from '../../engine/types.ts';

/** Runs `engine.polyak(...)` with this share of the way, 1 copies. Await it if it is a promise. */
export function moveTarget(program: Program, tau: number): Promise<void> | undefined {
  program.in.tau![0] = tau;
  return program.run();
}
