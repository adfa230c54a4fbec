/**
 * Loads may run up to 12 bytes past a row's end (every buffer has 16 spare bytes); stores never do: the padding of a parameter
 * block must stay zero, and a partial vector must not reach the next row.
 */

/** Stores the first n (1..3) lanes. */
@inline export function storeLanes(p: usize, v: v128, n: i32): void {
  v128.store_lane<f32>(p, v, 0);
  if (n > 1) v128.store_lane<f32>(p, v, 1, 4);
  if (n > 2) v128.store_lane<f32>(p, v, 2, 8);
}

/** All ones in the first n (0..4) lanes. */
@inline export function laneMask(n: i32): v128 {
  return i32x4.gt_s(i32x4.splat(n), i32x4(0, 1, 2, 3));
}

/** (l0 + l1) + (l2 + l3): the one order in which four lanes are added. */
@inline export function addLanes(v: v128): f32 {
  return (
    (f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1)) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  );
}
