/** CartPole's expert: a linear controller that never lets the pole fall. */
import type { ScriptedPolicy } from '../../api/types.ts';
import { poleExpert } from '../../lib/control/swing-up.ts';

/** `force` below 0 swaps the two pushes: it then acts as in the mirror. */
export function cartpoleExpert(force: number): ScriptedPolicy {
  const side = force < 0 ? -1 : 1;
  return poleExpert((obs, row, seen) => {
    for (let i = 0; i < 4; i++) seen[i] = side * obs[4 * row + i]!;
  }, null);
}
