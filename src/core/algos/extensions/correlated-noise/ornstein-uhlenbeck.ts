/**
 * Ornstein-Uhlenbeck noise of every action dimension, of deviation 1 for each unit of time; an episode begins at 0:
 *   x <- x - theta x dt + sqrt(dt) n,  n ~ N(0, 1)
 */
import type { EnvMeta, StepBuffers } from '../../../envs/api/types.ts';
import type { Places } from '../../api/extension.ts';

/** The numbers are read with every step, so that live edits act. */
export type CorrelatedNoise =
  | { readonly kind: 'not used' }
  | { readonly kind: 'Ornstein-Uhlenbeck'; readonly theta: number; readonly dt: number };

/** Of `batch` environments, whose `buffers` say where an episode ended. */
export function ornsteinUhlenbeck(
  setting: CorrelatedNoise,
  buffers: Pick<StepBuffers, 'terminated' | 'truncated'>,
  batch: number,
  { agentCount, actionSize }: Pick<EnvMeta, 'agentCount' | 'actionSize'>,
): Places {
  const width = agentCount * actionSize; // of one environment
  const x = new Float64Array(batch * width);
  return {
    state: { arrays: { correlatedNoise: x } },
    noise(draws) {
      if (setting.kind === 'not used') return;
      const { theta, dt } = setting;
      for (let i = 0; i < x.length; i++) {
        x[i]! += Math.sqrt(dt) * draws[i]! - theta * x[i]! * dt;
        draws[i] = x[i]!;
      }
    },
    afterStep() {
      for (let b = 0; b < batch; b++) if (buffers.terminated[b] !== 0 || buffers.truncated[b] !== 0) x.fill(0, b * width, (b + 1) * width);
    },
  };
}
