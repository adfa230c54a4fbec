/** What a planner says of levels: asked of a worker, nothing is trained. */
import { workers } from '#client/workers/service.ts';
import type { LevelSolution } from '#contract/files/levels.ts';
import type { JsonObject } from '#contract/kit/json.ts';

/** For each level null where the planner finds no way; null: this environment has no such planner. Rejects with a LabError for a level of another config. */
export const solutionsOf = (
  { id, config }: { readonly id: string; readonly config: JsonObject },
  levels: readonly { readonly state: Uint8Array }[],
): Promise<readonly (LevelSolution | null)[] | null> =>
  workers.answerer().solve(
    { id, config },
    levels.map(({ state }) => state),
  );
