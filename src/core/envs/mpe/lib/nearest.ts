/** Observations of the nearest bodies only: relative places, nearest first, zeros where there are fewer than asked for. */
export type NearestSeen = (
  floats: Float64Array,
  own: number,
  from: number,
  skip: number,
  most: number | null,
  out: Float32Array,
  at: number,
) => number;

/**
 * For up to `count` bodies: writes those whose places begin at `from`, seen from `own`, without number `skip` (-1: all of them).
 * `most` null: all, in their order. Returns the next place of `out`. Equally near ones keep their order.
 */
export function nearestSeen(count: number): NearestSeen {
  const order = new Int32Array(count);
  const square = new Float64Array(count);
  return (floats, own, from, skip, most, out, at) => {
    let found = 0;
    for (let j = 0; j < count; j++) {
      if (j === skip) continue;
      const dx = floats[from + 2 * j]! - floats[own]!;
      const dy = floats[from + 2 * j + 1]! - floats[own + 1]!;
      square[j] = dx * dx + dy * dy;
      let k = found++;
      if (most !== null) for (; k > 0 && square[order[k - 1]!]! > square[j]!; k--) order[k] = order[k - 1]!;
      order[k] = j;
    }
    const slots = most ?? found;
    for (let k = 0; k < slots; k++) {
      const j = k < found ? from + 2 * order[k]! : own;
      out[at + 2 * k] = floats[j]! - floats[own]!;
      out[at + 2 * k + 1] = floats[j + 1]! - floats[own + 1]!;
    }
    return at + 2 * slots;
  };
}
