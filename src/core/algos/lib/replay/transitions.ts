/** What off-policy learners do with a step besides learning from it. */
import type { Program } from '#core/engine/types.ts';
import type { EnvMeta, StepBuffers } from '#core/envs/api/types.ts';
import type { ReplayBatch } from './buffers.ts';

/** What followed each row's step, seen before any reset: out [B, A, O]. */
export function successors(buffers: StepBuffers, meta: EnvMeta, out: Float32Array): void {
  const { obs, finalObs, terminated, truncated } = buffers;
  const width = meta.agentCount * meta.obsSize;
  out.set(obs);
  for (let row = 0; row < terminated.length; row++) {
    if (terminated[row] === 0 && truncated[row] === 0) continue;
    for (let j = row * width; j < (row + 1) * width; j++) out[j] = finalObs[j]!;
  }
}

/** A flag per copy [B] as one per agent: out [B, A]. */
export function endedRows(flags: Uint8Array, agents: number, out: Uint8Array): void {
  for (let i = 0; i < out.length; i++) out[i] = flags[Math.floor(i / agents)]!;
}

/** The inputs of a critics' program that the replay memory fills; `mask` is another program's, for what was legal before. */
export function replayInputs(inputs: Program['in'], mask?: Float32Array): ReplayBatch {
  const { obs, action, reward, discount, nextObs, nextMask } = inputs;
  if (obs === undefined || action === undefined || reward === undefined || discount === undefined || nextObs === undefined) {
    throw new Error('The critics need obs, action, reward, discount and nextObs.');
  }
  return { obs, action, reward, discount, nextObs, ...(mask && { mask }), ...(nextMask && { nextMask }) };
}

/** Updates that fall due between two step counts: `gradientSteps` for every `trainEvery` steps passed. */
export function updatesDue(before: number, after: number, c: { readonly trainEvery: number; readonly gradientSteps: number }): number {
  return (Math.floor(after / c.trainEvery) - Math.floor(before / c.trainEvery)) * c.gradientSteps;
}

/** Environment steps from one safe point to the next: about 64 updates' worth, so that pausing stays quick. */
export function stepsPerIteration(c: { readonly envs: number; readonly trainEvery: number; readonly gradientSteps: number }): number {
  return Math.max(c.envs, Math.min(1000, Math.ceil((64 * c.trainEvery) / c.gradientSteps)));
}
