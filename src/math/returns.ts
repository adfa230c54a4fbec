/**
 * Return targets of one stream of T transitions. `terminated[t]` and `truncated[t]` belong to the transition t -> t+1.
 * Sums stop at the first ended step and at the end of the data; the discount's exponent is the real number of steps summed.
 */
type Floats = Float32Array | Float64Array;

export interface NStep {
  readonly rewardSum: Float64Array; // [T]
  readonly discount: Float64Array; // [T] gamma^m, 0 where the window ended in a termination
  readonly last: Int32Array; // [T] index of the window's last transition: bootstrap from what follows it
}

/** n-step windows: target_t = rewardSum_t + discount_t * V(state after last_t). */
export function nStep(rewards: Floats, terminated: Uint8Array, truncated: Uint8Array, gamma: number, n: number): NStep {
  const steps = rewards.length;
  const rewardSum = new Float64Array(steps);
  const discount = new Float64Array(steps);
  const last = new Int32Array(steps);
  for (let t = 0; t < steps; t++) {
    let sum = 0;
    let power = 1;
    let i = t;
    for (;;) {
      sum += power * rewards[i]!;
      power *= gamma;
      if (terminated[i] !== 0 || truncated[i] !== 0 || i - t + 1 === n || i + 1 === steps) break;
      i++;
    }
    rewardSum[t] = sum;
    discount[t] = terminated[i] !== 0 ? 0 : power;
    last[t] = i;
  }
  return { rewardSum, discount, last };
}

export interface LambdaInput {
  readonly rewards: Floats; // [T, N]
  readonly nextValues: Floats; // [T, N] value of the state after each step, before any reset
  readonly terminated: Uint8Array; // [T, N]
  readonly truncated: Uint8Array; // [T, N]
  readonly rows: number; // N
  readonly gamma: number;
  readonly lambda: number;
}

/** Lambda-returns of N streams, time-major: G_t = r_t + gamma (lambda G_{t+1} + (1 - lambda) v_{t+1}) (1 - terminated). Fills targets [T, N]. */
export function lambdaReturns(input: LambdaInput, targets: Floats): void {
  const { rewards, nextValues, terminated, truncated, rows, gamma, lambda } = input;
  const steps = rewards.length / rows;
  for (let row = 0; row < rows; row++) {
    let following = steps > 0 ? nextValues[(steps - 1) * rows + row]! : 0;
    for (let t = steps - 1; t >= 0; t--) {
      const i = t * rows + row;
      const next = nextValues[i]!;
      if (truncated[i] !== 0) following = next; // what comes after belongs to another episode
      const tail = terminated[i] !== 0 ? 0 : lambda * following + (1 - lambda) * next;
      following = rewards[i]! + gamma * tail;
      targets[i] = following;
    }
  }
}

/** Monte-Carlo returns; the tail of the data is bootstrapped with 0. */
export function discountedReturns(rewards: Floats, ended: Uint8Array, gamma: number): Float64Array {
  const returns = new Float64Array(rewards.length);
  let sum = 0;
  for (let t = rewards.length - 1; t >= 0; t--) {
    if (ended[t] !== 0) sum = 0;
    sum = rewards[t]! + gamma * sum;
    returns[t] = sum;
  }
  return returns;
}
