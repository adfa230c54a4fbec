/** Whether a policy alone, which always takes its likeliest action, has lost most of what training had gained by drawing among them. */
import type { OwnProgress, OwnResult } from '#contract/own/sandbox.ts';

/** Share of the gain that may be lost before it is said. */
const LOST = 0.5;

interface Trained {
  readonly points: readonly Pick<OwnProgress, 'return'>[];
  readonly result: Pick<OwnResult, 'evalReturn'> | null;
}

export function isStuck({ points, result }: Trained): boolean {
  const curve = points.flatMap((point) => (point.return === null ? [] : [point.return]));
  const [first, last] = [curve[0], curve.at(-1)];
  const alone = result?.evalReturn ?? null;
  return first !== undefined && last !== undefined && alone !== null && last > first && alone < last - LOST * (last - first);
}
