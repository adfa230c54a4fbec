/**
 * Generalised advantage estimation (Schulman et al. 2016) over T steps of N rows, time-major [T, N].
 *   delta_t = r_t + gamma V_{t+1} - V_t;   A_t = delta_t + gamma lambda (1 - end_t) A_{t+1};   return target = A_t + V_t
 * A terminated step has next value 0, a truncated one the value of its own last observation; both cut the lambda chain.
 */
type Floats = Float32Array | Float64Array;

export interface GaeInput {
  readonly rewards: Floats; // [T, N]
  readonly values: Floats; // [T, N] V(s_t)
  readonly terminated: Uint8Array; // [T, N] flags of the transition t -> t+1
  readonly truncated: Uint8Array; // [T, N]
  readonly finalValues: Floats; // [T, N] V(last observation), read where truncated
  readonly lastValues: Floats; // [N] V(s_T)
  readonly rows: number; // N
  readonly gamma: number;
  readonly lambda: number;
  /** false: a time limit counts as a termination (CleanRL ppo.py, PureJaxRL). */
  readonly bootstrapAtTruncation: boolean;
}

/** Fills advantages and returns, both [T, N]. */
export function gae(input: GaeInput, advantages: Floats, returns: Floats): void {
  const { rewards, values, terminated, truncated, finalValues, lastValues, rows, gamma, lambda } = input;
  const steps = rewards.length / rows;
  for (let row = 0; row < rows; row++) {
    let nextValue = lastValues[row]!;
    let advantage = 0;
    for (let t = steps - 1; t >= 0; t--) {
      const i = t * rows + row;
      const ended = terminated[i] !== 0 || truncated[i] !== 0;
      if (ended) {
        const bootstrap = terminated[i] === 0 && input.bootstrapAtTruncation;
        nextValue = bootstrap ? finalValues[i]! : 0;
        advantage = 0;
      }
      const value = values[i]!;
      const delta = rewards[i]! + gamma * nextValue - value;
      advantage = delta + gamma * lambda * advantage;
      advantages[i] = advantage;
      returns[i] = advantage + value;
      nextValue = value;
    }
  }
}
