/** Actions inside a box: learners work in [-1, 1] per dimension, environments get centre + half * unit. */
import { fail } from '#contract/errors.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';

interface Box {
  readonly centre: Float32Array; // [D]
  readonly half: Float32Array; // [D]
}

/** Of every agent in turn, [A * D]; dimensions that an agent does not have are 0 +- 1. */
export function boxOf(meta: EnvMeta): Box {
  const D = meta.actionSize;
  const centre = new Float32Array(meta.agentCount * D);
  const half = new Float32Array(meta.agentCount * D).fill(1);
  let agent = 0;
  for (const group of meta.agents) {
    for (let k = 0; k < group.count; k++, agent++) {
      if (group.action.kind !== 'box') continue;
      group.action.low.forEach((low, d) => {
        const high = (group.action as { readonly high: readonly number[] }).high[d]!;
        centre[agent * D + d] = (low + high) / 2;
        half[agent * D + d] = (high - low) / 2;
      });
    }
  }
  return { centre, half };
}

/** Throws LabError('incompatible') where there is no finite box to act in. */
export function checkBox(meta: EnvMeta, title: string): void {
  for (const { action } of meta.agents) {
    if (action.kind === 'box' && [...action.low, ...action.high].every(Number.isFinite)) continue;
    throw fail('incompatible', `${title} learns continuous actions with bounds.`, 'Choose another environment or algorithm.', 'env.id');
  }
}
