/**
 * The three questions of SVERL answered exactly in a small known world (Beechey, Smith & Simsek 2023): states are rows of features, hidden
 * features are averaged over the states that share the known ones, weighted by how often the policy is there.
 *   behaviour   v_s(C) = E[pi(a|S) | S_C = s_C]                 what it does
 *   prediction  v_s(C) = E[V(S) | S_C = s_C]                    what it expects
 *   outcome     v_s(C) = V of s when pi_C acts in s (local) or everywhere (global): what knowing is worth
 * Cost 2^features * states^2 (outcome: * states). Arrays are [states][...].
 */
import { solveLinear } from '#math/linear.ts';

export interface SmallWorld {
  readonly states: readonly (readonly number[])[]; // [S, features]
  readonly transition: readonly (readonly (readonly number[])[])[]; // [S, actions, S]
  readonly reward: readonly (readonly number[])[]; // [S, actions]
  readonly gamma: number;
}

type Policy = readonly (readonly number[])[]; // [S, actions]

/** Share of time in each state in the long run; the world must be one that the policy can leave no part of for ever. */
export function steadyState(world: Pick<SmallWorld, 'transition'>, policy: Policy): readonly number[] {
  const moves = under(world.transition, policy);
  const n = moves.length;
  // d P = d, with the last equation replaced by sum d = 1
  const rows = Array.from({ length: n }, (_, j) =>
    Array.from({ length: n }, (_, i) => (j === n - 1 ? 1 : moves[i]![j]! - (i === j ? 1 : 0))),
  );
  return solveLinear(
    rows,
    rows.map((_, j) => (j === n - 1 ? 1 : 0)),
  );
}

/** Expected discounted return from each state. */
export function expectedReturn({ transition, reward, gamma }: SmallWorld, policy: Policy): readonly number[] {
  const moves = under(transition, policy);
  const gain = reward.map((row, s) => row.reduce((sum, r, a) => sum + r * policy[s]![a]!, 0));
  return solveLinear(
    moves.map((row, i) => row.map((p, j) => (i === j ? 1 : 0) - gamma * p)),
    gain,
  );
}

const under = (transition: SmallWorld['transition'], policy: Policy): number[][] =>
  transition.map((actions, s) => actions[0]!.map((_, next) => actions.reduce((sum, row, a) => sum + policy[s]![a]! * row[next]!, 0)));

/** Mean of `of` over the states that agree with s on the features of the mask, weighted. */
function given(states: SmallWorld['states'], weight: readonly number[], s: number, mask: number, of: (state: number) => number): number {
  let sum = 0;
  let total = 0;
  states.forEach((features, other) => {
    if (!features.every((x, f) => (mask & (1 << f)) === 0 || x === states[s]![f])) return;
    sum += weight[other]! * of(other);
    total += weight[other]!;
  });
  return total === 0 ? of(s) : sum / total;
}

/** v of every coalition of features in state s: index = bit mask. */
export function behaviourGame(
  states: SmallWorld['states'],
  weight: readonly number[],
  policy: Policy,
  s: number,
  action: number,
): Float64Array {
  return tableOf(states, (mask) => given(states, weight, s, mask, (other) => policy[other]![action]!));
}

export function predictionGame(states: SmallWorld['states'], weight: readonly number[], value: readonly number[], s: number): Float64Array {
  return tableOf(states, (mask) => given(states, weight, s, mask, (other) => value[other]!));
}

export function outcomeGame(
  world: SmallWorld,
  weight: readonly number[],
  policy: Policy,
  s: number,
  where: 'here' | 'everywhere',
): Float64Array {
  const { states } = world;
  return tableOf(states, (mask) => {
    const blind = policy.map((row, state) =>
      where === 'here' && state !== s ? row : row.map((_, a) => given(states, weight, state, mask, (other) => policy[other]![a]!)),
    );
    return expectedReturn(world, blind)[s]!;
  });
}

const tableOf = (states: SmallWorld['states'], v: (mask: number) => number): Float64Array =>
  Float64Array.from({ length: 2 ** states[0]!.length }, (_, mask) => v(mask));
