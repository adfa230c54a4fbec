/** What a reading of the inside of a transformer says. Pure. */
import type { TokenInspection, WrittenToken } from '#contract/run/tokens.ts';

/** The layer that is shown where `chosen` may lie beyond the last; from 0. */
export const layerOf = ({ layers }: Pick<TokenInspection, 'layers'>, chosen: number): number => Math.min(chosen, layers - 1);

/** How much one head of a layer draws from each token of the row; head -1, or one that is not there: all heads on average. */
export function attentionOf(inside: Pick<TokenInspection, 'row' | 'heads' | 'attention'>, layer: number, head: number): Float64Array {
  const { row, heads, attention } = inside;
  const n = row.length;
  const own = head < 0 || head >= heads ? Array.from({ length: heads }, (_, h) => h) : [head];
  return Float64Array.from({ length: n }, (_, i) => own.reduce((sum, h) => sum + attention[(layer * heads + h) * n + i]!, 0) / own.length);
}

/** After how many layers the token that was written is the likeliest and stays so, 0: from the embedding on. null: another one is, in the end. */
export function settledAfter(lens: readonly WrittenToken[]): number | null {
  const from = lens.findLastIndex(({ id, likely }) => likely[0]?.id !== id) + 1;
  return from < lens.length ? from : null;
}
