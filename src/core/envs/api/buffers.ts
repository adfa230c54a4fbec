/** The arrays that an environment of this meta and batch reads and writes (shapes in types.ts). */
import type { Actions, EnvMeta, StepBuffers } from './types.ts';

export function createBuffers(meta: EnvMeta, batch: number): StepBuffers {
  const rows = batch * meta.agentCount;
  return {
    obs: new Float32Array(rows * meta.obsSize),
    reward: new Float32Array(rows * meta.rewards.length),
    terminated: new Uint8Array(batch),
    truncated: new Uint8Array(batch),
    finalObs: new Float32Array(rows * meta.obsSize),
    ...(meta.costs.length > 0 && { cost: new Float32Array(rows * meta.costs.length) }),
    ...(meta.shaped === true && { shaped: new Float32Array(rows) }),
    ...(meta.agentCount > 1 && { alive: new Uint8Array(rows) }),
    ...(meta.masked && { mask: new Uint8Array(rows * meta.actionCount), finalMask: new Uint8Array(rows * meta.actionCount) }),
    ...(meta.turns === true && { toMove: new Int32Array(batch) }),
    ...(meta.globalSize > 0 && {
      state: new Float32Array(batch * meta.globalSize),
      finalState: new Float32Array(batch * meta.globalSize),
    }),
  };
}

/** [B, A, D], integers for discrete actions. */
export function createActions(meta: EnvMeta, batch: number): Actions {
  const size = batch * meta.agentCount * meta.actionSize;
  return meta.actionCount > 0 ? new Int32Array(size) : new Float32Array(size);
}

/** The observation that followed each row's step, before any reset: out [B, A, O]. */
export function nextObservations(buffers: StepBuffers, meta: EnvMeta, out: Float32Array): void {
  const { obs, finalObs, terminated, truncated } = buffers;
  const width = meta.agentCount * meta.obsSize;
  out.set(obs);
  for (let row = 0; row < terminated.length; row++) {
    if (terminated[row] === 0 && truncated[row] === 0) continue;
    for (let j = row * width; j < (row + 1) * width; j++) out[j] = finalObs[j]!;
  }
}

/** The legal actions that followed each row's step, before any reset: out [B, A, N]. Nothing to do without masks. */
export function nextMasks(buffers: StepBuffers, meta: EnvMeta, out: Uint8Array | undefined): void {
  const { mask, finalMask, terminated, truncated } = buffers;
  if (mask === undefined || finalMask === undefined || out === undefined) return;
  const width = meta.agentCount * meta.actionCount;
  out.set(mask);
  for (let row = 0; row < terminated.length; row++) {
    if (terminated[row] === 0 && truncated[row] === 0) continue;
    for (let j = row * width; j < (row + 1) * width; j++) out[j] = finalMask[j]!;
  }
}

/** A flag per environment [B] as one per agent: out [B, A]. */
export function endedRows(flags: Uint8Array, agents: number, out: Uint8Array): void {
  for (let i = 0; i < out.length; i++) out[i] = flags[Math.floor(i / agents)]!;
}
