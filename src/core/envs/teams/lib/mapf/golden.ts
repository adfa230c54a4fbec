/** The draws a golden case of path finding lists. */
import type { Json } from '#contract/kit/json.ts';
import type { DrawSource } from '#core/envs/api/types.ts';

/** Golden draws: { targets: [per agent, the next targets in order] }. Whatever is not listed is drawn. */
export function listedTargets(draws: { readonly [key: string]: Json }): DrawSource {
  const left = new Map<string, number[]>();
  ((draws.targets ?? []) as readonly (readonly (readonly number[])[])[]).forEach((list, i) => {
    left.set(
      `target row ${i}`,
      list.map((t) => t[0]!),
    );
    left.set(
      `target column ${i}`,
      list.map((t) => t[1]!),
    );
  });
  return { uniform: () => undefined, int: (_row, _n, name) => left.get(name)?.shift() };
}
