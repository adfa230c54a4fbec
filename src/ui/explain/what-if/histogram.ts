/** Numbers of the what-if panel: bins that both sides share, and the difference in a sentence. Pure. */
import type { Counterfactual } from '#contract/explain/counterfactual.ts';
import { withWidth } from '#report/explain-words.ts';
import { measure } from '#ui/kit/format/numbers.ts';

const BINS = 24;

interface Bins {
  readonly low: number;
  readonly high: number;
  /** Of the fullest bin. */
  readonly most: number;
  readonly counts: readonly (readonly number[])[]; // per side
}

export function binsOf(sides: readonly (readonly number[])[]): Bins {
  const all = sides.flat();
  const least = Math.min(...all);
  const greatest = Math.max(...all);
  const pad = greatest > least ? 0.02 * (greatest - least) : Math.max(0.5, Math.abs(least) * 0.05);
  const [low, high] = [least - pad, greatest + pad];
  const counts = sides.map((values) => {
    const bins = new Array<number>(BINS).fill(0);
    for (const v of values) bins[Math.min(BINS - 1, Math.floor((BINS * (v - low)) / (high - low)))]!++;
    return bins;
  });
  return { low, high, most: Math.max(1, ...counts.flat()), counts };
}

/** Differences this small beside the returns are rounding. */
const ROUNDING = 1e-9;

export function verdict({ difference, differenceHalfWidth, asItWas, changed }: Counterfactual): string {
  const tiny = ROUNDING * Math.max(1, Math.abs(asItWas.mean), Math.abs(changed.mean));
  const fixed = differenceHalfWidth <= tiny;
  if (fixed && Math.abs(difference) <= tiny) return 'nothing changes.';
  if (fixed && asItWas.returns.every((w) => Math.abs(w - asItWas.returns[0]!) <= tiny))
    return `the return is ${measure(Math.abs(difference), 3)} ${difference > 0 ? 'higher' : 'lower'} (${measure(asItWas.mean, 3)} becomes ${measure(changed.mean, 3)}); nothing is left to chance here.`;
  const by = withWidth(difference, differenceHalfWidth);
  if (Math.abs(difference) <= differenceHalfWidth)
    return `no significant difference (${by}, ${measure(asItWas.mean, 3)} and ${measure(changed.mean, 3)} on average).`;
  return `the return changes by ${by}, from ${measure(asItWas.mean, 3)} to ${measure(changed.mean, 3)} on average: ${difference > 0 ? 'better' : 'worse'}.`;
}
