/** Which kept policy a place on the learning timeline means. Steps ascend. */
interface Kept {
  readonly step: number;
}

/** Step of the kept policy nearest to `step`; null if none is kept. */
export function nearest(kept: readonly Kept[], step: number): number | null {
  let best: number | null = null;
  for (const { step: s } of kept) if (best === null || Math.abs(s - step) < Math.abs(best - step)) best = s;
  return best;
}

/** Step of the kept policy `by` places from the one shown at `step`, held at the ends. `kept` must not be empty. */
export function shift(kept: readonly Kept[], step: number, by: number): number {
  let at = -1;
  for (let i = 0; i < kept.length; i++) if (kept[i]!.step <= step) at = i;
  return kept[Math.min(kept.length - 1, Math.max(0, at + by))]!.step;
}
