/** Steps of programs: target networks and learners. Await the promise if there is one. */
import type { PolyakProgram, Program } from '../engine/types.ts';

/** Runs `engine.polyak(target, online)`: target <- (1 - tau) target + tau online; tau 1 copies. */
export function updateTarget(program: PolyakProgram, tau: number): Promise<void> | undefined {
  program.in.tau[0] = tau;
  return program.run();
}

/** Runs a learning program with this step size. */
export function descend(program: Program<{ readonly lr: Float32Array }, unknown>, lr: number): Promise<void> | undefined {
  program.in.lr[0] = lr;
  return program.run();
}
