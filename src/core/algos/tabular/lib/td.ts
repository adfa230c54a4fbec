/**
 * The two temporal-difference updates of the tabular learners, as equations. `next` is the state after the transition; a
 * termination has no next value, a time limit has (it is not part of the task).
 */
import { greedyValue, type Table } from '../../lib/table.ts';

/** Watkins 1989: Q(s,a) += alpha [r + gamma max_b Q(s',b) - Q(s,a)]. Answers the TD error. */
export function qUpdate(
  table: Table,
  s: number,
  a: number,
  r: number,
  next: number,
  terminated: boolean,
  alpha: number,
  gamma: number,
): number {
  const at = s * table.actions + a;
  const delta = r + (terminated ? 0 : gamma * greedyValue(table, next)) - table.q[at]!;
  table.q[at]! += alpha * delta;
  return delta;
}

/** Rummery and Niranjan 1994: the same with Q(s',a'), a' being the action taken next. */
export function sarsaUpdate(
  table: Table,
  s: number,
  a: number,
  r: number,
  next: number,
  nextAction: number,
  terminated: boolean,
  alpha: number,
  gamma: number,
): number {
  const at = s * table.actions + a;
  const delta = r + (terminated ? 0 : gamma * table.q[next * table.actions + nextAction]!) - table.q[at]!;
  table.q[at]! += alpha * delta;
  return delta;
}
